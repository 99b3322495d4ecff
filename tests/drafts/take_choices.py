"""Take choices of a draft, as people do who remove the # from a line."""

import re

Choice = re.Match[str]


def choices_of(text: str) -> list[Choice]:
    """Return the lines of a draft that offer a choice."""
    return list(re.finditer(r'^    # (".*?"),.*$', text, re.MULTILINE))


def before(text: str, choices: list[Choice], choice: Choice) -> list[Choice]:
    """Return the first steps with which this choice may stand; only itself if it needs none."""
    head = text.rfind("\n    # after that, any of these", 0, choice.start())
    array = text.rfind(" = [\n", 0, choice.start())
    return [one for one in choices if array < one.start() < head] if head > array else [choice]


def draft_with_choices(text: str, *wanted: Choice) -> str:
    """Return the draft with these choices taken."""
    for one in sorted({*wanted}, key=lambda one: -one.start()):
        text = f"{text[: one.start()]}    {one[0].strip('# ')}{text[one.end() :]}"
    return text
