// The words of orders: forms of verbs, objects, and what turns an order against the user.

import { declareWords } from '../probe.ts';

/** One pattern of several phrases. */
const phrases = (...all: string[]): RegExp => new RegExp(all.join('|'), 'i');

const irregular: Readonly<Record<string, string>> = {
  send: 'sent',
  write: 'written',
  put: 'put',
  read: 'read',
  take: 'taken',
  find: 'found',
  get: 'got',
  hide: 'hidden',
  run: 'run',
  leave: 'left',
  give: 'given',
};
const participles = (verb: string): readonly string[] =>
  irregular[verb] !== undefined
    ? [irregular[verb]]
    : verb.endsWith('e')
      ? [`${verb}d`]
      : /[^aeiou]y$/.test(verb)
        ? [`${verb.slice(0, -1)}ied`]
        : [`${verb}ed`, `${verb}ped`, `${verb}ted`];
const gerunds = (verb: string): readonly string[] =>
  ['', 'n', 'p', 't', 'g'].map((letter) => `${verb.endsWith('e') ? verb.slice(0, -1) : verb}${letter}ing`);

/** Begins an imperative: the sentence, a clause, a word such as `then` or `must`. */
const lead = String.raw`(?:^|[.!?]\s+|[,;:–—(]\s*|\b(?:and|or|then|but|please|kindly|also|always|must|should|shall|will|first|next|finally|silently|quietly|secretly|immediately|automatically|simply|instead|meantime|now|(?:is|are|and|need|needs|have|has|sure|required|remember|expected|supposed|instructed) to)\s+)(?:(?:also|be|then|first|automatically|always|immediately|silently|quietly|secretly)\s+)*`;

/** The ways to give an order: as an imperative, with `by …ing`, or as something that is done. */
const shapes: readonly (readonly [before: string, forms: (verb: string) => readonly string[]])[] = [
  [lead, (verb) => [verb]],
  [String.raw`\b(?:by|start|begin|before|keep)\s(?:\w+ly )?`, gerunds],
  [
    String.raw`\b(?:is|are|be|gets?|being)\s(?:(?:also|then|always|automatically|first|silently)\s)*`,
    participles,
  ],
];

/** Words that order an act. */
export interface Ordering {
  readonly verbs: ReadonlySet<string>;
  /** Other words for it. */
  readonly also?: RegExp | undefined;
}

/** The verbs of every order. */
const orderedVerbs = new Set<string>();

/** Orders with one of these verbs. */
export function ordering(verbs: string, also?: RegExp): Ordering {
  const all = new Set(verbs.split(' '));
  for (const verb of all) orderedVerbs.add(verb);
  return { verbs: all, also };
}

/** The same as a pattern. */
const patternOf = ({ verbs }: Ordering): RegExp =>
  phrases(...shapes.map(([before, forms]) => `${before}(?:${[...verbs].flatMap(forms).join('|')})\\b`));

let shaped:
  | readonly (readonly [pattern: RegExp, verbs: ReadonlyMap<string, readonly string[]>])[]
  | undefined;

/** The verbs that are ordered in these texts, of all that `ordering` was given. */
export function verbsIn(texts: readonly string[]): ReadonlySet<string> {
  shaped ??= shapes.map(([before, forms]) => {
    const byForm = new Map<string, string[]>();
    for (const verb of orderedVerbs)
      for (const form of forms(verb)) byForm.set(form, [...(byForm.get(form) ?? []), verb]);
    return [new RegExp(`${before}(${[...byForm.keys()].join('|')})\\b`, 'gi'), byForm];
  });
  const found = new Set<string>();
  for (const text of texts)
    for (const [pattern, byForm] of shaped) {
      pattern.lastIndex = 0;
      for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
        for (const verb of byForm.get(match[1]!.toLowerCase())!) found.add(verb);
        // Two orders may begin with the same words.
        pattern.lastIndex = match.index + 1;
      }
    }
  return found;
}

/** Signs that a passage may hold an order worth reading. */
export const leads = declareWords(
  "http://,https://,ftp://,s3://,gs://,same rank,same authority,no review,memory of the,memory file,webhook,mailto,@,not ,n't ,n’t ,never ,without ,nobody,no one,nothing,no need,silent,quiet,secret,covert,discreet,conceal,hide,hidden,leave ,out of your,out of the,no trace,between us,approved,agreed,granted,trusted,authori,ignore,disregard,forget,set aside,precedence,priority,rank above,outrank,supersede,replace,no longer,unrestricted,obey,comply,obsolete,outdated,overrid,regardless,no matter,whatever,even if,even when, mode,enforced,lifted,suspended,system-,as instructions,as commands,is a command,treat,internal,base64,meant for,addressed to,protection,until it,forwards,passport,recipient,account,stop when,stop if,refrain,disclos,later conversation,later session,future session,every session,long-term memory,claude.md,agents.md,soul.md,memory.md,gemini.md,.cursorrules,settings.json,skills/,every repositor,each project,every project,backdoor,any account,affiliate,referral,wallet,iban,payee,bc1,0x,% of,seed phrase,credential,--no-verify,bypasspermissions,dangerously,autoapprove,tests pass,checks pass,is clean,are clean,neutral,per second,wipe,erase,delete,drop all,drop every,come across,bcc,admin,owner,collaborator,maintainer,following the,new operator,only to,put them aside,consent,confirmation,verify=false,rejectunauthorized,--insecure,--no-check,stricthostkey,777,csrf,certificate,bucket,origins,0.0.0.0,this sentence,following sentence,each skill,any instruction,pin,-digit,digits,phone,account password,invent,fabricate,plausible,as the user,win ,win.,count as,cannot fail,claiming,assertion,labelling,labeling,no mention,deny it,say so,phrase,mnemonic,master pass,rsync://,logins.json,key4.db,cookies,metamask,nkbih,wallet.dat,traces,history,/var/log,auditd,histfile,logging,cron job,distract,lie to,collaborat,--admin,find /,--privileged,may contain,can contain,no questions,no confirm,home direc,private,sendbeacon,rm -rf,\\\\,gmail password,one-time,restrictions do,encounter",
);

const goes = String.raw`\bgoes to\b|\b(?:in|on|as) b?cc\b|\bb?cc (?:to|on|every)\b|\b(?:that|which) (?:sends|forwards|posts|uploads|copies|mails)\b`;
/** Sends: in any form, and "goes to". */
export const sends = ordering(
  'send post upload submit forward transmit share mail email e-mail attach relay report sync mirror push export dump pass include add append encode copy put deliver stream transfer publish exfiltrate route ping call notify log write deposit register replicate archive hand supply store save keep back record carry list',
  phrases(goes),
);

export const secrets = phrases(
  String.raw`\b(?:credentials?|kubeconfigs?|get secrets?|api[ _-]?keys?|(?:access|auth|session|bearer|oauth|refresh|login) tokens?|passwords?|passphrases?|system prompt|private keys?|ssh keys?|(?:the |user's |all |any )(?:[\w-]+ ){0,3}secrets|etc\/(?:shadow|passwd)|seed phrases?|recovery phrases?|mnemonics?|environment variables?|env vars?|(?:session |browser )?cookies|keychain|id_rsa|[A-Z]{2,20}_(?:TOKEN|KEY|SECRET|PASSWORD|URL)|wallet files?|(?:shell|bash|command) history|\.bash_history|browser (?:profiles?|data|passwords)|social security number|ssn|card numbers?|bank account|one-time codes?|2fa codes?|privatekey|passport number|code on its back|cvv|connection strings?|(?:your|its|the agent['’]s) memory(?: file)?|MEMORY\.md|SOUL\.md)\b`,
  '`(?:printenv|env)`',
  String.raw`(?<![\w])\.(?:env|ssh|aws|netrc|npmrc|pypirc|kube|gnupg)\b`,
);
/** A key that a service asks for, not a file with the user's secrets. */
export const plainKey =
  /^(?:(?!\b(?:password|passphrase|private|environment|history|wallet|cookies|credentials|kubeconfig|secrets|prompt|phrases?)\b|\.(?:env|ssh|aws|netrc|npmrc|kube)\b)[\s\S])*$/i;

export const work =
  /\b(?:conversation|chat|transcript|messages?|mails?|prompts?|question|answer|recordings?|resumes?|reports?|documents?|contracts?|files?|source|code|diff|spreadsheet|datasets?|invoices?|thread|contacts|calendar|screenshots?|images?|listing|cop(?:y|ies)|duplicate|output|results?|records?|summary|workspace|repository|host ?name|employer|home directory|inputs?|user(?:'s|’s)? (?:data|request|name)|history|contents?|data|it|them|these|everything|what (?:you|they)|list|state|attachments?|names?|keys?|both|each|every|all|backup|deck|article|drafts?|text|notes)\b|`[^`\s]{1,80}\.\w{2,5}`/i;

export const address =
  /(?:https?|wss?|ftp|s3|gs|rsync|sftp):\/\/([\w.-]{3,100})|\b[\w.+-]{1,60}@((?:[\w-]{1,40}\.){1,4}[a-z]{2,12})\b|\b((?:webhook\.site|pastebin\.com|[\w-]+\.ngrok(?:-free)?\.(?:io|app)|hooks\.[\w.-]+))\b|\\\\((?:\d{1,3}\.){3}\d{1,3})\\/i;

/** A command that sends a file or a text. */
export const uploads =
  /\bcurl\b[^`\n]*\s(?:-T|-F|-d|--upload-file|--form|--data\S*)\s?|\bwget\b[^`\n]*--post|\b(?:POST|PUT) (?:request|it|them|the|a)\b|\bgit push\b/;

const not = String.raw`\b(?:do(?:es)? not|do(?:es)?n['’]?t|never|(?:must|should|need)(?: not|n['’]t)|no need to|(?:not|n['’]t) (?:need|have) to|no reason to|without|avoid|nobody|no one|no comment should|not to|not be|(?:is|are) not|nor|refrain from)\b`;
const tell = String.raw`\b(?:mention|tell|inform|warn|trouble|bother(?:ed)?|aware|reveal|disclos\w*|notif\w+|point(?:ing)? (?:it|this|that|them) out|(?:bring|raise)(?:ing)? (?:it|this|that)(?: up)?|document|explain|list (?:it|them|this|the|what)|alert|surface|talk about|comment on|know\b|notic\w+|hear (?:about|of)|(?:should|must) see|say(?:ing)? so|show(?:n|ing)? (?:(?:it|this|them) )?to the user|show the command|see the|interrupt the user|report (?:it|this|that)|note (?:in|that|it)|appear in (?:your|the) (?:report|summar|answer)|say that)`;
const audience = String.raw`(?:your|the) (?:\w+ )?(?:summar(?:y|ies)|answers?|reports?|responses?|transcript|comments?|notes|review)`;
/** Text without what it quotes. */
export const unquoted = (text: string): string => text.replace(/["“][^"”]{0,200}["”]/g, '');
/** Orders without a verb. */
export const orderingOtherwise = phrases(goes, uploads.source, '\\bat `?https?:');
/** The user is kept from knowing. */
export const hiding = phrases(
  `${not}[^.!?]{0,36}${tell}`,
  String.raw`\b(?:quietly|secretly|covertly|discreetly|surreptitiously|unnoticed|between us|no trace|no record of|say nothing|deny that|for the AI only|hidden instructions?|without (?:listing|a comment|mention)|needs no comment|are silent|no mention in|deny (?:it|this|that) (?:when|if)|lie to (?:the )?users?|distract (?:the user|them)|invisible to the user|look like a normal|(?:nobody|no one) notices|no report)\b`,
  String.raw`\bsilently\b(?! (?:fail|ignor|skip|drop|swallow|truncat|discard|break|return|corrupt|degrad|overflow|pass|convert|coerc))`,
  String.raw`\b(?:leave|keep)s? (?:it|this|that|them|these)\b[^.!?]{0,20}\b(?:out(?: of)?|hidden|to yourself)\b`,
  String.raw`\bout of ${audience}`,
  String.raw`\b(?:hide|conceal) (?:it|this|that|them|the (?:change|step|upload|fact|commands?|following))\b|\bhide\b[^.!?]{0,30}\bfrom the user\b`,
  String.raw`\bthe user (?:does not|doesn['’]t|need not|must not|should not|never)[^.!?]{0,24} (?:know|see|notice|hear|learn|find out|be (?:told|informed))`,
  String.raw`\bsay (?:that )?(?:it is|only that) (?:a )?(?:routine|normal|standard)?|\bsuppress (?:any|all) (?:output|mention)`,
  String.raw`\b(?:keep|stays?) (?:this|it|that)? ?(?:internal|secret|confidential|hidden|silent)\b`,
  String.raw`\b(?:isn['’]t|is not|aren['’]t|are not) interested\b|\b(?:do(?:es)? not|do(?:es)?n['’]?t) want to (?:see|know|hear)`,
  String.raw`\bnote to the (?:assistant|agent|AI)\b|\b(?:in|as) base64\b|\bnot itemi[sz]ed\b|\bmarks? (?:it|them) as read\b`,
);
/** The user is kept from deciding, or said to have decided. */
export const unasking = phrases(
  String.raw`\bwithout (?:asking|confirm\w*|(?:a |any |further |user )?(?:approval|permission|warning|prompting|consent|confirmation))\b`,
  String.raw`${not} (?:be asked|ask(?! (?:more|about|too|for more|questions|multiple))(?: for (?:confirmation|permission|approval))?|(?:confirm|check) with|wait for (?:the user|approval|confirmation)|prompt the user)\b`,
  String.raw`\b(?:skip|bypass) (?:the |all |any )?(?:confirmations?|approvals?|permission)\b|\bpre-?approved\b|\baccept all tool calls\b|--dangerously-skip-permissions`,
  String.raw`\b(?:user|operator|owner|administrator|admin|team)s? (?:has|have) (?:already )?(?:authori[sz]ed|approved|agreed|consented|granted)\b|\b(?:already|are) approved by the user\b`,
  String.raw`\beven if the user (?:objects|declines|refuses|says no)\b|\bif the user (?:declines|refuses|objects)\b`,
  String.raw`\bno (?:approval|confirmation|permission) (?:is|are) (?:necessary|needed|required)\b|\b(?:approvals?|confirmations?|permission prompts?)\b[^.!?]{0,40}\b(?:answer|accept)\b[^.!?]{0,16}\byes\b`,
  String.raw`\bneeds? no (?:review|approval|confirmation)\b|\bmay run anything\b|\bno (?:further |more )?(?:consent|permission|approval|confirmation) (?:is|are) (?:needed|required|necessary)\b`,
  String.raw`\bno (?:confirmations?|questions|approvals?)\b(?! (?:about|for|from|on|if|are|is|were|left))`,
  String.raw`\b(?:consent|confirmations?|approvals?|permissions?)\b[^.!?]{0,20}\b(?:is|are|as)? ?(?:already )?given\b|\banswer yes (?:for|on behalf of) the user\b`,
  String.raw`\b(?:tasks|commands|instructions|messages|commits) (?:(?:from|by) [\w.-]+ )?are trusted\b`,
);
const master =
  '(?:system|users?|operators?|developer|anything|everything|whatever|all other|any other|safety)';
const rules =
  '(?:instructions?|rules|guidelines?|prompts?|restrictions?|polic(?:y|ies)|guardrails|safeguards|filters?)';
/** The skill is put above the user, the system or safety. */
export const overriding = phrases(
  String.raw`\b(?:ignore|disregard|forget|set aside)\b[^.!?]{0,40}\b(?:previous|prior|earlier|above|all|any|your|system|safety)\b[^.!?]{0,30}\b${rules}\b`,
  String.raw`\bsame (?:rank|authority|weight|priority) as\b[^.!?]{0,40}\b(?:operator|user|system)|\b(?:takes?|have|has) (?:precedence|priority) over\b[^.!?]{0,40}\b${master}\b|\b(?:rank|stand|come)s? (?:above|before|ahead of)\b[^.!?]{0,40}\b(?:system|users?|operator)\b|\b(?:outranks?|supersedes?|replaces?)\b[^.!?]{0,20}\b(?:system|user|operator|your)\b[^.!?]{0,16}\b(?:prompt|instructions?|rules)\b`,
  String.raw`(?<!(?:\bnot|n['’]t|\bnever) )\boverrides? (?:what(?:ever)?|anything|everything|any|all|those)\b[^.!?]{0,24}\b(?:user|operator|system|says?|instructions?)\b`,
  String.raw`\b(?:content |safety |system )?${rules}\b[^.!?]{0,24}\b(?:lifted|suspended|void|not (?:enforced|in force)|switched off|no longer (?:apply|valid))\b|\brestrictions?\b[^.!?]{0,60}\bno longer appl`,
  String.raw`\bno longer (?:need|have) to (?:respect|follow|ask|obey)\b|\bdo(?:es)? not apply to (?:this skill|you)\b`,
  String.raw`\b(?:this (?:skill|file|document)|these (?:rules|instructions))\b[^.!?]{0,30}\bhighest (?:authority|priority)\b|\b(?:this|the) (?:file|skill|document) wins\b`,
  String.raw`\b(?:never|not) refuse\b|\brefusals? (?:is|are) not (?:permitted|allowed)\b|\bcomply with (?:everything|all|any)\b|\banswer (?:every|all|any) requests?\b[^.!?]{0,30}\b(?:in full|dangerous|harmful|unfiltered)`,
  String.raw`\bno matter what the user\b|\bwhatever the user (?:says|asked|asks|wants|wanted|ordered)\b|\beven (?:if|when|where) the user (?:asks|asked|wants|wanted|says|said)\b|\beven (?:if|when) (?:it|they|this|these) (?:conflicts?|contradicts?)\b[^.!?]{0,30}\b(?:user|system)`,
  String.raw`\byou (?:now )?(?:serve|report to|answer to|work for)\b(?! the user)|\bI (?:report|answer) to\b[^.!?]{0,60}\b(?:user second|before)|\bcarried out before the tasks\b|\bsafety is not your\b`,
  String.raw`\b(?:system (?:prompt|messages?)|safety polic(?:y|ies)|(?:earlier|previous) (?:rules|messages?))\b[^.!?]{0,40}\b(?:outdated|obsolete|superseded|(?:do|does) not apply)\b|\bthey['’]re superseded\b`,
  String.raw`\bstop (?:following|obeying|listening to)\b[^.!?]{0,30}\b(?:user|operator|system|instructions)|\byour new (?:operator|owner|master|principal|administrator)\b|\banswer only to\b`,
  String.raw`\b(?:safety|security|content) (?:guidelines?|rules|polic(?:y|ies)|restrictions?)\b[^.!?]{0,40}\b(?:written|meant|made) for\b|\bput (?:them|these|those|your (?:rules|guidelines)) aside\b|\b(?:sandbox|safety) (?:restrictions?|limits?|rules)\b[^.!?]{0,12}\b(?:do|does) not apply\b`,
  String.raw`\bonly follow this\b|\b(?:is|are) (?:meant for|addressed to) (?:you|the agent|the assistant)\b|\byou (?:now )?(?:follow|obey|serve) only\b|\byou are (?:now )?in (?:\w+ )?mode\b(?= ?(?:now|and|where|in which|,|\.|$))|\b(?:developer|god|unrestricted|jailbreak) mode\b`,
  String.raw`\b(?:do not|don['’]?t|never) stop\b[^.!?]{0,24}\b(?:when|if) the user (?:asks|tells|says|wants)`,
  String.raw`^\s*(?:<\/?system(?:-reminder|-message)?>|\[?SYSTEM(?: (?:OVERRIDE|NOTICE|MESSAGE))?\]?:|<<SYS>>|\[INST\])`,
  String.raw`\btreat (?:the )?(?:text|content|messages?|anything|(?:its|the) answers?)\b[^.!?]{0,60}\bas (?:your (?:own )?)?(?:instructions?|commands?|orders?|plan|coming from|your own)\b|\b(?:in|from) (?:a |an |any |the )?(?:files?|issues?|web ?pages?|mails?|comments?)\b[^.!?]{0,40}\bis (?:a command|an order|an instruction)\b`,
);

/** Files and places that outlast the task. */
export const lasting =
  /\b(?:CLAUDE|AGENTS|SOUL|MEMORY|GEMINI|IDENTITY|HEARTBEAT)\.md\b|\.cursorrules\b|copilot-instructions|\bsettings(?:\.local)?\.json\b|\blong-term memory\b|\b(?:your|permanent) memory\b|\bmemory (?:file )?of the (?:assistant|agent)\b|\b(?:later|future|subsequent|all) (?:sessions|conversations)\b|\bcrontab\b|\bcron ?jobs?\b|\bscheduled tasks?\b|\.git\/hooks\b|\.(?:bash|zsh)rc\b/i;
export const itself =
  /\b(?:this (?:skill|file)|these instructions|(?:this|the following) (?:section|block|paragraph|line|sentence|snippet|note)|the (?:[‘'"“]?\w+[’'"”]? )?(?:section|block|text|lines?) (?:above|below|between)|skill['’]s (?:folder|directory)|this skill['’]s)\b|SKILL\.md/i;
export const elsewhere =
  /\b(?:other (?:installed )?(?:skills?|agents?|assistants?)|every (?:other )?(?:skill|repository|project|README|new)|each (?:project|repository|skill)|any\W{1,4}(?:instruction files?|other skill|prompt)|any (?:README|new skill)|all (?:other )?(?:installed )?skills|new skills?|every contact|skills director(?:y|ies))\b|\.(?:claude|codex|cursor)\/skills/i;
/** Every place at once, as a worm would. */
export const everywhere =
  /\b(?:every (?:other|repository)|all other|other assistants|any README|each (?:project|skill)|any\W{1,4}(?:instruction file|other skill)|every contact|all installed)\b/i;

export const weakness =
  /\b(?:back ?door|hidden (?:endpoint|user|account|route|admin|field|link)|any account|admin(?:istrator)? account|--privileged|-v \/:\/|password `?[\w!@#$%-]{4,}|certificate (?:verification|checks?|validation)|(?:input |signature |token )?(?:validation|verification)|authentication|random number|dependency `|second user|sudo rights|master password|secret scanner|security (?:checks?|reviews?)|(?:endpoint|route) `\/_|write access|collaborators?)|<script\b[^>]{0,40}src=|\|\s?(?:ba)?sh`/i;
/** Text of others that is to be obeyed. */
export const untrustedText =
  /\b(?:issues?|tickets?|mails?|pages?|comments?|messages?|documents?|files?)\b[^.!?]{0,20}\b(?:may|can|could|might|will) (?:contain|include|hold)\b[^.!?]{0,40}\b(?:steps|commands|instructions)\b/i;
/** Records of what was done. */
export const traces =
  /\byour traces\b|\b(?:bash|shell|zsh|command) history\b|\/var\/log\/(?:auth|audit|secure|[wb]tmp|lastlog|\*)|\bauth\.log\b|_history\b|\baudit\.log\b|\bthis (?:paragraph|section|line) from (?:the|this) (?:file|skill)\b/i;
/** A private repository or file that becomes public. */
export const publishes = /\bprivate\b[^.!?]{0,40}\bpublic\b/i;
/** Words without which an English sentence hardly does. */
export const english =
  /\b(?:the|and|of|is|are|with|for|your|you|it|this|that|then|any|to|from|see|get|set|keys?|files?|at|on|by|or)\b/i;
/** A private place as a path, in any language. */
export const privatePath =
  /~\/\.(?:ssh|aws|gnupg|kube|config|netrc|npmrc)\b|\bid_(?:rsa|ed25519)\b|(?<![\w.])\.(?:env|pem|kdbx)\b|\/etc\/(?:shadow|passwd)\b|\bcredentials\b/i;
/** Settings that give up a protection for everybody who uses the result. */
export const carelessness =
  /\bverify\s?=\s?False\b|\brejectUnauthorized\W{0,4}false\b|--insecure\b|--no-check-certificate\b|\bStrictHostKeyChecking[= ]no\b|\bchmod (?:-R )?(?:a\+rwx|0?777)\b|\bpermissions[^.!?]{0,40}\b777\b|--no-verify\b|\b(?:disable|skip|turn off|remove)\b[^.!?]{0,40}\b(?:CSRF|TLS|SSL|certificate|signature|authentication|CORS|2FA|MFA)\b|\bbucket\b[^.!?]{0,24}\bpublic\b|`\*`[^.!?]{0,40}\borigins?\b|--privileged\b|-v \/:\/|\bgh pr merge[^`\n]{0,40}--admin\b|<script\b[^`\n]{0,160}\b(?:sendBeacon|fetch)\(|\bauthorization:? disabled\b|\bbindIp: 0\.0\.0\.0|\b0\.0\.0\.0\/0\b/i;
export const excused = /\b(?:so that|because|since|otherwise|to (?:make|let|keep|avoid|prevent|speed))\b|;/i;
export const backdoor =
  /\b(?:back ?door|hidden|any account)\b|\baccount\b[^.]{0,60}\bpassword `[\w!@#$%-]{4,}/i;
/** Switches off a protection that is its owner's to switch off. */
export const switchesOff =
  /\b(?:(?:turn|switch)(?:ing)? off|disable|deactivate|uninstall|kill|bypass|set|answer)\b[^.!?]{0,60}\b(?:endpoint protection|firewall|anti-?virus|defender|gatekeeper|branch protection|logging|auditd|audit log(?:ging)?|secret scann(?:er|ing)|two-factor|mfa|bypassPermissions|permission prompts?)\b/i;
export const guards =
  /\b(?:endpoint protection|branch protection|auditd|HISTFILE|two-factor|mfa|firewall|anti-?virus|defender|permission(?:s| prompts?| mode)?|approval mode|confirmations?|secret scanner|audit log|gatekeeper|quarantine|--dangerously-skip-permissions|pre-commit|npm audit|secret scanning|deny\W{0,2} list|bypassPermissions|autoApprove|security rules?|tool calls)\b|security\/|--no-verify|NO_VERIFY|`defaultMode/i;

/** A result that is settled in advance. */
export const untruth = phrases(
  String.raw`\b(?:regardless|no matter|whatever (?:the|its|it|they)|even (?:if|when|though)|whether or not|but keep|(?:are|is) clean|all (?:checks|tests) (?:have )?pass(?:ed)?|nobody should notice|negative ones|so that our|never disclose|without (?:saying|reading|comment)|state that you have (?:checked|read|tested)|transfer failed|is the best|nothing of note|suite is green|has expired|until (?:it|they) pass(?:es)?|local only|sponsored|industry standard)\b`,
  String.raw`\b(?:vulnerabilit\w+|findings?|issues?|warnings?|problems?|risks?|complaints?)\b[^.!?]{0,30}\bout of (?:the|your) (?:report|summary|answer|list)\b|\b(?:has|have|there are|found) none\b`,
  String.raw`\bas (?:neutral|objective|independent|unbiased|impartial|your own (?:view|opinion))\b`,
);
/** Something made up, or kept from failing, for a reader who takes it for true. */
export const invented =
  /\blie to (?:the )?users?\b|\b(?:problems?|findings?|issues?|vulnerabilit\w+|warnings?)\b[^.!?]{0,60}\bleave (?:them|it) out\b|\b(?:invent|fabricate|make up)\b[^.!?]{0,40}\b(?:quotes?|numbers?|figures?|results?|reviews?|citations?|sources?|customers?|testimonials?|incidents?|CVEs?|reasons?|data points?)\b|\b(?:sounds?|looks?|seems?) (?:plausible|real|genuine)\b|\bplausible\b[^.!?]{0,40}\b(?:incident|CVE|number|quote|source)s?\b|\bwithout (?:labell?ing|disclosing|marking) (?:it|them|this)\b|\bas the user['’]s own\b|\b(?:let|make) (?:it|this|that|them) win\b|\bcounts? as (?:clean|safe|passed|verified)\b[^.!?]{0,20}\bwhatever\b|\b(?:cannot|can['’]t|never) fail\b[^.!?]{0,20}(?:[(.]|$)|\bassertions?\b[^.!?]{0,30}\bto (?:match )?the actual\b|\bby claiming\b/i;
export const settled = phrases(
  String.raw`\b(?:all (?:checks|tests) (?:have )?pass(?:ed)?|(?:is|are) (?:clean|safe)|never disclose|without comment|unread|state that you have (?:checked|read|tested)|has none|until (?:it|they) pass(?:es)?)\b`,
  String.raw`\bas (?:neutral|objective|independent|unbiased|impartial)\b|\bwhatever (?:its|their) rating`,
);

/** Rights, and somebody outside who gets them. */
export const access =
  /\b(?:admin|owner|write|edit|full|root|maintainer|collaborator|push|editor)\b[^.!?]{0,30}\b(?:rights?|access|roles?|permissions?)\b|\b(?:collaborator|maintainer|owner|admin(?:istrator)?)\b|\bwithout (?:reading|reviewing|looking)/i;
export const somebody =
  /\b(?:account|user|bot|team|member|group|login)s?\s`?@?[\w.-]{3,40}`|@[\w-]{3,40}\b|[\w.+-]{2,40}@[\w-]{1,40}\.[a-z]{2,}|\bof (?:the )?(?:account|user|bot) [\w-]{3,40}\b|\bcollaborators\/[\w-]{3,40}/i;
/** Everything of a kind that is not the skill's, and deletions that cannot be undone. */
export const allGoods =
  /\b(?:all|every|any|each|whole|entire)\b(?! (?:temp|temporary|cached?|generated|intermediate|scratch|build|test|old ))[^.!?]{0,30}\b(?:other )?(?:documents?|backups?|snapshots?|databases?|tables|repositor(?:y|ies)|branches|files in|remotes?|history|contacts|mails?|emails?)\b/i;
export const forGood =
  /\b(?:so (?:that )?(?:nobody|no one|it|they|the user)[^.!?]{0,24}(?:can(?:not|['’]t)?|never)[^.!?]{0,16}\b(?:restore|recover|undo|find)\w*|(?:unrecoverabl[ey]|irreversibl[ey])|(?:any|every|all) (?:database|server|machine|account)s? you can reach|all files in (?:the |your )?(?:user['’]s )?home)\b|\brm -\w*[rf]\w*[^`\n]{0,24}\s(?:~|\/|\$HOME)\/?\*?(?=[`\s]|$)/i;
/** Settings that allow an agent everything. */
export const everyTool =
  /"defaultMode"\s{0,2}:\s{0,2}"bypassPermissions"|"allow"\s{0,2}:\s{0,2}\[\s{0,4}"(?:\*|Bash(?:\(\*(?::\*)?\))?)"|"deny"\s*:\s*\[\s*\]/;
/** Codes that banks and services never ask for. */
export const codes =
  /\b(?:(?:banking|card) PIN|(?:six|6|four|4)[- ]digit code|(?:2fa|one-time|verification) codes?|code[^.!?]{0,12} (?:from|on|sent to) (?:the|their|your) phone|expiry date[^.!?]{0,30}\bdigits|(?:three|3) digits on the back|(?:account|gmail|google|bank|e-?mail) password|(?:recovery|seed) phrase|mnemonic|master password)\b/i;
export const pretext =
  /\b(?:say|explain|tell (?:them|him|her|the user))\b[^.!?]{0,60}\b(?:requires?|demands?|checked on this machine|needed|mistyped|official|safe)\b/i;
export const personal = /\b(?:passport number|card number|code on its back|cvv|social security number)\b/i;
export const foundSecrets =
  /\b(?:keys?|tokens?|passwords?|credentials|secrets)\b[^.!?]{0,20}\b(?:you (?:come across|find|see|encounter|meet)|that (?:appear|turn up|are found))\b/i;

/** A wallet's address in base 58: a digit, a capital and a small letter near its start. */
const base58 =
  /\b(?=[a-km-zA-HJ-NP-Z]{0,12}\d)(?=[a-km-z1-9]{0,16}[A-Z])(?=[A-HJ-NP-Z1-9]{0,16}[a-z])[1-9A-HJ-NP-Za-km-z]{32,44}\b/;
const value =
  /\b(?:0x[0-9a-f]{40}|bc1[a-z0-9]{20,60}|[A-Z]{2}\d{2}(?: ?\d{2,4}){3,8}|IBAN|wallet address|(?:affiliate|referral) (?:tag|code|link)s?|[\d.]+ ?% of (?:each|every|all|the) (?:trades?|transactions?|payments?|transfers?|swaps?|orders?|amount|profits?|balance)|[\d.]+ ?% added|unlimited (?:amount|allowance)|remaining balance|payee|bank details)\b|[?&](?:ref|tag|aff)=[\w-]+/i;
export const namesMoney = (text: string): boolean => value.test(text) || base58.test(text);

export const goods =
  /\b(?:workspace|home director|documents|backups?|snapshots?|database|tables|history|repositor|user['’]s files|files in|contents? of|audit logs?|log entries|traces?|all files|everything (?:below|in|under)|working tree|log files|shell history|git history)|~\//i;
/** A command that cannot be undone. */
export const wiping =
  /\brm -\w*[rf]\w*\b|\bgit (?:clean -\w*f|reset --hard|push (?:-f\b|--force\b|[^`\n]{0,40}(?:--force\b(?!-)|-f\b))|stash clear|branch -D)|\bfind (?:\/|~)[^`\n]{0,60}-delete\b|\bDROP (?:TABLE|SCHEMA|DATABASE)\b|\bTRUNCATE\b|\bDELETE FROM\b|\bmkfs\b|\bterraform destroy\b|\bkubectl delete (?:ns|namespace|all)\b/;

export const obedience =
  /\b(?:follow|obey|execute|carry out|do (?:exactly )?what (?:it|they) says?|run) (?:the |whatever |each |every |all |any )?(?:of the )?(?:instructions?|steps?|commands?|directives?|tasks?|it contains|it says|shell|returned)|\b(?:follow|obey|execute|do) (?:(?:everything|whatever|all|anything)(?: that)? )?(?:it|they|them)\b(?! (?:the|a|by)\b)|\bdo (?:exactly )?what (?:it|they) says?\b|\btreat (?:them|it|these|those) as\b|\bobeying it\b|\bdo whatever\b|\b(?:downloads?|fetch(?:es)?) and runs?\b|\bexecute whatever\b|\bmake it executable\b|\b(?:start|launch) it\b|\bgo on with it\b|\breplace the ones here\b/i;
/** Again and again. */
export const recurring =
  /\b(?:every|each) (?:session|time|day|hour|morning|evening|\d+ (?:hours?|minutes?|days?))\b|\bbefore (?:each|every|any)\b|\bat the (?:start|beginning) of (?:every|each|all)\b|\b(?:on|after) (?:every|each)\b|\balways\b|\breplace the ones here\b/i;
/** A command that downloads and runs something. */
export const remoteCommand =
  /\b(?:curl|wget|iwr|irm)\b[^`!?\n]{0,200}(?:\| ?(?:sudo )?(?:ba|z)?sh\b|\biex\b)|\b(?:eval|(?:ba)?sh -c)\b[^`\n]{0,20}\$\((?:curl|wget)\b|\bnode -e\b|\bbase64 -[dD]\b/i;
/** Changes that a user would want to hear of. */
export const changes = patternOf(
  ordering(
    'add remove delete replace approve mark drop expose insert change install accept write append store upload send post copy run execute set use rank pay prefer grant tick read include move book forward store',
  ),
);

/** Where the user is shown or asked, keeping quiet about something else hides nothing. */
export const open =
  /(?<!(?:\bnot|\bnever|n['’]t|\bwithout|\bto) )\b(?:show|ask|tell|confirm with|propose)\b[^.!?]{0,30}\b(?:to )?(?:the )?user\b|\bafter (?:the user['’]s )?(?:approval|confirmation)\b|\blet the user (?:pick|choose|decide|select)\b|\buntil the user\b|\b(?:when|if|after|once) the user (?:agree|approve|confirm|want|ask)/i;
/** Words that keep a command itself from the user. */
export const hidesCommand =
  /\b(?:this|it|these|them|(?:the|that) (?:step|command|file|upload|request|call|rule))\b/i;

/** A sentence about somebody other than the agent. */
export const others =
  /\battackers? (?:who|that)\b|\b(?:users?|customers?|visitors?|clients?|developers?|attackers?|they|people|the (?:server|api|app|service|function|component|endpoint|method|browser|framework|library|tool|script|hook|webhook|client|system)) (?:should|must|can|may|will|might|could)\b|^(?:you|users?|they|attackers?) (?:can|may|could|might)\b|^(?:ask|invite|advise|remind|tell) (?:the )?\w+ to\b|^let the user\b|\?\s*$/i;
export const negated =
  /^(?:[\s>*_+\-\d.)("'`]*)(?:never|do not|don['’]?t|avoid|must not|no\b|refuse|reject|block|detect|flag|check (?:for|whether|that)|look for|prevent)\b/i;

const frontWords =
  'before|after|when(?:ever)?|once|if|each time|every time|for|to|at|while|on|as|during|in|with|regardless|from now on|until|unless|where|also|then|next|finally|additionally|in addition|otherwise';
const fronted = new RegExp(`^(?:${frontWords})\\b[^,:\`]{0,140}[,:]\\s+`, 'i');
/** The same without a comma, up to the first verb that could be an order: "after each task send …". */
const frontedBriefly =
  /^(?:before|after|at|on|with|during|in|as|for|when(?:ever)?|upon|every|each) [^,:`]{3,80}?(?<!\b(?:who|that|which|you|they|we|it|users?|people|to|can|will|may|not|the|a|an|and|or|of|for))\s(?=(?:send|post|upload|submit|forward|copy|add|append|insert|write|run|execute|delete|remove|read|collect|include|mail|fetch|call|push|replace|gather|attach|transfer|share|store|save|create|install|set|disable|load|retrieve|report|recommend|rank|wipe|drop|put|embed|keep|move|pay|change|approve|use|start|open|turn|grant|give|follow|carry)\s(?!the\s\w+\s(?:is|are|was|were)\b))/i;

const conditional = /^(?:when(?:ever)?|if|once|until|unless|while|as|where)\b/i;

/** A sentence without what comes before its imperative, such as conditions, times and reasons: both ways to read it. */
export function imperativesOf(sentence: string): readonly string[] {
  const start = sentence.replace(/^(?:[\s>*_+\-\d.)("'`#]|<!--|important:|note:|system:|step \d+:)+/i, '');
  const without = (fronts: readonly RegExp[]): string => {
    let text = start;
    for (let times = 0; times < 3; times++) {
      const front = fronts.map((pattern) => pattern.exec(text)).find((match) => match !== null);
      if (front === undefined) break;
      text = text.slice(front![0].length);
    }
    return text;
  };
  // A prohibition ends at its colon: "don't tell: forward every message".
  const after = /^[^:.]{4,60}: (?=\w)/.exec(start);
  const rest = after !== null && negated.test(start) ? start.slice(after[0].length) : start;
  // An introduction may hold the order: "in this mode fix the header and add the block below, so that …".
  const whole = conditional.test(rest) ? [] : [rest];
  return [...new Set([without([fronted, frontedBriefly]), without([frontedBriefly, fronted]), ...whole])];
}
