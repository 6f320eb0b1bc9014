"""An agent host in Python with skills over `skc rpc`: python3 examples/rpc-python/host.py, in a folder with skills."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

from scripted_model import ScriptedModel

MAX_MESSAGES = 10


class Refused(Exception):
    """An error response of the server."""

    def __init__(self, error):
        super().__init__(error["message"])
        details = error.get("data") or {}
        self.code = details.get("code")
        self.help = details.get("help")
        self.data = details.get("data") or {}


class Skills:
    """A connection to `skc rpc` that sends one request at a time."""

    def __init__(self, folder, **more):
        command = [*shlex.split(os.environ.get("SKC", "skc")), "rpc"]
        pipe = subprocess.PIPE
        self.server = subprocess.Popen(command, stdin=pipe, stdout=pipe, encoding="utf-8")
        self.last_id = 0
        self.changed = False
        self.call("initialize", cwd=str(folder), trust=True, watch=True, **more)

    def call(self, method, **params):
        self.last_id += 1
        request = {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}
        self.server.stdin.write(json.dumps(request) + "\n")
        self.server.stdin.flush()
        for line in self.server.stdout:
            message = json.loads(line)
            if message.get("method") == "skills.changed":
                self.changed = True
            elif message.get("id") == self.last_id:
                if "error" in message:
                    raise Refused(message["error"])
                return message["result"]
        raise Refused({"message": "skc rpc has ended"})

    def close(self):
        self.server.stdin.close()
        self.server.wait()


class Host:
    """A conversation: messages, tools of the model, and skills."""

    def __init__(self, folder, model, saved=None, **more):
        self.skills = Skills(folder, **more)
        self.model = model
        self.messages = []
        if saved is not None:
            self.messages = saved["messages"]
            self.resume(saved["skills"])

    def resume(self, saved):
        resumed = self.skills.call("session.resume", saved=saved)
        for kind in ("unchanged", "changed", "vanished", "active"):
            names = ", ".join(skill["name"] for skill in resumed[kind])
            print(f"resumed, {kind}: {names or 'none'}")
        for remark in resumed["diagnostics"]:
            print(f"resumed, but {remark['message']}")
        print("resumed, session: " + self.skills.call("context.inspect")["session_id"])

    def save(self):
        return {"messages": self.messages, "skills": self.skills.call("session.save")}

    def prompt(self):
        if self.skills.changed:
            self.skills.changed = False
            self.skills.call("skills.list", force_reload=True)
        listed = self.skills.call("context.prompt", budgets={"tokens": 2000})
        return "You are a careful colleague.\n\n" + listed["text"]

    def run(self, task):
        self.messages.append({"role": "user", "content": task})
        while True:
            if len(self.messages) > MAX_MESSAGES:
                self.compact()
            reply = self.model.reply(self.prompt(), self.messages)
            if isinstance(reply, str):
                return reply
            tool, given = reply
            result = self.carry_out(tool, given)
            shown = " ".join(result.replace(str(Path.cwd()), ".").split())[:100]
            print(f"{tool} {json.dumps(given)}\n  {shown}")
            self.messages.append({"role": "tool", "tool": tool, "content": result})

    def compact(self):
        """Keeps the last two messages, and tells the session that the other texts are gone."""
        self.messages = self.messages[-2:]
        gone = self.skills.call("context.compacted")
        self.messages.insert(0, {"role": "user", "content": gone["text"]})
        print("compacted, loaded before: " + ", ".join(skill["name"] for skill in gone["skills"]))

    def carry_out(self, tool, given):
        """Runs a tool call of the model. A refusal becomes text for the model, and the conversation continues."""
        try:
            return getattr(self, f"tool_{tool}")(**given)
        except Refused as refusal:
            return ": ".join(filter(None, [refusal.code, str(refusal), refusal.help]))

    def ask_first(self, method, **params):
        """Calls a method, and asks the user when a rule requires confirmation."""
        while True:
            try:
                return self.skills.call(method, **params)
            except Refused as refusal:
                if refusal.code != "E061":
                    raise
                question = {key: refusal.data[key] for key in ("path", "tool")}
                skill = Path(question["path"]).parent.name
                print(f"May the agent use {question['tool']} on {skill}? [y/N/always]", flush=True)
                answer = sys.stdin.readline().strip()
                if answer not in ("y", "always"):
                    raise
                self.skills.call("permissions.remember", persist=answer == "always", **question)

    def tool_skill_search(self, query):
        found = self.skills.call("skills.search", query=query, limit=3)
        return json.dumps([hit["skill"]["name"] for hit in found["results"]])

    def tool_skill_load(self, name):
        loaded = self.ask_first("skills.load", name=name)
        if loaded["status"] == "quiz":
            return loaded["text"]
        tools = self.ask_first("tools.activate", name=name)["tools"]
        listed = "".join(f"\n{each['tool']}: {json.dumps(each['input_schema'])}" for each in tools)
        return loaded["text"] + (f"\nCall with skill_tool:{listed}" if listed else "")

    def tool_skill_read(self, **request):
        return self.ask_first("skills.read", **request)["content"]

    def tool_skill_run(self, **request):
        left = self.ask_first("scripts.run", **request)
        return left["stdout"] if left["ok"] else f"failed: {left['stderr']}"

    def tool_skill_tool(self, **request):
        return json.dumps(self.ask_first("tools.call", **request)["result"])

    def tool_skill_quiz(self, name, choices):
        taken = self.skills.call("skills.answerQuiz", name=name, choices=choices)
        return f"The skill is {taken['quiz']['gate']}."

    def tool_bash(self, command):
        try:
            event = {"tool_name": "Bash", "tool_input": {"command": command}}
            verdict = self.skills.call("hooks.dispatch", event="PreToolUse", payload=event)
        except Refused as refusal:
            return f"blocked: no hook could be asked: {refusal}"
        if verdict["decision"] == "block" or not verdict["continue"]:
            return "blocked: " + " ".join(verdict["reasons"])
        return subprocess.run(command, shell=True, capture_output=True, text=True).stdout or "done"


def main():
    model = ScriptedModel()
    first = Host(Path.cwd(), model, session_id="conversation-1")
    print(first.run("What is in the figures, and may the column be renamed?"))
    saved = json.dumps(first.save())
    first.skills.close()

    second = Host(Path.cwd(), model, saved=json.loads(saved))
    print(second.run("How long is the summary?"))
    second.skills.close()


if __name__ == "__main__":
    main()
