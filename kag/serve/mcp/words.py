"""What agents are told of arguments, and the fields of results: words of ours, none of them a paper's."""

from __future__ import annotations

ARGUMENTS = {
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

OF_VIEWS = {
    "answer": 'An answer: "answer" of what ask returned.',
    "figure_iri": 'A figure or table: "ex:..." or "Figure 3".',
    "labels": 'Only these relations, separated by blanks; "" for all.',
    "limit": "Hits at most.",
    "node": 'A node, as "ex:b_p001_0004"; in expand_node also "paper/ex:...", a paper, or "chunk" of a search result.',
    "node_iri": 'A node, as "ex:b_p001_0004", or a section by title or number.',
    "offset": "Characters of the text to skip.",
    "only": "Values that hits must have one of, by facet; {} for all hits.",
    "paper": "A paper's id, from list_papers or a search result.",
    "plan": 'How to search: bm25, dense, hybrid, sage, entity, multi_query, paths; "" for the best there is.',
    "references": "Whether entries of reference lists are found too.",
    "section_iri": 'A section: "ex:...", its title or number; "" for the whole paper.',
    "whole": "Whether hits are given with the text of their section around them.",
}
"""The same for the other set, where it differs."""

_LIST = "total:integer items:array cursor:string"
_CHECK = "conforms:boolean quotes:integer quoted:integer verdicts:array issues:array issues_total:integer"

RESULTS = {
    "list_papers": _LIST,
    "ask": "text:string found:boolean conforms:boolean whole:boolean left_out:integer answer:object",
    "verify": _CHECK,
    "verify_claim": "printed:boolean verdict:string issues:array evidence:array",
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
"""The tools of the set `views`, with the fields of a result that are always there; a result may have more."""
