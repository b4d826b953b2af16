"""The steps by which the policy answers a question through the views: search, read, quote, withdraw what is refused."""

_LOOK = """\
common = "what which where when whom whose does have been were with from this that they their into many much".split()
words = [word for word in re.findall(r"[^\\W_]{4,}", question.lower()) if word not in common]
found = []
for query in [" ".join(words)[:1000], " ".join(words[:3])[:1000]]:
    result = search(query) if query.strip() else {"ok": False, "error": "no words"}
    print(query[:60], "->", result["total"] if result["ok"] else result["error"])
    for item in result["items"] if result["ok"] else []:
        place = {name: item[name] for name in ("paper", "node") if name in item}
        if place not in found:
            found.append(place)
print("next: quote" if found else "next: none")
"""

LOOK = (
    """\
def search(query):
    return g_search(query, 6)

def detail(place, offset):
    return g_node_detail(place["node"], offset)

"""
    + _LOOK
)

LOOK_AROUND = (
    """\
def search(query):
    return search_knowledge_graph(query, 6)

def detail(place, offset):
    return g_node_detail(place["paper"], place["node"], offset)

"""
    + _LOOK
)

QUOTE = """\
def whole(place):
    text, offset = "", 0
    while offset is not None and len(text) < 20000:
        part = detail(place, offset)
        if not part["ok"] or part.get("parts"):
            break
        text += part["text"]
        offset = part["next"]
    return text

ranked = []
for number, place in enumerate(found[:6]):
    for sentence in re.split(r"(?<=[.!?])\\s+", whole(place)):
        shared = len([word for word in set(words) if word[:6] in sentence.lower()])
        if shared and shared * 2 >= len(set(words)) and len(sentence) < 600:
            ranked.append((-shared, number, sentence))
ranked.sort()
draft = [{"text": sentence, "evidence": [{**found[number], "quote": sentence}], "confidence": 0.5}
         for score, number, sentence in ranked[:2]]
print(len(ranked), "sentences on it;", [row["text"][:80] for row in draft])
print("next: answer" if ranked else "next: give up")  # words that are there, but not together, are no proof of absence
"""

NONE = """\
SUBMIT(answer={"not_found": True})
"""

ANSWER = """\
try:
    SUBMIT(answer={"claims": draft})
except RuntimeError as error:
    refused = re.findall(r"claims\\[(\\d+)\\]", str(error))
    draft = [row for number, row in enumerate(draft) if str(number) not in refused]
    print(str(error)[:400])
    print("next: answer" if draft else "next: give up")
"""
