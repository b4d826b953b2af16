"""The steps by which the policy answers a question through the five views: search, read around, quote, repair.

It quotes the sentences that share most words with the question: passages more than answers. Where half of the words are
printed nowhere, it says "not found".
"""

_LOOK = """\
common = "what which where when who whom whose why how does did do have has been were was are is the and for not with "
common += "from this that they their into many much any"
words = [word for word in re.findall(r"[^\\W_]{3,}", question.lower()) if word not in common.split()]
found, missing = [], 0
for query in [" ".join(words)[:1000], " ".join(words[:3])[:1000], *words[:6]] if words else [question[:1000]]:
    result = search(query)
    print(query[:60], "->", result["total"] if result["ok"] else result["error"])
    missing += query in words[:6] and not result.get("total")
    for item in result["items"] if result["ok"] else []:
        place = {name: item[name] for name in ("paper", "node") if name in item}
        if place not in found:
            found.append(place)
print("next: read" if found and missing * 2 < max(1, len(words[:6])) else "next: none")
"""

LOOK = (
    """\
def search(query):
    return g_search(query, 6)

def in_paper(place):
    return []

"""
    + _LOOK
)

LOOK_AROUND = (
    """\
def search(query):
    return search_knowledge_graph(query, 6)

def in_paper(place):
    return [place["paper"]]

"""
    + _LOOK
)

READ = """\
paper = in_paper(found[0])
print(len(g_search(*paper, words[0] if words else question[:1000])["items"]), "places in", *paper)
detail = g_node_detail(*paper, found[0]["node"])
section = detail["section"]["node"] if detail.get("section") else ""
print([item["text"][:60] for item in g_section_content(*paper, section)["items"][:3]])
links = g_node_refs(*paper, found[0]["node"])["items"]
print([(item["relation"], item["text"][:60]) for item in links[:3]])
for caption in g_search(*paper, "kind:caption", 1)["items"]:
    links += g_node_refs(*paper, caption["node"])["items"]
floats = [item["node"] for item in links if item.get("kind") in ("Figure", "Table")]
for name in [*re.findall(r"(?:Figure|Table) \\d+", question), *floats]:
    figure = g_figure_info(*paper, name)
    if figure["ok"]:
        print(figure["label"], (figure["caption"] or {"text": ""})["text"][:80])
        break
print("next: quote")
"""

QUOTE = """\
ranked = []
for number, place in enumerate(found[:8]):
    text, offset = "", 0
    while offset is not None and len(text) < 20000:
        part = g_node_detail(*in_paper(place), place["node"], offset)
        text += part["text"] if part["ok"] and not part.get("parts") else ""
        offset = part["next"] if part["ok"] and not part.get("parts") else None
    for sentence in re.split(r"(?<=[.!?])\\s+|\\n", text):
        shared = len([word for word in set(words) if word[:6] in sentence.lower()])
        if shared and 4 < len(sentence.split()) and len(sentence) < 600:
            ranked.append((-shared, number, sentence))
ranked.sort()
claims = [{"text": sentence, "evidence": [{**found[number], "quote": sentence}],
           "confidence": 0.5 if score * -2 >= len(set(words)) else 0.2} for score, number, sentence in ranked[:6]]
print([row["text"][:80] for row in claims[:2]])
print("next: answer" if claims else "next: none")
"""

ANSWER = """\
try:
    SUBMIT(answer={"claims": claims[:2]})
except RuntimeError as error:
    refused = re.findall(r"claims\\[(\\d+)\\]", str(error))
    claims = [row for number, row in enumerate(claims) if str(number) not in refused]
    print(str(error)[:400])
    print("next: answer" if claims else "next: none")
"""

NONE = """\
SUBMIT(answer={"not_found": True})
"""
