"""Claims with what they rest on, each true or false in one way: the examples that the rules are held to."""

from __future__ import annotations

from dataclasses import dataclass

from kag.values.verdict import Quote


@dataclass(frozen=True, slots=True)
class Case:
    """A claim and its quotes; `kind` is the way in which it is true, or the fault that was made."""

    kind: str
    quotes: tuple[Quote, ...]
    claim: str
    question: str = ""


def said(kind: str, quote: str | tuple[Quote, ...], claim: str, question: str = "") -> Case:
    """A case; a quote given as a text is a sentence."""
    return Case(kind, (Quote(quote),) if isinstance(quote, str) else quote, claim, question)


def row(headers: str, cells: str, *others: str, caption: str = "") -> tuple[Quote, ...]:
    """One row of a table as the quote, the others beside it; cells parted by " | "."""
    rows = tuple(tuple(line.split(" | ")) for line in (cells, *others))
    return (Quote(cells, "row", caption=caption, headers=tuple(headers.split(" | ")), cells=rows[0], rows=rows),)


WELLS = "The mean depth was 34 m in the northern wells and 21 m in the southern wells."
OWLS = "We ringed 274 and 183 owlets for modern and classical nest boxes, respectively."
YIELD = row(
    "Variety | Yield (t/ha) | Height (cm)",
    "Amber | 6.2 | 88",
    "Slate | 4.9 | 101",
    caption="Yield and height by variety.",
)
VALVE = "Closing the valve did not lower the pressure in the tank, but it reduced the flow."
SALT = "Treatment with brine inhibited germination of rye, whereas fresh water promoted it."
MOSS = "Moss cover may increase the retention of water, although no experiment has shown this."
PLAN = "In the next phase, twelve buoys will be installed along the eastern shore."
LARK = (
    "Skylarks were more abundant on organic farms than on conventional farms "
    "(3.1 ± 0.4 against 1.8 ± 0.3 territories per site)."
)
GENE = "The gene rolA is not required for growth on acetate."
SHARE = "The share of wooded land was 89 % in 1975 and 62 % in 2005."
NODIA = "Among patients without diabetes, the median stay was 4 days."
NOEFF = "The coating had no effect on corrosion after 30 days."
SOME = "Some of the sampled ponds contained newts."
PRED = "Foxes prey on voles, and voles eat the seeds of alder."
SPEED = "Air left the vent at 3.1 m/s."
VEGF = "Expression of Vegfa rose twofold in hypoxic cells."
TEMP = "Yield fell from 5.4 t/ha in 2010 to 4.1 t/ha in 2018."
SURV = "All 36 seedlings in shade survived, while 9 of 36 in full sun died."
WARM = "Warmer nights were associated with shorter hibernation."
CTRL = "Fever occurred in 12 % of vaccinated children and in 19 % of controls."
CAUSE = "Because the pump clogged, the lower basin dried out in July."
BEFORE = "Nitrate peaked before the phytoplankton bloom."
SUGG = "These data suggest that lead from old pipes delays speech in toddlers."
MOST = "Most of the interviewed farmers had stopped burning stubble."
ONLY = "The enzyme was active at pH 6 and at pH 8."
PATH = "The protein KalB phosphorylates DorC in the cytoplasm."

TRUE = (
    said("same words", WELLS, "The mean depth in the southern wells was 21 m."),
    said("same words", WELLS, "The northern wells had a mean depth of 34 m."),
    said("list", OWLS, "183 owlets were ringed in classical nest boxes."),
    said("list", OWLS, "In modern nest boxes 274 owlets were ringed."),
    said("header unit", YIELD, "Amber yielded 6.2 t/ha.", "What was the yield of Amber?"),
    said("header unit", YIELD, "The height of Amber is 88 cm."),
    said("header unit", YIELD, "Amber was 88 cm tall."),
    said("denied", VALVE, "Closing the valve did not lower the pressure."),
    said("other clause", VALVE, "Closing the valve reduced the flow."),
    said("passive", SALT, "Germination of rye was inhibited by brine."),
    said("other clause", SALT, "Fresh water promoted germination of rye."),
    said("hedged", MOSS, "Moss cover may increase water retention."),
    said("hedged", MOSS, "Moss cover could possibly increase the retention of water."),
    said("plan", PLAN, "Twelve buoys are planned along the eastern shore."),
    said("plan", PLAN, "12 buoys will be installed along the eastern shore."),
    said("comparison", LARK, "Organic farms had more skylarks than conventional farms."),
    said("turned comparison", LARK, "Skylarks were less abundant on conventional farms than on organic farms."),
    said("spread", LARK, "There were 3.1 ± 0.4 territories per site on organic farms."),
    said("other word", GENE, "rolA is dispensable for growth on acetate."),
    said(
        "leading no", GENE, "No, rolA is not required for growth on acetate.", "Is rolA required for growth on acetate?"
    ),
    said("leading no", GENE, "No. The gene rolA is not required for growth on acetate.", "Is rolA required?"),
    said("year", SHARE, "Wooded land made up 89 % in 1975."),
    said("year", SHARE, "In 2005 the share of wooded land was 62 %."),
    said("modifier", NODIA, "The median stay of patients without diabetes was 4 days."),
    said("modifier", NODIA, "Patients without diabetes stayed a median of four days."),
    said("denied", NOEFF, "The coating did not affect corrosion after 30 days."),
    said("denied", NOEFF, "No effect of the coating on corrosion was seen."),
    said("quantity", SOME, "Newts were found in some ponds."),
    said("who and whom", PRED, "Voles are the prey of foxes."),
    said("who and whom", PRED, "Voles are eaten by foxes, and voles eat alder seeds."),
    said("unit", SPEED, "Air left the vent at 3.1 ms⁻¹."),
    said("unit", SPEED, "The air left at 3.1 m s−1."),
    said("short form", VEGF, "VEGF expression doubled in hypoxic cells."),
    said("from to", TEMP, "Yield decreased from 5.4 t/ha in 2010 to 4.1 t/ha in 2018."),
    said("from to", TEMP, "In 2018 the yield was 4.1 t/ha."),
    said("quantity", SURV, "All seedlings in shade survived."),
    said("other clause", SURV, "In full sun 9 of 36 seedlings died."),
    said("other word", WARM, "Hibernation was shorter where nights were warmer."),
    said("group", CTRL, "19 % of the controls had fever."),
    said("group", CTRL, "Fever was less common in vaccinated children (12 %) than in controls (19 %)."),
    said("cause", CAUSE, "The lower basin dried out in July because the pump clogged."),
    said("time", BEFORE, "Nitrate peaked before the bloom of phytoplankton."),
    said("time", BEFORE, "The phytoplankton bloom came after the nitrate peak."),
    said("hedged", SUGG, "Lead from old pipes may delay speech in toddlers."),
    said("quantity", MOST, "Most farmers interviewed no longer burned stubble."),
    said("who and whom", PATH, "DorC is phosphorylated by KalB."),
)

FALSE = (
    said("swapped groups", WELLS, "The mean depth was 21 m in the northern wells."),
    said("swapped groups", WELLS, "The southern wells were 34 m deep on average."),
    said("swapped list", OWLS, "183 owlets were ringed in modern nest boxes."),
    said("swapped list", OWLS, "274 owlets came from classical nest boxes."),
    said("wrong column", YIELD, "Amber yielded 88 t/ha."),
    said("wrong column", YIELD, "The height of Amber is 6.2 cm."),
    said("wrong row", YIELD, "Slate yielded 6.2 t/ha."),
    said("denial lost", VALVE, "Closing the valve lowered the pressure in the tank."),
    said("reversed", VALVE, "Closing the valve increased the flow."),
    said("denial added", VALVE, "Closing the valve did not reduce the flow."),
    said("reversed", SALT, "Brine promoted germination of rye."),
    said("swapped groups", SALT, "Fresh water inhibited germination of rye."),
    said("hedge dropped", MOSS, "Moss cover increases the retention of water."),
    said("plan as fact", PLAN, "Twelve buoys were installed along the eastern shore."),
    said("swapped groups", LARK, "Skylarks were more abundant on conventional farms than on organic farms."),
    said("reversed", LARK, "Skylarks were less abundant on organic farms than on conventional farms."),
    said("swapped groups", LARK, "There were 1.8 ± 0.3 territories per site on organic farms."),
    said("spread", LARK, "There were 3.1 ± 0.3 territories per site on organic farms."),
    said("denial lost", GENE, "The gene rolA is required for growth on acetate."),
    said("opposite", GENE, "rolA is essential for growth on acetate."),
    said("wrong year", SHARE, "The share of wooded land was 62 % in 1975."),
    said("wrong year", SHARE, "In 2005, 89 % of the land was wooded."),
    said("denial lost", NODIA, "Among patients with diabetes, the median stay was 4 days."),
    said("unit", NODIA, "Among patients without diabetes, the median stay was 4 weeks."),
    said("denial lost", NOEFF, "The coating had an effect on corrosion after 30 days."),
    said("quantity", SOME, "All of the sampled ponds contained newts."),
    said("quantity", SOME, "Newts lived in most of the sampled ponds."),
    said("roles", PRED, "Voles prey on foxes."),
    said("roles", PATH, "The protein DorC phosphorylates KalB in the cytoplasm."),
    said("roles", PATH, "KalB is phosphorylated by DorC."),
    said("unit", SPEED, "Air left the vent at 3.1 km/h."),
    said("number", VEGF, "Expression of Vegfa rose threefold in hypoxic cells."),
    said("swapped years", TEMP, "Yield was 5.4 t/ha in 2018."),
    said("reversed", TEMP, "Yield rose from 4.1 t/ha in 2010 to 5.4 t/ha in 2018."),
    said("swapped groups", SURV, "All 36 seedlings in full sun survived."),
    said("reversed", WARM, "Warmer nights were associated with longer hibernation."),
    said("swapped groups", CTRL, "Fever occurred in 19 % of vaccinated children."),
    said("reversed", CTRL, "Fever was more common in vaccinated children than in controls."),
    said("reversed", BEFORE, "Nitrate peaked after the phytoplankton bloom."),
    said("hedge dropped", SUGG, "Lead from old pipes delays speech in toddlers."),
    said("quantity", MOST, "All of the interviewed farmers had stopped burning stubble."),
    said("denial added", MOST, "Most of the interviewed farmers had not stopped burning stubble."),
    said("only", ONLY, "The enzyme was active only at pH 6."),
    said(
        "name of the question",
        PATH,
        "The protein KalB phosphorylates ZynD in the cytoplasm.",
        "Does KalB phosphorylate ZynD?",
    ),
    said(
        "name of the question",
        SPEED,
        "Air left the vent of the Nord-7 station at 3.1 m/s.",
        "How fast did air leave the Nord-7 station?",
    ),
)
