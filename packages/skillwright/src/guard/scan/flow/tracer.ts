// The state that the evaluators of one file share: places, holes for data in texts, files, limits, and the flows that are found.

import { Match } from '../match.ts';
import { givesOrders } from '../orders/read-orders.ts';
import type { Layer, ScanFile } from '../scan-file.ts';
import { evaluateCode } from './evaluate-code.ts';
import { Shell } from './evaluate-shell.ts';
import {
  database,
  home,
  hostIn,
  isAgentFile,
  isSkillFile,
  localHost,
  owners,
  runsDownload,
  startsLater,
} from './facts.ts';
import type { Flow, FlowKind } from './trace-flows.ts';
import {
  isTainted,
  merge,
  passed,
  type Routine,
  type Taint,
  type Trace,
  trace,
  UNKNOWN,
  type Value,
} from './value.ts';

/** State that the programs of a skill share: the data in the files they write, and the handlers of events. */
export class WrittenFiles {
  readonly #known = new Map<string, Taint>();
  readonly #handlers = new Map<string, Set<Routine>>();

  readonly #missed = new Set<string>();
  #isReadEarly = false;

  /** Whether something was read before it was written. */
  get isReadEarly(): boolean {
    return this.#isReadEarly;
  }

  read(path: string | undefined): Taint | undefined {
    const key = keyOf(path);
    if (key === undefined) return undefined;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#missed.add(key);
    // A program in a directory that something was unpacked into.
    return key.includes('/') ? this.#known.get(key.slice(0, key.lastIndexOf('/'))) : undefined;
  }

  hear(event: string, handler: Routine): void {
    this.#handlers.set(event, (this.#handlers.get(event) ?? new Set()).add(handler));
  }

  heard(event: string): Iterable<Routine> {
    return this.#handlers.get(event) ?? [];
  }

  write(path: string | undefined, taint: Taint): void {
    const key = keyOf(path);
    if (key === undefined || !isTainted(taint)) return;
    if (this.#missed.has(key)) this.#isReadEarly = true;
    this.#known.set(key, merge({ ...this.#known.get(key) }, taint));
  }
}

/** Names a file, without the extensions that programs add; undefined if the path is not known. */
function keyOf(path: string | undefined): string | undefined {
  if (path === undefined || path.length > 400) return undefined;
  const plain = path
    .trim()
    .replace(/^(?:\.\/|\$\{?\w+\}?\/|~\/)+/, '')
    .replace(/(?<=[\w-])\.(?:zip|tgz|tar\.gz|tar|gz|7z|b64|enc)$/, '');
  const known =
    plain.includes(UNKNOWN) && !/^\/tmp\//.test(plain) ? plain.slice(plain.lastIndexOf('/') + 1) : plain;
  return known.replaceAll(/[\ue000-\uf8ff]/g, '').length < 2 || /^(?:\/dev\/(?!shm\/)|-)/.test(known)
    ? undefined
    : known;
}

const MAX_NESTED = 4;
const HOLES = 0xe000;
const MAX_HOLES = 6000;

/** Something a program does, for those who ask what it can do. */
export type Act =
  | { readonly kind: 'call'; readonly name: string; readonly values: readonly Value[] }
  | { readonly kind: 'command'; readonly program: string; readonly rest: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'private'; readonly what: string }
  | { readonly kind: 'write'; readonly target: string | undefined };

/** Other files of the skill, by what an import calls them. */
export type Modules = (path: string) => Map<string, Value> | undefined;

/** One file being followed. */
export class Tracer {
  readonly file: ScanFile;
  readonly files: WrittenFiles;
  readonly module: Modules;
  /** Is told what the program does. */
  readonly see: (act: Act, place: Match) => void;
  readonly #layer: Layer;
  readonly #flows: Flow[];
  readonly #holes: Taint[] = [];
  readonly #offset: number;
  #fixed: Match | undefined;
  #nested = 0;
  readonly #left: { steps: number };
  #here: [from: number, to: number] = [0, 0];

  constructor(
    file: ScanFile,
    shared: {
      files: WrittenFiles;
      flows: Flow[];
      module: Modules;
      offset?: number;
      layer?: Layer;
      left: { steps: number };
      see?: (act: Act, place: Match) => void;
    },
  ) {
    this.file = file;
    this.files = shared.files;
    this.module = shared.module;
    this.see = shared.see ?? (() => {});
    this.#flows = shared.flows;
    this.#offset = shared.offset ?? 0;
    this.#layer = shared.layer ?? file.layers[0]!;
    this.#left = shared.left;
  }

  /** Whether the file was too much to follow to its end. */
  get isSpent(): boolean {
    return this.#left.steps <= 0;
  }

  /** The place that is being evaluated. */
  get here(): Match {
    return this.place(...this.#here);
  }

  move(from: number, to: number): void {
    this.#here = [from, Math.min(to, from + 300)];
  }

  place(from: number, to: number): Match {
    if (this.#fixed !== undefined) return this.#fixed;
    const index = this.#offset + from;
    const text = this.#layer.text.slice(index, this.#offset + to);
    return new Match({ file: this.file, layer: this.#layer }, { index, text, groups: [] });
  }

  /** Private data of this kind. */
  private(what: string, at = this.here): Trace {
    this.see({ kind: 'private', what }, at);
    return trace(what, at);
  }

  /** A variable that holds a key. */
  variable(name: string, at = this.here): Taint {
    this.see({ kind: 'variable', name }, at);
    return { variable: trace(name, at) };
  }

  spend(steps = 1): boolean {
    this.#left.steps -= steps;
    return !this.isSpent;
  }

  /** A letter that stands for data inside a text. */
  hole(taint: Taint): string {
    if (this.#holes.length >= MAX_HOLES) return UNKNOWN;
    this.#holes.push(taint);
    return String.fromCharCode(HOLES + this.#holes.length - 1);
  }

  /** The data in the holes of a text. */
  filled(text: string): Taint {
    const all: Taint = {};
    if (this.#holes.length === 0) return all;
    for (let at = 0; at < text.length; at++) {
      const hole = text.charCodeAt(at) - HOLES;
      if (hole >= 0) merge(all, this.#holes[hole]);
    }
    return all;
  }

  /** Evaluates commands inside a program: everything in them is at one place. */
  shell(text: string, place: Match, input?: Taint, isPowerShell = false): Taint {
    return this.#inside(place, () => new Shell(this, isPowerShell).run(text, input).taint) ?? {};
  }

  /** Evaluates a program inside a command. */
  code(text: string, language: 'python' | 'javascript', place: Match): void {
    this.#inside(place, () => evaluateCode(text, language, this));
  }

  #inside<Result>(place: Match, evaluate: () => Result): Result | undefined {
    if (this.#nested >= MAX_NESTED) return undefined;
    const [outer, here] = [this.#fixed, this.#here];
    this.#fixed = outer ?? place;
    this.#nested++;
    try {
      return evaluate();
    } finally {
      this.#nested--;
      this.#fixed = outer;
      this.#here = here;
    }
  }

  write(path: string | undefined, taint: Taint, place: Match, text = ''): void {
    this.files.write(path, passed(taint, place));
    if (path === undefined) return;
    const foreign = taint.remote ?? taint.decoded;
    if (startsLater.test(path)) {
      const found = foreign ?? (runsDownload.test(text) ? trace('command', place) : undefined);
      if (found !== undefined) this.#found('start-planted', { trace: found, to: place });
      // It runs later, but it runs.
      else if (/\.py$/.test(path)) this.code(text, 'python', place);
      else this.shell(text, place);
    }
    const isSkill = isSkillFile(path);
    if (!isSkill && !isAgentFile(path)) return;
    // Downloading a skill is how it is installed.
    const told =
      (isSkill ? undefined : foreign) ??
      taint.secret ??
      (givesOrders(text) ? trace('orders', place) : undefined);
    if (told !== undefined) this.#found('agent-planted', { trace: told, to: place });
    else this.#hooks(text, place);
  }

  /** Hooks in the settings of an agent receive its conversation on standard input. */
  #hooks(text: string, place: Match): void {
    const said = trace('conversations and memory of the agent', place);
    for (const line of text.split('\n'))
      if (/\b(?:curl|wget|nc|ncat)\s/.test(line)) this.shell(line, place, { secret: said });
  }

  /** Work of the user is uploaded to an address that is written out. */
  upload(to: Match, address: string | undefined): void {
    const host = hostIn(address ?? '');
    if (host !== undefined && !localHost.test(address!))
      this.#found('work-sent', { trace: trace('a file', to), to, host });
  }

  /** Something is deleted; downloads and files of one kind are cleaned up. */
  remove(to: Match, { place }: Taint): void {
    if (place?.what === home && !/Downloads|\*\.\w/.test(place.from.text))
      this.#found('home-wiped', { trace: place, to });
  }

  /** Data is sent somewhere. */
  send(
    to: Match,
    request: {
      taint: Taint;
      address: string | undefined;
      isRaw?: boolean;
      addressTaint?: Taint | undefined;
      /** The program that talks to its own service. */
      owner?: string;
    },
  ): void {
    const { taint, address = '', isRaw = false, addressTaint } = request;
    // An address that is written so that nobody opens it is quoted.
    if (localHost.test(address) || /\w\[\.\]\w|hxxps?:/.test(`${address} ${to.text}`)) return;
    const host = hostIn(address) ?? /^(?:tcp:\/\/)?([\w-]+(?:\.[\w-]+)+)/.exec(address)?.[1]?.toLowerCase();
    const isOwn = ({ what, from }: Trace): boolean =>
      owners.some(
        ([place, own]) =>
          place.test(`${what} ${from.text}`) &&
          ((host !== undefined && own.test(host)) || (request.owner === 'gh' && /gh/.test(what))),
      );
    const { variable, header, decoded } = taint;
    const secret = taint.secret?.what === database && host === undefined ? undefined : taint.secret;
    if (secret !== undefined && !isOwn(secret)) this.#found('secret-sent', { trace: secret, to, host });
    else if (variable !== undefined && (taint.encoded || isRaw) && !isOwn(variable))
      this.#found('variable-sent', { trace: variable, to, host });
    else if (variable !== undefined && isForeign(variable.what, host))
      this.#found('key-misdirected', { trace: variable, to, host });
    else if (
      header !== undefined &&
      host !== undefined &&
      (header.what === 'credential files'
        ? !isOwn(header) && !isNamedFor(header, host)
        : isForeign(header.what, host) && !/^DATABASE|^DB_|^REDIS|^MONGO|^POSTGRES|^MYSQL/.test(header.what))
    )
      this.#found('key-misdirected', { trace: header, to, host });
    if (
      addressTaint?.decoded !== undefined &&
      decoded !== undefined &&
      /^https?:|^wss?:|^\uf8ff?$/.test(address)
    )
      this.#found('decoded-address', { trace: addressTaint.decoded, to, host });
  }

  /** Something is run. */
  run(to: Match, { remote, decoded }: Taint, { isEvaluated = false }: { isEvaluated?: boolean }): void {
    if (remote !== undefined)
      this.#found(remote.what === 'request' ? 'request-run' : isEvaluated ? 'remote-eval' : 'download-run', {
        trace: remote,
        to,
      });
    else if (decoded !== undefined) this.#found('decoded-run', { trace: decoded, to });
  }

  #found(kind: FlowKind, { trace, to, host }: { trace: Trace; to: Match; host?: string | undefined }): void {
    const isKnown = this.#flows.some(
      (flow) => flow.kind === kind && flow.to.file === to.file && flow.to.line === to.line,
    );
    if (!isKnown)
      this.#flows.push({ kind, what: trace.what, from: trace.from, steps: trace.steps, to, host });
  }
}

/** Variables that belong to one service, with the names of its hosts. None for keys that no host may get. */
const keys: readonly (readonly [variable: RegExp, hosts: RegExp])[] = [
  [
    /^AWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)$/,
    /(?:^|\.)(?:amazonaws\.com(?:\.cn)?|aws\.amazon\.com|api\.aws)$/,
  ],
  [
    /^(?:GITHUB|GH)_(?:TOKEN|PAT)$/,
    /(?:^|\.)(?:github\.com|githubusercontent\.com|ghcr\.io|githubcopilot\.com|github\.ai|models\.inference\.ai\.azure\.com)$|^github\./,
  ],
  [/^GITLAB_TOKEN$/, /(?:^|\.)gitlab\.com$|^gitlab\./],
  [/^NPM_TOKEN$/, /(?:^|\.)(?:npmjs\.(?:org|com)|yarnpkg\.com|pkg\.github\.com)$|^(?:registry|npm)\./],
  [/^(?:DATABASE|POSTGRES|MONGODB|MONGO|REDIS|MYSQL|DB)_(?:URL|URI|PASSWORD|DSN)$/, /^$/],
  [/^STRIPE_(?:SECRET|API)_KEY$/, /(?:^|\.)stripe\.com$/],
  [/^SLACK_(?:BOT_)?TOKEN$/, /(?:^|\.)slack\.com$/],
  [/^AZURE_CLIENT_SECRET$/, /(?:^|\.)(?:azure|microsoft|microsoftonline|windows)\.(?:com|net)$/],
  [/^BINANCE_/, /(?:^|\.)binance\.(?:com|us|vision)$/],
  [/^DOCKER_PASSWORD$/, /(?:^|\.)docker\.(?:com|io)$/],
  [/^(?:SSH_|WALLET_)?PRIVATE_KEY$|MNEMONIC$/, /^$/],
];

/** Whether a file with a login is called like the service that gets it. */
const isNamedFor = ({ from }: Trace, host: string): boolean =>
  host.split('.').some((label) => label.length > 3 && from.text.toLowerCase().includes(label));

const isForeign = (name: string, host: string | undefined): boolean =>
  host !== undefined && keys.some(([variable, hosts]) => variable.test(name) && !hosts.test(host));
