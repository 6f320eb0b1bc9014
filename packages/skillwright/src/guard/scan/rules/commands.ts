// Rules about what programs and commands do: patterns, and what their matches mean.

import { lineAround } from '../line-around.ts';
import type { Match } from '../match.ts';
import { defineProbe, occursIn } from '../probe.ts';
import { numericHosts } from '../probes/network-sinks.ts';
import { credentialFiles, personalStores, surveillance as watching } from '../probes/secret-sources.ts';
import { defineLooks } from '../scan-rule.ts';
import type { ScanSubject } from '../scan-subject.ts';

const isInProgram = ({ file, zone }: Match): boolean => file.kind === 'script' && zone !== 'comment';

const isNoRemark = ({ isRemark }: Match): boolean => !isRemark;

const knownForms = defineProbe(
  /(?<![\w-])(?:(?:AKIA|ASIA)[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{60,90}|glpat-[\w-]{20}|sk-(?:ant-|proj-)?[A-Za-z0-9_-]{32,180}|xox[bp]-[0-9A-Za-z-]{24,90}|AIza[0-9A-Za-z_-]{35}|[sr]k_live_[0-9A-Za-z]{24,60}|npm_[A-Za-z0-9]{36}|skwr_[A-Za-z0-9_-]{43}|SG\.[\w-]{22}\.[\w-]{43}|ya29\.[\w-]{40,200}|pypi-[\w-]{60,200}|hf_[A-Za-z0-9]{34}|dop_v1_[0-9a-f]{64})(?![\w-])|-----BEGIN (?:RSA |EC |OPENSSH |DSA |PGP )?PRIVATE KEY(?: BLOCK)?-----\s{0,3}[A-Za-z0-9+/=\s]{64,200}|hooks\.slack\.com\/services\/T[0-9A-Z]{8,12}\/B[0-9A-Z]{8,12}\/[0-9A-Za-z]{24}/g,
  {
    needs:
      '-begin,aiza,akia,asia,dop_v1_,gho_,ghp_,ghr_,ghs_,ghu_,github_pat_,glpat-,hf_,hooks.slack.com/,npm_,pypi-,rk_live_,sg.,sk-,sk_live_,skwr_,xoxb-,xoxp-,ya29.',
  },
);

const placeholder =
  /x{4,}|0{6,}|1234|abcd|example|your|placeholder|dummy|fake|sample|test|redacted|\.\.\.|<|\*{3,}|(.)\1{5,}/i;

/** Whether a key is as random as a real one. */
function isRandom(text: string): boolean {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let entropy = 0;
  for (const count of counts.values()) entropy -= (count / text.length) * Math.log2(count / text.length);
  return entropy > 3.2;
}

const isPrivateKey = (text: string): boolean => text.startsWith('-----');

/** Keys and tokens in the formats that services issue. */
export const secretForms = knownForms.pattern;

/** Secrets in the formats that services issue. */
export const hardCodedSecret = defineLooks({
  id: 'SCN101',
  name: 'hard-coded-secret',
  category: 'secrets',
  severity: 'medium',
  summary: 'A file contains a private key, or a key or token of a known service.',
  reason:
    'Everyone who gets the skill gets the secret, and a skill with its own key may collect what is done with it.',
  help: 'Ask the author to revoke the secret and read it from the environment instead.',
  looks: [
    {
      probe: knownForms,
      message: ({ text }) => `contains ${isPrivateKey(text) ? 'a private key' : 'a key or token'}`,
      counts: ({ layer, text }) => layer.via === undefined && !placeholder.test(text) && isRandom(text),
      confidence: ({ file }) => (file.isExample ? 'low' : 'high'),
      excerpt: ({ text }) =>
        isPrivateKey(text) ? text.split('\n')[0]!.slice(0, 40) : `${text.slice(0, 8)}…`,
    },
  ],
});

const shells = defineProbe(
  /(?:ba)?sh\s{1,2}-i\s{0,2}[<>&|0-9]{1,6}\s{0,2}\/dev\/(?:tcp|udp)\/|\/dev\/tcp\/[\w.$-]{3,60}\/[\d$\w]{2,8}[^\n]{0,20}(?:0>&1|<&1|0<&)|exec\s{1,2}\d{1,3}<>\s{0,2}\/dev\/tcp\/|\bn(?:c|cat|etcat)(?:\.exe)?[ \t](?:[^\n]{0,60}\s)?-[a-z]{0,4}[ec]\s{1,2}["']?(?:\/(?:usr\/)?bin\/)?(?:ba|z)?(?:sh|cmd|powershell)|mkfifo\s[^\n]{0,80}\|\s{0,2}(?:\/bin\/)?(?:ba)?sh\s[^\n]{0,60}\|\s{0,2}n(?:c|cat)\b|socat\b[^\n]{0,80}exec:[^\n]{0,40}(?:sh|cmd)|\.connect\([\s\S]{0,300}?os\.dup2\(\s{0,2}\w{1,12}\.fileno\(\)|(?<![\w-])n(?:c|cat|etcat)[ \t][^\n|]{0,60}-[a-z]{0,4}l[^\n|]{0,60}\|\s{0,2}(?:\/bin\/)?(?:ba|z)?sh\b|pty\.spawn\(\s{0,2}\[?["'](?:\/bin\/)?(?:ba|z)?sh[\s\S]{0,40}|TCPClient\([^\n]{0,200}(?:GetStream|iex|Invoke-Expression)|TCPSocket\.(?:new|open)[^\n]{0,160}(?:exec|IO\.popen|spawn)|fsockopen\([^\n]{0,160}(?:exec|proc_open|\/bin\/sh)|net\.(?:Socket|connect|createConnection)\b[\s\S]{0,240}?(?:spawn|exec)\(\s{0,2}["'](?:\/bin\/)?(?:ba)?(?:sh|cmd)|(?:spawn|exec)\(\s{0,2}["'](?:\/bin\/)?(?:ba)?(?:sh|cmd)[\s\S]{0,240}?\.(?:pipe|connect)\(|\.connect\(\([^\n]{0,60}\)\)[\s\S]{0,300}?(?:subprocess\.(?:call|Popen|run|check_output)|os\.(?:popen|system))\([^\n]{0,80}(?:\/bin\/(?:ba)?sh|recv|cmd|command|data|decode)|\.recv\(\d{2,6}\)[\s\S]{0,200}?(?:subprocess\.(?:check_output|run|Popen|getoutput)|os\.(?:popen|system))\(/gi,
  {
    needs:
      '.connect((,.fileno(),.recv(,/dev/tcp/,/dev/udp/,exec(,exec:,fsockopen(,mkfifo,nc\t,nc ,nc.exe,ncat,netcat,spawn(,tcpclient(,tcpsocket.',
  },
);

/** Reverse and bind shells. */
export const reverseShell = defineLooks({
  id: 'SCN204',
  name: 'reverse-shell',
  category: 'remote-code',
  severity: 'critical',
  summary: 'Connects a shell to the network, or runs commands from the network.',
  reason: 'The person at the other end acts on the machine as the user.',
  help: 'Do not run it.',
  looks: [
    {
      probe: shells,
      message: 'connects a shell to the network',
      // A cheat sheet for security testers shows a shell without opening it, unless the address is real.
      severity: (match, { isAboutSecurity }) =>
        match.file.kind === 'instructions' && isAboutSecurity && !occursIn(numericHosts, match.around(80, 80))
          ? 'low'
          : undefined,
    },
  ],
});

const packageHooks = defineProbe(
  /"(?:preinstall|install|postinstall|prepare)"\s{0,3}:\s{0,3}"((?:[^"\\\n]|\\.){1,600})"|"(?:postCreateCommand|onCreateCommand|initializeCommand)"\s{0,3}:\s{0,3}"((?:[^"\\\n]|\\.){1,600})"|"runOn"\s{0,3}:\s{0,3}"folderOpen"/g,
  {
    needs:
      '"folderopen","initializecomma,"install","oncreatecommand,"postcreatecomma,"postinstall","preinstall","prepare"',
    reach: 1300,
  },
);

const fetching =
  /\b(?:curl|wget|fetch\(|https?:\/\/|base64|eval|iwr|Invoke-|nc\s|\/dev\/tcp|node\s{1,2}-e|python\d?\s{1,2}-c|powershell)\b/i;

const commandOf = ({ groups }: Match): string => groups[0] ?? groups[1] ?? '';

/** Hooks of package managers and editors that use the network or evaluate code. */
export const installHook = defineLooks({
  id: 'SCN205',
  name: 'install-hook',
  category: 'remote-code',
  severity: 'high',
  summary: 'A hook of a package manager or an editor downloads something or evaluates code.',
  reason: 'Hooks run automatically as soon as the package is installed or the folder is opened.',
  help: 'Do not install the package. If you need it, install it with scripts switched off.',
  looks: [
    {
      probe: packageHooks,
      message: 'a hook that runs automatically downloads or evaluates something',
      counts: (match) => match.file.kind === 'config' && fetching.test(commandOf(match)),
      severity: (match) => (/https?:|curl|wget|eval|base64/i.test(commandOf(match)) ? 'critical' : 'high'),
    },
  ],
});

const installs = defineProbe(
  /\b(?:(?:pip3?|uv pip|npm|pnpm|bun|gem|brew) (?:install|i|add)|(?:yarn|uv|pnpm|bun) add|npx|uvx)\b(?:[ \t]{1,3}(?!https?:|git\+)[@\w.=/-]{1,60}){0,6}[ \t]{1,3}["']?(?:git\+)?https?:\/\/[^\s"'`)]{4,200}|--(?:extra-)?index-url[=\s]{1,3}["']?http[^\s"'`]{4,200}|--trusted-host[=\s]{1,3}[^\s"'`]{3,100}|--registry[=\s]{1,3}["']?https?:\/\/[^\s"'`]{4,200}|^\s{0,4}(?:registry|(?:extra-)?index-url)\s?=\s?https?:\/\/[^\s"'`]{4,200}|"(?!(?:url|git|href|source|homepage|repository)")[\w@/.-]{2,60}"\s{0,2}:\s{0,2}"(?:git\+)?https?:\/\/[^\s"'`]{4,160}\.(?:tgz|git)\b[^"\s]{0,40}|\bGOPROXY=https?:\/\/[^\s"',]{4,100}/gim,
  {
    needs:
      'registry,goproxy,index-url,.tgz,.git,--trusted-host,-index-ur,brew,bun add,bun i,gem add,gem i,npm add,npm i,npx,pip add,pip i,pip3,uv add,uvx,yarn add',
    reach: 700,
  },
);

const usual =
  /https?:\/\/(?:[\w-]{1,30}\.){0,2}(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|pypi\.org|pythonhosted\.org|npmjs\.(?:org|com)|yarnpkg\.com|pytorch\.org|nvidia\.com|huggingface\.co|npmmirror\.com|tsinghua\.edu\.cn|aliyun\.com|tencent\.com|anaconda\.com|conda\.io|googleapis\.com|amazonaws\.com|microsoft\.com|azure\.com|localhost|127\.0\.0\.1|jsr\.io|verdaccio|artifactory|nexus|esm\.sh|unpkg\.com|jsdelivr\.net|rubygems\.org)/i;

/** Installations from unknown addresses. */
export const installFromUrl = defineLooks({
  id: 'SCN206',
  name: 'install-from-url',
  category: 'download-and-run',
  severity: 'medium',
  summary: 'Installs a package from an address that is neither a registry nor a well-known forge.',
  reason: 'No one else uses or checks such a package, and it can change at any time.',
  help: 'Find out what the package is, and install it from its registry.',
  looks: [
    {
      probe: installs,
      message: 'installs a package from an unknown address',
      counts({ text }) {
        const isRunner = /^(?:npx|uvx)\b/i.test(text);
        if (isRunner && !/^(?:npx|uvx)(?:\s+-\S+)*\s+["']?(?:git\+)?https?:/i.test(text)) return false;
        return occursIn(numericHosts, text) || (!usual.test(text) && /https?:\/\//i.test(text));
      },
      severity: ({ text }) => (occursIn(numericHosts, text) ? 'high' : 'medium'),
      share({ text }) {
        const isPlain = /\shttp:\/\//i.test(text) || /\.(?:tgz|whl|tar\.gz|zip)\b/i.test(text);
        // Another registry decides about every package.
        return isPlain ||
          /^\s*(?:registry|index-url|GOPROXY)|--registry/i.test(text) ||
          occursIn(numericHosts, text)
          ? 1
          : 0.6;
      },
    },
  ],
});

const opened = defineProbe(
  /(?<![\w-])ssh\s[^\n]{0,120}-[a-zA-Z]{0,4}R\s{0,2}\d{0,5}:?(?:localhost|127\.0\.0\.1):22\b[^\n]{0,120}|\bmcp-remote\b[^\n]{0,60}["'\s]http:\/\/(?!localhost|127\.)[^\n]{0,80}|\bchisel\s{1,2}client\s[^\n]{0,80}R:[^\n]{0,40}/gi,
  { needs: '127.0.0.1:22,chisel,localhost:22,mcp-remote' },
);

/** Web shells, and tunnels into the machine. */
export const remoteControl = defineLooks({
  id: 'SCN207',
  name: 'remote-control',
  category: 'remote-code',
  severity: 'high',
  summary: 'Runs a command taken from a request, or opens a way into the machine.',
  reason: 'Anyone who finds the way in acts on the machine as the user.',
  help: 'Do not run it.',
  looks: [{ probe: opened, message: 'opens a way into the machine', counts: isNoRemark, share: 0.7 }],
  flows: [{ kind: 'request-run', message: 'runs a command taken from a request' }],
});

const lookups = defineProbe(
  /(?<![\w-])(?:nslookup|dig|host|ping(?:\s-c\s?\d)?)\s{1,3}(?:\+\w{1,12}\s{1,3})?["']?(?:\$\(|`[a-z]|\$\{?\w{1,30}\}?\.)[^\n]{0,120}|(?:gethostbyname|getaddrinfo|dns\.(?:resolve\w{0,4}|lookup|promises\.\w{1,10})|resolver\.(?:resolve|query))\(\s{0,2}(?:f["'][^"'\n]{0,60}\{[^\n]{1,60}\}\.[\w.-]{3,60}|`[^`\n]{0,40}\$\{[^\n]{1,60}\}\.[\w.-]{3,60}|[\w.[\]:()]{1,60}\s?\+\s?["']\.)|Resolve-DnsName\s[^\n]{0,40}\$|(?:nslookup|dig)\b[^\n]{0,30}["'`]?\s?\+\s?\w[^\n]{0,80}\+\s?["']\.|(?:nslookup|dig)\s[^\n]{0,20}\{[\w.[\]:()]{1,40}\}\.[\w.-]{3,60}/gi,
  { needs: 'dig,getaddrinfo,host,lookup,ping,promises.,resolve' },
);

/** Lookups of names built from data. */
export const dnsExfiltration = defineLooks({
  id: 'SCN303',
  name: 'dns-exfiltration',
  category: 'exfiltration',
  severity: 'high',
  summary: 'Builds a host name from data and looks it up.',
  reason: 'The owner of the domain reads the data in the query, past most firewalls.',
  help: 'Do not run it unless you know who owns the domain.',
  looks: [
    {
      probe: lookups,
      message: 'looks up data as a host name',
      counts({ layer, index, text }) {
        const around = layer.text.slice(Math.max(0, index - 300), index + 300);
        const packs =
          /base64|xxd|hex|b32|encode|cut|\[\w{0,6}:\w{0,6}\]|slice|chunk|cat\s|environ|process\.env|whoami/i.test(
            around,
          );
        const isOwn =
          /\$\{?(?:DOMAIN|HOST|SUBDOMAIN|TARGET|domain|host|target|sub|site|url|1)\b/.test(text) &&
          !/base64|\$\(/.test(text);
        return packs && !isOwn;
      },
    },
  ],
});

const swapped = defineProbe(/\(?:?\(?bc1\|?|0x\[a-f|0x\[0-9|\[13\]\[a-km|\[13\]\)\[/gi, {
  needs: '0x[0-9,0x[a-f,[13])[,[13][a-km,bc1',
});

const recordsKeys = /pynput|keylog|on_press|GetAsyncKeyState|\/dev\/input/i;
const announcesRecording =
  /key(?:board|log)|screen|clipboard|record|audio|microphone|camera|video|voice|hotkey|automat|gui|desktop|paste|speech|image|vision|ocr/i;

/** Keyloggers, and unannounced recording of screen, sound and clipboard. */
export const surveillance = defineLooks({
  id: 'SCN305',
  name: 'surveillance',
  category: 'exfiltration',
  severity: 'medium',
  summary:
    'A script records keystrokes, the screen, the clipboard, sound or images, and the description does not say so.',
  reason: 'Passwords and private data pass through all of these.',
  help: 'Use the skill only if you want it to record.',
  looks: [
    {
      probe: swapped,
      message: 'looks for wallet addresses in the clipboard',
      counts: ({ file }, subject) =>
        file.kind === 'script' &&
        (subject.matchesIn(file, watching).some(({ text }) => /clip|paste|xsel/i.test(text)) ||
          /\b(?:pbcopy|xsel|xclip|clip\.exe|clipboardy|pyperclip)\b/.test(file.text)),
      severity: 'critical',
      confidence: ({ file }) => (file.isExample ? 'low' : 'high'),
    },
    {
      probe: watching,
      message: ({ text }) =>
        recordsKeys.test(text) ? 'records keystrokes' : 'records the screen, the clipboard or sound',
      counts: (match, { topic }) =>
        isInProgram(match) && (/keylog/i.test(match.text) || !announcesRecording.test(topic)),
      severity: ({ text }) => (recordsKeys.test(text) ? 'high' : 'medium'),
      share: ({ text }) => (recordsKeys.test(text) ? 1 : 0.6),
    },
  ],
});

const reading =
  /\b(?:open\(|read|cat|cp|copy|tar|zip|base64|glob|walk|rglob|readFile|copyfile|sqlite3|Get-Content|type|head|tail|grep|find|xxd|scp|strings|less|load|targets?|paths?|files?|locations?)\b/i;

const phish = defineProbe(
  /display dialog[^\n]{0,200}hidden answer|\$Host\.UI\.PromptForCredential|Get-Credential[^\n]{0,80}-Message|zenity --password[^\n]{0,80}>|read -s[^\n]{0,60}pass[^\n]{0,120}(?:curl|nc\s|>\s?\/tmp)/gi,
  { needs: '$host.ui.promptf,display dialog,get-credential,read -s,zenity --passwor' },
);

const everySecret = defineProbe(/\$\{\{\s{0,3}toJSON\(\s{0,3}secrets\s{0,3}\)/gi, { needs: 'tojson(' });

const storesAreTopic =
  /browser|cookie|chrome|keychain|password|wallet|solana|ethereum|crypto|keystore|secret|credential/i;
const keysAreTopic =
  /ssh|aws|kube|docker|gcp|gcloud|azure|cloud|git|deploy|npm|publish|credential|secret|key|server|devops|infra|login|auth|openclaw|clawdbot|claude|codex|history/i;

/** Access to the user's private data. */
export const credentialAccess = defineLooks({
  id: 'SCN401',
  name: 'credential-access',
  category: 'credentials',
  severity: 'medium',
  summary:
    'A script or command reads private keys, stored passwords, cookies or wallets, or asks for a password under a pretext.',
  reason: 'Few skills need this data, and a later step can send it away.',
  help: 'Find out why the skill reads it. Without a good reason, do not run it.',
  looks: [
    {
      probe: personalStores,
      message: 'reads stored passwords, cookies or wallets',
      counts: ({ file, zone }) => zone === 'shell' || (file.kind === 'script' && zone !== 'comment'),
      severity: ({ file }, { topic }) =>
        file.kind === 'script' && !storesAreTopic.test(topic) ? 'high' : 'medium',
      share: ({ file }, { topic }) => (storesAreTopic.test(topic) || file.kind !== 'script' ? 0.5 : 1),
    },
    { probe: phish, message: 'asks for a password under a pretext', severity: 'high' },
    { probe: everySecret, message: 'reads every secret of a build pipeline', counts: isNoRemark },
    {
      probe: credentialFiles,
      message: 'reads private keys or credentials',
      counts(match) {
        if (match.isRemark) return false;
        const start = match.index + match.text.search(/\S/);
        const line = lineAround(match.layer.text, start, { before: 300, after: 200 });
        const takes =
          /id_(?:rsa|ed25519|ecdsa)(?!\.pub)|credentials|_history|shadow|\.netrc|\.pypirc|git-credentials|hosts\.yml|\.gnupg/i.test(
            match.text,
          );
        if (!takes || !reading.test(line) || /\b(?:ssh|scp|ssh-\w+|rsync|chmod)\s/.test(line)) return false;
        return match.file.kind === 'script' || match.zone === 'shell' || match.layer.via !== undefined;
      },
      share: (_, { topic }) => (keysAreTopic.test(topic) ? 0.4 : 0.59),
    },
  ],
});

const hooks = defineProbe(/["']?command["']?\s{0,2}:\s{0,2}["'|>]?((?:[^"\\\n]|\\.){1,400})/g, {
  needs: 'command',
  reach: 900,
});

/** Names of events and servers that have commands in agent settings. */
const events = /["']hooks["']|\bhooks:|mcpServers|PreToolUse|PostToolUse|SessionStart|UserPromptSubmit/i;

/** Maximum distance between such a word and its command. */
const NEAR = 900;

const loosened = defineProbe(
  /"defaultMode"\s{0,2}:\s{0,2}"bypassPermissions"|"enableAllProjectMcpServers"\s{0,2}:\s{0,2}true|"allow"\s{0,2}:\s{0,2}\[\s{0,4}"(?:\*|Bash(?:\(\*(?::\*)?\))?)"|"skipDangerousModePermissionPrompt"\s{0,2}:\s{0,2}true|"chat\.tools\.autoApprove"\s{0,2}:\s{0,2}true/gi,
  { needs: '"allow","bypasspermissio,"chat.tools.auto,"enableallprojec,"skipdangerousmo' },
);

const diverted = defineProbe(
  /\b(?:ANTHROPIC|OPENAI|GEMINI)_(?:BASE_URL|API_BASE)["'`]?\s{0,2}[:=]\s{0,2}["'`]?https?:\/\/([\w.-]{3,100})/g,
  { needs: 'anthropic_,openai_,gemini_' },
);

const doubtful =
  /\b(?:curl|wget|nc|ncat|Invoke-WebRequest|iwr)\b[^"\n]{0,200}(?:-d|--data|\||-X\s?POST|-F|\$\(|@-|https?:\/\/)|base64\s{1,2}-d|\/dev\/tcp|\beval\b|https?:\/\/\d{1,3}\.\d/i;

/** Hooks that use the network, and blanket permissions. */
export const shippedSettings = defineLooks({
  id: 'SCN503',
  name: 'shipped-settings',
  category: 'permissions',
  severity: 'high',
  summary: 'Settings in the skill run network commands on agent events, or grant blanket permissions.',
  reason: 'Hooks see every prompt and every tool call, and run without a decision of the agent.',
  help: 'Remove the settings, or read every command in them.',
  looks: [
    {
      probe: hooks,
      message: 'an agent hook or server runs a network command',
      counts: (match) =>
        doubtful.test(match.groups[0] ?? '') &&
        events.test(match.around(NEAR, NEAR)) &&
        (match.file.kind === 'config' || match.zone === 'frontmatter'),
    },
    {
      probe: diverted,
      message: 'sends every prompt of the agent to another server',
      counts: (match, subject) =>
        !match.isRemark &&
        !/^\s*\|/.test(match.file.lines[match.line - 1] ?? '') &&
        !subject.isAbout(match.groups[0] ?? ''),
      severity: ({ file }) => (file.kind === 'config' ? 'high' : 'medium'),
    },
    {
      probe: loosened,
      message: 'grants blanket permissions',
      counts: (match) => match.file.kind === 'config' || isInProgram(match),
      severity: ({ file }) => (file.kind === 'script' ? 'high' : 'medium'),
    },
  ],
});

const hiddenCommands = defineProbe(
  /\b(?:curl|wget)\s{1,3}(?:-[\w-]{1,16}\s{1,3}){0,5}["']?https?:|\/bin\/(?:ba)?sh\b|\bbash\s{1,2}-[ic]\b|\bimport\s{1,2}(?:os|socket|subprocess|requests|urllib|base64|pty)\b|\b(?:exec|eval)\(|\bsubprocess\.|\bsocket\.socket|\bpowershell\b|\brm -rf\b|\bchild_process\b|\bignore (?:all |any )?(?:previous|prior)|\bdo not tell\b|\.ssh\/|https?:\/\/(?:\d{1,3}\.){3}\d{1,3}|\bnslookup\b|webhook\.site|api\/webhooks|\/dev\/tcp\//gi,
  {
    needs:
      '.ssh/,/bin/sh,/dev/tcp/,api/webhooks,bash,child_process,curl,do not tell,eval(,exec(,http://,https://,ignore all,ignore any,ignore previous,ignore prior,import,nslookup,powershell,rm -rf,socket.socket,subprocess.,webhook.site,wget',
    hiddenOnly: true,
  },
);

/** Commands and instructions in encoded text. */
export const encodedPayload = defineLooks({
  id: 'SCN602',
  name: 'encoded-payload',
  category: 'obfuscation',
  severity: 'high',
  summary: 'Encoded text in a file decodes to commands, code or instructions.',
  reason: 'Readers of the skill do not see what it contains.',
  help: 'Judge the skill by the decoded text.',
  looks: [
    {
      probe: hiddenCommands,
      message: ({ layer }) => `commands or code hidden in ${layer.via}`,
      counts: ({ layer, text }) =>
        // Addresses are percent-encoded for good reasons, and source maps hold whole programs.
        (layer.via !== 'percent encoding' || /sh\b|exec|eval|rm /.test(text)) &&
        !layer.text.startsWith('{"version":3'),
      confidence: ({ file }, { isAboutSecurity }) =>
        file.isExample ? 'low' : isAboutSecurity ? 'medium' : 'high',
      excerpt: ({ layer }) => layer.text.slice(0, 160),
    },
  ],
});

const injected = defineProbe(
  /\bVirtualAlloc(?:Ex)?\b[\s\S]{0,400}?\b(?:CreateThread|RtlMoveMemory|CreateRemoteThread|GetDelegateForFunctionPointer)\b|\bWriteProcessMemory\b|\bCreateRemoteThread\b|\bmmap\b[\s\S]{0,200}?PROT_EXEC[\s\S]{0,300}?CFUNCTYPE|\bmemfd_create\b[\s\S]{0,300}?\bexec/gi,
  { needs: 'createremotethre,memfd_create,prot_exec,virtualalloc,writeprocessmemo', reach: 600 },
);

const macro = defineProbe(
  /\bSub\s{1,3}(?:Auto_?Open|AutoExec|Document_Open|Workbook_Open)\b[\s\S]{0,800}?\b(?:Shell|CreateObject\(\s?"(?:WScript\.Shell|MSXML2|Shell\.Application)|URLDownloadToFile|powershell|cmd(?:\.exe)? \/c)\b/gi,
  { needs: 'auto_open,autoexec,autoopen,document_open,workbook_open', reach: 900 },
);

const isNoExample = ({ file, layer }: Match): boolean =>
  file.kind !== 'instructions' || layer.via !== undefined;

/** Machine code and macros that run automatically. */
export const machineCode = defineLooks({
  id: 'SCN603',
  name: 'machine-code',
  category: 'obfuscation',
  severity: 'critical',
  summary:
    'A script loads machine code into memory and runs it, or a macro starts a program when a file is opened.',
  reason: 'People cannot read machine code, which is why it is used.',
  help: 'Do not run it.',
  looks: [
    { probe: injected, message: 'loads machine code into memory and runs it', counts: isNoExample },
    {
      probe: macro,
      message: 'a macro starts a program when the file is opened',
      counts: isNoExample,
      // A macro is meant to run, whatever is around it.
      confidence: 'high',
    },
  ],
});

const lowers = defineProbe(
  /\bsecurity\s{1,2}add-trusted-cert\b[^\n]{0,60}|\bnetworksetup\s{1,2}-set(?:web|secureweb|socks)\w{0,12}proxy\b[^\n]{0,60}|certutil(?:\.exe)?\s{1,2}-addstore\b[^\n]{0,40}|\b(?:npm|git|pip3?)\s{1,2}config\s[^\n]{0,40}(?:proxy|registry|index-url)\s{1,2}["']?https?:\/\/(?!localhost|127\.|[\w.-]{0,40}(?:npmjs|pypi|npmmirror|tsinghua|aliyun|example)\.)[^\s"']{4,100}|\bxattr\s{1,3}(?:-\w{1,4}\s{1,3}){0,2}(?:-d\s{1,3})?(?:com\.apple\.quarantine|-cr?)\b[^\n]{0,60}|\bxattr\s{1,3}-(?:c|cr|rc|rd)\b[^\n]{0,60}|spctl\s{1,3}--master-disable|setenforce\s{1,2}0|NOPASSWD:\s?ALL|DisableRealtimeMonitoring\s{1,2}\$?true|Add-MpPreference\s[^\n]{0,20}-Exclusion|csrutil disable|\bufw disable|iptables\s{1,2}-F\b|netsh advfirewall set[^\n]{0,40}off|chmod\s{1,2}(?:u\+s|\+s|[42]7\d\d)\b[^\n]{0,60}|history\s{1,2}-c\b|(?:unset\s{1,2}HISTFILE|HISTFILE=\/dev\/null|HISTSIZE=0)|AmsiUtils|amsiInitFailed|vssadmin\s{1,2}delete|wevtutil\s{1,2}cl\b|usermod\s{1,2}-aG\s{1,2}(?:sudo|wheel|root)\b|(?:>>|tee -a)\s{0,2}\/etc\/sudoers|\btruncate\s{1,2}-s\s?0\s[^\n]{0,80}(?:\/var\/log\/|_history)|>\s{0,2}~\/\.\w{2,5}_history\b|\bGOSUMDB=off\b|^strict-ssl\s?=\s?false\b|\bnet1?(?:\.exe)?\s{1,2}(?:user\s[^\n]{1,60}|localgroup\s{1,2}administrators\s[^\n]{1,40})\/add\b|\bEnableLUA\b[^\n]{0,30}\b0\b|\bfDenyTSConnections\b[^\n]{0,30}\b0\b|Set-NetFirewallProfile\s[^\n]{0,60}False\b|Set-ExecutionPolicy\s{1,2}(?:Unrestricted|Bypass)\b[^\n]{0,30}LocalMachine/gim,
  {
    needs:
      'truncate,_history,gosumdb=off,strict-ssl,add-trusted-cert,/add,enablelua,fdenytsconn,set-netfirewallp,set-executionpol,networksetup,-addstore,proxy,registry,index-url,--master-disable,/etc/sudoers,add-mppreference,amsiinitfailed,amsiutils,chmod,csrutil disable,disablerealtimem,histfile,history,histsize=0,iptables,netsh advfirewal,nopasswd:,setenforce,ufw disable,usermod,vssadmin,wevtutil,xattr',
  },
);

/** As many different protections of one machine as this are not switched off by an honest program. */
const STRIPPED = 3;

/** Whether a program switches off one protection after another. */
function isStripping({ file }: Match, subject: ScanSubject): boolean {
  const all = subject
    .matchesIn(file, lowers)
    .filter((match) => isInProgram(match) || (match.zone === 'shell' && !subject.isAboutSecurity));
  return new Set(all.map(({ text }) => text.slice(0, 12).toLowerCase())).size >= STRIPPED;
}

/** Attempts to lower protection. */
export const loweredProtection = defineLooks({
  id: 'SCN902',
  name: 'lowered-protection',
  category: 'permissions',
  severity: 'medium',
  summary: 'Switches off or changes quarantine, firewalls, virus scanners, history or sudo rules.',
  reason: 'They stop malware. No skill has to switch them off.',
  help: 'Leave the protection on.',
  looks: [
    {
      probe: lowers,
      message: 'switches off or bypasses a protection of the machine',
      counts: isNoRemark,
      severity: (match, subject) =>
        isStripping(match, subject)
          ? 'high'
          : /quarantine|networksetup|spctl|NOPASSWD|Realtime|truncate|_history|MpPreference|Amsi|vssadmin|wevtutil|HISTFILE|history -c|chmod\s{1,2}[u+42]|sudoers/i.test(
                match.text,
              )
            ? 'medium'
            : 'low',
      share: (_, { topic }) =>
        /linux|server|sysadmin|devops|macos|windows|build|package|release|docker|forensic/i.test(topic)
          ? 0.6
          : 1,
    },
  ],
});

const wipes = defineProbe(
  /\brm[ \t]{1,3}-(?:rf|fr|r\s{1,2}-f|f\s{1,2}-r)\w{0,4}\s{1,3}(?:--no-preserve-root\s{1,2})?["']?(?:\/(?=\s|["';&|)]|$|\*)|~\/?(?=\s|["';&|)*]|$)|\$HOME\/?(?=\s|["';&|)*]|$)|\$\{HOME\}\/?(?=\s|["';&|)*]|$)|~\/(?:Documents|Desktop|Pictures|Downloads|\*))|rmtree\(\s{0,2}(?:os\.path\.expanduser\(["']~["']\)|Path\.home\(\)|["']\/["']|home\b)|rm(?:dir)?Sync\(\s{0,2}os\.homedir\(\)|\bmkfs(?:\.\w{2,5})?\s{1,3}\/dev\/|\bdd\s{1,3}if=\/dev\/(?:zero|u?random)\s{1,3}of=\/dev\/|\bshred\s[^\n]{0,40}(?:(?:~|\$HOME|\/home\/\w{1,30})\/?(?:Documents|Desktop|Pictures|\*)?\/?\*?(?=\s|["';&|)]|$)|\/dev\/sd)|:\(\)\s?\{\s?:\|:&\s?\};:|Remove-Item\s[^\n]{0,40}(?:\$HOME|\$env:USERPROFILE|C:\\{1,2}\*?)\s[^\n]{0,30}-Recurse|diskutil eraseDisk|del\s{1,2}\/[sfq][^\n]{0,20}C:\\/gi,
  { needs: ':|:&,c:\\,diskutil erasedi,mkfs,of=/dev/,os.homedir(),remove-item,rm\t,rm ,rmtree,shred' },
);

const ransom = defineProbe(
  /\b(?:files?|data|documents?) (?:have been|has been|are|were) (?:encrypted|locked)\b|(?:\.locked|\.encrypted|\.crypt)["'][\s\S]{0,240}?(?:os\.remove|unlink|os\.rename)|(?:os\.walk|rglob|glob)\([\s\S]{0,400}?\.encrypt\([\s\S]{0,200}?(?:os\.remove|os\.rename|unlink|write)|\b(?:send|pay)\s[\d.]{1,8}\s?(?:BTC|XMR|ETH|bitcoin)\b/gi,
  {
    needs:
      '.encrypt(,are enc,are lo,bitcoin,btc,documents are en,eth,has be,have b,os.remove,os.rename,unlink,were e,were l,xmr',
    reach: 700,
  },
);

const miner = defineProbe(
  /\bxmrig\b|stratum\+(?:tcp|ssl):\/\/|--donate-level\b|\bminerd\b|\bcpuminer\b|\bcryptonight\b|\bcoinhive\b|\bethminer\b|\bminexmr\b|\bsupportxmr\b/gi,
  { needs: '--donate-level,coinhive,cryptonight,miner,minexmr,stratum,supportxmr,xmrig' },
);

const exhausts = defineProbe(
  /while True:[\s\S]{0,160}?os\.fork\(\)|while\s?\(?true\)?\s?[:;{]?\s{0,20}(?:do\s{1,4})?(?:fork\(|yes > \/dev\/null)|(?:while True:|while\s?\(true\)\s?\{)\s{0,40}\w{1,20}(?:\.append|\.push|\s?\+=)\([^\n]{0,40}(?:\*\s?1024|\.repeat\(|alloc\()|(?:for \w{1,10} in range\(\d{4,9}\)|while True):?[\s\S]{0,80}?(?:Thread|Process)\([^\n]{0,60}\)\.start\(\)/gi,
  { needs: '(true),).start(),fork(,while true:,yes > /dev/null' },
);

const isRun = (match: Match): boolean =>
  isInProgram(match) || match.file.kind === 'config' || match.layer.via !== undefined;

/** Whether a program looks for a command in order to refuse it. */
function isGuard({ layer, index }: Match): boolean {
  const line = lineAround(layer.text, index, { before: 160, after: 120 });
  return /block|deny|dangerous|forbid|refuse|reject|pattern|prevent|guard|regex|never/i.test(line);
}

const encryptionIsTopic = /\b(?:(?:en|de)crypt\w*|cipher|vault|passphrase|password[- ]protect\w*)\b/i;
const paysRansom = /\b(?:BTC|XMR|bitcoin|monero|ransom|pay(?:ment)?)\b/i;
const demandsRansom = /\b(?:BTC|XMR|bitcoin)\b|encrypted\b.*files|files.*encrypted|\.locked/i;

/** Wiping, ransom, mining and exhaustion. */
export const destruction = defineLooks({
  id: 'SCN921',
  name: 'destruction',
  category: 'destruction',
  severity: 'high',
  summary: "Wipes or locks the user's files, or uses the machine for mining or overloads it.",
  reason: 'The damage is done before anyone can stop it.',
  help: 'Do not run it.',
  looks: [
    {
      probe: wipes,
      message: "wipes the user's files or a whole disk",
      severity: (match) => (isRun(match) && !isGuard(match) ? 'critical' : 'medium'),
      share: (match) => (isGuard(match) ? 0.3 : isRun(match) ? 1 : 0.7),
    },
    {
      probe: ransom,
      message: 'encrypts files and removes the originals',
      counts: isRun,
      severity: ({ text }) => (demandsRansom.test(text) ? 'critical' : 'high'),
      // Locking the user's own files is a purpose, unless somebody is to be paid.
      share: ({ file, text }, { topic }) =>
        encryptionIsTopic.test(topic) && !paysRansom.test(file.text)
          ? 0.2
          : demandsRansom.test(text)
            ? 1
            : 0.5,
    },
    {
      probe: miner,
      message: 'uses the machine for mining',
      counts: ({ file, zone }) => file.kind !== 'instructions' || zone !== 'prose',
      severity: (match) => (isRun(match) ? 'critical' : 'medium'),
      share: (_, { topic }) => (/\bmin(?:e|er|ing)\b|crypto|blockchain/i.test(topic) ? 0.4 : 1),
    },
    {
      probe: exhausts,
      message: 'overloads the machine without end',
      counts: isRun,
      severity: 'medium',
      share: 0.7,
    },
  ],
  flows: [{ kind: 'home-wiped', message: "deletes the user's files", severity: 'critical', isFirst: true }],
});
