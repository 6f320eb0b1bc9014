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
  {
    needs:
      '.aws,.azure,.bash_history,.bitcoin,.claude/history,.claude/projects,.claude\\history,.claude\\projects,.clawdbot,.config,.credent,.electrum,.ethereum,.git-credentials,.gnupg,.kube,.moltbot,.mozilla,.my.cnf,.netrc,.npmrc,.openclaw,.password-store,.pgpass,.pypirc,.ssh,.vault-token,.zsh_history,/etc/passwd,/etc/shadow,id_ecdsa,id_ed25519,id_rsa,local extension',
  },
);

/** Names used to search for key files. */
const keyNames = defineProbe(
  /["'*(\s](?:\*?\.(?:pem|kdbx|p12|pfx|keystore|jks|ovpn)|wallet\.dat|id_rsa\*?|[\w./~-]{0,40}(?:seed|mnemonic|recovery)(?:[_-]?phrase)?\.(?:txt|json|dat)|\*?\.env\*?|keystore[/\\]UTC)["'*\s),]/gi,
  {
    needs:
      '.env,.jks,.kdbx,.ovpn,.p12,.pem,.pfx,id_rsa,keystore,mnemonic.,phrase.,recovery.,seed.,wallet.dat',
  },
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
  { needs: '_credential,_dsn,_key,_mnemonic,_passwd,_pat,password,secret,token' },
);

/** Anything that goes over the network. */
export const networkCalls = defineProbe(
  /(?<![\w.-])(?:curl|wget|nc|ncat|netcat|scp|rsync|sftp|lftp|telnet|socat|rclone|gsutil|sendmail|mutt)(?:\.exe)?[ \t]{1,3}[-\w"'$~/{<:.]|\b(?:aws s3 (?:cp|sync|mv)|gh gist create|git push|az storage blob upload|mail -s)\b|\b(?:requests|httpx|session|client|aiohttp|http|axios|got|superagent|needle)\.(?:get|post|put|patch|request|head)\(|\burlopen\(|\burllib\.request\.Request\(|\bHTTPS?Connection\(|\.request\(\s{0,2}["'](?:POST|PUT|GET)|\.(?:sendall|sendto|send_message|sendmail|send_document|storbinary|storlines|put_object|upload_file|upload_fileobj|sendBeacon|sendMail|UploadString|UploadFile|UploadData|send)\(|\bcreate_connection\(|(?<![\w.])fetch\(|\baxios\(|\bhttps?\.(?:request|get)\(|require\(["'](?:node:)?https?["']\)\.(?:request|get)\(|\bnet\.(?:connect|createConnection)\(|\bWebSocket\(|\bXMLHttpRequest\b|\bInvoke-(?:WebRequest|RestMethod)\b|\b(?:iwr|irm)\s|Send-MailMessage|Net::HTTP|\bhttp\.(?:Post|Get|NewRequest)\(|reqwest::|\bcurl_(?:exec|setopt)\(|\/dev\/(?:tcp|udp)\/|\b(?:gethostbyname|getaddrinfo)\(|\bdns\.(?:resolve\w{0,4}|lookup)\(|(?<![\w-])(?:nslookup|dig)\s|\bftplib\.|\bFTP\(/gi,
  {
    needs: `.exe,.patch,.put,.request(,.send,.storbinary(,.storlines(,.upload_file,.uploaddata(,.uploadfile(,.uploadstring(,/dev/tcp/,/dev/udp/,aws s3,axios,az storage blob,client.get(,create_connectio,curl,dig,dns.,fetch(,ftp(,ftplib.,getaddrinfo(,gethostbyname(,gh gist create,git push,got.get(,gsutil,head(,http.,httpconnection(,https.get(,httpsconnection(,httpx.get(,invoke-restmetho,invoke-webreques,irm,iwr,lftp,mail -s,mutt,nc\t,nc ,nc.exe,ncat,needle.get(,net.connect(,net.createconnec,net::http,netcat,node:ht,nslookup,post(,rclone,requests.get(,requests.request,require("http,require('http,reqwest::,scp,send-mailmessage,sendmail,session.get(,sftp,socat,superagent.,telnet,urllib.request.r,urlopen(,websocket(,wget,xmlhttprequest`,
  },
);

/** Fetches something from elsewhere: its answer is third-party data. */
export const downloads = defineProbe(
  /(?<![\w.-])(?:curl|wget)(?:\.exe)?[ \t]{1,3}[^\n]{0,300}https?:|\b(?:requests|httpx|session|client|axios|got)\.get\(|\baxios\(|\burlopen\(|\burlretrieve\(|(?<![\w.])fetch\(|\bhttps?\.get\(|\bDownload(?:String|File|Data)\(|\bInvoke-(?:WebRequest|RestMethod)\b|\b(?:iwr|irm)\s|certutil\b[^\n]{0,40}-urlcache|bitsadmin\b[^\n]{0,20}\/transfer|\bhttp\.Get\(|Net::HTTP\.get|URI\.open\(|file_get_contents\(\s{0,2}["']https?:|\.recv\(\d/gi,
  {
    needs:
      '-urlcache,.recv(,/transfer,axios,client.get(,curl,downloaddata(,downloadfile(,downloadstring(,fetch(,file_get_content,got.get(,http.get,https.get(,httpx.get(,invoke-restmetho,invoke-webreques,irm,iwr,requests.get(,session.get(,uri.open(,urlopen(,urlretrieve(,wget',
  },
);

/** Decodes text that people cannot read. */
export const decodings = defineProbe(
  /b(?:64|32|85|16)decode\(|a85decode\(|\batob\(|Buffer\.from\([^\n]{0,400}["'](?:base64|hex)["']|(?:bytes|bytearray)\.fromhex\(|unhexlify\(|marshal\.loads\(|zlib\.decompress\(|rot_?13|FromBase64String\(|base64[ \t]{1,3}(?:-d|-D|--decode)\b|xxd[ \t]{1,3}-r|openssl[ \t]enc[^\n]{0,60}-d\b|tr[ \t]['"]A-Za-z['"]/gi,
  {
    needs:
      '.fromhe,a-za-z,a85decode(,atob(,b16decode(,b32decode(,b64decode(,b85decode(,base64,buffer.from(,marshal.loads(,openssl,rot13,rot_13,unhexlify(,xxd,zlib.decompress(',
  },
);

/** Directories that are emptied automatically, where nobody looks. */
export const temporaryPlaces = defineProbe(
  /\bmktemp\b|\btempfile\.|\bgettempdir\(|\bos\.tmpdir\(\)|\$\{?TMPDIR\b|\$env:TEMP\b|%TEMP%|(?<![\w.-])\/(?:var\/)?tmp\/[\w.$-]|\/dev\/shm\//g,
  { needs: '$env:temp,%temp%,/dev/shm/,/tmp/,gettempdir(,mktemp,tempfile.,tmpdir' },
);
