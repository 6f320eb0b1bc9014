// The effect of a call: it reads, sends, runs or decodes something, or returns something constant.

import type { Match } from '../match.ts';
import { decodeConstant } from './decode-constant.ts';
import * as facts from './facts.ts';
import { Meanings, type Span } from './meanings.ts';
import type { Tracer } from './tracer.ts';
import { isTainted, merge, nothing, readOf, type Taint, trace, UNKNOWN, union, type Value } from './value.ts';

const MAX_ITEMS = 40;

/** A call: what is called, and what it is given. */
export interface Call {
  readonly span: Span;
  /** The end of it as it is written. */
  readonly written: string;
  readonly name: string;
  readonly callee: Value;
  readonly receiver: Value | undefined;
  readonly values: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
  /** The data in the arguments, and in the receiver too. */
  readonly taint: Taint;
  readonly all: Taint;
  /** Keeps data in what the method is called on. */
  readonly keep: ((taint: Taint) => void) | undefined;
  readonly place: Match;
}

const joinsPath =
  /^(?:os\.path\.(?:join|abspath|realpath|normpath)|path\.(?:join|resolve|normalize)|filepath\.Join|File\.join|(?:pathlib\.)?(?:Path|PurePath|PosixPath))$/;
const opensFile =
  /^(?:open|fopen|ZipFile|TarFile|createWriteStream|gzip_open|File|createReadStream|OpenFile|Create)$/;
const writesWhole =
  /^(?:write_text|write_bytes|writeFile|writeFileSync|appendFile|appendFileSync|file_put_contents|WriteFile|WriteAllText|writeTextFile)$/;
const copiesFile = /^(?:copy|copy2|copyfile|copytree|copyFile|copyFileSync|cpSync|move|rename|renameSync)$/;
const writesPart =
  /^(?:write|writelines|writestr|add|append|file|directory|addLocalFile|addFile|WriteString|extractall)$/;
/** Every text in a value. */
const textOf = ({ text, items, fields }: Value, depth = 9): string =>
  text ??
  (depth === 0
    ? ''
    : [...(items ?? []), ...(fields?.values() ?? [])].map((part) => textOf(part, depth - 1)).join('\n'));

/** The address that a client is made with: its requests go there. */
const baseAddress = ({ name, values, named }: Call): string | undefined =>
  /^smtplib\.SMTP|HTTPS?Connection$/.test(name)
    ? values[0]?.text
    : (
        named.get('base_url') ??
        ['baseURL', 'baseUrl', 'prefixUrl'].map((key) => values[0]?.fields?.get(key)).find(Boolean)
      )?.text;

const isTransparent =
  /^textwrap\.dedent$|^inspect\.cleandoc$|\.(?:strip|trim|encode|decode|toString|format|lower|replace|rstrip|lstrip)$|^str$|^Buffer\.from$|^bytes$/;

/** Calls of one program. */
export class Calls extends Meanings {
  readonly #isPython: boolean;

  constructor(tracer: Tracer, isPython: boolean) {
    super(tracer);
    this.#isPython = isPython;
  }

  called(call: Call): Value {
    const { span, written, name, callee, receiver, values, named, taint, all, keep, place } = call;
    const first = values[0]?.text;
    const folded = this.#fold(name, receiver, values);
    if (folded !== undefined) return folded;
    this.tracer.see({ kind: 'call', name, values }, place);
    const mapped = values[0]?.routine;
    if (/\.(?:map|flatMap)$/.test(name) && mapped !== undefined && receiver?.items !== undefined) {
      const items = receiver.items.slice(0, MAX_ITEMS).map((item) => mapped.call([item]));
      return { taint: union(...items), items };
    }
    // Functions given to a call receive what it handles.
    const isSilent = facts.silent.test(name);
    if (facts.deletes.test(name)) this.tracer.remove(place, all);
    const [event, handler] = [first, values[1]?.routine];
    if (
      event !== undefined &&
      handler !== undefined &&
      /\.(?:on|once|addListener|addEventListener)$/.test(name)
    )
      this.tracer.files.hear(event, handler);
    if (event !== undefined && /\.emit$/.test(name))
      for (const heard of this.tracer.files.heard(event)) merge(all, heard.call(values.slice(1)).taint);
    // Data of a connection goes into a shell.
    if (/^shell\(\)\.stdin\.(?:write|end)$/.test(name)) this.tracer.run(place, taint, {});
    if (/\.pipe$/.test(name) && values[0]?.name === 'shell().stdin') this.tracer.run(place, all, {});
    const remote = (what: string | undefined): Taint => ({ remote: trace(what ?? 'download', place) });
    for (const { routine, name: given } of values) {
      if (given !== undefined && facts.evaluates.test(given))
        this.tracer.run(place, all, { isEvaluated: true });
      if (isSilent || routine === undefined || routine === callee.routine) continue;
      const heard = facts.listens.test(name) ? 'request' : facts.fetches.test(name) ? 'download' : undefined;
      const result = { taint: heard === undefined ? { ...all } : { ...all, ...remote(heard) } };
      merge(all, routine.call([result, result, result]).taint);
    }
    if (callee.routine !== undefined) {
      const own = callee.routine.call([...values, ...named.values()], receiver);
      return { ...own, name: own.name ?? callee.name };
    }
    // Sources.
    if (facts.readsVariable.test(name) && first !== undefined) return this.variable(first, span);
    if (/^(?:dict|list|str|JSON\.stringify|json\.dumps|Object\.\w+|copy\.\w+)$/.test(name))
      return { taint: all, text: /^(?:JSON|json)/.test(name) && values[0] ? textOf(values[0]) : undefined };
    const isWhole = name.replace(/\.(?:items|copy|values|keys|to_h|entries)$/, '()').replace(/\(\)$/, '');
    if (facts.wholeEnvironment.test(isWhole) || facts.wholeEnvironment.test(`${name}()`))
      return this.secret('the environment', span);
    const handed = facts.handsOut(`${name}(${written}`);
    if (handed !== undefined) merge(all, this.secret(handed, span).taint);
    // Acts.
    if (facts.runsCommand.test(name)) return this.command(call);
    if (facts.evaluates.test(name)) {
      this.tracer.run(place, merge({ ...all }, this.tracer.files.read(first)), { isEvaluated: true });
      if (first !== undefined && /[\n(]/.test(first))
        this.tracer.code(first, this.#isPython ? 'python' : 'javascript', place);
    }
    if (facts.sends.test(name)) {
      const url =
        values
          .map(
            ({ text, fields }) =>
              text ?? ['host', 'hostname', 'url'].map((key) => fields?.get(key)?.text).find(Boolean),
          )
          .find((text) => text !== undefined && /[.:]/.test(text)) ??
        named.get('url')?.text ??
        receiver?.text;
      this.tracer.send(place, {
        taint: all,
        address: url,
        isRaw: /socket|dgram|net\./.test(name) || facts.looksUp.test(name),
        addressTaint: values[0]?.taint,
      });
      // The answer of this machine's own services may be a token.
      const answer = handed !== undefined && facts.localHost.test(url ?? '') ? { secret: all.secret! } : {};
      return { name: `${name}()`, taint: facts.fetches.test(name) ? { ...remote(url), ...answer } : answer };
    }
    if (isSilent) return nothing;
    const file = this.#file(call);
    if (file !== undefined) return file;
    if (facts.fetches.test(name)) return { name: `${name}()`, taint: remote(first) };
    if (facts.sockets.test(name)) return { name: `${name}()`, taint: remote('request') };
    const result = facts.reads.test(name) ? { ...readOf(all) } : { ...all };
    if (facts.decodes.test(name)) result.decoded = trace('decoded text', place);
    if (facts.encodes.test(name) || (/\.toString$/.test(name) && /^(?:hex|base64)/.test(first ?? '')))
      result.encoded = true;
    if (facts.temporaries.test(name)) {
      const path = `/tmp/${UNKNOWN}${span.from}`;
      return { name: `${name}()`, text: path, file: path, taint: {} };
    }
    // Data that is added to a value stays in it.
    if (keep !== undefined && facts.adds.test(name) && isTainted(taint))
      keep(facts.reads.test(name) ? readOf(taint) : taint);
    return {
      name: `${name}()`,
      taint: result,
      text: isTransparent.test(name) ? (receiver?.text ?? first) : baseAddress(call),
      file: callee.file,
    };
  }

  /** Results that are constant. */
  #fold(name: string, receiver: Value | undefined, values: readonly Value[]): Value | undefined {
    const [first, second] = values;
    if (
      /^(?:__import__|importlib\.import_module|require|createRequire\(\))$/.test(name) &&
      first?.text !== undefined
    )
      return this.module(first.text);
    if (name === 'getattr' && second?.text !== undefined)
      return { name: `${first?.name ?? '?'}.${second.text}`, taint: {} };
    if (/^(?:(?:pathlib\.)?Path\.home|os\.homedir|Dir\.home|os\.UserHomeDir|homedir)$/.test(name))
      return this.constant('~');
    if (joinsPath.test(name)) return values.length === 0 ? nothing : this.path(values);
    if (/\.(?:joinpath|r?glob)$/.test(name) && receiver !== undefined && first?.text !== undefined)
      return { ...this.path([receiver, ...values]), name: undefined };
    if (/(?:^|\.)(?:iterdir|listdir|walk|scandir)$/.test(name)) {
      const listed = receiver?.text ?? first?.text;
      if (listed !== undefined && facts.placeIn(listed) === facts.home) return this.constant(`${listed}/*`);
    }
    if (name === 'map' && first?.name === 'chr' && second?.items !== undefined)
      return {
        taint: {},
        items: second.items.map(({ text }) => ({
          text: String.fromCharCode(Number(text) & 0xffff),
          taint: {},
        })),
      };
    if (name === 'reversed' && first?.text !== undefined)
      return { taint: {}, items: [...first.text].reverse().map((text) => ({ text, taint: {} })) };
    if (/^(?:os\.path\.expand(?:user|vars)|File\.expand_path)$/.test(name) && first !== undefined)
      return first;
    if (
      /\.(?:expanduser|absolute|resolve|as_posix)$/.test(name) &&
      receiver?.text !== undefined &&
      values.length === 0
    )
      return { ...receiver, name: undefined };
    if (/\.join$/.test(name)) {
      // `"".join(list)` in Python, `list.join('')` in JavaScript.
      const [list, between] =
        receiver?.text === undefined ? [receiver, first?.text ?? ','] : [first, receiver.text];
      if (list?.items !== undefined) return this.joined(list.items, between);
    }
    if (/^(?:chr|String\.fromCharCode)$/.test(name) && values.every(({ text }) => /^\d/.test(text ?? '')))
      return { text: String.fromCharCode(...values.map(({ text }) => Number(text) & 0xffff)), taint: {} };
    const coded = first?.text ?? receiver?.text;
    if (coded === undefined || coded.includes(UNKNOWN)) return undefined;
    const text = decodeConstant(name, coded, second?.text);
    if (text === undefined) return undefined;
    return {
      text,
      taint: { ...this.constant(text).taint, decoded: trace('decoded text', this.tracer.here) },
    };
  }

  /** Reading and writing files. */
  #file({ name, receiver, values, named, all, place }: Call): Value | undefined {
    const path = values[0]?.text;
    const method = name.slice(name.lastIndexOf('.') + 1);
    const { files } = this.tracer;
    const write = (target: string | undefined, data: Taint, text?: string): Value => {
      this.tracer.write(target, data, place, text);
      return nothing;
    };
    if (opensFile.test(method) || name === 'tarfile.open') {
      const target = method === 'open' && path === undefined ? receiver?.text : path;
      const mode =
        named.get('mode')?.text ??
        values.find(({ text }) => /^[rwax]b?t?\+?(?::\w+)?$/.test(text ?? ''))?.text ??
        '';
      const isWriting = /[wax]/.test(mode) || /createWriteStream|Create/.test(method);
      if (isWriting) this.tracer.see({ kind: 'write', target }, place);
      const taint = isWriting ? {} : merge({ ...readOf(all) }, files.read(target));
      return { name: `${name}()`, taint, file: target ?? UNKNOWN };
    }
    if (writesWhole.test(method)) {
      const isOwn = method.startsWith('write_');
      const target = isOwn ? receiver?.text : path;
      this.tracer.see({ kind: 'write', target }, place);
      write(target, union(...(isOwn ? values : values.slice(1))), values[isOwn ? 0 : 1]?.text);
      return nothing;
    }
    if (/^(?:safe_)?dump$/.test(method) && values[1]?.file !== undefined)
      return write(values[1].file, union(values[0]), textOf(values[0]!));
    if (copiesFile.test(method) && values.length > 1)
      return write(values[1]!.text, merge({ ...readOf({ ...values[0]!.taint }) }, files.read(path)));
    if (method === 'make_archive') {
      write(path, readOf(union(...values.slice(1), ...named.values())));
      return { text: path, taint: readOf(all) };
    }
    if (/^(?:urlretrieve|DownloadFile|download)$/.test(method) && values.length > 1)
      return write(values[1]!.text, { remote: trace(path ?? 'download', place) });
    if (writesPart.test(method) && receiver?.file !== undefined) {
      write(receiver.file, readOf(union(...values)), values[0]?.text);
      return nothing;
    }
    if (facts.reads.test(name)) merge(all, files.read(receiver?.text ?? path));
    return undefined;
  }

  command({ name, values, named, all, place }: Pick<Call, 'values' | 'place'> & Partial<Call>): Value {
    const list = values.find(({ items }) => items !== undefined && items.length > 0)?.items;
    // The first argument of `os.spawn…` is a mode.
    const [program] = /^os\.(?:posix_)?spawn/.test(name ?? '') ? values.slice(1) : values;
    const words =
      program?.text === undefined
        ? (list ?? [])
        : [program, ...(list ?? values.slice(1).filter(({ text }) => text !== undefined))];
    const text = words
      .map((word) => {
        const own = word.text ?? (isTainted(word.taint) ? this.tracer.hole(word.taint) : UNKNOWN);
        return words.length === 1 || /^[\w./~:@=+-]+$/.test(own)
          ? own
          : `"${own.replace(/(["\\$`])/g, '\\$1')}"`;
      })
      .join(' ');
    const input = named?.get('input') ?? named?.get('stdin');
    const isShell = facts.obeysInput.test(text);
    // Its input may be among the options.
    const given = isShell
      ? { taint: union(input, ...values.filter((value) => value.fields !== undefined)) }
      : input;
    const result = this.tracer.shell(text, place, given?.taint);
    // A program whose name is not constant.
    const unknown =
      program !== undefined && program.items === undefined && /^[\ue000-\uf8ff]?$/.test(program.text ?? '')
        ? program
        : list?.[0]?.text === undefined
          ? list?.[0]
          : undefined;
    if (unknown !== undefined) this.tracer.run(place, unknown.taint, {});
    return {
      name: isShell ? 'shell()' : 'process()',
      taint: merge(result, all?.encoded ? { encoded: true } : {}),
    };
  }
}
