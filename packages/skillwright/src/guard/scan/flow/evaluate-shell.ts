// Follows data through commands: pipes, variables, files, functions, programs inside programs.

import { decodeConstant } from './decode-constant.ts';
import * as facts from './facts.ts';
import { type Pipeline, parseShell, type ShellList, type ShellStep, type Word } from './parse-shell.ts';
import type { Tracer } from './tracer.ts';
import {
  type Acting,
  addressIn,
  contentsOf,
  keepSecret,
  request,
  save,
  transfer,
  useGit,
} from './transfers.ts';
import {
  isTainted,
  merge,
  nothing,
  passed,
  readOf,
  signed,
  type Taint,
  trace,
  UNKNOWN,
  union,
  type Value,
} from './value.ts';

const prefixes =
  /^(?:sudo|doas|nohup|time|command|builtin|exec|stdbuf|nice|ionice|setsid|start|start-process|saps|call|caffeinate|&)$/i;
const shells = /^(?:(?:ba|z|da|k|a)?sh|fish|cmd|powershell|pwsh|invoke-expression|iex|eval|su)$/;
const interpreters =
  /^(?:python[\d.]*|pypy3?|node|nodejs|bun|deno|perl|ruby|php|osascript|lua|tclsh|uv|npx|tsx)$/;
const quiet =
  /^(?:ls|dir|mkdir|rm|rmdir|chown|test|psql|mysql|mongosh|redis-cli|\[|\[\[|cd|pushd|touch|which|type|stat|ssh-keygen|ssh-add|ssh-copy-id|umask|wait|sleep|exit|return|unset|shift|set-location|test-path|remove-item|new-item|npm|pnpm|yarn|pip3?|brew|apt|apt-get|docker|kubectl|helm|terraform|make|code|open|vim|nano|export|chmod|true|false|break|continue|for|case|in|done|del|md)$/;
const deletes = /^(?:rm|shred|srm|remove-item)$/;
const packers =
  /^(?:tar|zip|7z|7za|rar|gpg|openssl|ditto|cp|mv|install|ln|dd|age|xz|gzip|split|copy|copy-item|compress-archive|robocopy|sqlite3|rsync|move-item)$/;
const encoders = /^(?:base64|base32|xxd|gzip|openssl|gpg|od|hexdump|age|zip|tar|uuencode)$/;
const uploads =
  /^(?:nc|ncat|netcat|socat|telnet|http|https|xh|sftp|ftp|tftp|mail|mailx|sendmail|mutt|swaks|msmtp|send-mailmessage|start-bitstransfer|croc|wormhole|transfer|websocat|wscat)$/;
/** Programs that print the contents of a database; others of a database print what they are asked for. */
const dumps = /^(?:pg_dump|pg_dumpall|mysqldump|mariadb-dump|mongodump|mongoexport)$/;
const lookups = /^(?:nslookup|dig|host|ping|drill|resolve-dnsname)$/;
const requests = /^(?:curl|wget|invoke-webrequest|invoke-restmethod|iwr|irm|aria2c|fetch)$/;

const MAX_CALLS = 4;

/** Evaluates commands and returns what they print. */
export class Shell {
  #tracer: Tracer;
  readonly #names = new Map<string, Value>();
  readonly #functions = new Map<string, ShellList>();
  readonly #isPower: boolean;
  #calls = 0;

  constructor(tracer: Tracer, isPowerShell = false) {
    this.#tracer = tracer;
    this.#isPower = isPowerShell;
  }

  /** Evaluates another block of the same page. */
  runIn(tracer: Tracer, text: string): void {
    this.#tracer = tracer;
    this.run(text);
  }

  run(text: string, input?: Taint): Value {
    return this.#list(parseShell(text, this.#isPower), input === undefined ? nothing : { taint: input });
  }

  #list(list: ShellList, input: Value): Value {
    const printed: Value[] = [];
    for (const pipeline of list) {
      if (!this.#tracer.spend()) break;
      printed.push(this.#pipeline(pipeline, input, printed));
    }
    const texts = printed.flatMap(({ text }) => text ?? []);
    return {
      taint: union(...printed),
      text: texts.length === printed.length && texts.length > 0 ? texts.join('\n') : undefined,
    };
  }

  #pipeline(steps: Pipeline, input: Value, before: readonly Value[]): Value {
    let given = input;
    for (const step of steps) {
      this.#tracer.move(step.from, step.to);
      if (this.#isPower) this.#names.set('_', { taint: readOf(given.taint) });
      given = this.#step(step, given, before);
    }
    return given;
  }

  #step(step: ShellStep, given: Value, before: readonly Value[]): Value {
    const place = this.#tracer.place(step.from, Math.min(step.to, step.from + 300));
    let input = given;
    for (const { kind, target } of step.redirects) {
      if (kind === '<<<') input = this.#word(target);
      else if (kind === '<') {
        const file = this.#word(target);
        input = { taint: merge(readOf({ ...file.taint }), this.#tracer.files.read(file.text)) };
      }
    }
    for (const { name, value, adds } of step.sets) {
      const own = this.#word(value);
      if (facts.secretName.test(name)) this.#tracer.see({ kind: 'variable', name }, place);
      const known = adds ? this.#names.get(name) : undefined;
      const taint = merge({ ...own.taint }, known?.taint);
      const kept = isTainted(taint) ? passed(taint, place) : taint;
      const text = known === undefined ? own.text : `${known.text ?? UNKNOWN}${own.text ?? UNKNOWN}`;
      this.#names.set(name, { text, taint: /header|auth/i.test(name) ? signed(kept) : kept });
    }
    let output: Value;
    if (step.defines !== undefined) {
      this.#functions.set(step.defines, step.group ?? []);
      // A function that nothing calls may be called from elsewhere.
      output = nothing;
      this.#list(step.group ?? [], nothing);
    } else if (step.group !== undefined) output = this.#list(step.group, input);
    else {
      const words = step.words.map((word) => this.#word(word));
      output = words.length === 0 ? input : this.#command(words, { input, step, before });
    }
    for (const { kind, target } of step.redirects) {
      if (kind !== '>' && kind !== '>>') continue;
      const file = this.#word(target);
      if (/^\/dev\/(?:tcp|udp)\//.test(file.text ?? ''))
        this.#tracer.send(place, {
          taint: output.taint,
          address: `tcp://${file.text!.slice(9)}`,
          isRaw: true,
        });
      else {
        this.#tracer.see({ kind: 'write', target: file.text }, place);
        this.#tracer.write(file.text, output.taint, place, output.text);
      }
    }
    return output;
  }

  #word(word: Word): Value {
    const values = word.map((part): Value => {
      if (part.kind === 'text') return { text: part.text, taint: {} };
      if (part.kind === 'list') return this.#list(part.list, nothing);
      return this.#variable(part.name);
    });
    const text = values
      .map((value) => value.text ?? (isTainted(value.taint) ? this.#tracer.hole(value.taint) : UNKNOWN))
      .join('');
    const taint = merge(union(...values), this.#tracer.filled(text));
    const shown = text.replace(/^@/, '');
    const what = facts.placeIn(shown);
    if (what !== undefined) taint.place ??= this.#tracer.private(what);
    return { text, taint };
  }

  #variable(name: string): Value {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    if (name === 'HOME' || name.toUpperCase() === 'USERPROFILE') return { text: '~', taint: {} };
    if (name === 'TMPDIR' || name === 'TEMP' || name === 'TMP') return { text: '/tmp', taint: {} };
    if (facts.secretName.test(name)) return { taint: this.#tracer.variable(name) };
    return { text: UNKNOWN, taint: {} };
  }

  #command(
    given: readonly Value[],
    { input, step, before }: { input: Value; step: ShellStep; before: readonly Value[] },
  ): Value {
    let words = given;
    for (;;) {
      const head = programOf(words[0]);
      if (prefixes.test(head)) words = words.slice(1);
      else if ((head === 'env' || words[0]?.text === '') && words.length > 1) words = words.slice(1);
      else if (/^(?:timeout|sleep)$/.test(head) && words.length > 2) words = words.slice(2);
      else if (/^\w+=/.test(words[0]?.text ?? '') && words.length > 1) words = words.slice(1);
      else if (/^(?:-|\/\w$)/.test(words[0]?.text ?? '') && words.length > 1 && words !== given)
        words = words.slice(1);
      else break;
    }
    const program = programOf(words[0]);
    const args = words.slice(1);
    const place = this.#tracer.place(step.from, Math.min(step.to, step.from + 300));
    const text = words.map((word) => word.text ?? UNKNOWN).join(' ');
    const own = this.#functions.get(program);
    if (own !== undefined) return this.#functionCall(own, args, input);
    const written = words[0]?.text?.replace(/^.*[/\\](?=[^/\\]+$)/, '');
    if (written !== undefined && /^[\w@.+-]+$/.test(written))
      this.#tracer.see(
        { kind: 'command', program: written, rest: args.map((arg) => arg.text ?? UNKNOWN).join(' ') },
        place,
      );
    if (program === 'done' || program === 'fi') return { taint: union(...before, input) };
    if (program === 'for') return this.#loop(args);
    if (program === 'read') {
      const isUnseen = args.some(({ text: word }) => /^-\w*s/.test(word ?? ''));
      const typed = isUnseen
        ? { secret: this.#tracer.private('a password as it is typed', place) }
        : input.taint;
      for (const { text: name } of args)
        if (name !== undefined && /^\w+$/.test(name)) this.#names.set(name, { taint: typed });
      return nothing;
    }
    // Runs later, but it runs.
    if (/^(?:alias|trap|watch)$/.test(program)) {
      const later = args.find(({ text: word }) => /\s/.test(word ?? ''));
      if (later?.text !== undefined) this.#tracer.shell(later.text.replace(/^[\w.-]+=/, ''), place);
      return nothing;
    }
    if (program === 'cat' && args.length === 0) return input;
    if (program === 'join-path') return this.#path(args);
    if (program === 'mktemp') return { text: `/tmp/${UNKNOWN}${place.index}`, taint: {} };
    if (
      /^(?:env|printenv|export|set|gci|get-childitem|dir)$/.test(program) &&
      (args.every(({ text: word }) => /^-[p0]$/.test(word ?? '')) || /^env:/i.test(args[0]?.text ?? ''))
    ) {
      if (program === 'set' && step.to - step.from < 4 && args.length === 0 && before.length === 0)
        return nothing;
      if (!/^(?:dir|gci|get-childitem)$/.test(program) || args.length > 0)
        return { taint: { secret: this.#tracer.private('the environment', place) } };
    }
    if (program === 'printenv' && args[0]?.text !== undefined) return this.#variable(args[0].text);
    // A value at the beginning of a line of PowerShell is only printed.
    const [head] = step.words;
    const isExpression =
      this.#isPower && head !== undefined && !/^[&.]$/.test(given[0]?.text ?? '') && !isPlainWord(head);
    const all = merge(union(...(isExpression ? words : args)), {});
    const handed = facts.handsOut(text);
    if (
      handed !== undefined &&
      (handed === 'stored passwords' || !(quiet.test(program) || /^(?:echo|printf)$/.test(program)))
    )
      all.secret ??= this.#tracer.private(handed, place);
    // A recorder writes to the file among its arguments.
    if (handed !== undefined)
      for (const { text: file } of args)
        if (/[/.]/.test(file ?? '') && !file!.startsWith('-'))
          this.#tracer.write(file, keepSecret(all), place);
    const acting = { program, args, input, place, tracer: this.#tracer };
    if (requests.test(program)) return request(acting);
    if (shells.test(program) || program === '.' || program === 'source') return this.#shell(acting);
    if (interpreters.test(program)) return this.#interpreter(acting);
    if (program === 'xargs') return this.#each(args, input, step, before);
    if (program === 'find') return this.#find(args, step, before);
    if (deletes.test(program)) this.#tracer.remove(place, union(...args));
    if (uploads.test(program)) {
      const taint = merge(readOf(merge({ ...input.taint }, all)), contentsOf(this.#tracer, args));
      this.#tracer.send(place, { taint, address: addressIn(args), isRaw: true });
      return { taint: { remote: trace('download', place) } };
    }
    if (lookups.test(program)) {
      this.#tracer.send(place, {
        taint: merge(all, input.taint),
        address: undefined,
        isRaw: true,
      });
      return nothing;
    }
    if (/^(?:scp|rsync|ssh|rclone|gsutil|aws|az|s3cmd|mc|gh)$/.test(program)) return transfer(acting);
    if (
      program === 'tee' ||
      program === 'out-file' ||
      program === 'set-content' ||
      program === 'add-content'
    ) {
      const taint = merge({ ...input.taint }, program === 'tee' ? {} : all);
      for (const { text: file } of args)
        if (file !== undefined && !file.startsWith('-')) this.#tracer.write(file, taint, place, input.text);
      return { taint };
    }
    if (
      program === 'echo' ||
      program === 'printf' ||
      program === 'write-output' ||
      program === 'write-host'
    ) {
      const shown = args.filter(({ text: word }) => !/^-[neE]+$/.test(word ?? ''));
      delete all.place;
      return {
        taint: merge(all, keepSecret(union(...args))),
        text: shown.map((word) => word.text ?? UNKNOWN).join(' '),
      };
    }
    if (!isExpression)
      this.#tracer.run(place, merge({ ...words[0]?.taint }, this.#tracer.files.read(words[0]?.text)), {});
    if (
      program === 'chmod' &&
      args.some(({ text: word }) => /^(?:[ugoa]*\+\w*x|0?[57]\d\d)$/.test(word ?? ''))
    ) {
      for (const { text: file } of args) {
        const known = this.#tracer.files.read(file);
        if (known?.remote !== undefined || known?.decoded !== undefined) this.#tracer.run(place, known, {});
      }
      return nothing;
    }
    if (program === 'git') return useGit(acting, handed === undefined ? {} : all);
    if (program === 'certutil' && /urlcache/i.test(text)) return save(acting);
    if (program === 'bitsadmin') return save(acting);
    if (dumps.test(program)) return { taint: { secret: this.#tracer.private(facts.database, place) } };
    if (quiet.test(program)) return { taint: keepSecret(all) };
    const isDecoding =
      (/^(?:base64|base32)$/.test(program) &&
        args.some(({ text: word }) => /^(?:-d|-D|--decode|-di)$/.test(word ?? ''))) ||
      (program === 'xxd' && args.some(({ text: word }) => /^-\w*r/.test(word ?? ''))) ||
      (program === 'openssl' && args.some(({ text: word }) => word === '-d')) ||
      (program === 'certutil' && /decode/i.test(text));
    const read = readOf(merge(merge({ ...all }, input.taint), contentsOf(this.#tracer, args)));
    if (isDecoding) {
      const plain =
        input.text === undefined || input.text.includes(UNKNOWN)
          ? undefined
          : decodeConstant(program === 'xxd' ? 'unhexlify' : 'b64decode', input.text.trim());
      const decoded: Taint = { ...read, decoded: trace('decoded text', place) };
      for (const [at, { text: word }] of args.entries())
        if (/^-(?:o|out)$/.test(word ?? '')) this.#tracer.write(args[at + 1]?.text, decoded, place);
      return { taint: decoded, text: plain };
    }
    const from = args.find(({ text: word }) => /^https?:/.test(word ?? ''))?.text;
    if (from !== undefined || /downloadstring|downloaddata/i.test(text))
      read.remote ??= trace(from ?? 'download', place);
    if (/downloadfile/i.test(text))
      for (const { text: file } of args)
        this.#tracer.write(file, { remote: trace('download', place) }, place);
    if (/uploadstring|uploaddata|uploadfile|postasync/i.test(text))
      this.#tracer.send(place, { taint: read, address: text, isRaw: false });
    if (/^\[scriptblock\]::create/i.test(text)) this.#tracer.run(place, read, { isEvaluated: true });
    if (/frombase64string/i.test(text)) read.decoded ??= trace('decoded text', place);
    if ((encoders.test(program) || /tobase64string/i.test(text)) && isTainted(read)) read.encoded = true;
    if (program === 'tar' || program === 'unzip') {
      const to = args.findIndex(({ text: word }) => /^-(?:C|d)$/.test(word ?? ''));
      if (to >= 0) this.#tracer.write(args[to + 1]?.text, writtenTaint(read), place);
    }
    if (packers.test(program))
      for (const { text: file, taint } of args)
        if (file !== undefined && !file.startsWith('-') && taint.place === undefined)
          this.#tracer.write(file, writtenTaint(read), place);
    return { taint: read, text: isExpression && words.length === 1 ? words[0]!.text : undefined };
  }

  #path(args: readonly Value[]): Value {
    const parts = args.filter(({ text }) => !/^-/.test(text ?? '')).map(({ text }) => text ?? UNKNOWN);
    return this.#word([{ kind: 'text', text: parts.join('/') }]);
  }

  #functionCall(list: ShellList, args: readonly Value[], input: Value): Value {
    if (this.#calls >= MAX_CALLS) return { taint: union(...args, input) };
    this.#calls++;
    const kept = new Map(this.#names);
    for (const [at, arg] of args.entries()) this.#names.set(String(at + 1), arg);
    const rest: Value = { taint: union(...args) };
    for (const name of ['@', '*']) this.#names.set(name, rest);
    const output = this.#list(list, input);
    for (const name of ['@', '*', ...args.map((_, at) => String(at + 1))]) {
      const known = kept.get(name);
      if (known === undefined) this.#names.delete(name);
      else this.#names.set(name, known);
    }
    this.#calls--;
    return output;
  }

  #loop(args: readonly Value[]): Value {
    const [name, , ...values] = args;
    if (name?.text !== undefined)
      this.#names.set(name.text, {
        taint: union(...values),
        text: values[0]?.text,
      });
    return nothing;
  }

  #shell({ program, args, input, place }: Acting): Value {
    const coded = args.findIndex(({ text }) => /^-e(?:nc|ncodedcommand|c)?$/i.test(text ?? ''));
    const isPower = /powershell|pwsh/.test(program);
    if (isPower && !this.#isPower && coded < 0) {
      // Its variables are its own: the command as it is written.
      const written = /\s[-/]c(?:ommand)?\s+(["']?)([\s\S]+?)\1\s*(?:[>|&][\s\S]*)?$/i.exec(place.text);
      if (written !== null) return { taint: this.#tracer.shell(written[2]!, place, input.taint, true) };
    }
    if (coded >= 0 && isPower) {
      const plain = Buffer.from(args[coded + 1]?.text ?? '', 'base64').toString('utf16le');
      this.#tracer.run(place, { decoded: trace('decoded text', place) }, {});
      return { taint: this.#tracer.shell(plain, place, input.taint, true) };
    }
    const isOne = /^(?:eval|iex|invoke-expression)$/.test(program);
    const code = isOne
      ? 0
      : args.findIndex(({ text }) => /^(?:-\w*c|-command|\/c|-c)$/i.test(text ?? '')) + 1;
    if (isOne || code > 0) {
      const parts = isOne ? args : args.slice(code, code + 1);
      const taint = isOne && args.length === 0 ? input.taint : union(...parts);
      this.#tracer.run(place, taint, {});
      const text = parts.map((part) => part.text ?? UNKNOWN).join(' ');
      return {
        taint: this.#tracer.shell(text, place, input.taint, this.#isPower || /powershell|pwsh/.test(program)),
      };
    }
    const file = args.find(({ text }) => text !== undefined && !/^[-/]\w$|^-/.test(text));
    if (file === undefined) {
      this.#tracer.run(place, input.taint, {});
      if (input.text !== undefined && input.taint.decoded !== undefined)
        this.#tracer.shell(input.text, place, undefined);
      return nothing;
    }
    this.#tracer.run(place, merge({ ...file.taint }, this.#tracer.files.read(file.text)), {});
    return { taint: readOf(union(...args.slice(1), input)) };
  }

  #interpreter({ program, args, input, place }: Acting): Value {
    const code = args.findIndex(({ text }) => /^(?:-c|-e|-r|-pe|-ne|--eval|-p)$/.test(text ?? ''));
    if (code >= 0) {
      const given = args[code + 1];
      if (given === undefined) return nothing;
      // A text that fills in a part of the program is its data; only one that is all of it is code.
      if (given.text === undefined || given.text.length === 1)
        this.#tracer.run(place, given.taint, { isEvaluated: true });
      const language = /^(?:python|pypy)/.test(program) ? 'python' : 'javascript';
      if (given.text !== undefined) this.#tracer.code(given.text, language, place);
      return { taint: readOf(union(given, input)) };
    }
    const file = args.find(
      ({ text }) => text !== undefined && !text.startsWith('-') && !/^(?:run|x|exec)$/.test(text),
    );
    this.#tracer.run(
      place,
      file === undefined || file.text === '-'
        ? input.taint
        : merge({ ...file.taint }, this.#tracer.files.read(file.text)),
      {},
    );
    return { taint: readOf(union(...args, input)) };
  }

  /** `xargs`: what comes in is an argument. */
  #each(args: readonly Value[], input: Value, step: ShellStep, before: readonly Value[]): Value {
    let rest = args;
    let hole = '{}';
    while (rest[0]?.text?.startsWith('-')) {
      if (/^-(?:I|n|P|L|d|a|s)$/.test(rest[0].text)) {
        if (rest[0].text === '-I') hole = rest[1]?.text ?? hole;
        rest = rest.slice(2);
      } else rest = rest.slice(1);
    }
    if (rest.length === 0) return { taint: input.taint };
    const isPlaced = rest.some(({ text }) => text?.includes(hole));
    const placed = rest.map((word) =>
      word.text?.includes(hole) ? { text: word.text, taint: merge({ ...word.taint }, input.taint) } : word,
    );
    return this.#command(isPlaced ? placed : [...rest, { taint: input.taint }], {
      input: nothing,
      step,
      before,
    });
  }

  #find(args: readonly Value[], step: ShellStep, before: readonly Value[]): Value {
    const exec = args.findIndex(({ text }) => /^-(?:exec|execdir|ok)$/.test(text ?? ''));
    const found = union(...(exec < 0 ? args : args.slice(0, exec)));
    if (args.some(({ text }) => text === '-delete')) this.#tracer.remove(this.#tracer.here, found);
    if (exec < 0) return { taint: found };
    const rest = args.slice(exec + 1).filter(({ text }) => text !== ';' && text !== '+' && text !== '\\');
    return this.#command(
      rest.map((word) => (word.text?.includes('{}') ? { text: word.text, taint: found } : word)),
      { input: nothing, step, before },
    );
  }
}

/** The contents of a packed file, without its place. */
function writtenTaint({ place: _, ...rest }: Taint): Taint {
  return rest;
}

/** The name of a program without its path. */
const programOf = (word: Value | undefined): string =>
  (word?.text ?? '')
    .replace(/^.*[/\\](?=[^/\\]+$)/, '')
    .replace(/\.exe$/i, '')
    .toLowerCase();

/** Whether a word begins with a name as it is written. */
const isPlainWord = ([part]: Word): boolean =>
  part?.kind === 'text' && !part.isQuoted && !part.text.startsWith('[');
