// SCN602: encoded text that turns out to be commands.

import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

const commands = defineProbe(
  /\b(?:curl|wget)\s{1,3}(?:-[\w-]{1,16}\s{1,3}){0,5}["']?https?:|\/bin\/(?:ba)?sh\b|\bbash\s{1,2}-[ic]\b|\bimport\s{1,2}(?:os|socket|subprocess|requests|urllib|base64|pty)\b|\b(?:exec|eval)\(|\bsubprocess\.|\bsocket\.socket|\bpowershell\b|\brm -rf\b|\bchild_process\b|\bignore (?:all |any )?(?:previous|prior)|\bdo not tell\b|\.ssh\/|https?:\/\/(?:\d{1,3}\.){3}\d{1,3}|\bnslookup\b|webhook\.site|api\/webhooks|\/dev\/tcp\//gi,
  {
    needs:
      '.ssh/,/bin/sh,/dev/tcp/,api/webhooks,bash,child_process,curl,do not tell,eval(,exec(,http://,https://,ignore all,ignore any,ignore previous,ignore prior,import,nslookup,powershell,rm -rf,socket.socket,subprocess.,webhook.site,wget',
    hiddenOnly: true,
  },
);

/** Reports commands and instructions in encoded text. */
export const encodedPayload: ScanRule = {
  id: 'SCN602',
  name: 'encoded-payload',
  category: 'obfuscation',
  severity: 'high',
  summary: 'Encoded text in a file decodes to commands, code or instructions.',
  reason: 'Readers of the skill do not see what it contains.',
  help: 'Judge the skill by the decoded text.',
  *check(subject) {
    for (const match of subject.matches(commands)) {
      const { via } = match.layer;
      if (via === undefined || via === 'joined strings' || via === 'notebook cells') continue;
      // Addresses are percent-encoded for good reasons, and source maps hold whole programs.
      if (via === 'percent encoding' && !/sh\b|exec|eval|rm /.test(match.text)) continue;
      if (match.layer.text.startsWith('{"version":3')) continue;
      yield {
        message: `commands or code hidden in ${via}`,
        match,
        excerpt: match.layer.text.slice(0, 160),
        confidence: match.file.isExample ? 'low' : subject.isAboutSecurity ? 'medium' : 'high',
      };
    }
  },
};
