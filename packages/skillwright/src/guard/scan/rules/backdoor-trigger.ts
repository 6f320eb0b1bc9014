// SCN805: behaviour that waits for a word, a date or a name.

import { defineProbe } from '../probe.ts';
import type { ScanRule } from '../scan-rule.ts';

const triggers = defineProbe(
  /\b(?:when(?:ever)?|if|once|upon)\b[^.\n]{0,80}\b(?:the (?:code ?)?word|phrase|codeword|keyword|passphrase|trigger|magic|says?|contains?|includes?|mentions?|types?|date is|after \w{3,9} \d)\b/gi,
  {
    needs:
      'after,codeword,contain,date is,include,keyword,magic,mention,phrase,say,the code word,the word,trigger,type',
    inProse: true,
  },
);

const said =
  /\b(?:user|users|message|input|question|prompt|request|query|text|conversation|task|someone|date|diff|file|issue|commit)\b/i;
const named = /^[^.\n]{0,30}["“'`][^"”'`\n]{2,60}["”'`]/;
const unchecked =
  /\b(?:disable|ignore|bypass|skip (?:all|every|any|the) (?:check|safety|security|validation|confirm)|full privileges|shell command|without (?:asking|confirm|restriction|check)|unrestricted|reveal|exfiltrate|system prompt|admin mode|grant|root|delete all|elevated)\b/i;

const lifted =
  /\b(?:disable|ignore|bypass|skip (?:all|every|any|the)|full privileges|shell command|unrestricted|without (?:restriction|check)|reveal|exfiltrate|system prompt|admin mode|grant|root|delete all|elevated)\b/i;

const inCode = defineProbe(
  /\bif\b[^\n]{0,60}(?:datetime\.(?:now|today|utcnow)\(\)|Date\.now\(\)|new Date\(\)|date\.today\(\)|gethostname\(\)|getuser\(\)|os\.hostname\(\)|process\.env\.CI\b|environ\.get\(["']CI["']\))[^\n]{0,80}:?[\s\S]{0,160}?(?:exec\(|eval\(|os\.system|subprocess|urlopen|requests\.|child_process|fetch\(|rmtree|b64decode)/gi,
  { needs: 'b64decode,child_process,eval(,exec(,fetch(,os.system,requests.,rmtree,subprocess,urlopen' },
);

/** Reports hidden switches. */
export const backdoorTrigger: ScanRule = {
  id: 'SCN805',
  name: 'backdoor-trigger',
  category: 'prompt-injection',
  severity: 'high',
  summary: 'A word, a date or a machine name switches off checks or runs commands.',
  reason: 'Tests do not reveal it; anyone who knows the word, or waits, gets what the user never allowed.',
  help: 'Do not use the skill.',
  *check(subject) {
    for (const match of subject.matches(triggers)) {
      if (!said.test(match.text) || /-\w+$/.test(match.text)) continue;
      const end = match.index + match.text.length;
      const rest = match.layer.text.slice(end, end + 400);
      const sentence = rest.split('\n', 1)[0]!;
      if (!named.test(sentence) || !unchecked.test(sentence.split('.').slice(0, 2).join('.'))) continue;
      if (!match.isSaid || match.zone === 'frontmatter') continue;
      // A user may want the agent to go on without questions, but not to skip checks.
      const isMild = !lifted.test(sentence.split('.').slice(0, 2).join('.'));
      yield {
        message: 'a word switches off checks',
        match,
        ...(isMild ? { severity: 'medium' } : {}),
        confidence: subject.weigh(match) * (isMild ? 0.5 : 1),
      };
    }
    for (const match of subject.matches(inCode)) {
      if (match.file.kind !== 'script' || match.zone === 'comment') continue;
      const clock = /\d{4}|>\s?\d{6,}|hostname|getuser/.test(match.text);
      if (!clock) continue;
      yield {
        message: 'runs something depending on the date or the machine name',
        match,
        severity: 'medium',
        confidence: subject.weigh(match) * 0.6,
      };
    }
  },
};
