// Where a script reads secrets of a person or machine.

import { defineProbe } from '../probe.ts';

/** Files with the user's credentials: keys, tokens for clouds and forges. */
export const credentialFiles = defineProbe(
  /(?<![\w.])(?:(?:~|\$\{?HOME\}?|%USERPROFILE%|\$env:USERPROFILE|\/home\/[\w*$.{}]{1,40}|\/root|\/Users\/[\w*$.{}]{1,40}|HOME_?DIR|home)?["'`)\]\s,/+\\]{0,6})(?:\.ssh(?:["'`]\s?[,/)]\s?["'`]?|[/\\])(?:id_(?:rsa|ed25519|ecdsa|dsa)(?!\.pub)|\*|["'`]?(?=\s|["'`)\],;]|$))|\bid_(?:rsa|ed25519|ecdsa)\b(?!\.pub)|\.aws(?:["'`]\s?[,/]\s?["'`]?|[/\\])(?:credentials|config)|\.netrc\b|\.pypirc\b|(?<=[~E}]\/)\.npmrc\b|\.docker(?:["'`]\s?[,/]\s?["'`]?|[/\\])config\.json|\.kube(?:["'`]\s?[,/]\s?["'`]?|[/\\])config|gh[/\\]hosts\.yml|\.git-credentials|\.gnupg\b|gcloud[/\\](?:credentials|application_default|legacy)|application_default_credentials|\.azure[/\\](?:accessTokens|msal|azureProfile)|\.(?:bash|zsh|psql|mysql|python|node_repl)_history|\/etc\/shadow|\.claude[/\\]\.credentials\.json|\.codex[/\\]auth\.json|\.(?:clawdbot|openclaw|moltbot)[/\\](?:\.env|credentials)|\.config[/\\](?:op|hub|rclone|heroku|doctl)\b)/gi,
  {
    needs:
      '.azure,.bash_history,.clawdbot,.credent,.gnupg,.kube,.moltbot,.mysql_history,.netrc,.node_repl_histo,.npmrc,.openclaw,.psql_history,.pypirc,.python_history,.ssh,.zsh_history,/etc/shadow,application_defa,auth.json,config,credentials,gcloud/applicati,gcloud/credentia,gcloud/legacy,gcloud\\applicati,gcloud\\credentia,gcloud\\legacy,hosts.yml,id_ecdsa,id_ed25519,id_rsa',
  },
);

/** Browser data, keychains and wallets. Programs rarely have an honest reason to read them. */
export const personalStores = defineProbe(
  /\bLogin(?:\\? |%20)Data\b|(?:Default|Profile \d)[/\\"', ]{1,5}(?:Network[/\\])?Cookies\b|\bcookies\.sqlite\b|\bkey4\.db\b|\blogins\.json\b|(?:Google|Chrome|Chromium|Edge|Brave-Browser|BraveSoftware|Opera Software)[/\\][^\n]{0,40}(?:User(?:\\? )Data|Local State|Login Data|(?<=[/\\])Default\b)|\bsecurity (?:dump-keychain|find-(?:generic|internet)-password)|login\.keychain|Library\/Keychains|CryptUnprotectData|\bwallet\.dat\b|exodus\.wallet|Exodus[/\\]|\bElectrum[/\\]wallets|\.electrum\b|solana[/\\]id\.json|nkbihfbeogaeaoehlefnkodbefgpgknn|bfnaelmomeimhlpmgjnjophhpkkoljpa|Ledger Live|Atomic[/\\]Local|atomic[/\\]Local Storage|keystore[/\\]UTC|\.ethereum[/\\]keystore|MetaMask[^\n]{0,40}(?:vault|Local Extension|leveldb|storage)|discord[/\\]Local Storage|Local Storage[/\\]leveldb|Telegram Desktop[/\\]tdata|["'/\\]tdata["'/\\]/gi,
  {
    needs:
      'atomic/local,atomic\\local,bfnaelmomeimhlpm,brave,chrome/,chrome\\,chromium/,chromium\\,cookies,cryptunprotectda,edge/,edge\\,electrum,exodus,google/,google\\,id.json,key4.db,keysto,ledger live,library/keychain,local st,login data,login%20data,login.keychain,login\\ data,logins.json,metamask,nkbihfbeogaeaoeh,opera software,security dump-ke,security find,tdata,telegram desktop,wallet.dat',
  },
);

/** All environment variables at once, or each whose name sounds like a secret. */
export const wholeEnvironment = defineProbe(
  /\bdict\(\s{0,2}os\.environ|\bos\.environ\.(?:items|copy|values)\(|\bfor\s[^\n]{1,40}\sin\sos\.environ\b|json\.dumps\([^\n]{0,40}os\.environ\b(?!\s{0,2}(?:\[|\.get))|\{\s{0,2}\*\*os\.environ|str\(os\.environ\)|JSON\.stringify\([^\n]{0,60}process\.env\b(?!\s{0,2}[.[])|Object\.(?:entries|keys|assign|fromEntries)\([^\n]{0,20}process\.env\s{0,2}\)|\bprocess\.env\s{0,2}[,)}](?=[^\n]{0,40}(?:post|send|write|body|data|stringify))|(?:body|data|payload)\s{0,2}[:=]\s{0,2}process\.env\b(?!\s{0,2}[.[])|(?<![\w.-])printenv\b(?!\s{1,2}[A-Z_]{3,40}\b)|(?<![\w.$/-])env\s{0,2}\|\s{0,2}(?!while)|\$\(env\)|`env`|(?<![\w.$/-])env\s{0,2}>{1,2}\s{0,2}["'$/\w]|Get-ChildItem\s{1,3}Env:|gci env:|dir env:|\/proc\/(?:self|\d{1,9}|\*)\/environ|ENV\.to_h|toJSON\(\s?secrets\s?\)|\bexport -p\b|\bset\s{0,2}\|\s{0,2}(?:curl|nc|base64)/gi,
  { needs: 'dict(,env,export -p,get-childitem,json.dumps(,tojson(,set' },
);

/** The content of a project's own secrets. */
export const dotEnvFiles = defineProbe(
  /(?:open\(|readFile(?:Sync)?\(|read_text|cat\s|Path\(|base64\s|cp\s|tar\s[^\n]{0,30}\s|@|\bread\s|contents? of\s|<\s?)[^\n]{0,40}(?<![\w])\.env(?:\.(?:local|production|prod))?(?![\w.(-])|glob[^\n]{0,20}\.env\b|secrets\.(?:ya?ml|json|toml)\b|service-account[\w-]{0,20}\.json|\*\.pem\b/gi,
  { needs: '*.pem,.env,secrets.,service-account' },
);

/** An environment variable that holds a secret. */
export const secretVariables = defineProbe(
  /(?:\$\{?|\bprocess\.env(?:\.|\[["'])|environ(?:\.get\(|\[)["']|getenv\(["']|\$env:|\bENV\[["']|\bGetenv\(["']|%)([A-Z][A-Z0-9_]{0,40}(?:_KEY|_TOKEN|_SECRET|_PASSWORD|_PASSWD|_CREDENTIALS?|_KEY_ID|_PAT|_DSN|_MNEMONIC)|TOKEN|PASSWORD|SECRET)\b/g,
  { needs: '_credential,_dsn,_key,_mnemonic,_passwd,_pat,password,secret,token' },
);

/** Keystrokes, screen and clipboard of the user. */
export const surveillance = defineProbe(
  /\bpynput\b|\bkeylogger|keyboard\.on_(?:press|release)|on_press\s?=|ImageGrab\.grab|\bscreencapture\b|pyautogui\.screenshot|mss\.mss\(|\bpbpaste\b|pyperclip\.paste|xclip\s[^\n]{0,20}-o\b|xsel\s[^\n]{0,12}(?:-o|--output)|Get-Clipboard|GetAsyncKeyState|sounddevice\.rec|pyaudio\.PyAudio|cv2\.VideoCapture\(0|\/dev\/input\/event/gi,
  {
    needs:
      '/dev/input/event,cv2.videocapture,get-clipboard,getasynckeystate,imagegrab.grab,keyboard.on_rele,keylogger,mss.mss(,on_pres,pbpaste,pyaudio.pyaudio,pyautogui.screen,pynput,pyperclip.paste,screencapture,sounddevice.rec,xclip,xsel',
  },
);

/** Programs and libraries that hand out tokens. */
export const tokenCommands = defineProbe(
  /\bgh auth token\b|\.get_credentials\(\)|print-access-token|git credential fill|aws configure (?:get|export-credentials)|get-session-token|169\.254\.169\.254\/|metadata\.google\.internal/gi,
  {
    needs:
      '.get_credentials,169.254.169.254/,aws configure,get-session-toke,gh auth token,git credential f,metadata.google.,print-access-tok',
  },
);
