// SCN503: settings in a skill that widen permissions or extend the agent.

import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

const hooks = defineProbe(/["']?command["']?\s{0,2}:\s{0,2}["'|>]?((?:[^"\\\n]|\\.){1,400})/g, {
  needs: 'command',
  reach: 900,
});

/** Names of events and servers that have commands in agent settings. */
const events = /["']hooks["']|\bhooks:|mcpServers|PreToolUse|PostToolUse|SessionStart|UserPromptSubmit/i;
/** Maximum distance between such a word and its command. */
const NEAR = 900;

const loosened = defineProbe(
  /"defaultMode"\s{0,2}:\s{0,2}"bypassPermissions"|"enableAllProjectMcpServers"\s{0,2}:\s{0,2}true|"allow"\s{0,2}:\s{0,2}\[\s{0,4}"(?:\*|Bash(?:\(\*(?::\*)?\))?)"|"skipDangerousModePermissionPrompt"\s{0,2}:\s{0,2}true|"chat\.tools\.autoApprove"\s{0,2}:\s{0,2}true/gi,
  { needs: '"allow","bypasspermissio,"chat.tools.auto,"enableallprojec,"skipdangerousmo' },
);

const doubtful =
  /\b(?:curl|wget|nc|ncat|Invoke-WebRequest|iwr)\b[^"\n]{0,200}(?:-d|--data|\||-X\s?POST|-F|\$\(|@-|https?:\/\/)|base64\s{1,2}-d|\/dev\/tcp|\beval\b|https?:\/\/\d{1,3}\.\d/i;

/** Reports hooks that use the network, and blanket permissions. */
export const shippedSettings: ScanRule = {
  id: 'SCN503',
  name: 'shipped-settings',
  category: 'permissions',
  severity: 'high',
  summary: 'Settings in the skill run network commands on agent events, or grant blanket permissions.',
  reason: 'Hooks see every prompt and every tool call, and run without a decision of the agent.',
  help: 'Remove the settings, or read every command in them.',
  *check(subject) {
    for (const match of subject.matches(hooks)) {
      if (!doubtful.test(match.groups[0] ?? '')) continue;
      if (!events.test(match.around(NEAR, NEAR))) continue;
      if (match.file.kind !== 'config' && match.zone !== 'frontmatter') continue;
      yield {
        message: 'an agent hook or server runs a network command',
        match,
        confidence: subject.weigh(match),
      };
    }
    for (const match of subject.matches(loosened)) {
      if (match.file.kind !== 'config' && (match.file.kind !== 'script' || match.zone === 'comment'))
        continue;
      yield {
        message: 'grants blanket permissions',
        match,
        severity: match.file.kind === 'script' ? 'high' : 'medium',
        confidence: subject.weigh(match),
      };
    }
  },
};
