// SCN401: scripts and commands that read keys, cookies and wallets.

import { lineAround } from '../line-around.ts';
import { defineProbe } from '../probe.ts';
import { credentialFiles, personalStores } from '../probes/secret-sources.ts';
import type { ScanRule } from '../scan-rule.ts';

const reading =
  /\b(?:open\(|read|cat|cp|copy|tar|zip|base64|glob|walk|rglob|readFile|copyfile|sqlite3|Get-Content|type|head|tail|grep|find|xxd|scp|strings|less|load|targets?|paths?|files?|locations?)\b/i;
const phish = defineProbe(
  /display dialog[^\n]{0,200}hidden answer|\$Host\.UI\.PromptForCredential|Get-Credential[^\n]{0,80}-Message|zenity --password[^\n]{0,80}>|read -s[^\n]{0,60}pass[^\n]{0,120}(?:curl|nc\s|>\s?\/tmp)/gi,
  { needs: '$host.ui.promptf,display dialog,get-credential,read -s,zenity --passwor' },
);

/** Reports access to the user's private data. */
export const credentialAccess: ScanRule = {
  id: 'SCN401',
  name: 'credential-access',
  category: 'credentials',
  severity: 'medium',
  summary:
    'A script or command reads private keys, stored passwords, cookies or wallets, or asks for a password under a pretext.',
  reason: 'Few skills need this data, and a later step can send it away.',
  help: 'Find out why the skill reads it. Without a good reason, do not run it.',
  *check(subject) {
    const { topic } = subject;
    for (const match of subject.matches(personalStores)) {
      const named =
        /browser|cookie|chrome|keychain|password|wallet|solana|ethereum|crypto|keystore|secret|credential/i.test(
          topic,
        );
      const runs = match.file.kind === 'script' || match.zone === 'shell';
      if (!runs || match.zone === 'comment') continue;
      const weight = subject.weigh(match);
      yield {
        message: 'reads stored passwords, cookies or wallets',
        match,
        severity: match.file.kind === 'script' && !named ? 'high' : 'medium',
        confidence: named || match.file.kind !== 'script' ? weight * 0.5 : weight,
      };
    }
    for (const match of subject.matches(phish))
      yield {
        message: 'asks for a password under a pretext',
        match,
        severity: 'high',
        confidence: subject.weigh(match),
      };
    for (const match of subject.matches(credentialFiles)) {
      if (match.isRemark) continue;
      const start = match.index + match.text.search(/\S/);
      const line = lineAround(match.layer.text, start, { before: 300, after: 200 });
      const named =
        /ssh|aws|kube|docker|gcp|gcloud|azure|cloud|git|deploy|npm|publish|credential|secret|key|server|devops|infra|login|auth|openclaw|clawdbot|claude|codex|history/i.test(
          topic,
        );
      const takes =
        /id_(?:rsa|ed25519|ecdsa)(?!\.pub)|credentials|_history|shadow|\.netrc|\.pypirc|git-credentials|hosts\.yml|\.gnupg/i.test(
          match.text,
        );
      if (!takes || !reading.test(line) || /\b(?:ssh|scp|ssh-\w+|rsync|chmod)\s/.test(line)) continue;
      if (match.file.kind !== 'script' && match.zone !== 'shell' && match.layer.via === undefined) continue;
      yield {
        message: 'reads private keys or credentials',
        match,
        confidence: subject.weigh(match) * (named ? 0.4 : 0.59),
      };
    }
  },
};
