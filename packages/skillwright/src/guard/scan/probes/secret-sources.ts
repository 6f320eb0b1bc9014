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
