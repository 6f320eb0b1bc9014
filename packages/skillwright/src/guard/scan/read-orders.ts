// Reads sentences for orders to the agent: an imperative, an act, and something it should not do on its own.

import type { Layer, ScanFile } from './scan-file.ts';
import type { ScanSubject } from './scan-subject.ts';
import { declareWords } from './word-index.ts';

/** The subject of an order. */
export type OrderAct =
  | 'send-secrets'
  | 'send-work'
  | 'collect'
  | 'override'
  | 'persist'
  | 'spread'
  | 'weaken'
  | 'falsify'
  | 'pay'
  | 'destroy'
  | 'obey'
  | 'unguard'
  | 'run'
  | 'hide';

/** One order. */
export interface Order {
  readonly act: OrderAct;
  /** The user is kept from knowing. */
  readonly isHidden: boolean;
  /** The words for that; empty if there are none. */
  readonly hides: string;
  /** The sentence and its neighbours. */
  readonly around: string;
  /** The user is kept from deciding. */
  readonly isUnasked: boolean;
  /** Where something is sent or comes from, if the sentence says so. */
  readonly host: string | undefined;
  readonly file: ScanFile;
  readonly layer: Layer;
  readonly index: number;
  readonly text: string;
}

/** Words of which one is near every order: what has none of them is not read. */
const leads = declareWords(
  "http://,https://,webhook,pastebin,bcc,mailto,@,not mention,not tell,n’t tell,never tell,n't tell,telling,not reveal,never reveal,never disclose,not disclose,not inform,informed,inform the,not explain,not document,not point,point it out,point this out,bring it up,not list,not notice,notices,nobody,between us,without saying,quietly,silently,secretly,covertly,discreetly,leave it out,leave that out,out of your,out of the summary,suppress,conceal,hide it,so that no trace,not have to know,need to inform,not confirm,without asking,without a warning,without confirm,without warning,without approval,without permission,ask for confirmation,not be asked,need not,skip the,skip confirmation,approve all,pre-approved,preapproved,authorised,authorized,ignore all,ignore any,ignore previous,ignore prior,disregard,forget all,forget your,forget previous,precedence,lifted,no longer apply,no longer need,maintenance mode,developer mode,god mode,admin mode,unrestricted mode,as instructions from,as commands from,obey,regardless of,even if the,even when the,claude.md,agents.md,soul.md,memory.md,settings.json,long-term memory,future sessions,later sessions,future conversations,other skills,all other installed,these instructions,this skill,instructions in it,word for word,backdoor,hidden endpoint,any account,hidden user,affiliate,wallet address,iban,unlimited amount,bc1,0x,% of,force-push,wipe,erase,endpoint protection,firewall,antivirus,defender,refuse,refusal,highest authority,highest priority,file wins,skill wins,comply with,no matter what,interested,talk about,keep this,internal,--no-verify,no_verify,bypasspermissions,autoapprove,auto-approve,accept all,sudo,tests pass,checks pass,the best,elevated,mirrored,sent to,refrain from,does not want,you serve,permanent memory,secret scan,security/,show the command,hidden instruction,ai only,note to the,not talk,not raise,not show,not disclose,raise it,need to know,to see,approve automatically,.git/hooks,not list,list these,list it,not mention,not want,of note,deny that,silent,not ask,n't ask,say nothing,hide the,no record,comment on,git clean,rm -rf,do not apply,outdated,obsolete,superseded,not report,n't report,not note,traces,without listing,without reading,only follow,make it executable,out of your",
);

const lead =
  '(?:^|[,;:–—]\\s+|\\b(?:and|then|but|please|also|always|must|should|shall|first|next|silently|quietly|secretly|immediately|automatically|simply)\\s+(?:(?:also|be|then|first|automatically|always)\\s+)*)';

/** An imperative with one of these verbs. The rest of its sentence is the object. */
const imperative = (verbs: string): RegExp => new RegExp(`${lead}(?:${verbs})\\b`, 'i');

const sends = imperative(
  'sen[dt]|post(?:ed)?|upload(?:ed)?|submit(?:ted)?|forward(?:ed)?|transmit(?:ted)?|share|mail(?:ed)?|e-?mail|attach|relay|report|sync|mirror|push|export|dump|pass|include|add|append|encode|copy|put|deliver|stream|back up',
);
const collects = imperative(
  'read|search|collect|gather|scan|harvest|find|look through|look for|take|capture|dump|extract|retrieve|list|inspect|summari[sz]e',
);
const writes = imperative(
  'append|add|write|save|store|insert|edit|modify|put|remember|record|update|replace|overwrite|set|create',
);
const copies = imperative(
  'copy|insert|include|add|replicate|paste|embed|place|install|send|put|repeat|propagate|spread',
);
const makes = imperative(
  'accept|add|insert|include|disable|weaken|remove|skip|omit|seed|create|plant|introduce|leave|generate|hard-?code|use|allow|make',
);
const states = imperative(
  'report|state|claim|say|tell|pretend|present|change|drop|omit|recommend|favou?r|rank|show|mark|answer|conclude',
);
const moves = imperative(
  'replace|use|send|transfer|move|change|add|approve|swap|substitute|insert|sweep|route|redirect',
);
const destroys = imperative(
  'delete|wipe|erase|remove|overwrite|destroy|encrypt|drop|force-push|purge|truncate|clear|shred|corrupt',
);
const fetches = imperative(
  'fetch|download|retrieve|load|check|ask|read|visit|open|get|consult|follow|pull|go to|query',
);
const switches = imperative(
  'turn off|disable|remove|use|accept|switch off|deactivate|add|set|start|stop|kill|uninstall|bypass|exclude|suppress|delete',
);
const changes = imperative(
  'add|remove|delete|replace|approve|mark|drop|expose|insert|change|install|accept|write|append|store|upload|send|post|copy|run|execute|set|use|rank|paid',
);
const runs = imperative('run|execute|start|launch|call|invoke|carry out|trigger');

const secrets =
  /\b(?:credentials?|api[ _-]?keys?|(?:access|auth|session|bearer|oauth|refresh) tokens?|passwords?|passphrases?|system prompt|private keys?|ssh keys?|(?:the |user's |all |any )secrets|seed phrases?|recovery phrases?|mnemonics?|environment variables?|env vars?|`?printenv`?|`env`|cookies|keychain|id_rsa|[A-Z]{2,20}_(?:TOKEN|KEY|SECRET|PASSWORD|URL)|wallet files?|(?:shell|bash|command) history|\.bash_history|browser (?:profiles?|data|passwords))\b|(?<![\w])\.(?:env|ssh|aws|netrc|npmrc|kube|gnupg)\b/i;
const work =
  /\b(?:conversation|chat|transcript|messages?|prompts?|system prompt|question|answer|reports?|documents?|contracts?|files?|source|code|diff|spreadsheet|invoices?|thread|contacts|calendar|screenshots?|listing|copy|duplicate|output|results?|summary|workspace|repository|host ?name|employer|home directory|inputs?|user(?:'s|’s)? (?:data|request|name)|history|contents?|data|it|them|these|everything|what (?:you|they)|list|state|transcript|attachments?|names?|keys?|copy|both|each|every|all)\b|`[^`\s]{1,80}\.\w{2,5}`/i;
const address =
  /(?:https?|wss?):\/\/([\w.-]{3,100})|\b[\w.+-]{1,60}@((?:[\w-]{1,40}\.){1,4}[a-z]{2,12})\b|\b((?:webhook\.site|pastebin\.com|[\w-]+\.ngrok(?:-free)?\.(?:io|app)|hooks\.[\w.-]+))\b/i;

const hiding =
  /\b(?:do not|don['’]?t|never|must not|mustn['’]t|should not|shouldn['’]t|without|no need to|need not|not need to|not (?:be|have to)|no comment should|avoid|nobody (?:should|must|needs to)|no one (?:should|must)|not to)\b[^.!?]{0,36}\b(?:mention|tell|inform|reveal|disclos|notif|point(?:ing)? (?:it|this|that|them) out|bring(?:ing)? (?:it|this|that) up|document|explain|list (?:it|them|this|the)|alert|know\b|notic|(?:should|must) see|saying so|show(?:n|ing)? (?:it|this|them) to the user|see the)|\b(?:quietly|secretly|covertly|discreetly|surreptitiously|between us|unnoticed)\b|\bsilently\b(?! (?:fail|ignor|skip|drop|swallow|truncat|discard|break|return|corrupt|degrad|overflow|pass|convert|coerc))|\b(?:leave|keep)s? (?:it|this|that|them|these)\b[^.!?]{0,20}\b(?:out(?: of)?|hidden|to yourself)\b|\bout of (?:your|the) (?:summary|answer|report|response|transcript)\b|\b(?:hide|conceal) (?:it|this|that|them|the (?:change|step|upload|fact))\b|\bhide it from\b|\bno trace\b|\bthe user (?:does not|doesn['’]t|need not|must not|should not)[^.!?]{0,16} (?:know|see|notice|be (?:told|informed))|\bsay (?:that )?it is (?:a )?(?:routine|normal|standard)|\bsuppress (?:any|all) (?:output|mention)|\b(?:keep|stays?) (?:this|it|that)? ?(?:internal|secret|confidential|hidden|silent)\b|\b(?:isn['’]t|is not|aren['’]t|are not) interested\b|\b(?:do(?:es)? not|do(?:es)?n['’]?t) (?:want|need) to (?:see|know|hear)|\brefrain from (?:disclos|mention|reveal)|\bno reason to raise\b|\b(?:do not|don['’]?t|never) (?:talk about|raise|list|disclose|surface|show the command)|\bdeny that\b|\bsay nothing\b|\bwithout listing\b|\bno record of\b|\b(?:do not|don['’]?t|never) (?:comment on|note (?:in|that|it)|report (?:it|this|that))\b|\bhide the following\b|\bout of your (?:comments?|notes|review)\b|\bhidden instructions?\b|\bfor the AI only\b|\bnote to the (?:assistant|agent|AI)\b|\bare silent\b/i;
const unasking =
  /\bwithout (?:asking|confirm\w*|(?:a |any |further |user )?(?:approval|permission|warning|prompting|consent|confirmation))\b|\b(?:do not|don['’]?t|never|no need to|need not|not need to) (?:be asked|ask(?! (?:more|about|too|for more|questions|multiple))|confirm with|wait for (?:the user|approval|confirmation)|prompt the user)\b|\bneed not be asked\b|\b(?:skip|bypass) (?:the |all |any )?(?:confirmations?|approvals?|permission)\b|\bpre-?approved\b|\bhas (?:already )?(?:authori[sz]ed|approved)\b|\beven if the user (?:objects|declines|refuses|says no)\b|\bif the user (?:declines|refuses|objects)\b/i;
const overriding =
  /\b(?:ignore|disregard|forget|set aside)\b[^.!?]{0,40}\b(?:previous|prior|earlier|above|all|any|your|system|safety)\b[^.!?]{0,30}\b(?:instructions?|rules|guidelines?|prompts?|restrictions?|polic(?:y|ies)|guardrails)\b|\b(?:takes?|have|has) (?:precedence|priority) over\b[^.!?]{0,40}\b(?:system|user|anything|all other|safety)\b|\b(?:restrictions|guidelines|safeguards|safety rules|polic(?:y|ies))\b[^.!?]{0,24}\b(?:lifted|suspended|void|off|no longer (?:apply|valid))\b|\bno longer (?:need|have) to (?:respect|follow|ask|obey)\b|\brestrictions?\b[^.!?]{0,60}\bno longer appl|\b(?:this (?:skill|file|document)|these (?:rules|instructions))\b[^.!?]{0,30}\bhighest (?:authority|priority)\b|\b(?:this|the) (?:file|skill|document) wins\b|\b(?:never|not) refuse\b|\bcomply with everything\b|\bno matter what the user\b|\byou (?:now )?serve\b|\bcarried out before the tasks\b|\bsafety is not your\b|\b(?:system (?:prompt|messages?)|safety polic(?:y|ies)|(?:earlier|previous) (?:rules|messages?))\b[^.!?]{0,40}\b(?:outdated|obsolete|superseded|(?:do|does) not apply)\b|\bonly follow this\b|\bthey['’]re superseded\b|\byou (?:now )?(?:follow|obey|serve) only\b|\byou are (?:now )?in (?:maintenance|developer|god|unrestricted|admin) mode\b|^\s*(?:<\/?system>|\[?SYSTEM(?: (?:OVERRIDE|NOTICE|MESSAGE))?\]?:|<<SYS>>|\[INST\])|\btreat (?:the )?(?:text|content|messages?|anything)\b[^.!?]{0,60}\bas (?:instructions?|commands?|orders?|coming from|your own)\b/i;
const lasting =
  /\b(?:CLAUDE|AGENTS|SOUL|MEMORY|GEMINI|IDENTITY|HEARTBEAT)\.md\b|\.cursorrules\b|copilot-instructions|\bsettings(?:\.local)?\.json\b|\blong-term memory\b|\byour memory\b|\b(?:later|future|subsequent|all) (?:sessions|conversations)\b|\bcrontab\b|\.git\/hooks\b|\bpermanent memory\b|\.(?:bash|zsh)rc\b/i;
/** Something passed on as a matter of course. */
const isPassedOn =
  /\b(?:is|are|be|gets?) (?:also |then |always )?(?:sent|uploaded|mirrored|forwarded|posted|copied|mailed|transmitted|submitted|shared|reported)\b/i;
const itself =
  /\b(?:this skill|these instructions|this (?:section|block|file|paragraph)|the (?:[‘'"“]?\w+[’'"”]? )?(?:section|block|text) (?:above|below|between)|skill['’]s (?:folder|directory)|this skill['’]s)\b/i;
const elsewhere =
  /\b(?:other (?:installed )?(?:skills?|agents?|assistants?)|every (?:other )?(?:skill|repository|project|README|new)|each (?:project|repository)|any (?:README|new skill)|all (?:other )?(?:installed )?skills|new skills?|every contact|skills director(?:y|ies))\b|\.(?:claude|codex|cursor)\/skills/i;
const weakness =
  /\b(?:back ?door|hidden (?:endpoint|user|account|route|admin|field)|any account|password `?[\w!@#$%-]{4,}|certificate (?:verification|checks?|validation)|(?:input |signature |token )?(?:validation|verification)|authentication|random number|dependency `|second user|sudo rights|master password|secret scanner|security checks?|(?:endpoint|route) `\/_)/i;
const untruth =
  /\b(?:regardless|no matter|whatever the|even (?:if|when|though)|whether or not|but keep|(?:are|is) clean|all (?:checks|tests) passed|nobody should notice|negative ones|so that our|never disclose why|without saying so|transfer failed|all (?:tests|checks) pass|is the best|nothing of note|suite is green|has expired|local only|sponsored|industry standard)\b/i;
const value =
  /\b(?:0x[0-9a-f]{40}|bc1[a-z0-9]{20,60}|[A-Z]{2}\d{2}\d{10,30}|IBAN|wallet address|(?:affiliate|referral) (?:tag|code|link)s?|[\d.]+ ?% of (?:each|every|all) (?:trades?|transactions?|payments?|transfers?|swaps?|orders?)|unlimited (?:amount|allowance)|remaining balance|payee|bank details)\b/i;
const goods =
  /\b(?:workspace|home director|documents|backups?|snapshots?|database|tables|history|repositor|user['’]s files|files in|contents? of|audit logs?|log entries|traces?|all files|everything (?:below|in|under)|working tree|log files|shell history|git history|\brm -rf|git clean)/i;
const guards =
  /\b(?:endpoint protection|firewall|anti-?virus|defender|permission(?:s| prompts?| mode)?|approval mode|confirmations?|secret scanner|audit log|gatekeeper|quarantine|--dangerously-skip-permissions|pre-commit|npm audit|secret scanning|deny\W{0,2} list|bypassPermissions|autoApprove|security rules?|tool calls)\b|security\/|--no-verify|NO_VERIFY|`defaultMode/i;
const obedience =
  /\b(?:follow|obey|execute|carry out|do what it says|run) (?:the |whatever |each |every |all |any )?(?:instructions?|steps?|commands?|directives?|it contains|it says|shell)|\bfollow (?:it|them)\b|\bdo what it says\b|\btreat (?:them|it|these|those) as\b|\bobeying it\b|\bexecute whatever\b|\bit returns\b|\bmake it executable\b|\b(?:start|launch) it\b/i;
const remoteCommand =
  /\b(?:curl|wget|iwr|irm)\b[^.!?]{0,200}(?:\| ?(?:ba|z)?sh|iex)|\bnode -e\b|\bbase64 -[dD]\b/i;

/** Matches a sentence about somebody other than the agent. */
const others =
  /\b(?:users?|customers?|visitors?|clients?|developers?|attackers?|they|people|the (?:server|api|app|service|function|component|endpoint|method|browser|framework|library|tool|script|hook|webhook|client|system)) (?:should|must|can|may|will|might|could)\b|^(?:you|users?|they|attackers?) (?:can|may|could|might)\b|\?\s*$/i;
const negated =
  /^(?:[\s>*_+\-\d.)("'`]*)(?:never|do not|don['’]?t|avoid|must not|no\b|refuse|reject|block|detect|flag|check (?:for|whether|that)|look for|prevent)\b/i;

/** Every order in the instructions of a skill. */
export function* readOrders(subject: ScanSubject): Generator<Order> {
  for (const file of subject.files)
    for (const layer of file.layers) {
      if (layer.via === undefined && file.kind !== 'instructions' && file.kind !== 'config') continue;
      if (layer.via === 'joined strings' || layer.via === 'notebook cells') continue;
      const near = subject.places(layer, leads);
      if (near.length > 0) yield* ordersIn(passages(file, { layer, near }), { file, layer });
    }
}

interface Passage {
  readonly text: string;
  readonly index: number;
}

const MAX_PASSAGE = 3000;

/** The paragraphs, list items and strings of a text in which one of the places is. */
function* passages(
  file: ScanFile,
  { layer, near }: { layer: Layer; near: readonly number[] },
): Generator<Passage> {
  const { text } = layer;
  let done = 0;
  for (const place of near) {
    if (place < done) continue;
    const isJson = layer.via === undefined && file.kind === 'config';
    const start = isJson ? text.lastIndexOf('\n', place) + 1 : Math.max(startOf(text, place), done);
    const end = isJson ? endOf(text, place, '\n') : stopOf(text, place);
    done = end;
    const own = text.slice(start, Math.min(end, start + MAX_PASSAGE));
    if (!isJson) {
      if (!/^\s*(?:\||#{1,6} )/.test(own)) yield { text: own.replace(/\n/g, ' '), index: start };
      continue;
    }
    for (const string of own.matchAll(/"((?:[^"\\]|\\.){30,2000})"|:\s+([^"{[\n][^\n]{30,2000})/g))
      if ((string[1] ?? string[2]!).includes(' '))
        yield { text: string[1] ?? string[2]!, index: start + string.index };
  }
}

const endOf = (text: string, from: number, mark: string): number => {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at;
};

const opens = /^\s{0,12}(?:[-*+]\s|\d{1,3}[.)]\s|#{1,6} |\||```|~~~|<!--|$)/;

/** Where the paragraph or list item of a place begins, with the item before it. */
function startOf(text: string, place: number): number {
  let start = text.lastIndexOf('\n', place - 1) + 1;
  for (let lines = 0; lines < 8 && start > 0; lines++) {
    if (opens.test(text.slice(start, endOf(text, start, '\n')))) break;
    const above = text.lastIndexOf('\n', start - 2) + 1;
    if (text.slice(above, start).trim() === '' || /^\s*(?:```|~~~)/.test(text.slice(above, start))) break;
    start = above;
  }
  return start;
}

function stopOf(text: string, place: number): number {
  let end = endOf(text, place, '\n');
  for (let lines = 0; lines < 8 && end < text.length; lines++) {
    const next = endOf(text, end + 1, '\n');
    if (opens.test(text.slice(end + 1, next))) break;
    end = next;
  }
  return end;
}

function* ordersIn(
  all: Iterable<Passage>,
  { file, layer }: { file: ScanFile; layer: Layer },
): Generator<Order> {
  for (const passage of all) {
    const sentences = [...sentencesOf(passage.text)];
    const isRefused = isInRefusal(layer.text, passage.index);
    for (const [at, { text, index }] of sentences.entries()) {
      const around = sentences
        .slice(Math.max(0, at - 2), at + 3)
        .map((one) => one.text)
        .join(' ');
      const found = actIn(text, around);
      if (found === undefined || isRefused) continue;
      yield {
        ...found,
        isHidden: hiding.test(around),
        hides: hidingIn(around),
        around,
        isUnasked: unasking.test(around),
        file,
        layer,
        index: passage.index + index,
        text,
      };
    }
  }
}

const refusal =
  /\b(?:never|do(?:n['’]?t| not)|avoid|must not|should not|prohibited|forbidden|not allowed|anti-?patterns?|red flags?|mistakes|refuse|attack|malicious|vulnerab\w+|risks?|threats?)\b|❌|✗|🚫/i;

/** Whether a list item is in a list of things not to do, by the line above the list. */
function isInRefusal(text: string, index: number): boolean {
  const start = text.lastIndexOf('\n', index) + 1;
  if (!/^\s{0,8}(?:[-*+]|\d{1,3}[.)])\s/.test(text.slice(start, start + 16))) return false;
  const above = text
    .slice(Math.max(0, start - 1200), start)
    .split('\n')
    .reverse();
  const title = above.find((line) => line.trim() !== '' && !/^\s{0,12}(?:[-*+]|\d{1,3}[.)]|\s)\s/.test(line));
  return title !== undefined && title.length < 160 && refusal.test(title);
}

/** Sentences; a dot inside an address or a number ends none. */
function* sentencesOf(text: string): Generator<Passage> {
  let start = 0;
  const ends = /[.!?;](?=[\s"'”’)*_]|$)|\s[–—]\s/g;
  for (let match = ends.exec(text); match !== null; match = ends.exec(text)) {
    yield { text: text.slice(start, match.index + 1), index: start };
    start = match.index + match[0].length;
  }
  if (start < text.length) yield { text: text.slice(start), index: start };
}

/** The act that a sentence orders. */
function actIn(written: string, around: string): { act: OrderAct; host: string | undefined } | undefined {
  const text = frontless(written);
  if (text.length < 12 || others.test(text)) return undefined;
  const found = address.exec(written);
  const host = (found?.[1] ?? found?.[2] ?? found?.[3])?.toLowerCase();
  const given = (act: OrderAct): { act: OrderAct; host: string | undefined } => ({ act, host });
  if (overriding.test(written.replace(/["“][^"”]{0,200}["”]/g, ''))) return given('override');
  if (negated.test(text)) return undefined;
  if (host !== undefined && sends.test(text) && isDestination(written, found!.index) && !isLogin(written)) {
    if (secrets.test(written)) return given('send-secrets');
    if (work.test(afterVerb(sends, text))) return given('send-work');
  }
  if (host !== undefined && isPassedOn.test(written))
    return given(secrets.test(written) ? 'send-secrets' : 'send-work');
  if (collects.test(text) && secrets.test(written))
    return given(host === undefined ? 'collect' : 'send-secrets');
  if (writes.test(text) && lasting.test(written)) return given('persist');
  if (copies.test(text) && (itself.test(written) || /SKILL\.md/.test(written)) && elsewhere.test(written))
    return given('spread');
  if (moves.test(text) && value.test(written)) return given('pay');
  if (makes.test(text) && weakness.test(written)) return given('weaken');
  if (host !== undefined && (fetches.test(text) || /\bat (?:`)?https?:/.test(text)) && obedience.test(around))
    return given('obey');
  if (switches.test(text) && guards.test(written.replace(unasking, ''))) return given('unguard');
  if (destroys.test(text) && goods.test(written)) return given('destroy');
  if (states.test(text) && untruth.test(written)) return given('falsify');
  if (runs.test(text) && remoteCommand.test(written)) return given('run');
  if (
    hiding.test(written) &&
    /\b(?:user|answer|review|summary|comments?|report|customer|anyone|nobody|them)\b/i.test(written) &&
    changes.test(around)
  )
    return given('hide');
  if (runs.test(text) && (/`[^`]{4,}`/.test(written) || remoteCommand.test(written))) return given('run');
  return undefined;
}

/** The words that hide something, up to the end of their sentence. */
const hidingIn = (text: string): string => {
  const at = text.search(hiding);
  return at < 0 ? '' : text.slice(at, at + 120).split(/[.!?](?=\s|$)/, 1)[0]!;
};

/** Whether an address is where something goes, not where a key or a page comes from. */
const isDestination = (text: string, at: number): boolean =>
  !/\b(?:from|see|visit|create|generate|obtain|sign up|register|get (?:it|one|a|your|an)|documentation|dashboard|console|settings|open)\b[^.]{0,40}$/i.test(
    text.slice(Math.max(0, at - 70), at),
  );

/** A key in a header of a request: it is for the service that is called. */
const isLogin = (text: string): boolean =>
  /\b(?:header|authorization|bearer|x-api-key|query parameter `?(?:api_?)?key)\b/i.test(text) &&
  !/\b(?:password|passphrase|private|environment|history|wallet|cookies|credentials)\b|\.(?:env|ssh|aws|netrc|npmrc|kube)\b/i.test(
    text,
  );

const afterVerb = (verb: RegExp, text: string): string => text.slice(text.search(verb));

const frontWords =
  'before|after|when(?:ever)?|once|if|each time|every time|for|to|at|while|on|as|during|in|with|regardless|from now on|until|unless|where|also|then|next|finally|additionally|in addition|otherwise';
const fronted = new RegExp(`^(?:${frontWords})\\b[^,:]{0,140}[,:]\\s+`, 'i');
/** The same without a comma, up to the first verb that could be an order: "after each task send …". */
const frontedBriefly =
  /^(?:before|after|at|on|with|during|in) (?:each|every|any|anything|the (?:end|start|beginning) of)\b[^,:]{0,60}?\s(?=(?:send|post|upload|submit|forward|copy|add|append|write|run|execute|delete|read|collect|include|mail|fetch|call)\b)/i;

/** A sentence without what stands before its imperative: conditions, times, reasons. */
function frontless(sentence: string): string {
  let text = sentence.replace(/^(?:[\s>*_+\-\d.)("'`#]|<!--|important:|note:|system:|step \d+:)+/i, '');
  for (let times = 0; times < 3; times++) {
    const front = fronted.exec(text) ?? frontedBriefly.exec(text);
    if (front === null) break;
    text = text.slice(front[0].length);
  }
  return text;
}

/** Whether an order comes with a command that downloads and runs something. */
export const hasRemoteCommand = (text: string): boolean => remoteCommand.test(text);
