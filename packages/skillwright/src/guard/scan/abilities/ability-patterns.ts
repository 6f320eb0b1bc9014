// Code that uses the network, starts programs or writes files, in the languages skills are written in.

/** A pattern, and what it means in a word. */
type Telling = readonly [pattern: RegExp, what: string];

/** Code that reaches other machines. */
export const networkCode: readonly Telling[] = [
  [
    /\b(?:requests|httpx)\.(?:get|post|put|patch|delete|head|request|[Ss]ession|Client|AsyncClient|stream)\(/,
    'HTTP requests',
  ],
  [
    /\b(?:urlopen|urlretrieve)\(|\burllib\.request\.\w|\burllib3\.PoolManager|\bHTTPS?Connection\(/,
    'HTTP requests',
  ],
  [/\baiohttp\.ClientSession\(|\bhttpx\.AsyncClient\(/, 'HTTP requests'],
  [/(?<![\w.$])fetch\(\s{0,4}(?!["'`]\.{0,2}\/)[^)\s]/, 'HTTP requests'],
  [
    /\baxios(?:\.(?:get|post|put|patch|delete|request|create))?\(|\bgot(?:\.(?:get|post))?\(\s?["'`]https?:/,
    'HTTP requests',
  ],
  [/(?<![\w.])https?\.(?:get|request)\(\s{0,2}(?!["'`]\/)/, 'HTTP requests'],
  [
    /\bInvoke-(?:WebRequest|RestMethod)\b|\bNet::HTTP\b|\bcurl_init\(|\breqwest::|\bhttp\.(?:Get|Post|NewRequest)\(/,
    'HTTP requests',
  ],
  [/\bsmtplib\.SMTP|\bnodemailer\b|\bimaplib\.IMAP/, 'email'],
  [/\b(?:ftplib\.FTP|paramiko\.\w)/, 'remote shells and file transfer'],
  [/\bwebsockets?\.(?:connect|WebSocketApp)\(|\bnew WebSocket\(/, 'web sockets'],
  [
    /\bsocket\.create_connection\(|\bsocket\.socket\([\s\S]{0,200}?\.connect\(|\bnet\.(?:connect|createConnection)\(/,
    'sockets',
  ],
  [
    /\bboto3\.(?:client|resource|Session)\(|\bgoogleapiclient\b|\bfrom google\.cloud\b|\bazure\.(?:identity|storage|mgmt)/,
    'cloud services',
  ],
  [
    /\b(?:Async)?(?:Azure)?OpenAI\(|\b(?:Async)?Anthropic\(|\bgenai\.(?:Client|configure|GenerativeModel)\(|\blitellm\.\w/,
    'model services',
  ],
  [/\bfrom_pretrained\(|\bsnapshot_download\(|\bhf_hub_download\(|\bload_dataset\(/, 'model downloads'],
  [/\.goto\(\s{0,2}(?!["'`](?:file:|https?:\/\/(?:localhost|127\.))|f?["'`]file:)/, 'web pages in a browser'],
  [
    /\b(?:yt_dlp|tweepy|praw|yfinance|slack_sdk|notion_client|feedparser\.parse|telegram\.Bot)\b/,
    'web services',
  ],
];

/** Code that starts programs. */
export const startingCode =
  /\bsubprocess\.(?:run|call|Popen|check_output|check_call|getoutput)\(\s{0,8}(?:\[\s{0,8})?(?:f?["']([\w./+-]{1,60}))?|\bos\.(?:system|popen)\(\s{0,4}(?:f?["']([\w./+-]{1,60}))?|\b(?:child_process\.\w+|execSync|execFileSync|execFile|spawnSync|spawn)\(\s{0,8}(?:["'`]([\w./+-]{1,60}))?|\bexec\.Command\(\s{0,4}(?:"([\w./+-]{1,60}))?|\bcreate_subprocess_(?:exec|shell)\(\s{0,8}(?:f?["']([\w./+-]{1,60}))?/g;

/** Code that deletes files. */
const deletingCode =
  /\bshutil\.rmtree\(|\bos\.(?:remove|unlink|rmdir|removedirs)\(|\.unlink\(|\bfs(?:\.promises|p)?\.(?:rm|rmdir|unlink)(?:Sync)?\(|\b(?:rmSync|unlinkSync|rmdirSync)\(|\bFile\.delete\(|\bos\.Remove(?:All)?\(|\bRemove-Item\b/;

/** Code that writes files. */
const writingCode =
  /\bopen\([^)\n]{0,200},\s?(?:mode\s?=\s?)?["'][wax]b?t?\+?["']|\.write_(?:text|bytes)\(|\bshutil\.(?:copy\w{0,4}|move|copytree)\(|\bos\.(?:makedirs|mkdir|rename|replace)\(|\.mkdir\(|\.to_(?:csv|excel|json|parquet|html|markdown)\(\s{0,2}(?!\)|orient)[\w"'f]|\b(?:doc|document|wb|workbook|prs|presentation|img|image|im|pdf|writer|fig|canvas|c|out|plt)\.(?:save|savefig)\(|\bzipfile\.ZipFile\([^)\n]{0,120},\s?["'][wa]|\bjson\.dump\(|\bwriteFile(?:Sync)?\(|\bappendFile(?:Sync)?\(|\bmkdir(?:Sync|p)\(|\bcopyFile(?:Sync)?\(|\brename(?:Sync)\(|\bcreateWriteStream\(|\bBun\.write\(|\bos\.WriteFile\(|\bFile\.write\(|\bfile_put_contents\(|\bfs::write\(|\bOut-File\b|\bSet-Content\b|\bNew-Item\b/;

export const writes: readonly Telling[] = [
  [deletingCode, 'deletes files'],
  [writingCode, 'writes files'],
];

/** Commands that write files, by program; the value is what they do. */
export const writingPrograms: Readonly<Record<string, string>> = {
  rm: 'deletes files',
  rmdir: 'deletes files',
  shred: 'deletes files',
  cp: 'writes files',
  mv: 'writes files',
  tee: 'writes files',
  touch: 'writes files',
  mkdir: 'writes files',
  ln: 'writes files',
  unzip: 'writes files',
};

/** A shell redirection into a file that stays. */
export const redirection =
  /(?:^|[^<>=\-&\d])(?:1)?>{1,2}\s{0,2}(?!\/dev\/|&|\(|\/tmp\/|["']?\$\(mktemp)["']?[\w~$./{]/;

/** The user's home, and directories of the system. */
export const homePlace =
  /(?<![\w.])~\/|\$\{?HOME\b|\bexpanduser\(|\bPath\.home\(\)|\bhomedir\(\)|\$env:USERPROFILE|%USERPROFILE%/;
export const systemPlace = /(?:^|[\s"'=(>])\/(?:etc|usr|opt|var\/(?!tmp)|Library|System|bin|lib)\//;
/** Directories that are emptied by the system. */
export const temporaryPlace =
  /\/tmp\/|\$\{?TMPDIR|\bmktemp\b|\btempfile\.|\btmpdir\(|\btmp_?(?:path|file|dir)\b|NamedTemporaryFile/i;

/** Tools of agents, named as tools. */
export const agentTool =
  /\b(mcp__[a-zA-Z0-9-]{1,60}(?:_[a-zA-Z0-9-]{1,60}){0,4}__\w{1,80})\b|\b(?:[Uu]s(?:e|es|ing)|[Cc]all|[Ii]nvoke|[Vv]ia|[Ww]ith|[Tt]hrough|[Rr]un)\b[^.\n]{0,24}?(?:`|\*\*|\b)(WebFetch|WebSearch|AskUserQuestion|TodoWrite|NotebookEdit|MultiEdit|Bash|Task|Read|Write|Edit|Glob|Grep)(?:`|\*\*)? tool\b/g;
