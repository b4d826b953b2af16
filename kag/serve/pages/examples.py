"""Queries to begin with. The prefixes of the graphs need no declaration."""

EXAMPLES = (
    (
        "Papers with title and year",
        "SELECT ?paper ?title ?year WHERE {\n  GRAPH ?paper {\n"
        "    ?document a fabio:ResearchPaper ; dcterms:title ?title .\n"
        "    OPTIONAL { ?document fabio:hasPublicationYear ?year }\n  }\n}\nORDER BY ?paper\nLIMIT 100",
    ),
    (
        "Tables with their captions",
        "SELECT ?paper ?number ?caption WHERE {\n  GRAPH ?paper {\n"
        "    ?table a doco:Table ; kag:floatNumber ?number .\n"
        "    ?node kag:describes ?table ; kag:mainText ?caption .\n  }\n}\nORDER BY ?paper ?number\nLIMIT 100",
    ),
    (
        "Which sections cite most",
        "SELECT ?paper ?title (COUNT(?entry) AS ?cited) WHERE {\n  GRAPH ?paper {\n"
        "    ?section kag:containsAsHeader ?heading ; kag:contains ?paragraph .\n"
        "    ?heading kag:mainText ?title .\n    ?paragraph cito:cites ?entry .\n  }\n}\n"
        "GROUP BY ?paper ?title\nORDER BY DESC(?cited)\nLIMIT 20",
    ),
    (
        "References without a DOI",
        "SELECT ?paper ?number ?text WHERE {\n  GRAPH ?paper {\n"
        "    ?entry a deo:BibliographicReference ; kag:citationNumber ?number ; kag:citationText ?text .\n"
        "    FILTER NOT EXISTS { ?entry prism:doi ?doi }\n  }\n}\nORDER BY ?paper ?number\nLIMIT 100",
    ),
    (
        "How many nodes of each kind",
        "SELECT ?kind (COUNT(?node) AS ?nodes) WHERE {\n  GRAPH ?paper { ?node a ?kind }\n}\n"
        "GROUP BY ?kind\nORDER BY DESC(?nodes)\nLIMIT 50",
    ),
)
