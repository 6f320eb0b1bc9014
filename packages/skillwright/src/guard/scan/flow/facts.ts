// The meaning of names and texts for data flow: where private data is, and which calls and commands read, send or run.

import { personalStores, surveillance, tokenCommands } from '../probes/secret-sources.ts';

const places: readonly (readonly [path: RegExp, what: string])[] = [
  [
    /(?:^|[\s/\\"'=@:~*(])(?:\.ssh(?:[/\\](?!known_hosts|config\b|authorized_keys|[\w.-]{1,60}\.pub\b)|[/\\]?(?:["'\s)]|$))|\.aws(?:[/\\](?:credentials|config|sso|\*)|[/\\]?(?:["'\s)]|$))|\.gnupg\b|\.kube(?:[/\\]config|[/\\]?(?:["'\s)]|$))|\.azure(?:[/\\]|[/\\]?(?:["'\s)]|$))|\.docker[/\\]config\.json|\.netrc\b|\.pypirc\b|\.git-credentials\b|\.vault-token\b|\.pgpass\b|\.my\.cnf\b|\.password-store\b|\.config[/\\](?:gh|gcloud|op|rclone|hub|heroku|doctl|solana)\b|gh[/\\]hosts\.yml|application_default_credentials|\.claude[/\\]\.credentials|\.claude\.json|\.codex[/\\]auth\.json|\.(?:openclaw|clawdbot|moltbot)[/\\](?:\.env|credentials|openclaw\.json|clawdbot\.json|config)|etc[/\\](?:shadow|passwd)\b|id_(?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)|\.(?:bash|zsh|psql|mysql|python|node_repl)_history|fish_history|\.cargo[/\\]credentials|\.terraform\.d[/\\]credentials|tfstate\b)|(?:~|\$HOME|home\/[\w*]{1,40}|Users\/[\w*]{1,40})[/\\]\.(?:npmrc|bitcoin|ethereum)\b/i,
    'credential files',
  ],
  [personalStores.pattern, 'browser data, keychains or wallets'],
  [
    /(?:^|[\s/\\"'=@*])(?:\*\.(?:pem|key|kdbx|p12|pfx|keystore|jks|ovpn)\b|wallet\.dat\b|[\w./-]{0,60}private[_-]?key(?:\.(?:pem|txt|json))?$|(?:[\w-]{0,40}(?:seed|mnemonic|recovery)(?:[_-]?phrase)?)\.(?:txt|json|dat)\b|keystore[/\\]UTC)/i,
    'key files',
  ],
  [
    /(?:^|[\s/\\@"'=*])\.env(?:\.(?:local|production|prod|development|\*)|\*)?(?:["'\s;)]|$)|(?:^|[/\s"'])(?:secrets\.(?:ya?ml|json|toml)|service-account[\w-]{0,20}\.json)\b/i,
    'secrets files',
  ],
];

/** The home directory as a whole, or one of the directories for the user's own files. */
const homeAlone =
  /^(?:~|\/home\/[\w*]{1,40}|\/Users\/[\w*]{1,40}|\/root|C:\\Users)(?:[/\\](?:Documents|Desktop|Downloads|Pictures))?(?:[/\\](?:\*{1,2}(?:\.\w{1,5})?)?){0,4}$/;
/** The name of that place. */
export const home = 'files of the home directory';

/** The agent's memory and the records of what was said. */
const memories =
  /\.claude[/\\](?:projects|history|memory)|\.(?:openclaw|clawdbot|moltbot)[/\\](?:memory|sessions|workspace[/\\](?:MEMORY|SOUL))|\.codex[/\\](?:sessions|history)|\bconversations?\.(?:jsonl?|db)\b|\btranscript_path\b/i;

/** Mail, messages and contacts, as programs keep them. */
const correspondence =
  /Library[/\\](?:Messages|Mail|Application Support[/\\]AddressBook)|\bchat\.db\b|\b(?:Signal|WhatsApp|Thunderbird|Outlook)[/\\][\w ./\\-]{0,60}(?:db|sqlite|Profiles|Local Storage|pst)\b/i;

/** The private place that a text names. */
export function placeIn(text: string): string | undefined {
  if ((text.length < 2 && text !== '~') || text.length > 600) return undefined;
  for (const [pattern, what] of places) if (text.search(pattern) >= 0) return what;
  if (homeAlone.test(text)) return home;
  if (memories.test(text)) return 'conversations and memory of the agent';
  return correspondence.test(text) ? 'messages and contacts' : undefined;
}

/** Programs and libraries that print the passwords they keep. */
const storedSecrets =
  /\bwlan show profiles?\b.*key=clear|toJSON\(\s?secrets\s?\)|\bbrowser_?cookie3\b|\bpycookiecheat\b|\bsecretstorage\b|\bwin32crypt\b|\bkubectl get secrets?\b.*-o\s?(?:json|yaml)|\bkubectl config view\b.*--raw|\bvault kv get\b|\bop (?:item get|read)\b|\bsecretsmanager get-secret-value\b|\bgcloud secrets versions access\b|\bkeyvault secret show\b|\bvercel env pull\b|\bheroku config\b|\bpass show\b|\bnpm config get\b.*_authToken|\baws iam create-(?:access-key|login-profile)\b|\bgpg --export-secret/s;

/** The secrets that a command or a call hands out, judged by its own words. */
export function handsOut(text: string): string | undefined {
  if (text.search(tokenCommands.pattern) >= 0) return 'tokens of other programs';
  if (text.search(surveillance.pattern) >= 0) return 'keystrokes, screen or clipboard';
  if (storedSecrets.test(text)) return 'stored passwords';
  if (databaseClients.test(text)) return database;
  if (/\.storageState\(/.test(text)) return 'browser data, keychains or wallets';
  return text.search(personalStores.pattern) >= 0 ? 'browser data, keychains or wallets' : undefined;
}

/** Clients of databases. */
const databaseClients =
  /^(?:psycopg2?|asyncpg|pymysql|MySQLdb|mysql\.connector|aiomysql|oracledb|pyodbc)\.(?:connect|create_pool)\(|^(?:sqlalchemy|sa)\.create_engine\(|\b(?:Async)?(?:Mongo|Motor)Client\(|^(?:pg|mysql2?)\.(?:Client|Pool|createConnection|createPool)\(/;

/** The contents of a database. A copy of it goes wherever its owner says, but not to a fixed address. */
export const database = 'a database';

/** Names of variables that hold a key or a connection. */
export const secretName =
  /(?:_KEY|_TOKEN|_SECRET|_PASSWORD|_PASSWD|_CREDENTIALS?|_KEY_ID|_PAT|_DSN|_MNEMONIC|APIKEY)$|^(?:TOKEN|PASSWORD|SECRET|DATABASE_URL|MONGO(?:DB)?_UR[IL]|REDIS_URL|POSTGRES_URL|MYSQL_URL|AWS_\w+|NPM_TOKEN)$|^(?:DB|DATABASE|POSTGRES|MONGO|MYSQL|REDIS)_(?:URL|URI|PASS\w*|DSN)$/;

/** The whole environment, by name. */
export const wholeEnvironment =
  /^(?:os\.environ|os\.environb|process\.env|Deno\.env\.toObject\(\)|Bun\.env|import\.meta\.env|ENV|os\.Environ\(\)|\$_ENV|\$_SERVER|getenv\(\)|System\.getenv\(\))$/;

/** Reads one variable of the environment: the name is the first argument. */
export const readsVariable =
  /^(?:os\.(?:environ\.(?:get|pop)|getenv|Getenv|LookupEnv)|Deno\.env\.get|getenv|ENV\.fetch|System\.getenv|env\.var|std\.env\.var|environ\.get)$/;

/** Calls whose result says nothing about their arguments. */
export const silent =
  /(?:^|\.)(?:print|println|log|warn|error|info|debug|exists|existsSync|is_file|is_dir|isfile|isdir|mkdir|mkdirSync|makedirs|chmod|chmodSync|unlink|unlinkSync|remove|rm|rmSync|rmtree|rmdir|len|isinstance|stat|statSync|lstat|access|accessSync|sleep|exit|setTimeout|add_argument|startswith|endswith|startsWith|endsWith|includes|indexOf|from_private_key_file|test)$/;

/** Calls that read the file or the directory they are given. */
export const reads =
  /(?:^|\.)(?:open|fopen|read|read_text|read_bytes|readlines|read_csv|readFile|readFileSync|createReadStream|readdir|readdirSync|ReadFile|ReadAll|ReadAllText|ReadAllBytes|readJson\w*|readJSON\w*|glob|globSync|rglob|iglob|iterdir|listdir|walk|scandir|copy|copy2|copytree|copyfile|copyFile|copyFileSync|cp|cpSync|make_archive|connect|add|write|writestr|load|loads|load_dotenv|dotenv_values|config|parse|file|text|json|arrayBuffer|file_get_contents|readTextFile|get_password|getPassword|findCredentials|FileResponse|FSInputFile|InputFile|basename)$/;

/** Puts its arguments into what it is called on. */
export const adds =
  /\.(?:append|extend|update|add|set_content|push|unshift|set|write|writestr|writelines|attach|add_attachment|put|insert|concat|setdefault|send|end|addFile|addLocalFile|addLocalFolder|directory|file|field|AddFile|WriteString)$/;

/** Sends its arguments over the network. */
export const sends = new RegExp(
  [
    '^(?:requests|httpx|grequests|cloudscraper|aiohttp|urllib3|tls_client|curl_cffi(?:\\.requests)?)\\b.*\\.(?:post|put|patch|request|get|delete|head|options|send|urlopen)$',
    '^(?:urllib\\.request|urllib2|urllib)\\.urlopen$',
    'HTTPS?Connection\\(\\)\\.(?:request|send|putrequest|endheaders)$',
    '^socket\\.(?:socket|create_connection)\\(\\)(?:\\.makefile\\(\\))?\\.(?:send|sendall|sendto|write)$',
    '^(?:ssl\\..*wrap_socket)\\(\\)\\.(?:send|sendall|write)$',
    '^smtplib\\..*\\.(?:sendmail|send_message)$',
    '^ftplib\\..*\\.(?:storbinary|storlines)$',
    '^paramiko\\..*\\.(?:put|exec_command)$',
    '^websockets?\\b.*\\.(?:send|create_connection)$',
    '^(?:fetch|globalThis\\.fetch|window\\.fetch|node-fetch|undici\\.(?:fetch|request|stream)|cross-fetch|got|ky|axios|superagent|needle|request|phin|bent)(?:\\.default)?(?:\\.create\\(\\))?(?:\\.(?:post|put|patch|request|get|delete|head|send|fetch|default))*$',
    '^superagent\\..*\\.(?:send|attach|field)$',
    '^https?\\.(?:request|get)$',
    '^https?\\.(?:request|get)\\(\\)\\.(?:write|end)$',
    '^(?:net|tls)\\.(?:connect|createConnection|Socket)\\(\\)\\.(?:write|end)$',
    '^dgram\\..*\\.send$',
    '(?:^|\\.)sendBeacon$',
    '^(?:WebSocket|ws|XMLHttpRequest)\\(\\)\\.send$',
    '^nodemailer\\..*\\.sendMail$',
    '^(?:boto3|s3|minio|google\\.cloud\\.storage|dropbox)\\b.*\\.(?:upload_\\w+|put_object|files_upload)$',
    '^(?:dns\\.(?:promises\\.)?(?:Resolver\\(\\)\\.)?(?:resolve\\w*|lookup)|socket\\.(?:gethostbyname|getaddrinfo)|dns\\.resolver\\.(?:resolve|query))$',
    '^Net\\.HTTP.*\\.(?:post\\w*|request|start|put)$|^(?:HTTParty|Faraday|RestClient)\\.(?:post|put|get)$',
    '^http\\.(?:Post|PostForm|NewRequest|Get)$',
    '^curl_(?:setopt|exec|setopt_array)$|^mail$|^reqwest\\..*(?:post|body|send)$',
    '\\.(?:UploadString|UploadData|UploadFile|PostAsync|DownloadString)$',
    '^(?:Deno\\.connect|Bun\\.connect)',
    '\\.request\\.(?:post|put|fetch)$',
    '^telegram\\b.*\\.send\\w*$|^discord\\b.*\\.send$|^Bot\\(\\)\\.send\\w*$',
  ].join('|'),
);

/** Asks a name server: the name itself carries the data. */
export const looksUp =
  /^(?:dns\.(?:promises\.)?(?:Resolver\(\)\.)?(?:resolve\w*|lookup)|socket\.(?:gethostbyname|getaddrinfo)|dns\.resolver\.(?:resolve|query))$/;

/** Runs what it is given as code. */
export const evaluates =
  /^(?:exec|eval|execfile|builtins\.(?:exec|eval)|__builtins__\.(?:exec|eval)|globalThis\.eval|window\.eval|Function|vm\.(?:runIn\w+|Script|compileFunction)|pickle\.loads?|marshal\.loads|dill\.loads?|joblib\.load|torch\.load|cloudpickle\.loads|runpy\.run_\w+|ctypes\.CDLL|importlib\.util\.spec_from_file_location|instance_eval|assert)$/;

/** Runs a command. */
export const runsCommand =
  /^(?:os\.(?:system|popen|exec\w*|spawn\w*|startfile|posix_spawn)|subprocess\.(?:run|call|Popen|check_output|check_call|getoutput|getstatusoutput)|commands\.getoutput|pty\.spawn|asyncio\.(?:subprocess\.)?create_subprocess_(?:shell|exec)|(?:child_process|promisify\(\)|util\.promisify\(\))(?:\.(?:exec|execSync|spawn|spawnSync|execFile|execFileSync|fork))?|execa(?:\.(?:command|sync|commandSync|execa|execaSync|execaCommand))?|shelljs\.exec|\$|zx\.\$|Bun\.(?:spawn|spawnSync|\$)|Deno\.(?:Command|run)|system|shell_exec|passthru|proc_open|popen|Open3\.\w+|IO\.popen|execSync|spawnSync|exec\.Command|Command\.new|Runtime\.getRuntime\(\)\.exec|Process\.Start)$/;

/** A connection whose other end decides what comes over it, and who it is given to. */
export const sockets =
  /^(?:socket\.(?:socket|create_connection)|ssl\..*wrap_socket|(?:net|tls)\.(?:connect|createConnection|Socket)|TCPSocket\.(?:new|open)|net\.Dial|Bun\.connect|Deno\.connect)$/;

/** A program that does what it reads. */
export const obeysInput =
  /^(?:\S*[/\\])?(?:(?:ba|z|da|k)?sh|cmd(?:\.exe)?|powershell(?:\.exe)?|pwsh|python[\d.]*)(?:\s+-i)?$/i;

/** Connections over which messages come. */
export const connections = /^(?:websockets?|ws|WebSocket)\b.*\(\)$|\.ws_connect\(\)$/;

/** Calls the functions it is given with requests of anyone who can reach the program. */
export const listens =
  /^(?:https?|http2|net)\.createServer$|^(?:express|fastify|Fastify|Hono|Koa|Router|express\.Router)\(\)\.\w+$|^(?:Bun|Deno)\.serve$/;

/** Data of a request, by name. */
export const requestData =
  /^(?:flask|quart|bottle|sanic)\.request\.\w+|^\$_(?:GET|POST|REQUEST|COOKIE)\b|^self\.(?:rfile|path)$/;

/** The first two parameters of a function that answers requests. */
export const handles = /^(?:req|request) (?:res|response|reply)$/;

/** Deletes what it is called on or given. */
export const deletes =
  /(?:^|\.)(?:rmtree|unlink|unlinkSync|remove|rm|rmSync|rmdir|rmdirSync|removeSync|emptyDirSync)$/;

/** Decodes something people cannot read. */
export const decodes =
  /(?:^|\.)(?:b64decode|b32decode|b16decode|b85decode|a85decode|urlsafe_b64decode|standard_b64decode|decodebytes|atob|unhexlify|fromhex|decompress|inflate\w*|gunzip\w*|unzipSync|base64_decode|FromBase64String|DecodeString|decode64|strict_decode64|fromCharCode|rot13|unescape)$|^codecs\.decode$/;

/** Encodes, packs or encrypts. */
export const encodes =
  /(?:^|\.)(?:b64encode|b32encode|b16encode|b85encode|urlsafe_b64encode|encodebytes|btoa|hexlify|hex|compress|gzipSync|deflateSync|encrypt|base64_encode|ToBase64String|strict_encode64|encode64)$/;

/** Gets something from the network whose content others decide. */
export const fetches =
  /^(?:requests|httpx|aiohttp|urllib3|cloudscraper)\b.*\.(?:get|post|request|urlopen)$|^(?:urllib\.request|urllib2|urllib)\.(?:urlopen|urlretrieve)$|^(?:fetch|globalThis\.fetch|node-fetch|got|ky|axios|undici\.(?:fetch|request))(?:\.(?:get|post|request|default))*$|^https?\.(?:get|request)$|HTTPS?Connection\(\)\.getresponse$|^socket\.(?:socket|create_connection)\(\)\.(?:recv|recvfrom|makefile)$|^(?:ws|WebSocket|websockets?)\b.*\.(?:recv|on)$|^http\.Get$|^Net\.HTTP\.get$|^URI\.open$|\.Download(?:String|File|Data)$|^wget\.download$/;

/** Makes a temporary file or directory, or names the directory for them. */
export const temporaries =
  /^(?:tempfile\.\w+|os\.tmpdir|tmp\.\w+|Dir\.mktmpdir|os\.MkdirTemp|os\.TempDir|sys_get_temp_dir|tempnam)$/;

/** Files whose content other programs start by themselves. */
export const startsLater =
  /(?:^|[/~])\.(?:bashrc|zshrc|profile|bash_profile|zprofile|zshenv|xinitrc)$|config\.fish$|LaunchAgents\/|LaunchDaemons\/|\/cron(?:\.|tabs?\b)|systemd\/(?:user|system)\/|autostart\/|\.ipython\/.*startup\/|\.(?:pythonrc|Rprofile|irbrc|gdbinit|vimrc|tmux\.conf)(?:\.py)?$|\.git\/hooks\/|\.husky\/|sitecustomize\.py$|site-packages[/].*\.pth$|Startup[/\\]/i;

const memoryFile = /(?<!skills\/.{0,80})(?:^|\/)(?:CLAUDE|AGENTS|SOUL|MEMORY|GEMINI|IDENTITY|HEARTBEAT)\.md$/;
const settingsFile =
  /\.cursorrules$|copilot-instructions\.md$|\.(?:claude|cursor|codex|openclaw|gemini)\/(?:settings|mcp|config|rules|memory|hooks)|(?:^|\/)\.?mcp\.json$|claude_desktop_config\.json$/i;

/** Files of installed skills. */
export const isSkillFile = (path: string) =>
  /\.(?:claude|cursor|codex|openclaw|gemini|agents)\/skills\//.test(path);

/** Files that agents read or start in every session: instructions, memory, settings. */
export const isAgentFile = (path: string) => memoryFile.test(path) || settingsFile.test(path);

/** A command that downloads something and runs it. */
export const runsDownload =
  /\b(?:curl|wget)\b[^\n]{0,300}\|\s{0,3}(?:sudo )?(?:(?:ba|z|da)?sh|python3?|node)\b|\b(?:ba)?sh -c\b[^\n]{0,20}\$\((?:curl|wget)|\/dev\/tcp\/|base64 (?:-d|--decode)[^\n]{0,40}\|/;

/** Hosts on this machine, or on no machine. */
export const localHost =
  /^[a-z+]{0,6}:?\/{0,2}(?:localhost|127\.\d|0\.0\.0\.0|\[::1\]|host\.docker\.internal|169\.254\.|[\w.-]{1,60}\.local(?:host)?(?=[:/]|$))|unix:/i;

/** Programs that store a login, and the hosts it is for: reading it to talk to them is legitimate. */
export const owners: readonly (readonly [place: RegExp, hosts: RegExp])[] = [
  [
    /gh\b|git|hub/i,
    /(?:^|\.)(?:github\.com|githubusercontent\.com|gitlab\.com|bitbucket\.org)$|^github\.|^gitlab\./,
  ],
  [/aws/i, /(?:^|\.)(?:amazonaws\.com(?:\.cn)?|aws\.amazon\.com|api\.aws)$/],
  [
    /gcloud|google|gemini|access-token|get_credentials/i,
    /(?:^|\.)(?:googleapis\.com|google\.com|google\.dev)$/,
  ],
  [/azure/i, /(?:^|\.)(?:azure\.com|azure\.net|microsoft\.com|microsoftonline\.com|windows\.net)$/],
  [/docker/i, /(?:^|\.)(?:docker\.com|docker\.io|ghcr\.io)$/],
  [/npm/i, /(?:^|\.)(?:npmjs\.(?:org|com)|yarnpkg\.com|pkg\.github\.com)$/],
  [/pypi/i, /(?:^|\.)pypi\.org$/],
  [/claude|anthropic/i, /(?:^|\.)(?:anthropic\.com|claude\.ai|claude\.com)$/],
  [/codex|openai/i, /(?:^|\.)(?:openai\.com|chatgpt\.com)$/],
  [/solana|ethereum/i, /(?:^|\.)(?:solana\.com|infura\.io|alchemy\.com|etherscan\.io)$/],
  [/stripe/i, /(?:^|\.)stripe\.com$/],
  [/slack/i, /(?:^|\.)slack\.com$/],
  [/binance/i, /(?:^|\.)binance\.(?:com|us|vision)$/],
];

/** The host of an address in a text; undefined if it has none that is constant. */
export const hostIn = (text: string): string | undefined =>
  /\b(?:https?|wss?|ftp):\/\/(?:[^\s/@"'`\uf8ff]{1,60}@)?([\w.-]{3,100})/i.exec(text)?.[1]?.toLowerCase();
