"""Descriptions of arguments and result fields for agents: our own words, none from papers."""

from __future__ import annotations

ARGUMENTS = {
    "answer": 'An answer: "answer" of what ask returned.',
    "claim": "A statement in one sentence.",
    "cursor": 'Where to go on: "cursor" of the same call\'s last result; "" to begin.',
    "figure_iri": 'A figure or table: "ex:..." or "Figure 3".',
    "labels": 'Only these relations, parted by blanks; "" for all.',
    "limit": "Hits at most.",
    "node": 'A node, as "ex:b_p001_0004"; in expand_node also "paper/ex:...", a paper, or "chunk" of a search result.',
    "node_iri": 'A node, as "ex:b_p001_0004", or a section by title or number.',
    "only": "Values that hits must have one of, by facet; {} for all hits.",
    "offset": "Characters of the text to skip.",
    "page": "A page, from 1 on; left out where a node is named.",
    "paper": "A paper's id, from list_papers or a search result.",
    "plan": 'How to search: bm25, dense, hybrid, sage, entity, multi_query, paths; "" for the best there is.',
    "query": "Words to search for.",
    "question": "A question in English.",
    "quote": "Words as they are printed in the node.",
    "references": "Whether entries of reference lists are found too.",
    "whole": "Whether hits are given with the text of their section around them.",
    "section_iri": 'A section: "ex:...", its title or number; "" for the whole paper.',
}

READER_ARGUMENTS = {
    "claim": "A statement in one sentence.",
    "cursor": '"cursor" of the last result, to continue; "" to begin.',
    "node": 'A node, "ex:b_p001_0004", or a label, "Table 2".',
    "offset": '"next_offset" of the last result, to continue.',
    "page": "Page number, from 1.",
    "paper": 'A paper id from list_papers; "" for all papers, or for the only one.',
    "query": 'Words to find; "exact phrase" in quotes.',
    "question": "A question in English.",
    "quote": "Words as printed in a paper.",
    "section": "Number or title of a section.",
}
"""Descriptions of the arguments of the reader's tools; each tool that has one declares it."""

_LIST = "total:integer items:array cursor:string"
_CHECK = "conforms:boolean quotes:integer quoted:integer verdicts:array issues:array issues_total:integer"

RESULTS = {
    "list_papers": f"query:string {_LIST}",
    "ask": "text:string found:boolean conforms:boolean whole:boolean left_out:integer answer:object",
    "verify": _CHECK,
    "verify_claim": f"{_CHECK} evidence:object",
    "show_page": "paper:string node:string page:integer boxes:array media_type:string width:integer height:integer",
    "search_knowledge_graph": f"query:string plan:string notes:array {_LIST}",
    "search_by_facets": f"query:string plan:string notes:array chosen:object facets:object {_LIST}",
    "expand_node": f"chunk:string paper:string text:string counts:object {_LIST}",
    "graph_statistics": "papers:integer chunks:integer kinds:object vectors:boolean nodes:integer edges:object "
    "waiting:integer",
    "export_json_ld": f"query:string {_LIST}",
    "g_overview": "paper:string title:string",
    "g_search": f"query:string unknown:array {_LIST}",
    "g_section_content": f"section:string title:string {_LIST}",
    "g_node_detail": "node:string kind:string text:string chars:integer next:integer?",
    "g_figure_info": "figure:string kind:string label:string page:integer",
    "g_node_refs": f"node:string counts:object {_LIST}",
}
"""The fields of a result that are always there, with their types; a result may have more."""
