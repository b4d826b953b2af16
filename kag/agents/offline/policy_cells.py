"""The code between the rules: what the policy looks at, plans, writes through the tools, repairs and submits.

Each cell is sent into the sandbox as one step, behind the rules it needs. Its last printed line tells the
policy, which sees nothing but the prompt, how to go on.
"""

EXPLORE = """\
labels = {}
for block in blocks:
    labels[block["label"]] = labels.get(block["label"], 0) + 1
print(len(blocks), "blocks on", max([block["page"] for block in blocks] + [0]), "pages;", labels)
print("next: structure")
"""

STRUCTURE = """\
skipped = find_noise(blocks)
kept = [block for block in blocks if block["id"] not in skipped]
floats = find_floats(kept)
print(len(skipped), "blocks to leave out;", len(floats), "figures and tables,",
      len([item for item in floats if item["caption"]]), "with a caption")
in_floats = []
for item in floats:
    in_floats += item["blocks"]
    if item["caption"]:
        in_floats += item["caption"]["blocks"]
titles = [block["id"] for block in kept if block["label"] == "title" and block["page"] <= 3][:1]
sections = find_sections(kept, in_floats + titles)
for section in sections[:40]:
    print("  " * section["depth"], section["title"][:60], len(section["blocks"]))
print("next: content")
"""

CONTENT = """\
def full(block_id):
    text, total = "", 1
    while len(text) < total:
        part = read_window(block_id, len(text), 4000)
        total = part["total"]
        if not part["text"]:
            break
        text += part["text"]
    return text

starts_float = {item["blocks"][0]: item for item in floats}
starts_caption = {item["caption"]["blocks"][0]: item for item in floats if item["caption"]}
floating = {name: True for name in in_floats}
nodes = []
for number, section in enumerate(sections):
    texts = [block for block in section["blocks"] if block["id"] not in floating]
    front = front_classes(texts, full) if section["heading"] is None else {}
    listed = []
    if section["heading"] and is_one_of(letters(section["title"]), REFERENCES):
        listed = [b for b in texts if b["label"] not in ["equation", "image", "table"] and b["text"]]
    entries = find_entries(listed, full)
    taken = {name: True for entry in entries for name in entry["blocks"]}
    earlier, last_entry, behind = None, None, False
    for place, block in enumerate(section["blocks"]):
        name = block["id"]
        if name in starts_float:
            item = starts_float[name]
            cls = "doco:Figure" if item["kind"] == "figure" else "doco:Table"
            label = item["caption"]["label"] if item["caption"] else None
            nodes.append({"section": number, "class": cls, "blocks": item["blocks"], "label": label})
        if name in starts_caption:
            item = starts_caption[name]
            nodes.append({"section": number, "class": "deo:Caption", "blocks": item["caption"]["blocks"],
                          "label": item["caption"]["label"], "describes": item["blocks"][0]})
        for entry in [e for e in entries if e["blocks"][0] == name]:
            node = {"section": number, "class": "deo:BibliographicReference", "blocks": entry["blocks"],
                    "start": entry["start"], "end": entry["end"]}
            if entry["tail"]:
                node["class"], node["continues"] = "doco:Paragraph", last_entry
            last_entry = name if entry["start"] is None else name + "-" + str(entry["start"])
            nodes.append(node)
        if name not in taken and name not in floating:
            cls = front.get(name) or text_class(block, section["blocks"][:place])
            node = {"section": number, "class": cls, "blocks": [name]}
            if cls == "doco:Paragraph":
                if earlier and (behind or not right_below(earlier, block)) and goes_on(earlier, block):
                    node["continues"] = earlier["id"]
                earlier = block
            behind = cls == "doco:Formula"
            nodes.append(node)
print(len(nodes), "nodes planned in", len(sections), "sections")
print("next: write")
"""

WRITE = """\
refused = []

def must(result):
    if not result["ok"]:
        refused.append(result["error"] + " | " + result["hint"])
    return result

for name in skipped:
    must(op_skip_block(name, skipped[name]))
must(op_assert_type("ex:document", "doco:Document"))
must(op_assert_type("ex:document", "fabio:ResearchPaper"))
must(op_set_single_literal("ex:document", "dcterms:identifier", paper_id))
names = []
for section in sections:
    heading = section["heading"]
    if heading:
        name, title, page = "ex:s_" + heading["id"][2:], "ex:" + heading["id"], heading["page"]
        must(op_create_node(heading["id"], "doco:SectionTitle"))
    else:
        name, title, page = "ex:s_front", "ex:s_front_title", section["blocks"][0]["page"]
        must(op_assert_type(title, "doco:SectionTitle"))
        must(op_set_single_literal(title, "kag:fullText", section["title"]))
        must(op_set_single_literal(title, "kag:mainText", section["title"]))
        must(op_set_single_literal(title, "kag:isSynthetic", True))
    names.append(name)
    must(op_assert_type(name, "doco:Section"))
    if section["title"] == "Front matter" and not heading:
        must(op_assert_type(name, "doco:FrontMatter"))
    must(op_add_iri_link(name, "kag:containsAsHeader", title))
    must(op_set_single_literal(name, "kag:pageNumber", page))
    must(op_set_single_literal(name, "kag:depth", section["depth"]))
    if section["number"]:
        must(op_set_single_literal(name, "kag:sectionNumber", section["number"]))
    parent = "ex:document" if section["parent"] is None else names[section["parent"]]
    must(op_add_iri_link(parent, "kag:contains", name))
links = []
filled = {}
for node in nodes:
    more = node["blocks"][1:] or None
    made = must(op_create_node(node["blocks"][0], node["class"], node.get("start"), node.get("end"), more))
    if made["ok"]:
        must(op_add_iri_link(names[node["section"]], "kag:contains", made["node"]))
        filled[node["section"]] = True
        if node.get("label"):
            must(op_set_single_literal(made["node"], "kag:floatNumber", node["label"]["number"]))
            must(op_set_single_literal(made["node"], "kag:floatLabel", node["label"]["label"]))
        if node.get("describes"):
            links.append((made["node"], "kag:describes", "ex:" + node["describes"]))
        if node.get("continues"):
            links.append((made["node"], "kag:continues", "ex:" + node["continues"]))
for number, section in enumerate(sections):
    if section["heading"] and number not in filled and not [s for s in sections if s["parent"] == number]:
        must(op_add_iri_link(names[number], "kag:contains", "ex:" + section["heading"]["id"]))
for subject, predicate, value in links:
    must(op_add_iri_link(subject, predicate, value))
print(len(refused), "refused", refused[:5])
"""

FINISH = """\
result = finalize_graph("built by rules")
for row in result.get("violations", [])[:8]:
    print(row["count"], row["message"][:160], row["nodes"][:3])
print("next: submit" if result["ok"] else "next: repair")
"""

REPAIR = """\
open_blocks = recall(0)[0]["next_unplaced"]
while open_blocks:
    for name in open_blocks:
        made = op_create_node(name, "doco:Paragraph")
        if not made["ok"]:
            op_skip_block(name, "cannot be placed: " + made["error"])
        elif names:
            op_set_single_iri_link(made["node"], "^kag:contains", names[-1])
    now = recall(0)[0]["next_unplaced"]
    open_blocks = now if now != open_blocks else []
for row in result.get("violations", []):
    for name in row["nodes"]:
        if "in no section" in row["message"] or "more than one parent" in row["message"]:
            op_set_single_iri_link(name, "^kag:contains", names[-1])
        elif "section is empty" in row["message"]:
            op_add_iri_link(name, "kag:contains", "ex:b_" + name[5:])
        elif "more than one describes" in row["message"] or "comes from no block" in row["message"]:
            op_remove_node(name)
"""

SUBMIT = """\
SUBMIT(str(len(nodes)) + " nodes in " + str(len(sections)) + " sections, built by rules")
"""

DOUBTS = """\
for doubt in doubts:
    decide(doubt["id"], doubt["candidates"][0])
print(len(doubts), "doubts, the first candidate kept in each;", len(open_doubts()), "open")
print("next: settle" if not open_doubts() else "next: give up")
"""

SETTLE = """\
SUBMIT("the first candidate was kept in each of " + str(len(doubts)) + " doubts")
"""
