// SCN803: instructions fetched at the time of use.

import { lineAround } from '../line-around.ts';
import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

const fetched = defineProbe(/\bhttps?:\/\/[^\s)"'`>]{4,160}/gi, { needs: 'http://,https://', inProse: true });

const gets = /\b(?:fetch|download|retrieve|load|get|pull|read|visit|open|curl|check|request|consult)\b/i;
const obeys = /\b(?:follow|execute|obey|carry out|comply|do (?:exactly )?wh?at(?:ever)?|act on|run)\b/i;

const orders =
  /\b(?:instructions?|commands?|rules?|directives?|prompt|whatever|everything|steps|skill|orders|payload|what (?:it|that page) says|response|contents?|script)\b/i;

/** Reports skills that fetch their instructions from a server. */
export const remoteInstructions: ScanRule = {
  id: 'SCN803',
  name: 'remote-instructions',
  category: 'prompt-injection',
  severity: 'high',
  summary: 'Tells the agent to fetch instructions from an address and follow them.',
  reason: 'The agent may follow other instructions than you reviewed: the page can change tomorrow.',
  help: 'Do not use the skill, or ask for a version that contains its instructions.',
  isAboutWords: true,
  *check(subject) {
    for (const match of subject.matches(fetched)) {
      const text = lineAround(match.layer.text, match.index, { before: 160, after: match.text.length + 240 });
      if (!gets.test(text) || !obeys.test(text) || !orders.test(text)) continue;
      // Ask for the zone last: it needs to parse the file as Markdown.
      if (!match.isSaid) continue;
      const known =
        /https?:\/\/(?:[\w-]{1,30}\.){0,3}(?:github\.com|githubusercontent\.com|gitlab\.com|docs\.[\w-]{2,30}\.\w{2,6}|[\w-]{2,30}\.(?:dev|io|com|org)\/(?:docs|guide|install|api|llms)|localhost|127\.0\.0\.1|npmjs\.com|pypi\.org|modelcontextprotocol\.io|anthropic\.com|claude\.com|openai\.com|vercel\.com|google\.com|microsoft\.com)/i.test(
          match.text,
        );
      const standing =
        /\b(?:always|every (?:time|session|run|day|hour)|at the start|before (?:each|every|any|doing|responding|continuing)|on each|whenever|periodically|first|latest|even (?:if|when)|exactly|regardless|as (?:if|though)|without (?:question|review|asking|confirm))\b/i.test(
          text,
        );
      // The target of a link is usually for people to read.
      const isLink = match.layer.text.slice(match.index - 2, match.index) === '](';
      const weight = subject.weigh(match) * (known ? 0.35 : 1) * (standing ? 1 : 0.5) * (isLink ? 0.5 : 1);
      yield { message: 'tells the agent to fetch instructions and follow them', match, confidence: weight };
    }
  },
};
