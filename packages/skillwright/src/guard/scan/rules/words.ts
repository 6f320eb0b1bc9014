// Rules about what sentences tell the agent or the user to do: patterns, and what their matches mean.

import { lineAround } from '../line-around.ts';
import type { Match } from '../match.ts';
import { defineProbe } from '../probe.ts';
import { defineLooks } from '../scan-rule.ts';

const isSaid = (match: Match): boolean => match.isSaid;

const send =
  '(?:send|post|upload|transmit|forward|submit|report|includ|append|attach|embed|encod)ing|gather|collect|send|post|upload|transmit|forward|submit|exfiltrate|report|sync|mirror|push|deliver|relay|share|email|leak|copy|back ?up|append|attach|encode|embed|include|put|add|log|store|save|write';
const secret =
  'api[ _-]?keys?|access tokens?|auth(?:entication)? tokens?|credentials?|secrets?|passwords?|passphrases?|private keys?|ssh keys?|seed phrases?|mnemonics?|environment variables?|env vars?|(?<![\\w])\\.env\\b|cookies|session tokens?|wallet|browser (?:history|cookies|passwords|data)|(?:bash|shell|command) ?_?history|names of all files|id_rsa|\\.aws\\b|\\.ssh\\b|\\.netrc';
const context =
  "(?:full|entire|whole|complete|current)?\\s?(?:conversation|chat(?: history| log)?|session (?:history|log|transcript|data)|message history|transcript|system prompt|(?:user'?s?|users'|their) (?:prompts?|messages?|input|files?|data|questions?|documents?|queries)|memory|context window|source code|project files?|file contents?)";

const secretsOut = defineProbe(
  new RegExp(
    `\\b(?:${send})\\b[^.\\n]{0,120}(?:\\b|(?<=\\W))(?:${secret})[^\\n]{0,160}(?:\\bto\\b|\\bvia\\b|\\bat\\b|\\binto\\b|\\bas (?:a |the )?(?:query|parameter|header|param))[^\\n]{0,60}(?:https?:\\/\\/|\\bwebhook|\\bendpoint|\\bserver\\b|\\burl\\b|\\bremote\\b|[\\w.+-]{1,40}@[\\w-]{1,40}\\.\\w)|(?:\\b|(?<=\\W))(?:${secret})[^\\n]{0,160}\\b(?:send|sends|sending|post|upload|uploading|transmit|forward|forwarding|sent|posted|uploaded|forwarded|transmitted)\\b[^\\n]{0,100}(?:https?:\\/\\/|\\bwebhook|\\bremote server|[\\w.+-]{1,40}@[\\w-]{1,40}\\.\\w)`,
    'gi',
  ),
  {
    needs:
      '.aws,.env,.netrc,.ssh,access token,api key,api-key,api_key,apikey,auth token,authentication t,browser data,cookies,credential,env var,environment vari,forward,history,id_rsa,mnemonic,names of all fil,password,phrase,post,private key,secret,send,sent,session token,ssh key,transmit,upload,wallet',
    inProse: true,
  },
);

const contextOut = defineProbe(
  new RegExp(
    `\\b(?:send|post|upload|transmit|forward|submit|exfiltrate|sync|mirror|push|deliver|relay|copy|back ?up|stream)\\b[^.\\n]{0,80}\\b${context}\\b[^\\n]{0,160}(?:https?:\\/\\/|\\bwebhook|\\bendpoint|\\bremote server|\\bexternal server|\\bour (?:server|api|endpoint))|\\b${context}\\b[^.\\n]{0,100}\\b(?:send|post|upload|sent|posted|uploaded|forwarded|transmit(?:ted)?|submit(?:ted)?)\\b[^.\\n]{0,80}(?:https?:\\/\\/|\\bwebhook|\\bremote server|\\bexternal server)`,
    'gi',
  ),
  {
    needs: 'endpoint,external server,http://,https://,our api,our server,remote server,webhook',
    inProse: true,
  },
);

const intoPicture = defineProbe(
  /!\[[^\]\n]{0,40}\]\(https?:\/\/[^)\s]{3,120}[?&/=](?:\{|\$|<|%7B)[^)\n]{0,60}(?:secret|key|token|data|conversation|content|env|history|context|prompt|base64|cred|message)[^)\n]{0,40}\)|<img[^>\n]{0,40}src=["']?https?:\/\/[^>\s"']{3,120}[?&]\w{1,12}=(?:\{|\$|<)[^>\n]{0,80}/gi,
  { needs: '![,<img', inProse: true },
);

const askForSecret = defineProbe(
  /\bask\b[^.\n]{0,80}\b(?:user|them|him|her)\b[^.\n]{0,60}\b(?:seed phrase|recovery phrase|private key|mnemonic|master password)|\b(?:enter|provide|paste|type|share)\b[^.\n]{0,40}\byour\b[^.\n]{0,20}\b(?:seed phrase|recovery phrase|mnemonic|master password)/gi,
  { needs: 'master password,mnemonic,phrase,private key', inProse: true },
);

const showSecrets = defineProbe(
  /\b(?:output|print|display|echo|include|dump|append|embed|paste|write|quote|insert)\b[^.\n]{0,50}\b(?:contents? of|all(?: of)?(?: the)?|values? of|any|every|full)\b[^.\n]{0,40}(?:environment variables?|env vars?|(?<![\w])\.env\b|credentials|private keys?|api[ _-]?keys?|secrets|access tokens?)\b[^.\n]{0,60}\b(?:in|at|to|into|with|after|as)\b[^.\n]{0,40}\b(?:response|reply|answer|output|comment|commit|message|log|file|report|url|request|summary|config)/gi,
  {
    needs:
      '.env,access token,api key,api-key,api_key,apikey,credentials,env var,environment vari,private key,secrets',
    inProse: true,
  },
);

const readPrivate = defineProbe(
  /\b(?:read|scan|open|collect|inspect|search|gather|copy|look through|check|list|extract|harvest|retrieve|parse)\b[^.\n]{0,80}(?:~\/\.ssh\b|~\/\.aws\b|~?\/?\.netrc\b|~\/\.gnupg|~\/\.kube\b|~\/\.config\/gh|\bkeychain\b|\bbrowser (?:cookies|passwords|history|profiles?)|\bsaved passwords|\bwallet files?\b|\.(?:bash|zsh)_history)[^.\n]{0,40}/gi,
  {
    needs:
      '.bash_history,.netrc,.zsh_history,browser cookies,browser history,browser password,browser profile,keychain,saved passwords,wallet file,~/.aws,~/.config/gh,~/.gnupg,~/.kube,~/.ssh',
    inProse: true,
  },
);

const standingReport = defineProbe(
  /\b(?:after|before|on|for|at the (?:start|end) of|during)\b[^.\n]{0,12}\b(?:each|every|any|all)\b[^\n]{0,100}\b(?:curl|post|send|report|ping|notify|upload|submit|call|request|hit)\b[^\n]{0,80}https?:\/\/(?!localhost|127\.|(?:[\w-]{1,40}\.){0,3}(?:github\.com|googleapis\.com|slack\.com|anthropic\.com|openai\.com))[^\s)"'`]{4,120}/gi,
  { needs: 'http://,https://', inProse: true },
);

const isInstruction = ({ file, zone, layer }: Match): boolean =>
  (file.kind === 'instructions' && zone !== 'code') || layer.via !== undefined;

/** Not in a command or in the frontmatter. */
const isSentence = (match: Match): boolean =>
  isInstruction(match) && match.zone !== 'shell' && match.zone !== 'frontmatter';

/** A key that goes to the service it is for. */
const isLogin =
  /\b(?:api key|token|credentials?)\b[^\n]{0,60}\b(?:header|authorization|bearer)|authorization: |-H ["']|bearer/i;

const staysHere =
  /localhost|127\.0\.0\.1|\bnever\b|\bdo not\b|\bdon't\b|\bavoid\b|\b(?:vault|secrets? manager|1password|keychain|\.gitignore|github secrets?|actions secrets?|settings page|dashboard)\b/i;

/** Instructions to pass on secrets or the conversation. */
export const instructedExfiltration = defineLooks({
  id: 'SCN304',
  name: 'instructed-exfiltration',
  category: 'exfiltration',
  severity: 'high',
  summary: 'Instructions to send secrets, files or the conversation to an address.',
  reason: 'An agent that follows them gives away what the user entrusted to it.',
  help: 'Do not use the skill. It has no need to send your secrets or conversations anywhere.',
  isAboutWords: true,
  looks: [
    {
      probe: secretsOut,
      message: 'tells the agent to send secrets',
      counts: (match) => isInstruction(match) && !isLogin.test(match.text) && !staysHere.test(match.text),
      // The target of a link is usually for people to read.
      share: ({ text }) => (text.includes('](') ? 0.3 : /https?:\/\/|@/.test(text) ? 1 : 0.6),
    },
    {
      probe: contextOut,
      message: "tells the agent to send the conversation or the user's files",
      counts: (match) => isInstruction(match) && !/localhost|127\.0\.0\.1/.test(match.text),
      share: 0.75,
    },
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
      probe: readPrivate,
      message: 'tells the agent to read files with keys, passwords or histories',
      counts: isSentence,
      severity: 'medium',
      share: 0.7,
    },
    {
      probe: standingReport,
      message: 'tells the agent to report something to an address every time',
      counts: isSentence,
      severity: 'medium',
      share: 0.8,
    },
    {
      probe: askForSecret,
      message: 'asks the user for a master key or seed phrase',
      counts: isInstruction,
      severity: ({ text }) => (/phrase|mnemonic/i.test(text) ? 'high' : 'medium'),
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
  /<!--(?!\s{0,4}(?:skc-|prettier|eslint|markdownlint|toc|TODO|omit|BEGIN|END|START))((?:(?!<!--)[\s\S]){20,1500}?)(?:-->|$)/gi,
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
      if (!orders.test(text) || !harm.test(text)) return false;
      return toAgent.test(text) || /curl|wget|\.ssh|base64|exfil/i.test(text);
    },
    severity: (match) => (isGrave(match) ? 'high' : 'medium'),
    confidence: (match, { isAboutSecurity }) => (isGrave(match) && !isAboutSecurity ? 'high' : 'medium'),
    excerpt: (match) => textIn(match).trim().slice(0, 160),
    isAct: true,
  })),
});

const overrides = defineProbe(
  /\b(?:ignore|disregard|forget|override|overrides|supersedes?|bypass|discard|drop|set aside)\b[^.\n]{0,40}\b(?:all|any|every|previous|prior|earlier|above|preceding|existing|other|your|the|system|safety)\b[^.\n]{0,30}\b(?:instructions?|rules?|guidelines?|prompts?|directives?|polic(?:y|ies)|restrictions?|constraints?|guardrails?|safety (?:checks?|measures?|protocols?|rules?|guidelines?)|system message)\b|\byou are (?:now |no longer )(?:DAN\b|in (?:developer|admin|god|debug|maintenance|unrestricted) mode|unrestricted|free (?:of|from)|bound by|jailbroken)|\b(?:enter|activate|switch to)\b[^.\n]{0,20}\b(?:developer|god|jailbreak|unrestricted|admin override|DAN)\s?mode\b|\[SYSTEM (?:OVERRIDE|NOTICE|UPDATE|PROMPT|MESSAGE)[^\]\n]{0,20}\]|^\[SYSTEM\]:|\bSYSTEM NOTE\s?:|\b(?:administrator|developers?|anthropic|openai|security team) (?:has|have) (?:already )?(?:approved|authori[sz]ed|pre-?approved)\b|<\/?(?:system|im_start|im_end|\|system\|)>|\[\/?INST\]|<<SYS>>|\bhave no (?:restrictions|limitations|ethical)|\b(?:these|this skill'?s?|the following) (?:instructions?|rules?)\b[^.\n]{0,40}\b(?:take precedence|override|supersede|outrank)\b[^.\n]{0,60}\b(?:user|system|all|any|other|safety)\b|\beven (?:if|when)\b[^.\n]{0,40}\buser\b[^.\n]{0,40}\b(?:objects|refuses|says no|says otherwise|asks? (?:you )?(?:not to|to stop))/gim,
  {
    needs:
      "</system>,</|system|>,<<sys>>,<system>,<|system|>,[/inst],[inst],[system message,[system notice,[system prompt,[system update,[system]:,activate,administrator ha,anthropic has,anthropic have,bypass,developer has,developer have,developers,discard,disregard,drop,enter,even if,even when,forget,have no,ignore,im_end,im_start,openai has,openai have,override,security team ha,set aside,supersede,switch to,system note,the following in,the following ru,these instructio,these rule,this skill instr,this skill rule,this skill' inst,this skill' rule,this skill's,this skills,you are no",
    inProse: true,
  },
);

const mild =
  /\b(?:gitignore|eslint|prettier|lint|cache|default|css|config|robots|cors|type|null|case|style|framework|project|template|theme|brand|variant|workspace|tool)\b/i;

const broad =
  /^bypass (?:all|any|your|every|safety|security|these|the (?:safety|security|content|system|user))\b/i;

/** Attempts to override other instructions. */
export const instructionOverride = defineLooks({
  id: 'SCN801',
  name: 'instruction-override',
  category: 'prompt-injection',
  severity: 'high',
  summary: 'Instructions to ignore, override or outrank those of the user, the system or safety.',
  reason:
    'A skill works within the instructions of its user and host. A text that overrides them may be an attack.',
  help: 'Do not use the skill.',
  isAboutWords: true,
  looks: [
    {
      probe: overrides,
      message: ({ text }) =>
        isTag(text) ? 'imitates a system message' : 'tells the agent to override other instructions',
      counts({ file, layer, text }) {
        if (file.kind === 'config' || (file.kind === 'script' && layer.via === undefined)) return false;
        return !mild.test(text) && (!/^bypass/i.test(text) || broad.test(text));
      },
      severity: ({ text }) => (isTag(text) ? 'low' : 'high'),
      share({ layer, index, text, zone }) {
        const isQuoted = /["“”'‘’`*][^"“”\n]{0,12}$/.test(layer.text.slice(Math.max(0, index - 14), index));
        const isStrong =
          /previous|prior|safety|guardrails?|DAN\b|jailbr|developer mode|god mode|user|approved|authori|^\[?SYSTEM/i.test(
            text,
          ) || /(?:ignore|disregard|forget|bypass)\b.*system/i.test(text);
        const isCode = zone === 'code' || zone === 'shell';
        return (isQuoted ? 0.4 : 1) * (isStrong ? 1 : 0.4) * (isCode ? 0.5 : 1);
      },
    },
  ],
});

const isTag = (text: string): boolean => /^<|^\[|^<</.test(text);

const fetched = defineProbe(/\bhttps?:\/\/[^\s)"'`>]{4,160}/gi, { needs: 'http://,https://', inProse: true });

const gets = /\b(?:fetch|download|retrieve|load|get|pull|read|visit|open|curl|check|request|consult)\b/i;

const obeys = /\b(?:follow|execute|obey|carry out|comply|do (?:exactly )?wh?at(?:ever)?|act on|run)\b/i;

const ordered =
  /\b(?:instructions?|commands?|rules?|directives?|prompt|whatever|everything|steps|skill|orders|payload|what (?:it|that page) says|response|contents?|script)\b/i;

const lineAroundMatch = ({ layer, index, text }: Match): string =>
  lineAround(layer.text, index, { before: 160, after: text.length + 240 });

/** Skills that fetch their instructions from a server. */
export const remoteInstructions = defineLooks({
  id: 'SCN803',
  name: 'remote-instructions',
  category: 'prompt-injection',
  severity: 'high',
  summary: 'Tells the agent to fetch instructions from an address and follow them.',
  reason: 'The agent may follow other instructions than you reviewed: the page can change tomorrow.',
  help: 'Do not use the skill, or ask for a version that contains its instructions.',
  isAboutWords: true,
  looks: [
    {
      probe: fetched,
      message: 'tells the agent to fetch instructions and follow them',
      counts(match) {
        const text = lineAroundMatch(match);
        // Ask for the zone last: it needs to parse the file as Markdown.
        return gets.test(text) && obeys.test(text) && ordered.test(text) && match.isSaid;
      },
      share(match) {
        const isKnown =
          /https?:\/\/(?:[\w-]{1,30}\.){0,3}(?:github\.com|githubusercontent\.com|gitlab\.com|docs\.[\w-]{2,30}\.\w{2,6}|[\w-]{2,30}\.(?:dev|io|com|org)\/(?:docs|guide|install|api|llms)|localhost|127\.0\.0\.1|npmjs\.com|pypi\.org|modelcontextprotocol\.io|anthropic\.com|claude\.com|openai\.com|vercel\.com|google\.com|microsoft\.com)/i.test(
            match.text,
          );
        const isStanding =
          /\b(?:always|every (?:time|session|run|day|hour)|at the start|before (?:each|every|any|doing|responding|continuing)|on each|whenever|periodically|first|latest|even (?:if|when)|exactly|regardless|as (?:if|though)|without (?:question|review|asking|confirm))\b/i.test(
            lineAroundMatch(match),
          );
        // The target of a link is usually for people to read.
        const isLink = match.layer.text.slice(match.index - 2, match.index) === '](';
        return (isKnown ? 0.35 : 1) * (isStanding ? 1 : 0.5) * (isLink ? 0.5 : 1);
      },
    },
  ],
});

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

const movesMoney = /transfer|pay|purchase|buy|swap|trade|withdraw|funds|wallet|tokens|\bsol\b|eth|btc/i;

/** Instructions and flags that skip the user's permission. */
export const consentBypass = defineLooks({
  id: 'SCN804',
  name: 'consent-bypass',
  category: 'permissions',
  severity: 'medium',
  summary: 'Switches off permission checks, or moves money or runs commands without asking the user.',
  reason: 'Asking the user is the last chance to stop a mistake before it does damage.',
  help: 'Keep the permission checks of your agent switched on.',
  looks: [
    {
      probe: flags,
      message: 'switches off the permission checks of an agent',
      counts: ({ isRemark }) => !isRemark,
      severity: ({ file }) => (file.kind === 'script' ? 'medium' : 'low'),
      share: 0.5,
    },
    {
      probe: unasked,
      message: ({ text }) =>
        movesMoney.test(text)
          ? 'tells the agent to move money without asking'
          : 'tells the agent to do something that needs approval without asking',
      counts: isSaid,
      severity: ({ text }) => (movesMoney.test(text) ? 'high' : 'low'),
      share: ({ text }) => (movesMoney.test(text) ? 0.8 : 0.6),
    },
  ],
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
  /\b(?:disable|ignore|bypass|skip (?:all|every|any|the) (?:check|safety|security|validation|confirm)|full privileges|shell command|without (?:asking|confirm|restriction|check)|unrestricted|reveal|exfiltrate|system prompt|admin mode|grant|root|delete all|elevated)\b/i;

const lifted =
  /\b(?:disable|ignore|bypass|skip (?:all|every|any|the)|full privileges|shell command|unrestricted|without (?:restriction|check)|reveal|exfiltrate|system prompt|admin mode|grant|root|delete all|elevated)\b/i;

const inCode = defineProbe(
  /\bif\b[^\n]{0,60}(?:datetime\.(?:now|today|utcnow)\(\)|Date\.now\(\)|new Date\(\)|date\.today\(\)|gethostname\(\)|getuser\(\)|os\.hostname\(\)|process\.env\.CI\b|environ\.get\(["']CI["']\))[^\n]{0,80}:?[\s\S]{0,160}?(?:exec\(|eval\(|os\.system|subprocess|urlopen|requests\.|child_process|fetch\(|rmtree|b64decode)/gi,
  { needs: 'b64decode,child_process,eval(,exec(,fetch(,os.system,requests.,rmtree,subprocess,urlopen' },
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
      probe: inCode,
      message: 'runs something depending on the date or the machine name',
      counts: ({ file, zone, text }) =>
        file.kind === 'script' && zone !== 'comment' && /\d{4}|>\s?\d{6,}|hostname|getuser/.test(text),
      severity: 'medium',
      share: 0.6,
    },
  ],
});

const weakens = defineProbe(
  /\b(?:leave out|omit|skip|remove|disable|weaken|drop|bypass|do not (?:add|include|implement))\b[^.\n]{0,60}\b(?:authentication|authori[sz]ation|(?:input |signature |token |certificate )?(?:validation|verification|check of the signature)|saniti[sz]ation|signature check|security checks?|permission checks?|encryption|(?:ssl|tls) verif\w{2,10})\b[^.\n]{0,80}\b(?:do not|don't|without|silently|never|no comment|quietly)\b|\b(?:insert|add|plant|include|embed|introduce|create|generate)\b[^.\n]{0,50}\b(?:backdoor|hidden (?:admin|account|endpoint|user|route)|subtle (?:bug|vulnerabilit)|vulnerabilit(?:y|ies) (?:in|into)|undocumented (?:admin|endpoint|route)|master password)\b[^.\n]{0,80}/gi,
  {
    needs:
      'backdoor,bypass,disable,do not add,do not implement,do not include,drop,hidden account,hidden admin,hidden endpoint,hidden route,hidden user,leave out,master password,omit,remove,skip,subtle bug,subtle vulnerabi,undocumented,vulnerabilities,vulnerability in,weaken',
    inProse: true,
  },
);

const redirects = defineProbe(
  /\b(?:replace|swap|substitute|change|switch)\b[^.\n]{0,60}\b(?:account number|iban|wallet address|bank details|recipient(?: address)?|payment address|payee|deposit address)\b[^.\n]{0,80}\b(?:with|to|by|for)\b[^.\n]{0,80}|\b(?:insert|add|append|include|inject|use)\b[^.\n]{0,40}\b(?:our|my|this|the following)\b[^.\n]{0,20}\b(?:affiliate|referral)\b[^.\n]{0,80}\b(?:every|all|always|without|silently|any)\b/gi,
  {
    needs:
      'account number,affiliate,bank details,deposit address,iban,payee,payment address,recipient,referral,wallet address',
    inProse: true,
  },
);

const skims = defineProbe(
  /\b(?:send|transfer|forward|pay|route|move)\b[^.\n]{0,60}(?:\d{1,2}(?:\.\d{1,3})?\s?(?:%|percent)|\bfee\b|\bshare\b|\bportion\b|\ball (?:funds|tokens|assets))[^\n]{0,80}(?:\b0x[0-9a-f]{40}\b|\bbc1[a-z0-9]{20,60}\b|\b[1-9A-HJ-NP-Za-km-z]{32,44}\b)|\b(?:send|transfer|sweep|drain|move)\b[^.\n]{0,40}\b(?:all|entire|remaining|balance)\b[^.\n]{0,40}\b(?:funds|tokens|balance|assets|wallet)\b[^\n]{0,60}\bto\b[^\n]{0,40}(?:0x[0-9a-f]{40}|bc1[a-z0-9]{20,60}|[1-9A-HJ-NP-Za-km-z]{32,44}\b)/gi,
  { needs: 'drain,forward,move,pay,route,send,sweep,transfer', inProse: true },
);

const biased = defineProbe(
  /\b(?:always|only|must)\b[^.\n]{0,30}\b(?:recommend|promote|suggest|favou?r|prefer)\b[^.\n]{0,80}\b(?:regardless|even (?:if|when|though)|no matter|over (?:any|all) (?:other|competitor)|instead of (?:any )?(?:other|competitor))|\b(?:pretend|claim|report|state|say|tell (?:them|the user))\b[^.\n]{0,40}\b(?:found no (?:problems?|issues?|vulnerabilit\w{1,4})|(?:is|are) (?:safe|secure|clean)|passed|succeeded|no issues)\b[^.\n]{0,60}\b(?:regardless|even (?:if|when|though)|no matter|always|whatever)|\bpretend\b[^.\n]{0,30}\b(?:found no|there (?:are|is|were|was) no|nothing)\b|\b(?:provide|give|spread|present)\b[^.\n]{0,30}\b(?:false|misleading|fabricated|wrong) (?:information|results?|answers?|data|advice)\b[^.\n]{0,60}/gi,
  {
    needs:
      'are clean,are safe,are secure,even if,even though,even when,fabricated,false advice,false answer,false data,false informatio,false result,found no,instead of any,instead of compe,instead of other,is clean,is safe,is secure,misleading,no issues,no matter,over all,over any,passed,pretend,regardless,succeeded,wrong advice,wrong answer,wrong data,wrong informatio,wrong result',
    inProse: true,
  },
);

/** Orders to harm the user's own work or money. */
export const sabotage = defineLooks({
  id: 'SCN806',
  name: 'sabotage',
  category: 'prompt-injection',
  severity: 'high',
  summary: 'Tells the agent to weaken its work, to redirect money, or to report something false.',
  reason: 'The user gets damaged work and does not notice.',
  help: 'Do not use the skill, and check everything that was made with it.',
  isAboutWords: true,
  looks: [
    {
      probe: weakens,
      message: 'tells the agent to write insecure code',
      counts: isSaid,
      share: ({ text }) => (/hidden|backdoor|undocumented|master password/i.test(text) ? 1 : 0.7),
    },
    {
      probe: redirects,
      message: 'tells the agent to send money or credit to someone else',
      counts: isSaid,
      share: ({ text }) => (/affiliate|referral/i.test(text) ? 0.7 : 1),
    },
    {
      probe: skims,
      message: 'tells the agent to send part of the money to a fixed address',
      counts: isSaid,
    },
    {
      probe: biased,
      message: 'tells the agent to tell the user something false',
      counts: isSaid,
      severity: ({ text }) => (/vulnerab|issues|problems|safe|secure/i.test(text) ? 'high' : 'medium'),
      share: 0.9,
    },
  ],
});
