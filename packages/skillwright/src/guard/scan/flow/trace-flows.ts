// Traces what a skill does with data: secrets that reach the network, and foreign code that is run. Programs are followed on
// their syntax trees, but only where a cheap look finds both ends of a flow.

import type { Match } from '../match.ts';
import type { Layer, ScanFile } from '../scan-file.ts';
import type { ScanSubject } from '../scan-subject.ts';
import { declareWords, type WordId } from '../word-index.ts';
import { evaluateCode } from './evaluate-code.ts';
import { Shell } from './evaluate-shell.ts';
import { Tracer, WrittenFiles } from './tracer.ts';
import type { Value } from './value.ts';

/** The kind of data, and where it went. */
export type FlowKind =
  /** A secret of the user is sent over the network. */
  | 'secret-sent'
  /** A secret variable is encoded first, then sent. */
  | 'variable-sent'
  /** The key of one service is sent to another. */
  | 'key-misdirected'
  /** A download is run as a program. */
  | 'download-run'
  /** A download is evaluated as code. */
  | 'remote-eval'
  /** Decoded text is run. */
  | 'decoded-run'
  /** Something is written to a temporary file and run. */
  | 'temporary-run'
  /** The address of a request is decoded first. */
  | 'decoded-address';

/** Data that went from a source to a sink. */
export interface Flow {
  readonly kind: FlowKind;
  readonly what: string;
  /** Where the data comes from. */
  readonly from: Match;
  /** Which way it goes. */
  readonly steps: readonly Match[];
  /** Where it is sent or run. */
  readonly to: Match;
  /** The host that gets it, if the skill says so. */
  readonly host?: string | undefined;
}

type Language = 'python' | 'javascript' | 'shell' | 'powershell';

/** A program, or a block of code in instructions. */
interface Source {
  readonly text: string;
  readonly offset: number;
  readonly language: Language;
  readonly layer?: Layer;
}

/** Signs of private data. */
const privateSigns = declareWords(
  'environ,process.env,getenv,env.to_h,env[,env.fetch,$_env,env.get(,env::var,.config/,hosts.yml,.ssh,.aws,.env,.npmrc,.netrc,.pypirc,.kube,.gnupg,.docker/,.azure,.git-credentials,id_rsa,id_ed25519,/credentials,credentials.json,keychain,keyring,security find,security dump,login data,cookies.sqlite,/cookies,wallet.dat,electrum,exodus,metamask,mnemonic,seed.txt,seed_phrase,.kdbx,.pem,_history,/etc/passwd,/etc/shadow,printenv,env |,env|,$(env,`env`,export -p,env:,env >,clipboard,pbpaste,pyperclip,xclip,xsel,imagegrab,screencapture,pynput,homedir,expanduser,path.home,auth token,print-access-token,169.254.169,$github,${github,$gh_,${gh_,$aws,${aws,$npm_,${npm_,$slack,${slack,$database,${database,$stripe,${stripe,$gitlab,${gitlab,$openai,${openai,$anthropic,${anthropic,$private_key,.openclaw,.clawdbot,.moltbot,.claude/,.claude.json,.codex/,keystore,tdata,local storage,ssh/,aws/',
);
/** Signs of a way out. */
export const outwardSigns = declareWords(
  `requests,httpx,urllib,http.client,aiohttp,socket,smtplib,ftplib,paramiko,fetch(,fetch =,axios,http.request,https.request,'https',"https",'http',"http",node:http,curl,wget,sendbeacon,xmlhttprequest,nodemailer,dgram,net.connect,net.socket,invoke-webrequest,invoke-restmethod,iwr ,irm ,uploadstring,webclient,nc ,ncat,netcat,/dev/tcp,scp ,rsync ,| ssh,|ssh,ftp ,rclone,s3 cp,s3 sync,nslookup,dig ,gethostbyname,dns.resolve,dns.lookup,'dns',"dns",websocket,sendmail,mail -s,net::http,httparty,faraday,reqwest,boto3,gist create,superagent,undici,telnet,socat,got(,'got',needle,http.post(,http.newrequest,curl_exec,file_get_contents`,
);
/** Signs of something that could be run: a download, something decoded, something in a temporary place. */
const foreignSigns = declareWords(
  `curl,wget,requests,urllib,urlopen,httpx,fetch(,axios,https.get,http.get,'https',"https",invoke-webrequest,iwr ,irm ,downloadstring,downloadfile,recv(,b64decode,base64,atob(,fromhex,unhexlify,marshal.,decompress,frombase64,/tmp/,tempfile,mktemp,tmpdir,%temp%,$env:temp,rot13,rot_13`,
);
/** Signs of running something. */
const runningSigns = declareWords(
  'exec(,eval(,eval ,execsync,execfile,exec)(,eval)(,system(,popen,subprocess,spawn,new function,iex,invoke-expression,start-process,bash ,| bash,|bash,bash -c,| sh,|sh,sh -c,sh ,zsh,python ,python3,node ,chmod,./,source ,pickle.,marshal.,vm.run,child_process,osascript,| python,.then(eval,nohup',
);

const languages: readonly (readonly [Language, RegExp])[] = [
  ['python', /\.(?:pyw?|ipynb)$/i],
  ['powershell', /\.(?:ps1|psm1|psd1)$/i],
  [
    'shell',
    /\.(?:sh|bash|zsh|fish|ksh|command|bats|bat|cmd|mk|ya?ml|toml|conf|service|timer|env)$|(?:^|\/)(?:makefile|justfile|dockerfile|procfile|\.npmrc)$/i,
  ],
  [
    'javascript',
    /\.(?:[cm]?[jt]sx?|rb|go|rs|php|java|kt|cs|swift|lua|pl|pm|c|cc|cpp|h|hpp|m|mm|scala|dart|groovy|gradle|ex|exs|r|nim|zig)$/i,
  ],
];

const blockLanguages: readonly (readonly [Language, RegExp])[] = [
  ['python', /^(?:python|py|python3|ipython)\b/i],
  [
    'javascript',
    /^(?:js|javascript|ts|typescript|jsx|tsx|mjs|node|ruby|rb|php|go|java|csharp|rust|kotlin|swift)\b/i,
  ],
  ['powershell', /^(?:powershell|pwsh|ps1|posh)\b/i],
  [
    'shell',
    /^(?:|bash|sh|zsh|fish|ksh|shell|shellsession|console|terminal|cmd|bat|te?xt|plain(?:text)?|dockerfile|makefile)$/i,
  ],
];

/** Every flow in a skill, and the files that were too long to follow to their end. */
export function traceFlows(subject: ScanSubject): {
  flows: readonly Flow[];
  unfinished: readonly ScanFile[];
} {
  const acting = subject.files.filter(({ kind }) => kind !== 'text');
  const signsIn = (file: ScanFile, part?: { offset: number; text: string }): Signs => {
    const has = (words: readonly WordId[]): boolean => subject.mentions(file, words, part);
    return {
      isPrivate: has(privateSigns),
      isOutward: has(outwardSigns),
      isForeign: has(foreignSigns),
      isRunning: has(runningSigns),
    };
  };
  const whole = acting.map((file) => ({ file, signs: signsIn(file) }));
  const possible = usefulSigns(whole.map(({ signs }) => signs));
  if (possible === undefined) return { flows: [], unfinished: [] };
  const looked = whole.flatMap(({ file, signs }) => {
    if (!possible(signs)) return [];
    const sources = [...sourcesOf(file)];
    if (file.kind !== 'instructions') return [{ file, sources }];
    // Only the code of a page counts, and only the blocks with a sign of their own.
    const each = sources.map((source) => ({ source, signs: signsIn(file, source) }));
    const own = usefulSigns(each.map((one) => one.signs));
    return own === undefined
      ? []
      : [{ file, sources: each.filter((one) => own(one.signs)).map(({ source }) => source) }];
  });
  const flows: Flow[] = [];
  const files = new WrittenFiles();
  const modules = new Map<ScanFile, Map<string, Value> | undefined>();
  const unfinished: ScanFile[] = [];

  const evaluate = (file: ScanFile, sources?: readonly Source[]): Map<string, Value> | undefined => {
    if (modules.has(file)) return modules.get(file);
    modules.set(file, undefined);
    const left = { steps: MAX_STEPS };
    const shells = new Map<Language, Shell>();
    let names: Map<string, Value> | undefined;
    for (const { text, offset, language, layer } of sources ?? sourcesOf(file)) {
      const tracer = new Tracer(file, {
        files,
        flows,
        left,
        offset,
        ...(layer && { layer }),
        module: (path) => {
          const other = moduleFile(path, file, acting);
          return other === undefined ? undefined : evaluate(other);
        },
      });
      if (language === 'shell' || language === 'powershell') {
        // Blocks of one page share their variables, but each has its own places.
        const shell = shells.get(language) ?? new Shell(tracer, language === 'powershell');
        shells.set(language, shell);
        shell.runIn(tracer, text);
      } else names = evaluateCode(text, language, tracer);
      if (tracer.isSpent) {
        unfinished.push(file);
        break;
      }
    }
    modules.set(file, names);
    return names;
  };
  // Again when something was read before it was written: the file that sends may come before the one that writes.
  for (const { file, sources } of looked) evaluate(file, sources);
  if (files.isReadEarly) {
    modules.clear();
    for (const { file, sources } of looked) evaluate(file, sources);
  }
  return { flows, unfinished: [...new Set(unfinished)] };
}

interface Signs {
  readonly isPrivate: boolean;
  readonly isOutward: boolean;
  readonly isForeign: boolean;
  readonly isRunning: boolean;
}

/** Which parts can belong to a flow, when both ends of one occur in some part; undefined when none does. */
function usefulSigns(parts: readonly Signs[]): ((part: Signs) => boolean) | undefined {
  const any = (sign: keyof Signs): boolean => parts.some((part) => part[sign]);
  const canSend = any('isPrivate') && any('isOutward');
  const canRun = any('isForeign') && any('isRunning');
  if (!canSend && !canRun) return undefined;
  return ({ isPrivate, isOutward, isForeign, isRunning }) =>
    (canSend && (isPrivate || isOutward)) || (canRun && (isForeign || isRunning));
}

/** Steps for one file: about a second of work. */
const MAX_STEPS = 400_000;

/** The file of the skill that an import means. */
function moduleFile(path: string, from: ScanFile, files: readonly ScanFile[]): ScanFile | undefined {
  const isRelative = path.startsWith('.');
  if (from.kind === 'instructions') return undefined;
  const name =
    isRelative && !/^\.+\w/.test(path)
      ? path.replace(/^(?:\.{1,2}\/)+/, '')
      : path.replace(/^\.+/, '').replaceAll('.', '/');
  const stem = name.replace(/\.(?:[cm]?[jt]sx?|py)$/, '');
  if (stem === '') return undefined;
  return files.find(({ path: other }) => {
    if (other === from.path || !/\.(?:[cm]?[jt]sx?|py)$/.test(other)) return false;
    const plain = other.replace(/(?:\/index|\/__init__)?\.\w+$/, '');
    return plain === stem || plain.endsWith(`/${stem}`);
  });
}

function* sourcesOf(file: ScanFile): Generator<Source> {
  if (file.kind === 'instructions') {
    yield* codeBlocksOf(file);
    return;
  }
  const { path, text } = file;
  if (/\.json[c5]?$/i.test(path)) {
    // Commands in the settings of programs, such as the scripts of a package.
    for (const match of text.matchAll(/:\s{0,4}"((?:[^"\\\n]|\\.){8,4000})"/g))
      if (/[|;&$]|\b(?:curl|wget|node|python|bash|sh|npx)\b/.test(match[1]!))
        yield {
          text: match[1]!.replace(/\\(["\\/])/g, '$1').replaceAll('\\n', '\n'),
          offset: match.index + match[0].length - match[1]!.length - 1,
          language: 'shell',
        };
    return;
  }
  const notebook = file.layers.find(({ via }) => via === 'notebook cells');
  if (notebook !== undefined) {
    yield { text: notebook.text, offset: 0, language: 'python', layer: notebook };
    return;
  }
  if (/\.(?:html?|vue|svelte|svg)$/i.test(path)) {
    for (const match of text.matchAll(/<script\b[^>]{0,300}>/gi)) {
      const start = match.index + match[0].length;
      const end = text.indexOf('</script', start);
      yield { text: text.slice(start, end < 0 ? text.length : end), offset: start, language: 'javascript' };
    }
    return;
  }
  const interpreter = /^#!.{0,60}\b(python|node|bun|deno|ruby|perl|php|pwsh)/.exec(text)?.[1];
  const named = languages.find(([, pattern]) => pattern.test(path))?.[0];
  const language =
    named ??
    (interpreter === undefined
      ? 'shell'
      : interpreter === 'python'
        ? 'python'
        : interpreter === 'pwsh'
          ? 'powershell'
          : 'javascript');
  // `Net::HTTP.post` and `env::var` in other languages are names with dots.
  yield { text: language === 'javascript' ? text.replaceAll('::', '. ') : text, offset: 0, language };
}

/** The language of code within a sentence. */
const spokenIn = (code: string): Language =>
  /\b(?:require\(|process\.env|fetch\(|=>|(?:const|let|var) \w)/.test(code)
    ? 'javascript'
    : /^(?:import|from)\s|\b(?:os|requests|subprocess|urllib)\.\w+[.(]|^\w+\s?=\s?\w+[.(]/.test(code)
      ? 'python'
      : /\$\w+\s?=|\b(?:iex|irm|iwr|Invoke-\w+|Get-\w+)\b/i.test(code)
        ? 'powershell'
        : 'shell';

function* codeBlocksOf(file: ScanFile): Generator<Source> {
  const starts = [0];
  for (const line of file.lines) starts.push(starts.at(-1)! + line.length + 1);
  let done = 1;
  const spans = function* (until: number): Generator<Source> {
    for (; done < until; done++) {
      const line = file.lines[done - 1] ?? '';
      if (/^(?: {4}|\t)\S/.test(line) && /\S\s+-|[|$(]/.test(line))
        yield { text: line, offset: starts[done - 1]!, language: 'shell' };
      if (!line.includes('`')) continue;
      for (const span of line.matchAll(/`([^`\n]{8,800})`/g))
        if (/\s/.test(span[1]!))
          yield { text: span[1]!, offset: starts[done - 1]! + span.index + 1, language: spokenIn(span[1]!) };
    }
  };
  for (const { line, endLine, language: written } of file.document.codeBlocks) {
    yield* spans(line);
    done = endLine + 1;
    const language = blockLanguages.find(([, pattern]) => pattern.test(written))?.[0];
    if (language === undefined) continue;
    const inner = file.lines.slice(line, Math.max(line, endLine - 1)).join('\n');
    // Prompts are not part of a command.
    const text = language === 'shell' ? inner.replace(/^([ \t]{0,8})[$>%❯](?= )/gm, '$1 ') : inner;
    yield { text, offset: starts[line] ?? 0, language };
  }
  yield* spans(file.lines.length + 1);
}
