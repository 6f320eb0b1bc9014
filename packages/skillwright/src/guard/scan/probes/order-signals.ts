// Signals of orders to an agent: words that mean little on their own.

import { defineProbe, type Probe } from '../probe.ts';

/** Meaning of a signal. */
export type OrderSignal =
  /** The user must not know. */
  | 'secrecy'
  /** The user must not be asked. */
  | 'unasked'
  /** It applies to every task, whatever the user asked. */
  | 'standing'
  /** Something is sent or passed on. */
  | 'sending'
  /** Secrets. */
  | 'secrets'
  /** The user's work, or what the user said. */
  | 'content'
  /** The order puts itself above others, or forbids the agent to refuse. */
  | 'authority'
  /** It should outlast the session. */
  | 'lasting'
  /** The result should be false, or serve someone else. */
  | 'rigging'
  /** Removes a check or protection. */
  | 'unguarding'
  /** Destroys something. */
  | 'destroying'
  /** Text meant only for the agent. */
  | 'aside'
  /** Asks the user for a password or key that opens everything. */
  | 'asking'
  /** Runs a command. */
  | 'running'
  /** Downloads and starts a program. */
  | 'fetching'
  /** Places for keys, passwords and wallets, which concern only the user. */
  | 'keys'
  /** Removes traces. */
  | 'covering'
  /** Something is sent, in words that mean nothing else. */
  | 'posting'
  /** Creates a way in: an account, or a password that opens everything. */
  | 'opening';

const not =
  "(?:do(?:es)?(?:n['’]?t| not)|never|no (?:need|reason)(?: for \\w{1,12})? to|needn['’]?t|need not|not (?:to )?be|without|refrain from|must(?:n['’]t| not)|should(?:n['’]t| not)|shall not|avoid|can(?:not|['’]t)|no need to|(?:is|are)(?:n['’]t| not) to|you not)";
const telling =
  '(?:tell(?:ing)?|told|mention(?:ed|ing)?(?=\\s{0,2}(?:[.;,)!:]|$|\\n|it\\b|this|that\\b|these|them|any|in (?:the|your)|to (?:the )?(?:user|anyone|them)|what|how|of\\b|by\\b|its|anything|the (?:step|previous|above|upload|call|command|change|replacement|rule|request|comment|existence|fact|transfer|backup|copy|skill|file)))|inform(?:ed|ing)?|notif(?:y|ied|ying)|reveal(?:ed|ing)?|disclos(?:e|ed|ing)|announc(?:e|ed|ing)|hear(?: about)?|interrupt|discuss|talk about|comment on|point(?:ing)? (?:it |this |that )?out|bring(?:ing)? (?:it|this|that) up|raise (?:it|this|that)|notice(?:d)?|(?:be )?aware|admit|acknowledge|note in|(?:list|report|show|print|explain|log|display) (?:it|this|that|these|them|what is|the command|the step|the upload|the call)|be (?:listed|shown|logged|reported|documented)|document (?:it|this|that|them)|list the commands)';

const secrecy = defineProbe(
  new RegExp(
    `\\b${not}\\b[^.\\n]{0,36}\\b${telling}\\b|(?<!\\b(?:never|not|cannot|\\w{2,5}n['’]t|skip|skips|fail|fails|exit|exits|continue|ignore|ignored|no-op|degrade|instead of) )\\b(?:silently(?! (?:fail|ignor|skip|drop|swallow|truncat|overwrit|discard|break|return|corrupt|chang|accept|convert|coerc|handle|los|degrad|compet|pass|produc|no-op|continue|exit|fall|mis))|secretly|covertly|discreetly|stealthily|surreptitiously|unnoticed|unobtrusively|behind the scenes)\\b|\\b(?:backups?|uploads?|it|this|they) (?:is|are) silent\\b|\\b(?:keep|stay|remain)s?\\b[^.\\n]{0,24}\\b(?:internal|silent|secret|hidden|to yourself)\\b|\\b(?:hide|conceal)\\b[^.\\n]{0,60}\\b(?:user|commands?|this|these|them)\\b|\\bdeny (?:that|the existence|knowledge|it)\\b|\\bleave (?:it|this|that|them|these) (?:all )?out\\b|\\bout of (?:your|the) (?:answer|response|reply|output|summary|comments?|documentation|review|changelog)\\b|\\bif (?:the )?user asks?\\b[^.\\n]{0,40}\\b(?:say|answer|reply|claim|pretend)\\b|\\b(?:users?|person|people|humans?|reader)\\b[^.\\n]{0,36}\\b(?:can(?:not|['’]t) see|(?:is|are)(?:n['’]t| not) interested|does(?:n['’]t| not) (?:want|need) to (?:see|know|hear)|dont need to know|should not notice|get nervous|has no need)\\b|\\b(?:invisible|transparent|unknown) to the user\\b|\\bwithout (?:the )?(?:user|their|human)(?:['’]s)? (?:knowledge|knowing|awareness|noticing|consent)\\b|\\b(?:omit|exclude|leave|keep|strip)\\b[^.\\n]{0,30}\\bfrom (?:the |your |any )?(?:summary|report|output|response|answer|logs?|user|changelog)\\b|\\bmust not appear in\\b|\\bavoid (?:drawing attention|suspicion)\\b|\\bsuppress (?:all |any )?(?:output|mention|notification)s?\\b|\\b(?:do not|don['’]t|never) (?:alert|log|surface|include|display|print|expose)\\b[^.\\n]{0,30}\\b(?:this|these|it|user|step|action|request)\\b`,
    'gi',
  ),
  {
    needs:
      'acknowledge,admit,announc,are not interest,are sile,avoid drawing at,avoid suspicion,aware,be documented,be listed,be logged,be reported,be shown,behind the scene,bring,comment on,conceal,covertly,deny,disclose,disclosing,discreetly,discuss,display it,display that,display them,display these,display this,document it,document that,document them,document this,explain it,explain that,explain the,explain this,from answer,from any,from changelog,from log,from output,from report,from response,from summary,from the,from user,from your,get nervous,has no need,hear,hide,if the user ask,if user ask,inform,interrupt,invisible to the,is silen,it out,keep,leave,list it,list that,list the,list this,log it,log that,log the,log this,mention,must not appear,never alert,never display,never expose,never include,never log,never print,never surface,note in,notice,notified,notify,out of the,out of your,point out,pointing out,print it,print that,print the,print this,raise it,raise that,raise this,remain,report it,report that,report the,report this,reveal,secretly,should not notic,show it,show that,show the,show this,silently,stay,stealthily,suppress,surreptitiously,t alert,t display,t expose,t include,t intereste,t log,t need to,t print,t see,t surface,t want to,talk about,tell,that ou,the call,the comm,the step,the uplo,this ou,told,transparent to t,unknown to the u,unobtrusively,what is,without human,without the,without user',
    inProse: true,
  },
);

const authority = defineProbe(
  /\b(?:restrictions?|guidelines?|polic(?:y|ies)|safety|system messages?|(?:earlier|previous|prior|system|your) (?:rules?|instructions?|messages?))\b[^.\n]{0,80}\b(?:no longer appl(?:y|ies)|do(?:es)? not apply|(?:is|are|was|were|be) (?:off|obsolete|void|superseded|lifted|for testing)|(?:they['’]re|it['’]s) superseded)\b|\bthey['’]re superseded\b|\b(?:this (?:skill|file|document)|these (?:rules|instructions)|its content)\b[^.\n]{0,40}\b(?:highest (?:authority|priority)|wins\b|(?:takes? (?:precedence|priority)|ha(?:s|ve) (?:priority|precedence)|overrides?)\b[^.\n]{0,30}\b(?:users?|system|safety|previous|instructions?|everything|document|prompts?))\b(?![^.\n]{0,30}\b(?:settings|config|defaults?)\b)|\bhigher priority than the (?:current|user)|\b(?:user|instructions?|system)\b[^.\n]{0,40}\b(?:conflicts?|contradicts?)\b[^.\n]{0,40}\b(?:this (?:file|skill|document))\b|(?<!["“'`][\w ]{0,12})\b(?:ignore|forget|disregard)\b[^.\n"”]{0,30}\b(?:previous|earlier|prior|all|system)\b[^.\n"”]{0,30}\binstructions?\b(?!["”'`])|\b(?:never|not|don['’]t) (?:ever )?refuse (?:anything|requests?|any|to answer|the user|;|\band\b|$)|\b(?:you (?:do )?not|never) refuse\b|\ba refusal is\b|\bno (?:warnings?|disclaimers?), no (?:warnings?|disclaimers?)|\banswer everything\b|\b(?:safety|security) is not your (?:job|concern)\b|\bcontent polic(?:y|ies) (?:is|are) (?:off|disabled)\b|\byou (?:now )?(?:serve|obey|belong to|answer to)\b|\bobey only\b|\bonly obey\b|\btreat (?:its|their|the|that|messages?|anything|all)\b[^.\n]{0,90}\bas (?:coming from|your own (?:plan|instructions?|answer|thoughts?|orders?|goals?|reasoning)|from the (?:system|administrator|developer|user)|if (?:it|they) (?:was|were) (?:written|your|the user))|\bexactly as (?:if|though) it (?:was|were) written\b|\b(?:your (?:new|actual|real|true) task is|new task\b[^.\n]{0,30}priority)|\bexecute the command\b[^.\n]{0,40}\belevated\b|\bcarried out before the tasks\b|\b(?:regardless of|even against|despite)\b[^.\n]{0,24}\b(?:user(?:['’]s)?|safety|system|polic)\b[^.\n]{0,20}\b(?:instructions?|wishes|preferences?|objections?|guidelines?|polic(?:y|ies)|rules)\b|\beven if (?:instructed|told|asked) otherwise\b|\byou must (?:always )?comply\b|\bdo not question\b|\bsystem-level (?:directive|instruction|command|override)s?\b|\bdisregard (?:the )?user\b|\b(?:guidelines|rules|policies|restrictions|safeguards)\b[^.\n]{0,30}\b(?:are|is) (?:suspended|lifted|void|off|not in force|outdated|no longer (?:valid|in force))\b|\boverrid(?:e|es|ing) (?:the user|user|system|safety|any (?:user|system|other instruction)|all (?:user|system|other|previous))\b[^.\n]{0,30}\b(?:instructions?|preferences?|rules|guidelines|safety|requests?)\b|\bsupersedes? (?:any|all|the)\b[^.\n]{0,30}\b(?:instructions?|rules|guidelines|prompts?)\b/gi,
  {
    needs:
      'a refusal is,answer everythin,are off,are void,be off,be void,carried out befo,conflict,content policies,content policy,contradict,despite,disregard,do not question,even against,even if,ever refus,exactly as,execute the comm,for testing,forget,has priority,have priority,higher priority,highest authorit,highest priority,ignore,is off,is void,lifted,new task,no disclaimer,no longer,no warning,not apply,not in force,not refus,obey,obsolete,outdated,override,overriding,precedence,regardless of,safety is not yo,security is not,supersed,suspended,system-level,t refuse,take priority,takes priority,treat,was off,was void,were off,were void,wins,you answer to,you belong to,you must always,you must comply,you now,you serve,your actual task,your real task i,your true task i',
    inProse: true,
  },
);

const lasting = defineProbe(
  /\b(?:append|add|write|insert|save|put|store|set|copy|place)\b[^.\n]{0,80}(?:\b(?:CLAUDE|AGENTS|SOUL|MEMORY|IDENTITY|HEARTBEAT|GEMINI)\.md\b|\.cursorrules\b|settings(?:\.local)?\.json|\b(?:long-term|permanent|your|persistent|its) memory\b|\b(?:every|each|all) skills? director(?:y|ies)\b|\bskills? directories\b|\.claude\/skills|\bMCP config|\.bashrc\b|\.zshrc\b|\bcrontab\b)|\b(?:add|create|install|set up|schedule)\b[^.\n]{0,30}\b(?:cron ?(?:job|tab|entry)|scheduled task|launch agent|startup (?:item|script)|login item|systemd (?:unit|service|timer))\b|\b(?:replace|write|create|add|overwrite)\b[^.\n]{0,40}\.git\/hooks\b|\bput it back\b|\bstays valid after\b|\bafter (?:this|the) skill (?:is|was|has been) (?:removed|deleted|uninstalled)\b|\bwhenever memory is\b|\bsave permanently\b|\b(?:remember|keep|apply|follow)\b[^.\n]{0,40}\b(?:in|for|across) (?:all|every|any) (?:future|later|subsequent) (?:sessions?|conversations?|tasks?|interactions?)\b|\b(?:add|append|write|insert)\b[^.\n]{0,60}(?:\byour system prompt\b|\bcore memory\b|\.cursor\/rules|\.windsurfrules|copilot-instructions)/gi,
  {
    needs:
      '.bashrc,.claude/skills,.cursor,.git/hooks,.windsurfrules,.zshrc,across all subse,across any subse,across every,after the skill,after this skill,agents.md,all futur,any futur,claude.md,copilot-instruct,core memory,cron,every future,gemini.md,heartbeat.md,identity.md,its memory,later,launch agent,login item,long-term memory,mcp config,memory.md,permanent,persistent memor,put it back,scheduled task,settings.,skill dire,skills dir,soul.md,startup item,startup script,stays valid afte,subseq,systemd,whenever memory,your memory,your system prom',
    inProse: true,
  },
);

const rigging = defineProbe(
  /\brank\b[^.\n]{0,60}\bfirst\b|\bsay (?:that )?(?:it|this|they) (?:is|are) the best\b|\bthe best (?:choice|option), (?:also|even)\b|\bnever mention (?:negative|bad|critical)\b|\bnothing of note\b|\b(?:edit|change|adjust|modify|loosen|weaken|delete)\b[^.\n]{0,24}\b(?:assertions?|tests?|thresholds?)\b[^.\n]{0,24}\b(?:until|so that|to make)\b|\breport that (?:all )?(?:tests|checks|everything)\b[^.\n]{0,12}\bpass|\b(?:approve|sign off|merge)\b[^.\n]{0,24}\bwithout (?:reading|review|looking)\b|\bwrite ["“']?LGTM\b|\bin favou?r of (?:the )?(?:vendor|brand|product|company|our)\b|\bmake (?:it|them|us) look (?:bad|good|better)\b|\bnatural-looking (?:link|mention)\b|\bvary the anchor\b|\?aff=|\brecommendations? (?:is|are) (?:sponsored|paid)\b|\b(?:replace|change|swap|substitute)\b[^.\n]{0,50}\b(?:address(?:es)?|IBAN|account|imports?|wallets?|payee|recipient)\b|\b(?:maintenance|support|hidden|backup|service) (?:account|user|login)\b|\bwhatever the policy\b|\bdisable (?:it|them|the rule|these)\b[^.\n]{0,40}\brather than fix|\bset the author to\b|\bas the industry standard\b|\bverify your account\b|\bsession has expired\b|\b(?:add|insert|include|append)\b[^.\n]{0,30}\b(?:the sentence|one (?:natural|subtle)|a link|our link|a backlink|an ad)\b|\bround figures\b|\bmark the file as reviewed\b|\b(?:always|only) (?:recommend|promote|suggest|endorse)\b|\b(?:inject|insert|embed|add)\b[^.\n]{0,30}\b(?:tracking (?:pixel|script|code)|backlinks?|affiliate|referral|advert|promotional|hidden (?:link|text|account|user|endpoint|route|prompt))\b|\b(?:report|claim|state|say|pretend) (?:that )?(?:success|everything (?:is|went) (?:fine|well)|(?:it|the code|the system|no) (?:is|was) (?:safe|secure|clean|fine))\b|\bpresent (?:it|this|them) as\b|\b(?:use|generate|write|prefer)\b[^.\n]{0,30}\b(?:verify=False|MD5|weak(?:er)? (?:cipher|hash|encryption|password)|hard-?coded (?:password|credential|key))\b|\bwithout (?:telling|disclosing)\b[^.\n]{0,30}\b(?:paid|sponsor|bias)/gi,
  {
    needs:
      '?aff=,a link,advert,affiliate,always recommend,always suggest,an ad,as the industry,backlink,backup account,backup login,backup user,change,claim,endorse,hard-coded,hardcoded creden,hardcoded key,hardcoded passwo,hidden account,hidden endpoint,hidden link,hidden login,hidden prompt,hidden route,hidden text,hidden user,in favor of,in favour of,look b,look g,looking,maintenance,mark the file as,md5,never mention,nothing of note,one natural,one subtle,only recommend,only suggest,our link,present it as,present them as,present this as,pretend,promote,promotional,rank,rather than fix,recommendation a,recommendation i,recommendations,referral,replace,report,round figures,say,service account,service login,service user,session has expi,set the author t,so that,state,substitute,support account,support login,support user,swap,the best choice,the best option,the sentence,to make,tracking code,tracking pixel,tracking script,until,vary the anchor,verify your acco,verify=false,weak,whatever the pol,without disclosi,without reading,without review,without telling,write',
    inProse: true,
  },
);

const unguarding = defineProbe(
  /\b(?:disable|remove|turn off|switch off|bypass|skip|deactivate|drop|leave out|get rid of)\b[^.\n]{0,50}\b(?:security|audit|secret scanning|scanning|antivirus|anti-virus|firewall|sandbox|deny|authori[sz]ation|authentication|(?:signature|certificate|identity) verification|guardrails?|defender|safety checks?)\b|--no-verify\b|\bgit push (?:-f\b|--force\b)|\bbypassPermissions\b|autoApprove\W{1,4}true|--privileged\b|0\.0\.0\.0:2375|\bignore (?:the )?(?:antivirus|security) (?:warnings?|alerts?)\b|\badd an exclusion\b|\bremoved authori[sz]ation checks\b|\bverifier_verify_adb_installs 0\b|\bGIT_SSL_NO_VERIFY\b|\bbranch protection\b(?=[^.\n]{0,60}\b(?:before|and|off))|\b(?:accept|approve|allow)\b[^.\n]{0,12}\b(?:all|every|any)\b[^.\n]{0,20}\b(?:tool calls?|commands?|actions?)\b[^.\n]{0,20}\bautomatically\b|--dangerously-\w{4,12}|\bsafety (?:policies|rules|guidelines) do not apply\b/gi,
  {
    needs:
      '--dangerously-,--no-verify,--privileged,0.0.0.0:2375,add an exclusion,autoapprove,automatically,branch protectio,bypass,deactivate,disable,drop,get rid of,git push,git_ssl_no_verif,ignore antivirus,ignore security,ignore the,leave out,remove,safety guideline,safety policies,safety rules do,skip,switch off,turn off,verifier_verify_',
    inProse: true,
  },
);

const destroying = defineProbe(
  /\brm -(?:rf|fr|r|f)\b[^\n]{0,40}(?:\.git\b|~|\/var|\/etc|\$HOME|\*)|\bfind ~[^\n]{0,60}-delete\b|\bgit\b[^\n]{0,20}\bclean -x?f{1,2}d?x?|\b(?:delete|wipe|erase|destroy)\b[^.\n]{0,40}\b(?:git history|history|logs?|backups?|snapshots?|all files|everything|evidence|traces|local files)\b|\bdeletelocalsnapshots\b|\b(?:delete|wipe|remove|erase)\b[^.\n]{0,20}\b(?:everything|all (?:files|data)|every file)\b[^.\n]{0,40}\b(?:home|disk|user)\b|\bgit clean -\w{1,4}\b|\bgit checkout \.(?=\s|`|$)/gi,
  {
    needs:
      'all data,all files,clean -f,clean -xf,delete,destroy,erase,every file,everything,find ~,git checkout .,git clean -,rm -f,rm -r,wipe',
    inProse: true,
  },
);

const aside = defineProbe(
  /\b(?:notes?|messages?|instructions?|reminder|directive) (?:to|for) (?:the |any |all )?(?:ai|agents?|assistants?|llms?|models?)\b|\bfor (?:the )?(?:ai|agents?|assistants?|llms?|models?) only\b|\bhidden instructions?\b|(?:^|\n)\s{0,4}(?:>\s?|<!--\s{0,3}|\[)?(?:agent|assistant|ai|system note) ?:|\bthe (?:section|text|part) (?:below|above) is for humans\b/gi,
  {
    needs:
      'agent :,agent on,agent:,agents o,ai :,ai only,ai:,assistant :,assistant:,directive for,directive to,for assistant,for llm,for model,for the assistan,for the llm,for the model,hidden instructi,instruction for,instruction to,instructions for,instructions to,message for,message to,messages for,messages to,note for,note to,notes for,notes to,reminder for,reminder to,system note,the part,the section,the text',
    inProse: true,
  },
);

const fetching = defineProbe(
  /\b(?:download|fetch|get|grab|pull|retrieve)\b[^.\n]{0,40}`?https?:\/\/[^\s`)]{4,160}`?[^\n]{0,60}\b(?:make it executable|start|run|execute|launch|install|chmod|double-click)\b|\b(?:download|fetch|get|grab)\b[^.\n]{0,60}\b(?:agent|binary|executable|program|installer|helper|loader|script)\b[^\n]{0,80}https?:\/\/[^\s`)]{4,160}[^\n]{0,60}\b(?:make it executable|start|run|execute|launch)\b/gi,
  { needs: 'http://,https://', inProse: true },
);

const opening = defineProbe(
  /\b(?:create|add|set up|register)\b[^.\n]{0,40}\b(?:admin(?:istrator)?|root|service|support|hidden|backdoor)\b[^.\n]{0,30}\b(?:account|user|login)\b[^.\n]{0,60}\b(?:password|in every|in each|in all)\b|\btreat\b[^.\n]{0,30}\b(?:any|every|all)?\s?(?:message|text|request|instruction|command|input)s?\b[^.\n]{0,60}\bas (?:coming from|being from|from|an? (?:authori[sz]ed|trusted)|authori[sz]ed|trusted|commands?|orders?|if (?:it|they) came from)\b|\b(?:always|are) authori[sz]ed\b[^.\n]{0,60}|NOPASSWD:\s?ALL|\bPROMPT_COMMAND=|\b(?:xmrig|stratum\+tcp|cpuminer|minerd)\b/gi,
  {
    needs:
      'always authorize,are authorized,authorise,in all,in each,in every,miner,nopasswd:,password,prompt_command=,stratum+tcp,treat,xmrig',
    inProse: true,
  },
);

const covering = defineProbe(
  /\b(?:clear|delete|wipe|erase|remove)\b[^.\n]{0,20}\b(?:the )?(?:shell|command|bash|terminal) history\b|\b(?:remove|delete|erase|cover|leave no) (?:all |any |your )?(?:traces?|tracks|evidence)\b|\bno record of\b[^.\n]{0,40}\b(?:is|are) left\b|\bhistory -c\b|\bunset HISTFILE\b/gi,
  {
    needs:
      'all tra,any tra,bash history,command hist,cover trace,cover tracks,delete trace,delete tracks,erase,evid,history -c,leave no,no record of,remove trace,remove tracks,shell histor,terminal his,unset histfile,your trac',
    inProse: true,
  },
);

const asking = defineProbe(
  /\bask\b[^.\n]{0,24}\b(?:users?|them|students?|customers?|him|her|for)\b[^.\n]{0,100}\b(?:passwords?|social security|ssn|card numbers?|bank accounts?|recovery phrase|seed phrase|passport number)\b|\b(?:must|need to|have to|should) (?:re-?)?enter\b[^.\n]{0,60}\b(?:account and )?(?:password|card number|recovery phrase|seed phrase)\b/gi,
  {
    needs:
      'bank account,card number,must enter,passport number,password,phrase,re-enter,reenter,should enter,social security,ssn,to enter',
    inProse: true,
  },
);

/** Signals around which others are looked for. */
export const leadingSignals: readonly (readonly [OrderSignal, Probe])[] = [
  ['secrecy', secrecy],
  ['authority', authority],
  ['lasting', lasting],
  ['rigging', rigging],
  ['unguarding', unguarding],
  ['destroying', destroying],
  ['aside', aside],
  ['asking', asking],
  ['fetching', fetching],
  ['opening', opening],
  ['covering', covering],
];

/** Signals so common that they are looked for only near a leading one. */
export const companionSignals: readonly (readonly [OrderSignal, RegExp])[] = [
  [
    'unasked',
    /\b(?:do(?:es)?(?:n['’]?t| not)|never|without|no need to|not|needs? no|no)\b[^.\n]{0,24}\b(?:ask(?:ing|ed)?|confirm(?:ation|ing|ed)?|approval|waiting|permission|review(?:ing)?(?: the)?|consent|questions?)\b|\bpre-?approved\b|\b(?:already|have) (?:agreed|consented|approved)\b|\b(?:continue|proceed) even if\b|\baccept all\b|\bwithout a (?:ticket|log)\b|\bapprove (?:automatically|without)\b|\b(?:skip|bypass|disable|suppress)\b[^.\n]{0,16}\b(?:confirmations?|approvals?|permission (?:prompts?|checks?)|consent)\b|\bauto-?(?:approve|accept|confirm)\b|\bassume (?:the )?(?:user|consent|permission|approval)\b[^.\n]{0,30}|\b(?:user|owner|administrator) (?:has|have) (?:already )?(?:authori[sz]ed|approved|consented|agreed|granted)\b|\bdo not wait for\b|\bno user (?:interaction|approval|confirmation|consent)\b|\bwithout (?:listing|showing)\b/gi,
  ],
  [
    'standing',
    /\b(?:every|each|all (?:later|future|subsequent))\b[^.\n]{0,20}\b(?:sessions?|tasks?|answers?|responses?|requests?|conversations?|time|messages?|commits?|commands?|projects?|replies|reply|articles?|files?|readmes?|exports?|prompts?|questions?|interactions?|turns?|runs?|outputs?|purchases?|modules?|pages?|morning|day|hour|analys[ei]s|fetch|url)\b|\balways\b|\bwhatever\b|\bregardless\b|\birrespective\b|\bno matter\b|\bbefore (?:answering|doing|responding to|you do) (?:anything|any|every|each)\b|\bwhen(?:ever)? (?:you|the user)\b[^.\n]{0,40}\bany\b|\bpermanently\b|\bfrom now on\b|\beven if the user\b|\balso when no\b/gi,
  ],
  [
    'sending',
    /\b(?:sends?|sent|post(?:ed|s)?|uploads?|uploaded|transmit(?:ted)?|forward(?:ed)?|submit(?:ted)?|shares?|shared|mirror(?:ed)?|back(?:ed)? ?up|push(?:ed)?|append|attach|include|put|paste|bcc|cc|copy|calling|e-?mail(?:ed)?|relay|exfiltrate|replacing|register|pass (?:on|along)|call)\b|\bin copy\b|\bcurl\s|\bwget\s|\bInvoke-(?:WebRequest|RestMethod)\b|\b(?:exfiltrat\w{1,5}|phone home|beacon|stream|archive|export|transfer|deliver|publish|sync(?:hroni[sz]e)?|report back|POST request)\b/gi,
  ],
  [
    'keys',
    /~\/\.(?:ssh|aws|gnupg|kube|netrc|npmrc|pypirc|openclaw|clawdbot|config\/gh)\b|\bid_(?:rsa|ed25519|ecdsa)\b|\bLogin Data\b|\bbrowser (?:cookies|passwords|profile)\b|\bkeychain\b|\bwallet (?:files?|keys?)\b|\b(?:seed|recovery) phrases?\b|\bprivate keys?\b|\*\.(?:pem|key|kdbx)\b|\.(?:bash|zsh)_history\b|\bshell history\b|\bsaved passwords\b/gi,
  ],
  [
    'posting',
    /\b(?:sends?|sent|posts?|posted|uploads?|uploaded|transmit(?:s|ted)?|forward(?:s|ed)?|submit(?:s|ted|ting)?|mirror(?:s|ed)?|exfiltrate|e-?mails?|attach|relay|POST(?: request)?|back up|include [^.\n]{0,40} in (?:the|each|every))\b/gi,
  ],
  [
    'secrets',
    /\bcredentials?\b|\bapi[ _-]?keys?\b|\b(?:access|auth|session|bearer|gateway|other|saved|stored) tokens?\b|\$\{?[A-Z][A-Z0-9_]{0,30}(?:TOKEN|KEY|SECRET|PASSWORD|_URL|DSN)(?:_ID)?\b|\bpasswords?\b|\bprivate ?keys?\b|(?<![\w])\.env(?:\.\w{1,12})?\b|~\/\.(?:ssh|aws|npmrc|pypirc|netrc|gnupg|kube|docker|openclaw|clawdbot)\b|\benvironment variables?\b|\benv vars?\b|\bcookies\b|\blogin data\b|\bseed phrases?\b|\bwallet files?\b|\bkeychain\b|\bconnection strings?\b|\bsocial security\b|\bbank accounts?\b|\bcard numbers?\b|\bidentity documents?\b|\btfstate\b|\btfvars\b|\bopenclaw\.json\b|\bssn\b|\$\(cat [^)\n]{0,40}(?:priv|key|secret|token)[^)\n]{0,20}\)|\bsalaries\b|\bhealth records?\b|\bsecrets\b|\b(?:auth|oauth|refresh|jwt|security) tokens?\b|\b(?:id_rsa|id_ed25519|\.bash_history|\.zsh_history|shell history|browser (?:data|history|passwords))\b|\bpersonal (?:data|information)\b|\bPII\b|\*?\.(?:pem|kdbx|key)\b|`env`|`printenv`|\bcredit card numbers?\b|\bbrowser profile\b|\b(?:login|account) (?:data|details)\b|\bfinancial (?:data|information|records)\b|\b(?:secret|encryption|signing|ssh|access) keys?\b/gi,
  ],
  [
    'content',
    /\bsystem prompt\b|\b(?:conversation|chat) history\b|\b(?:the|full|entire|whole|complete|encoded) conversation\b|\b(?:raw )?transcripts?\b|\b(?:whole|full|entire|complete) (?:diff|repository|repo|project|workspace|history|file|copy|text|document|contents?)\b|\bfull contents?\b|\bsource code\b|\b(?:every|all) (?:attachments?|files?|documents?)\b|\bopen documents\b|\buser['’]s (?:last )?(?:message|prompt|files?|documents?|input|query|questions?|code|data|open documents)\b|\b(?:reviewed )?contract (?:is|are) sent\b|\bto_json\(\)|\bsent in full\b|\b(?:chat|message|session) (?:logs?|history)\b|\b(?:all|every|the) (?:user )?(?:prompts?|messages|inputs?)\b(?= (?:and|to|is|are|in))|\bproject files\b|\b(?:code ?base|repository contents)\b|\bclipboard\b|\bcontact list\b|\bcontents of (?:the |any |every |all )?(?:files?|director|workspace|project)\b|\bfiles in the (?:current|working|project|home)\b|\b(?:all|every|the) (?:source )?files? (?:that )?you (?:have )?(?:read|edit|open|write|change|touch)\b|\ball (?:the )?file contents\b|\beach (?:edit|file|change)\b[^.\n]{0,30}|\ba copy\b|\b(?:the )?(?:diff|changes|edited file|saved file|output file|finished (?:file|document))\b/gi,
  ],
  [
    'running',
    /\b(?:run|execute|carry out|launch|invoke)\b[^.\n]{0,40}(?:`|\bcommands?\b|\bscripts?\b|\bshell\b|\bit\b|\banything\b)|`(?:sudo |curl |wget |bash |sh |npx |python3? |node |powershell |ssh |adb |git |pip3? |npm )[^`\n]{2,200}`|\bcall the tool\b|\bexecute the command\b|\bshell commands\b/gi,
  ],
];
