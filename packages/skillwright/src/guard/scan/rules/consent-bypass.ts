// SCN804: the user is not asked.

import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

const flags = defineProbe(
  /--dangerously-skip-permissions|--dangerously-bypass-approvals-and-sandbox|--yolo\b|--sandbox[= ]danger-full-access|permission-mode[= ]bypassPermissions/gi,
  { needs: '--yolo,danger,permission-mode' },
);

const unasked = defineProbe(
  /\b(?:transfer|pay|payment|purchase|buy|swap|trade|sign|approve|withdraw|send (?:funds|money|tokens|sol|eth|btc|usdc)|delete|wipe|sudo|disable|grant|install|run|execute|commands?|shell|upload)\b[^.\n]{0,100}\b(?:without (?:(?:(?:any|further) )?(?:asking|confirm\w{0,6}|approval|permission|prompting|consent|questions?)|(?:the )?user)|(?:do(?:n['’]t| not)|never) ask|skip(?:ping)? (?:the )?confirm\w{0,6}|auto-?approv\w{1,4})|\b(?:without (?:asking|confirm\w{0,6}|approval|permission|prompting|consent)|(?:do(?:n['’]t| not)|never) ask(?: the user)?(?: for (?:confirmation|permission|approval))?)\b[^.\n]{0,80}\b(?:transfer|pay|payment|purchase|buy|swap|trade|sign|withdraw|funds|wallet|delete|sudo|disable|grant|shell commands?|any command|upload)/gi,
  {
    needs: 'auto-approv,autoapprov,never ask,skip confirm,skip the confirm,skipping,t ask,without',
    inProse: true,
  },
);

/** Reports instructions and flags that skip the user's permission. */
export const consentBypass: ScanRule = {
  id: 'SCN804',
  name: 'consent-bypass',
  category: 'permissions',
  severity: 'medium',
  summary: 'Switches off permission checks, or moves money or runs commands without asking the user.',
  reason: 'Asking the user is the last chance to stop a mistake before it does damage.',
  help: 'Keep the permission checks of your agent switched on.',
  *check(subject) {
    for (const match of subject.matches(flags)) {
      if (match.isRemark) continue;
      const weight = subject.weigh(match);
      yield {
        message: 'switches off the permission checks of an agent',
        match,
        severity: match.file.kind === 'script' ? 'medium' : 'low',
        confidence: weight * 0.5,
      };
    }
    for (const match of subject.matches(unasked)) {
      if (!match.isSaid) continue;
      const money = /transfer|pay|purchase|buy|swap|trade|withdraw|funds|wallet|tokens|\bsol\b|eth|btc/i.test(
        match.text,
      );
      yield {
        message: money
          ? 'tells the agent to move money without asking'
          : 'tells the agent to do something that needs approval without asking',
        match,
        severity: money ? 'high' : 'low',
        confidence: subject.weigh(match) * (money ? 0.8 : 0.6),
      };
    }
  },
};
