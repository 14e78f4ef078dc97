"""Stages that stand in several rows of a table, as what is looked for or as its look-alike: whether the same was found each time."""

import lab


def several(rows):
    """Of each such stage its places: the names of a row, and its side."""
    places = {}
    for kind, *stages in rows:
        named = (kind, *(stage.words for stage in stages))
        for side, stage in enumerate(stages):
            places.setdefault(stage._replace(words=""), []).append((named, side))
    return [found for found in places.values() if len(found) > 1]


def differences(rows, kept):
    """What was found of such a stage in one place and not in another: each as a line of Markdown."""
    for places in several(rows):
        each = [((named, side), set(row["found"][side])) for named, side in places for row in lab.rows_of(kept, named)]
        for kind in sorted(set().union(*(found for _, found in each))):
            having, lacking = ([place for place, found in each if (kind in found) == there] for there in (True, False))
            if lacking:
                yield f"* `{kind}` was found in {in_words(having)}, and was not in {in_words(lacking)}."


def in_words(places):
    """Each place once, by its row and what that calls it."""
    sides = "the situation", "the look-alike"
    told = (f"{sides[side]} of `{kind}` ({words[side]})" for (kind, *words), side in places)
    return " and ".join(dict.fromkeys(told))
