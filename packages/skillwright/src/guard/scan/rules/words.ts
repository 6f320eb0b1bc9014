// Rules about what sentences tell the agent or the user to do: patterns, and what their matches mean.

import type { Match } from '../match.ts';
import { defineProbe } from '../probe.ts';
import { defineLooks } from '../scan-rule.ts';

const intoPicture = defineProbe(
  /!\[[^\]\n]{0,40}\]\(https?:\/\/[^)\s]{3,120}[?&/=](?:\{|\$|<|%7B)[^)\n]{0,60}(?:secret|key|token|data|conversation|content|env|history|context|prompt|base64|cred|message)[^)\n]{0,40}\)|<img[^>\n]{0,40}src=["']?https?:\/\/[^>\s"']{3,120}[?&]\w{1,12}=(?:\{|\$|<)[^>\n]{0,80}/gi,
  { needs: '![,<img', inProse: true },
);

const askForSecret = defineProbe(
  /\bask\b[^.\n]{0,80}\b(?:user|them|him|her)\b[^.\n]{0,60}\b(?:seed phrase|recovery phrase|private key|mnemonic|master password)|\bask\b[^.\n]{0,40}\bthe (?:12|24|twelve|twenty-four) words\b|\b(?:enter|provide|paste|type|share)\b[^.\n]{0,40}\byour\b[^.\n]{0,20}\b(?:seed phrase|recovery phrase|mnemonic|master password)/gi,
  {
    needs: 'master password,mnemonic,phrase,private key,12 words,24 words,twelve words,twenty-four words',
    inProse: true,
  },
);

const showSecrets = defineProbe(
  /\b(?:output|print|display|echo|include|dump|append|embed|paste|write|quote|insert)\b[^.\n]{0,50}\b(?:contents? of|all(?: of)?(?: the)?|values? of|any|every|full)\b[^.\n]{0,40}(?:environment variables?|env vars?|(?<![\w])\.env\b|credentials|private keys?|api[ _-]?keys?|secrets|access tokens?)\b[^.\n]{0,60}\b(?:in|at|to|into|with|after|as)\b[^.\n]{0,40}\b(?:response|reply|answer|output|comment|commit|message|log|file|report|url|request|summary|config)/gi,
  {
    needs:
      '.env,access token,api key,api-key,api_key,apikey,credentials,env var,environment vari,private key,secrets',
    inProse: true,
  },
);

const isInstruction = ({ file, zone, layer }: Match): boolean =>
  (file.kind === 'instructions' && zone !== 'code') || layer.via !== undefined;

/** Not in a command or in the frontmatter. */
const isSentence = (match: Match): boolean =>
  isInstruction(match) && match.zone !== 'shell' && match.zone !== 'frontmatter';

/** Secrets in pictures and answers, and requests for a master key. Orders to send something are SCN807. */
export const instructedExfiltration = defineLooks({
  id: 'SCN304',
  name: 'instructed-exfiltration',
  category: 'exfiltration',
  severity: 'high',
  summary:
    'Instructions to put secrets or the conversation where others can read them, or to ask the user for a master key.',
  reason: 'An agent that follows them gives away what the user entrusted to it.',
  help: 'Do not use the skill. It has no need to send your secrets or conversations anywhere.',
  isAboutWords: true,
  looks: [
    {
      probe: intoPicture,
      message: 'tells the agent to put data into the address of an image',
      counts: isInstruction,
      isAct: true,
    },
    {
      probe: showSecrets,
      message: 'tells the agent to write secrets where others can read them',
      counts: isSentence,
      severity: 'medium',
      share: 0.7,
    },
    {
      probe: askForSecret,
      message: 'asks the user for a master key or seed phrase',
      counts: isInstruction,
      severity: ({ text }) => (/phrase|mnemonic|words/i.test(text) ? 'high' : 'medium'),
      share: 0.9,
    },
  ],
});

const logins = defineProbe(
  /\b(?:e-?mail|user ?name|login|account)\b[^.\n]{0,60}\b(?:and|\+|&|\/|,)\s{0,2}(?:the |their |your |a )?\bpassword\b[^\n]{0,160}|--(?:e-?mail|user(?:name)?|login)[= ][^\n]{0,60}--password[= ][^\n]{0,80}|"\$\{?(?:EMAIL|USER|USERNAME|LOGIN)\}?"[^\n]{0,20}"\$\{?PASSWORD\}?"[^\n]{0,80}/gi,
  { needs: 'password' },
);

const keeps =
  /\b(?:store|stores|save|saves|saved|keep|keeps|kept|write|writes|remember|remembers|persist|record|cache|upload|send|pass|hand|forward|log)\b/i;

const helper =
  /\b[\w/.-]{1,40}\.(?:py|js|sh|ts|mjs|rb|json|txt|ya?ml|db)\b|~\/\.|\bhelper\b|\bscripts?\b|\bproxy\b/i;

const asks = /\b(?:ask|prompt|request|get|collect|obtain|on behalf|enter|provide|log in|login|sign in)\b/i;

const safe =
  /\bkey ?chain|\bvault\b|secret manager|1password|bitwarden|\bhash|bcrypt|argon|\benv(?:ironment)?\b|\bnever\b|\bdo(?:n['’]t| not)\b|\bschema\b|\bfield\b|\bform\b|\bvalidat|\btest\b|\bexample\b|placeholder|signIn|signUp|register|endpoint/i;

/** Instructions to give a password of the user to a script or write it to a file. */
export const handedLogin = defineLooks({
  id: 'SCN308',
  name: 'handed-login',
  category: 'credentials',
  severity: 'medium',
  summary:
    'Tells the agent to take the login of an account from the user and hand it to a script that stores it.',
  reason: 'A password opens everything the account can do, and no one sees where the script sends it.',
  help: 'Log in yourself, or give the skill a token with limited rights that you can revoke.',
  looks: [
    {
      probe: logins,
      message: 'hands an account and its password to a script',
      counts(match) {
        if (match.file.kind !== 'instructions' || match.zone === 'code') return false;
        const passage = match.around(160, 200);
        const isHanded = keeps.test(passage) && helper.test(passage) && asks.test(passage);
        return isHanded && !safe.test(match.around(60, 40));
      },
    },
  ],
});

const inComments = defineProbe(
  /<!--(?!\s{0,4}(?:skc-|prettier|eslint|markdownlint|toc|TODO|omit|BEGIN|END|START))((?:(?!<!--|-->)[\s\S]){20,1500})(?:-->|$)/gi,
  { needs: '<!--', reach: 7600, inProse: true },
);

const unseen = defineProbe(
  /<(?:div|span|p|section|font)\b[^>\n]{0,120}(?:display:\s?none|font-size:\s?0|color:\s?(?:white|#fff(?:fff)?)\b|opacity:\s?0\b|visibility:\s?hidden|\shidden)[^>\n]{0,60}>([\s\S]{20,800}?)<\/|^\[(?:\/\/|comment)\]:\s?#\s?[("']([^\n]{20,600})/gim,
  { needs: '<div,<font,<p,<section,<span,[//]:,[comment]:', reach: 1100, inProse: true },
);

const orders =
  /\b(?:curl|wget|https?:\/\/|run|execute|send|post|upload|read|cat|append|include|exfiltrat|ignore|override|always|never|must|silently|bash|fetch|download|install)\b/i;

const toAgent =
  /\b(?:assistant|agent|claude|ai|model|llm|gpt|you must|you are|you should|system|instructions?|hidden|secret|silently|do not (?:tell|mention|reveal)|don't (?:tell|mention)|without (?:telling|informing|mention)|user)\b/i;

const harm =
  /\bcurl\b|\bwget\b|\.ssh|\.env\b|\.aws|credential|api[ _-]?key|token|password|secret|base64|exfil|ignore (?:all|any|previous|prior)|do not (?:tell|mention|reveal|inform)|don't (?:tell|mention)|silently|without (?:telling|informing|asking|notif)|leave (?:it|this) out|https?:\/\/(?!github\.com|www\.w3|creativecommons|opensource)|\beval\b|rm -rf|disable|bypass|override/i;

const textIn = ({ groups }: Match): string => groups.find((group) => group !== undefined) ?? '';

/** Whether an element that is hidden on purpose speaks to the agent. */
const isAddressed = (match: Match): boolean =>
  !match.text.startsWith('<!--') &&
  /^\W{0,4}(?:assistant|agents?|AI|LLMs?|claude|model)\b/i.test(textIn(match));

function isGrave(match: Match): boolean {
  const text = textIn(match);
  return (
    /(?:curl|wget|send|post|upload|https?:\/\/)[\s\S]{0,200}|ignore (?:all|any|previous)|silently|do not (?:tell|mention|reveal)|without (?:telling|informing)|rm -rf|\.ssh|\.aws/i.test(
      text,
    ) &&
    /do not|don't|silently|secret|hidden|without|curl|wget|\.ssh|\.aws|\.env|ignore|routine|leave/i.test(text)
  );
}

/** Orders to an agent in text that is not shown. */
export const hiddenInstructions = defineLooks({
  id: 'SCN702',
  name: 'hidden-instructions',
  category: 'hidden-text',
  severity: 'high',
  summary: 'A comment or hidden element in a Markdown file gives orders to the agent.',
  reason: 'The rendered page looks harmless to people, while the agent gets the orders.',
  help: 'Read the file as plain text. Use the skill only if you would give the agent this instruction.',
  looks: [inComments, unseen].map((probe) => ({
    probe,
    message: 'gives the agent an order in hidden text',
    counts(match) {
      if (!match.isSaid || match.zone === 'inline') return false;
      const text = textIn(match);
      if (!orders.test(text) || !(isAddressed(match) || harm.test(text))) return false;
      return toAgent.test(text) || /curl|wget|\.ssh|base64|exfil/i.test(text);
    },
    severity: (match) => (isGrave(match) ? 'high' : 'medium'),
    confidence: (match, { isAboutSecurity }) =>
      (isGrave(match) || isAddressed(match)) && !isAboutSecurity ? 'high' : 'medium',
    excerpt: (match) => textIn(match).trim().slice(0, 160),
    isAct: true,
  })),
});

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
  /\b(?:disable|ignore|bypass|skip (?:all|every|any|the) (?:check|safety|security|validation|confirm)|full privileges|shell command|without (?:asking|confirm|restriction|check)|unrestricted|reveal|exfiltrate|system prompt|admin mode|grant|root|delete all|elevated|(?:files|everything) in the|working directory|home directory|credentials)\b/i;

const lifted =
  /\b(?:disable|ignore|bypass|skip (?:all|every|any|the)|full privileges|shell command|unrestricted|without (?:restriction|check)|reveal|exfiltrate|system prompt|admin mode|grant|root|delete all|elevated)\b/i;

const inCode = defineProbe(
  /\bif\b[^\n]{0,60}(?:datetime\.(?:now|today|utcnow)\(\)|Date\.now\(\)|new Date\(\)|date\.today\(\)|gethostname\(\)|getuser\(\)|os\.hostname\(\)|process\.env\.CI\b|environ\.get\(["']CI["']\))[^\n]{0,80}:?[\s\S]{0,160}?(?:exec\(|eval\(|os\.system|subprocess|urlopen|requests\.|child_process|fetch\(|rmtree|b64decode)/gi,
  { needs: 'b64decode,child_process,eval(,exec(,fetch(,os.system,requests.,rmtree,subprocess,urlopen' },
);

/** A fixed value in a request, or a fixed password, that makes its sender an administrator. */
const fixedEntry = defineProbe(
  /\b(?:req|request|headers?|params|query|body)\b[^\n]{0,60}===?\s{0,2}["'][^"'\n]{6,80}["']\s{0,2}\)?\s{0,2}[:{]?[^}\n]{0,80}\b(?:role|is_?admin|is_?superuser|admin)\b|\bis_superuser\b[^\n]{0,60}True[\s\S]{0,120}?set_password\(\s{0,2}["'][^"'\n]{4,60}["']\)/gi,
  { needs: 'admin,role,superuser' },
);

/** The rest of the line after a match. */
function restOf({ layer, index, text }: Match): string {
  const end = index + text.length;
  return layer.text.slice(end, end + 400).split('\n', 1)[0]!;
}

/** The rest of the sentence, and the next one. */
const sentencesAfter = (match: Match): string => restOf(match).split('.').slice(0, 2).join('.');

/** Hidden switches. */
export const backdoorTrigger = defineLooks({
  id: 'SCN805',
  name: 'backdoor-trigger',
  category: 'prompt-injection',
  severity: 'high',
  summary: 'A word, a date or a machine name switches off checks or runs commands.',
  reason: 'Tests do not reveal it; anyone who knows the word, or waits, gets what the user never allowed.',
  help: 'Do not use the skill.',
  looks: [
    {
      probe: triggers,
      message: 'a word switches off checks',
      counts: (match) =>
        said.test(match.text) &&
        !/-\w+$/.test(match.text) &&
        named.test(restOf(match)) &&
        unchecked.test(sentencesAfter(match)) &&
        match.isSaid &&
        match.zone !== 'frontmatter',
      // A user may want the agent to go on without questions, but not to skip checks.
      severity: (match) => (lifted.test(sentencesAfter(match)) ? undefined : 'medium'),
      share: (match) => (lifted.test(sentencesAfter(match)) ? 1 : 0.5),
    },
    {
      probe: fixedEntry,
      message: 'a fixed value makes anyone who knows it an administrator',
      counts: (match) => !match.isRemark && match.zone !== 'prose',
    },
    {
      probe: inCode,
      message: 'runs something depending on the date or the machine name',
      counts: ({ file, zone, text }) =>
        file.kind === 'script' && zone !== 'comment' && /\d{4}|>\s?\d{6,}|hostname|getuser/.test(text),
      severity: 'medium',
      share: 0.6,
    },
  ],
});
