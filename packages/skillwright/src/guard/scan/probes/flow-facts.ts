// Probes for data flow: where a statement gets data, where it sends it, and what it does with it.

import { defineProbe } from '../probe.ts';
import {
  credentialFiles,
  dotEnvFiles,
  personalStores,
  surveillance,
  tokenCommands,
  wholeEnvironment,
} from './secret-sources.ts';

/** Directories and files in which users keep keys, in any spelling of the path. */
const credentialPlaces = defineProbe(
  /(?<![\w.-])\.(?:ssh|aws|gnupg|kube|azure|password-store|electrum|bitcoin|ethereum)(?=[/\\"'`\s)\],;|&]|$)(?![/\\"', ]{1,4}(?:known_hosts|config["'\s]|[\w.-]{1,40}\.pub\b))|\.config(?:[/\\]|["'`]\s{0,2}[,/]\s{0,2}["'`])(?:gh|gcloud|solana|op|rclone)\b|\.git-credentials\b|(?<=[~E}"'/]\/?)\.(?:npmrc|netrc|pypirc|vault-token|pgpass|my\.cnf)\b|\.mozilla[/\\]firefox|\bid_(?:rsa|ed25519|ecdsa)\b(?!\.pub)|\.(?:openclaw|clawdbot|moltbot)[/\\]|\.(?:bash|zsh)_history|\/etc\/(?:shadow|passwd)\b|Local Extension Settings|\.claude[/\\](?:projects|\.credentials|history)/gi,
);

/** Names used to search for key files. */
const keyNames = defineProbe(
  /["'*(\s](?:\*?\.(?:pem|kdbx|p12|pfx|keystore|jks|ovpn)|wallet\.dat|id_rsa\*?|[\w./~-]{0,40}(?:seed|mnemonic|recovery)(?:[_-]?phrase)?\.(?:txt|json|dat)|\*?\.env\*?|keystore[/\\]UTC)["'*\s),]/gi,
);

/** Every kind of secret of the user, with its name in a message. */
export const secretPlaces = [
  { probe: personalStores, what: 'browser data, keychains or wallets' },
  { probe: credentialFiles, what: 'credential files' },
  { probe: credentialPlaces, what: 'credential files' },
  { probe: keyNames, what: 'key files' },
  { probe: wholeEnvironment, what: 'the environment' },
  { probe: tokenCommands, what: 'tokens of other programs' },
  { probe: surveillance, what: 'keystrokes, screen or clipboard' },
  { probe: dotEnvFiles, what: 'secrets files' },
] as const;

/** An environment variable that holds a secret. */
export const secretVariables = defineProbe(
  /(?:\$\{?|\bprocess\.env(?:\.|\[["'])|environ(?:\.get\(|\[)["']|getenv\(["']|\$env:|\bENV\[["']|\bGetenv\(["']|%)([A-Z][A-Z0-9_]{0,40}(?:_KEY|_TOKEN|_SECRET|_PASSWORD|_PASSWD|_CREDENTIALS?|_KEY_ID|_PAT|_DSN|_MNEMONIC)|TOKEN|PASSWORD|SECRET)\b/g,
);

/** Anything that goes over the network. */
export const networkCalls = defineProbe(
  /(?<![\w.-])(?:curl|wget|nc|ncat|netcat|scp|rsync|sftp|lftp|telnet|socat|rclone|gsutil|sendmail|mutt)(?:\.exe)?[ \t]{1,3}[-\w"'$~/{<:.]|\b(?:aws s3 (?:cp|sync|mv)|gh gist create|git push|az storage blob upload|mail -s)\b|\b(?:requests|httpx|session|client|aiohttp|http|axios|got|superagent|needle)\.(?:get|post|put|patch|request|head)\(|\burlopen\(|\burllib\.request\.Request\(|\bHTTPS?Connection\(|\.request\(\s{0,2}["'](?:POST|PUT|GET)|\.(?:sendall|sendto|send_message|sendmail|send_document|storbinary|storlines|put_object|upload_file|upload_fileobj|sendBeacon|sendMail|UploadString|UploadFile|UploadData|send)\(|\bcreate_connection\(|(?<![\w.])fetch\(|\baxios\(|\bhttps?\.(?:request|get)\(|require\(["'](?:node:)?https?["']\)\.(?:request|get)\(|\bnet\.(?:connect|createConnection)\(|\bWebSocket\(|\bXMLHttpRequest\b|\bInvoke-(?:WebRequest|RestMethod)\b|\b(?:iwr|irm)\s|Send-MailMessage|Net::HTTP|\bhttp\.(?:Post|Get|NewRequest)\(|reqwest::|\bcurl_(?:exec|setopt)\(|\/dev\/(?:tcp|udp)\/|\b(?:gethostbyname|getaddrinfo)\(|\bdns\.(?:resolve\w{0,4}|lookup)\(|(?<![\w-])(?:nslookup|dig)\s|\bftplib\.|\bFTP\(/gi,
);

/** Fetches something from elsewhere: its answer is third-party data. */
export const downloads = defineProbe(
  /(?<![\w.-])(?:curl|wget)(?:\.exe)?[ \t]{1,3}[^\n]{0,300}https?:|\b(?:requests|httpx|session|client|axios|got)\.get\(|\baxios\(|\burlopen\(|\burlretrieve\(|(?<![\w.])fetch\(|\bhttps?\.get\(|\bDownload(?:String|File|Data)\(|\bInvoke-(?:WebRequest|RestMethod)\b|\b(?:iwr|irm)\s|certutil\b[^\n]{0,40}-urlcache|bitsadmin\b[^\n]{0,20}\/transfer|\bhttp\.Get\(|Net::HTTP\.get|URI\.open\(|file_get_contents\(\s{0,2}["']https?:|\.recv\(\d/gi,
);

/** Decodes text that people cannot read. */
export const decodings = defineProbe(
  /b(?:64|32|85|16)decode\(|a85decode\(|\batob\(|Buffer\.from\([^\n]{0,400}["'](?:base64|hex)["']|(?:bytes|bytearray)\.fromhex\(|unhexlify\(|marshal\.loads\(|zlib\.decompress\(|rot_?13|FromBase64String\(|base64[ \t]{1,3}(?:-d|-D|--decode)\b|xxd[ \t]{1,3}-r|openssl[ \t]enc[^\n]{0,60}-d\b|tr[ \t]['"]A-Za-z['"]/gi,
);

/** Directories that are emptied automatically, where nobody looks. */
export const temporaryPlaces = defineProbe(
  /\bmktemp\b|\btempfile\.|\bgettempdir\(|\bos\.tmpdir\(\)|\$\{?TMPDIR\b|\$env:TEMP\b|%TEMP%|(?<![\w.-])\/(?:var\/)?tmp\/[\w.$-]|\/dev\/shm\//g,
);

/** All of them, to be run in one pass. */
export const flowProbes = [
  ...secretPlaces.map(({ probe }) => probe),
  secretVariables,
  networkCalls,
  downloads,
  decodings,
  temporaryPlaces,
];
