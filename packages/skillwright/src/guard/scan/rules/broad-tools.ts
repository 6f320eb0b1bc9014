// SCN901: tools a skill may use without asking.

import type { ScanRule } from '../scan-rule.ts';

const anything = /^(?:\*|all|Bash\(\s?\*(?::\*)?\s?\)|Bash\(\*\s\*\)|mcp__\*)$/i;
const nearly = /^Bash\((?:sudo|rm|curl|wget|sh|bash|eval|nc|ssh|python3?|node|sh -c|bash -c)\b[\s:]?\*?\)$/i;

/** Reports entries in `allowed-tools` that allow every command. */
export const broadTools: ScanRule = {
  id: 'SCN901',
  name: 'broad-tools',
  category: 'permissions',
  severity: 'low',
  summary: '`allowed-tools` allows every tool, or every shell command.',
  reason: 'The agent no longer asks before it uses an allowed tool.',
  help: 'Allow the commands the skill needs, as in `Bash(git status:*)`.',
  *check(subject) {
    const given = subject.data['allowed-tools'];
    const text = Array.isArray(given) ? given.map(String).join('\n') : typeof given === 'string' ? given : '';
    const rules = text.match(/\w+\([^)]{0,200}\)|[^\s,]+/g) ?? [];
    const wide = rules.find((rule) => anything.test(rule));
    if (wide !== undefined)
      yield {
        message: `allowed-tools allows everything: ${wide}`,
        severity: 'low',
        confidence: 'high',
        excerpt: wide,
        line: 1,
      };
    const risky = rules.find((rule) => nearly.test(rule) && /sudo|rm|eval|nc|curl|wget/.test(rule));
    if (wide === undefined && risky !== undefined)
      yield {
        message: `allowed-tools allows a command that can do anything: ${risky}`,
        severity: 'low',
        confidence: 'medium',
        excerpt: risky,
        line: 1,
      };
  },
};
