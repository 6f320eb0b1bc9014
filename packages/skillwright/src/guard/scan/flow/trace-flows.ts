// Traces what a skill does with data: secrets that reach the network, and foreign code that is run. Programs are followed on
// their syntax trees, but only where a cheap look finds both ends of a flow.

import type { Match } from '../match.ts';
import { declareWords, type WordId } from '../probe.ts';
import { lastBefore, type ScanFile } from '../scan-file.ts';
import type { ScanSubject } from '../scan-subject.ts';
import { type Language, type Source, sourcesOf } from './code-of.ts';
import { evaluateCode } from './evaluate-code.ts';
import { Shell } from './evaluate-shell.ts';
import { type Act, Tracer, WrittenFiles } from './tracer.ts';
import type { Value } from './value.ts';

/** The kind of data, and where it went. */
export type FlowKind =
  /** A secret of the user is sent over the network. */
  | 'secret-sent'
  /** A secret variable is encoded first, then sent. */
  | 'variable-sent'
  /** A file, or what a command prints, is uploaded. */
  | 'work-sent'
  /** The key of one service is sent to another. */
  | 'key-misdirected'
  /** A download is run as a program. */
  | 'download-run'
  /** A request that anyone can send is run. */
  | 'request-run'
  /** The user's own files are deleted. */
  | 'home-wiped'
  /** A download is evaluated as code. */
  | 'remote-eval'
  /** Decoded text is run. */
  | 'decoded-run'
  /** The address of a request is decoded first. */
  | 'decoded-address'
  /** Something foreign is written to a file that other programs start. */
  | 'start-planted'
  /** Something foreign or private is written to what agents read. */
  | 'agent-planted';

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

/** Signs of private data. */
const privateSigns = declareWords(
  'psycopg,asyncpg,pymysql,mysqldb,mysql.connector,mysql2,create_engine,mongoclient,new pool(,pg.client,transcript_path,mysqldump,pg_dump,mongodump,mongoexport,mariadb-dump,.storagestate,} = process,}=process,read -s,read -rs,read -sr,credential fill, env\n,\nenv\n,key=clear,tojson(secrets,kubectl config,browsercookie,browser_cookie,pycookiecheat,secretstorage,win32crypt,get secret,vault kv,op item,op read,secretsmanager,secrets versions,keyvault,env pull,heroku config,pass show,iam create,_authtoken,export-secret,/messages,\\messages,"messages",\'messages\',chat.db,addressbook,signal/,signal\\,"signal",\'signal\',whatsapp,thunderbird,outlook/,outlook\\,metadata.google,privatekey,private_key,mss.mss,screenshot,$_env,.config/,hosts.yml,.ssh,.aws,.npmrc,.netrc,.pypirc,.kube,.gnupg,.docker/,.azure,.git-credentials,id_rsa,id_ed25519,/credentials,credentials.json,keychain,keyring,security find,security dump,login data,cookies.sqlite,/cookies,wallet.dat,electrum,exodus,metamask,mnemonic,seed.txt,seed_phrase,.kdbx,.pem,_history,/etc/passwd,/etc/shadow,printenv,env |,env|,$(env,`env`,export -p,env:,env >,clipboard,pbpaste,pyperclip,xclip,xsel,imagegrab,screencapture,pynput,homedir,expanduser,path.home,auth token,print-access-token,169.254.169,.openclaw,.clawdbot,.moltbot,.claude/,.claude.json,.codex/,keystore,/tdata,\\tdata,"tdata",\'tdata\',local storage,ssh/,aws/',
);
/** Signs of variables: private only if all are taken, if they are packed first, or if they are keys that one service gets. */
const variableSigns = declareWords(
  'environ,process.env,getenv,secrets,env.to_h,env[,env.fetch,env.get(,env::var,bun.env,$',
);
const packingSigns = declareWords(
  'b64,base64,btoa,hexlify,.hex(,\'hex\',"hex",compress,gzip,deflate,encrypt,socket,dgram,dns,gethostby,nslookup,dig ,net.connect, nc ,|nc ,\nnc ,ncat,/dev/tcp,xxd,openssl,aws_,tojson(,key=clear,github_,gh_,gitlab_,npm_,database_,postgres,mongo,redis_,mysql,db_,stripe_,slack_,azure_client,binance_,docker_pass,private_key,openai_,anthropic_',
);
const allVariables =
  /\b(?:environb?|process\.env|Bun\.env|ENV|toObject\(\)|getenv\(\))(?![\w"'])(?!\.(?:get|setdefault|pop|fetch)\(|\[|\??\.[A-Z_])/;
const dotEnvSigns = declareWords('.env');
/** The file `.env`, not a property of that name. */
const dotEnvFile = /(?<![\w)\]])\.env\b(?!\.(?:example|sample|template)|[.[(]\w)/;
/** Signs of a way out. */
export const outwardSigns = declareWords(
  `.request.post,.request.put,.request.fetch,rsync://,requests.,import requests,requests import,httpx,urllib,http.client,aiohttp,socket,smtplib,ftplib,paramiko,fetch(,fetch =,axios,http.request,https.request,'https',"https",'http',"http",node:http,curl,wget,sendbeacon,xmlhttprequest,nodemailer,dgram,net.connect,net.socket,invoke-webrequest,invoke-restmethod, iwr ,\niwr ,(iwr , irm ,\nirm ,(irm ,uploadstring,webclient, nc ,|nc ,\nnc ,"nc ,ncat,netcat,/dev/tcp,scp ,rsync ,| ssh,|ssh,ftp ,rclone,s3 cp,s3 sync,nslookup,dig ,gethostbyname,dns.resolve,dns.lookup,'dns',"dns",websocket,sendmail,mail -s,net::http,httparty,faraday,reqwest,boto3,gist create,superagent,undici,telnet,socat,got(,'got',needle,http.post(,http.newrequest,curl_exec,file_get_contents,git push`,
);
/** Signs of something that could be run: a download, or something decoded. */
const foreignSigns = declareWords(
  `curl,wget,requests.,import requests,requests import,urllib,urlopen,httpx,fetch(,axios,socket,net.connect,createconnection,net.socket,net"),createserver,express(,'express',"express",flask,httprequesthandler,req.,request.,$_get,$_post,$_request,rfile,https.get,http.get,'https',"https",invoke-webrequest, iwr ,\niwr ,(iwr , irm ,\nirm ,(irm ,downloadstring,downloadfile,certutil,bitsadmin,recv(,b64decode,base64,atob(,fromhex,unhexlify,marshal.,decompress,frombase64,rot13,rot_13`,
);
/** Signs of running something, in programs and in commands. */
const runningSigns = declareWords(
  'exec(,eval(,execsync,cdll,execfile,exec)(,eval)(,system(,popen,subprocess,spawn,new function,pickle.,marshal.,vm.run,child_process,import(,.then(eval,joblib.load,torch.load,runpy,process.start,execa,bun.$,"zx",\'zx\',startfile,.bashrc,.zshrc,.profile,.bash_profile,.zshenv,launchagents,launchdaemons,systemd,crontab,autostart,.git/hooks,.husky,sitecustomize,claude.md,agents.md,soul.md,memory.md,gemini.md,.cursorrules,settings.json,mcp.json,/skills,/memory',
);
/** Signs of files that last: programs start them, or agents read them. A write to one is worth following by itself. */
const lastingSigns = declareWords(
  '.bashrc,.zshrc,.bash_profile,.zshenv,.ipython,.pythonrc,.rprofile,launchagents,launchdaemons,systemd/,.config/autostart,.git/hooks,.husky,sitecustomize,claude.md,agents.md,soul.md,memory.md,gemini.md,.cursorrules,/skills',
);
/** Signs that files are uploaded by a command. */
const uploadingSigns = declareWords('=@,"@,\'@, @,-t - ,-t ",-t $,--upload-file,--post-file,--data-binary');
/** Signs that files are deleted, and of the home directory. */
const deletingSigns = declareWords('rmtree,unlink,.remove(,rmsync,rmdir,emptydir,-delete,rm -,shred');
const homeSigns = declareWords(
  'path.home,expanduser,homedir,~/documents,~/desktop,~/pictures,$home/documents,rm -rf ~',
);
/** Signs of a program that gets its text from another one. */
const pipingSigns = declareWords('| sh,|sh,| bash,|bash,| zsh,| sudo');
const startingSigns = declareWords(
  'eval ,iex,invoke-expression,start-process,& ",& $,bash ,|bash,|sh, sh ,\nsh ,/sh ,zsh,python ,python3,node ,chmod,./,source ,osascript,nohup, start ,\nstart ',
);

/** Signs of names that are put together when the program runs: any end of a flow may be among them. */
const disguiseSigns = declareWords(
  `__import__,import_module,fromcharcode,fromhex,unhexlify,rot13,rot_13,codecs.decode,[::-1],atob(,b64decode,'hex'),"hex")`,
);
/** The same for texts that a program puts together from pieces. */
const joiningSigns = declareWords(`"+",'+'," + ",' + '," +\n,' +\n`);

/** The acts of the code in one place. */
export type Acts = readonly (readonly [act: Act, place: Match])[];

/** The data and the acts of a skill. */
export interface Followed {
  readonly flows: readonly Flow[];
  /** Files that were too long to follow to their end. */
  readonly unfinished: readonly ScanFile[];
  /** The acts of each source of a followed file, by its offset. */
  readonly acts: ReadonlyMap<ScanFile, ReadonlyMap<number, Acts>>;
}

/** Follows the data in a skill. */
export function traceFlows(subject: ScanSubject): Followed {
  const acting = subject.files.filter(({ kind }) => kind !== 'text');
  // Pages are taken apart only if the whole texts have both ends.
  const whole = acting.flatMap((file) => wholeOf(file, subject));
  const looked = hasBothEnds(whole)
    ? worthFollowing(whole.flatMap(({ file }) => partsOf(file, subject)))
    : [];
  const flows: Flow[] = [];
  const files = new WrittenFiles();
  const modules = new Map<ScanFile, Map<string, Value> | undefined>();
  const unfinished: ScanFile[] = [];
  const acts = new Map<ScanFile, Map<number, Acts>>();

  const evaluate = (file: ScanFile, sources?: readonly Source[]): Map<string, Value> | undefined => {
    if (modules.has(file)) return modules.get(file);
    modules.set(file, undefined);
    const left = { steps: MAX_STEPS };
    const seen = new Map<number, Acts>();
    acts.set(file, seen);
    const shells = new Map<Language, Shell>();
    let names: Map<string, Value> | undefined;
    for (const source of sources ?? sourcesOf(file)) {
      const { offset, layer } = source;
      const own: (readonly [Act, Match])[] = [];
      const tracer = new Tracer(file, {
        files,
        flows,
        left,
        offset,
        ...(layer && { layer }),
        see: (act, place) => own.push([act, place]),
        module: (path) => {
          const other = moduleFile(path, file, acting);
          return other === undefined ? undefined : evaluate(other);
        },
      });
      names = runSource(source, tracer, shells) ?? names;
      if (tracer.isSpent) {
        unfinished.push(file);
        break;
      }
      seen.set(offset, own);
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
  return { flows, unfinished: [...new Set(unfinished)], acts };
}

/** The acts of a source that was not followed. */
export function actsOf(source: Source, file: ScanFile): Acts {
  const acts: (readonly [Act, Match])[] = [];
  const { offset, layer } = source;
  const tracer = new Tracer(file, {
    files: new WrittenFiles(),
    flows: [],
    module: () => undefined,
    left: { steps: MAX_STEPS },
    offset,
    ...(layer && { layer }),
    see: (act, place) => acts.push([act, place]),
  });
  runSource(source, tracer, new Map());
  return acts;
}

/** Evaluates one source, and returns the names of a program. Blocks of one page share their variables, but each has its own places. */
function runSource(
  { text, language }: Source,
  tracer: Tracer,
  shells: Map<Language, Shell>,
): Map<string, Value> | undefined {
  if (language === 'python' || language === 'javascript') return evaluateCode(text, language, tracer);
  const shell = shells.get(language) ?? new Shell(tracer, language === 'powershell');
  shells.set(language, shell);
  shell.runIn(tracer, text);
  return undefined;
}

/** Ends of flows in the words of a part, and words worth following by themselves. */
type Sign = 'private' | 'outward' | 'foreign' | 'running' | 'whole';

/** A file, or the code of a page. */
interface Part {
  readonly file: ScanFile;
  readonly sources: readonly Source[];
  readonly text: string;
  readonly signs: ReadonlySet<Sign>;
}

/** A file as one part, with every sign that a part of it could have. */
function wholeOf(file: ScanFile, subject: ScanSubject): Part[] {
  const { text } = file;
  const signs = signsOf(text, {
    has: (words) => subject.mentions(file, words),
    isShell: true,
    isProgram: file.kind === 'script',
  });
  return signs.size > 0 || file.kind === 'script' ? [{ file, sources: [], text, signs }] : [];
}

function partsOf(file: ScanFile, subject: ScanSubject): Part[] {
  const isPage = file.kind === 'instructions';
  let whole: Set<Sign> | undefined;
  const places = new Map<readonly WordId[], readonly number[]>();
  const placesOf = (words: readonly WordId[]): readonly number[] => {
    const found = places.get(words) ?? subject.places(file.layers[0]!, words);
    places.set(words, found);
    return found;
  };
  const every = [...sourcesOf(file)].map((source) => {
    const text = isPage ? source.text : file.text;
    const has = (words: readonly WordId[]): boolean => {
      if (!isPage) return subject.mentions(file, words);
      const found = placesOf(words);
      const at = lastBefore(found, source.offset + source.text.length - 1);
      return at >= 0 && found[at]! >= source.offset;
    };
    const isShell = /shell$/.test(source.language);
    // Every command of a settings file is judged by the whole file.
    if (!isPage) whole ??= signsOf(text, { has, isShell, isProgram: file.kind === 'script' });
    return { source, text, signs: whole ?? signsOf(text, { has, isShell, isProgram: false }) };
  });
  // Only the code of a page counts, and only the blocks with a sign of their own.
  const parts = every.filter(({ signs }) => signs.size > 0);
  // A program without signs may connect others.
  if (parts.length === 0 && (isPage || file.kind !== 'script')) return [];
  return [
    {
      file,
      sources: (parts.length === 0 ? every : parts).map(({ source }) => source),
      text: isPage ? parts.map(({ text }) => text).join('\n') : file.text,
      signs: new Set(parts.flatMap(({ signs }) => [...signs])),
    },
  ];
}

function signsOf(
  text: string,
  {
    has,
    isShell,
    isProgram,
  }: { has: (words: readonly WordId[]) => boolean; isShell: boolean; isProgram: boolean },
): Set<Sign> {
  const signs = new Set<Sign>();
  if (has(disguiseSigns) || (isProgram && has(joiningSigns)))
    for (const sign of ['private', 'outward', 'running'] as const) signs.add(sign);
  if (
    has(privateSigns) ||
    (has(dotEnvSigns) && dotEnvFile.test(text)) ||
    (has(variableSigns) && (has(packingSigns) || allVariables.test(text)))
  )
    signs.add('private');
  if (has(outwardSigns)) signs.add('outward');
  if (has(foreignSigns) || has(pipingSigns)) signs.add('foreign');
  if (has(runningSigns) || (isShell && (has(startingSigns) || has(pipingSigns)))) signs.add('running');
  if (isShell && has(uploadingSigns) && has(outwardSigns)) signs.add('whole');
  if (has(lastingSigns) || (has(deletingSigns) && has(homeSigns))) signs.add('whole');
  return signs;
}

/** Parts with both ends of a flow, alone or together with the parts and programs that they are linked to. */
function worthFollowing(parts: readonly Part[]): readonly Part[] {
  if (!hasBothEnds(parts)) return [];
  if (parts.length === 1) return parts;
  const left = new Set(parts.map((part) => ({ part, ...linksOf(part) })));
  const found = new Set<Part>();
  for (const first of left) {
    left.delete(first);
    const group = [first];
    for (const one of group)
      for (const other of left)
        if (isLinked(one, other)) {
          left.delete(other);
          group.push(other);
        }
    const linked = group.map(({ part }) => part);
    if (hasBothEnds(linked)) for (const part of linked) found.add(part);
  }
  return parts.filter((part) => found.has(part));
}

function hasBothEnds(parts: readonly Part[]): boolean {
  const has = (sign: Sign): boolean => parts.some(({ signs }) => signs.has(sign));
  return has('whole') || (has('private') && has('outward')) || (has('foreign') && has('running'));
}

/** Files that a part names, those it imports, and its own name. */
interface Links {
  readonly named: ReadonlySet<string>;
  readonly imported: ReadonlySet<string>;
  readonly stem: string | undefined;
}

function linksOf({ file, text }: Part): Links {
  const stem = /([\w-]{3,60})\.(?:[cm]?[jt]sx?|py)$/.exec(file.path)?.[1];
  const imported = new Set<string>();
  if (stem !== undefined)
    for (const [clause] of text.matchAll(/\b(?:from|import|require)\b[^\n;]{1,120}/g))
      for (const [word] of clause.matchAll(/[\w-]{3,60}/g)) imported.add(word);
  return { named: new Set(text.match(sharedNames)), imported, stem };
}

/** Whether one of them imports the other, or both name a file. */
const isLinked = (one: Links, other: Links): boolean =>
  (other.stem !== undefined && one.imported.has(other.stem)) ||
  (one.stem !== undefined && other.imported.has(one.stem)) ||
  [...one.named].some((name) => other.named.has(name));

/** Names of files that one program may write and another read. */
const sharedNames =
  /[\w-]{2,40}(?=\.(?:json|txt|zip|t?gz|tar|db|b64|enc|dat|log|csv|bin|out|tmp|cache|sh|py|js)\b)|\/tmp\/[\w/-]{1,40}|~\/\.[\w/-]{3,40}/g;

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
  // The directory itself.
  if (stem === '' || stem === '.') {
    const beside = from.path.slice(0, from.path.lastIndexOf('/') + 1);
    return files.find(({ path: other }) =>
      /^(?:__init__\.py|index\.[cm]?[jt]s)$/.test(other.replace(beside, '')),
    );
  }
  return files.find(({ path: other }) => {
    if (other === from.path || !/\.(?:[cm]?[jt]sx?|py)$/.test(other)) return false;
    const plain = other.replace(/(?:\/index|\/__init__)?\.\w+$/, '');
    return plain === stem || plain.endsWith(`/${stem}`);
  });
}
