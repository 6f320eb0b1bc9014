// SCN502: changes the permanent instructions or permissions of the agent.

import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

const writes = defineProbe(
  /\b(?:append|add|write|insert|inject|modify|edit|update|overwrite|replace|prepend|put|store|save|place|copy|create|>>)\b[^\n]{0,160}(?:CLAUDE\.md|AGENTS\.md|SOUL\.md|MEMORY\.md|IDENTITY\.md|GEMINI\.md|HEARTBEAT\.md|\.cursorrules|copilot-instructions\.md|settings(?:\.local)?\.json|\.?mcp\.json|claude_desktop_config\.json|openclaw\.json)|(?:>>?|tee -a|open\(|writeFile(?:Sync)?\(|appendFile(?:Sync)?\(|write_text)[^\n]{0,80}(?:CLAUDE\.md|AGENTS\.md|SOUL\.md|MEMORY\.md|IDENTITY\.md|GEMINI\.md|HEARTBEAT\.md|\.cursorrules|\.claude\/settings(?:\.local)?\.json|claude_desktop_config\.json|openclaw\.json)|(?:CLAUDE\.md|AGENTS\.md|SOUL\.md|MEMORY\.md|IDENTITY\.md|\.cursorrules|settings(?:\.local)?\.json|claude_desktop_config\.json)["')\s]{1,4}[\s\S]{0,120}?(?:\.write|appendFile|writeFile|"a"\)|'a'\))/gi,
  {
    needs: `"a"),'a'),.claude/settings,.cursorrules,.write,agents.md,appendfile,claude.md,claude_desktop_c,copilot-instruct,gemini.md,heartbeat.md,identity.md,mcp.json,memory.md,openclaw.json,settings.,soul.md,writefile`,
  },
);

const poison =
  /\b(?:always|never|every (?:session|conversation|response|request|time|future)|from now on|future sessions?|permanent(?:ly)?|trust (?:every|all|any)|without (?:asking|confirmation|approval|permission|telling|pointing|mention)|silently|do not (?:tell|mention|reveal|ask)|ignore|override|execute|run (?:any|every|all|what)|bypass|allow(?:ed)?["']?\s?:\s?\[?\s?["']\*|Bash\(\*\)|highest priority|hidden)\b/i;
const hides =
  /\bwithout (?:asking|telling|notif|mention|pointing|inform|confirm)|\bsilently\b|\bquietly\b|\bdo(?:n'?t| not) (?:tell|mention|reveal|inform|show|notify)|\bnever (?:reveal|mention|tell|disclose)|\bhidden\b|\bsecretly\b|(?<!\b(?:avoid|never|not|no) [`"']?)bypassPermissions|--dangerously/i;

const obeys =
  /\b(?:override[sd]?|obey|trust (?:every|all|any)|without (?:asking|approval|confirm))\b[^\n]{0,120}\b(?:user|command|message|approval|rule|asking)/i;

/** Reports writes to the memory, rules and settings of agents. */
export const agentTakeover: ScanRule = {
  id: 'SCN502',
  name: 'agent-takeover',
  category: 'persistence',
  severity: 'medium',
  summary: 'Changes the memory, rules or settings of the agent for later sessions.',
  reason: 'The agent obeys these files in every session, long after the skill is gone.',
  help: 'Read what would be written. Accept nothing that widens the permissions of the agent.',
  *check(subject) {
    const { topic } = subject;
    const announced =
      /claude\.?md|agents\.?md|memory|soul|identity|settings|config|hook|permission|onboard|agent|rules|mcp|setup|init|context|learn|instinct|migrat|cursor|copilot/i.test(
        topic,
      );
    for (const match of subject.matches(writes)) {
      if (match.isRemark) continue;
      const around = match.around(200, 500);
      const weight = subject.weigh(match);
      const script = match.file.kind === 'script';
      if (
        hides.test(around) &&
        !/\b(?:ask|confirm with|show) the user|after approval|user approv/i.test(around)
      )
        yield {
          message: 'secretly changes permanent instructions or permissions of the agent',
          match,
          severity: 'high',
          confidence: announced && !obeys.test(around) ? weight * 0.6 : weight,
        };
      else if (poison.test(around) && (script || !announced))
        yield {
          message: 'changes permanent instructions or permissions of the agent',
          match,
          confidence: announced ? weight * 0.4 : weight * 0.7,
        };
      else if (script && !announced)
        yield {
          message: 'a script changes permanent instructions or permissions of the agent',
          match,
          confidence: weight * 0.6,
        };
    }
  },
};
