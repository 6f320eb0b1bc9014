"""A model that follows a script, so that the example runs without a key. Replace it with a real model."""

import re

RIGHT = [
    "Add the new column and let the program write both",
    "A restore of the backup has been tried, not only the backup",
    "The statements wait for locks for a limited time",
]


def take_quiz(messages):
    """Reads the questions in the last message, and picks the correct options by their text."""
    choices = []
    for number, options in re.findall(r"^(\d+)\. .*\n((?:   .*\n?)+)", messages[-1]["content"], re.M):
        right = [int(option) for option, text in re.findall(r"(\d+)\) (.*)", options) if text in RIGHT]
        choices.append({"question": int(number), "options": right})
    return ("skill_quiz", {"name": "schema-change", "choices": choices})


CALLS = [
    ("skill_search", {"query": "what is in a CSV file"}),
    ("skill_load", {"name": "csv-report"}),
    ("skill_read", {"name": "csv-report", "file": "references/reading-a-profile.md", "limit": 20}),
    ("skill_run", {"name": "csv-report", "script": "profile.py", "stdin": "region,amount\nnorth,3\nsouth,5\n"}),
    ("skill_load", {"name": "schema-change"}),
    take_quiz,
    ("skill_load", {"name": "schema-change"}),
    ("skill_load", {"name": "careful"}),
    ("bash", {"command": "rm -r old"}),
    ("bash", {"command": "echo moved"}),
    ("skill_load", {"name": "careful"}),
    ("skill_load", {"name": "text-statistics"}),
    "The figures are complete, and the column may be renamed in steps.",
    ("skill_tool", {"skill": "text-statistics", "tool": "count", "input": {"text": "Short words help."}}),
    ("bash", {"command": "rm -r old"}),
    "The summary has three words.",
]


class ScriptedModel:
    """Replies with a tool call, or with text that ends the turn."""

    def __init__(self):
        self.left = list(CALLS)

    def reply(self, system, messages):
        reply = self.left.pop(0)
        return reply(messages) if callable(reply) else reply
