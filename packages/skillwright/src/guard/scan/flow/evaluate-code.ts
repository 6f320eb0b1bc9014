// Follows data through a Python or JavaScript program, on its syntax tree. Other languages with calls and braces are read as
// JavaScript: what the parser does not understand is skipped, and the calls in it remain.

import type { SyntaxNode, Tree } from '@lezer/common';
import { parser as javascript } from '@lezer/javascript';
import { parser as python } from '@lezer/python';
import { decodeConstant } from './decode-constant.ts';
import * as facts from './facts.ts';
import type { Tracer } from './tracer.ts';
import {
  isTainted,
  merge,
  nothing,
  passed,
  type Routine,
  readOf,
  signed,
  type Taint,
  UNKNOWN,
  union,
  type Value,
} from './value.ts';

const typescript = javascript.configure({ dialect: 'ts jsx' });

/** The tree of a program. */
const parseCode = (text: string, language: 'python' | 'javascript'): Tree =>
  (language === 'python' ? python : typescript).parse(text);

const MAX_DEPTH = 150;
const MAX_CALLS = 6;
const MAX_TEXT = 20_000;

/** Names of a function or a file. */
type Scope = Map<string, Value>;

/** Evaluates a program and returns its names. */
export function evaluateCode(text: string, language: 'python' | 'javascript', tracer: Tracer): Scope {
  return new Program(text, language, tracer).evaluate();
}

class Program {
  readonly #text: string;
  readonly #isPython: boolean;
  readonly #tracer: Tracer;
  readonly #top: Scope = new Map();
  readonly #routines: Routine[] = [];
  #scopes: Scope[] = [this.#top];
  #returned: Taint[] = [];
  #depth = 0;
  #calls = 0;

  constructor(text: string, language: 'python' | 'javascript', tracer: Tracer) {
    this.#text = text;
    this.#isPython = language === 'python';
    this.#tracer = tracer;
  }

  evaluate(): Scope {
    const tree = parseCode(this.#text, this.#isPython ? 'python' : 'javascript');
    this.#value(tree.topNode);
    // Routines that nothing here calls are called from elsewhere.
    for (const routine of this.#routines) if (!routine.wasCalled) routine.call([]);
    return this.#top;
  }

  #source(node: SyntaxNode): string {
    return this.#text.slice(node.from, node.to);
  }

  #find(name: string): Value {
    for (let at = this.#scopes.length - 1; at >= 0; at--) {
      const value = this.#scopes[at]!.get(name);
      if (value !== undefined) return value;
    }
    return { name, taint: {} };
  }

  #set(name: string, value: Value): void {
    const scope = this.#scopes.at(-1)!;
    scope.set(name, value);
  }

  #children(node: SyntaxNode): SyntaxNode[] {
    const found: SyntaxNode[] = [];
    for (let child = node.firstChild; child !== null; child = child.nextSibling) found.push(child);
    return found;
  }

  #all(nodes: readonly SyntaxNode[]): Value {
    const values = nodes.map((node) => this.#value(node));
    return { taint: union(...values), items: values.filter((_, at) => isExpression(nodes[at]!)) };
  }

  #value(node: SyntaxNode): Value {
    if (this.#depth > MAX_DEPTH || !this.#tracer.spend()) return nothing;
    this.#depth++;
    const value = this.#evaluate(node);
    this.#depth--;
    return value;
  }

  #evaluate(node: SyntaxNode): Value {
    switch (node.name) {
      case 'Comment':
      case 'LineComment':
      case 'BlockComment':
      case 'TypeDef':
      case 'TypeAnnotation':
      case 'TypeAliasDeclaration':
      case 'InterfaceDeclaration':
        return nothing;
      case 'VariableName':
      case 'self':
      case 'this':
        return this.#find(this.#source(node));
      case 'PropertyName':
      case 'PropertyDefinition':
        return { text: this.#source(node), taint: {} };
      case 'Number':
        return { text: this.#source(node), taint: {} };
      case 'String':
        return this.#constant(decodeString(this.#source(node)));
      case 'FormatString':
      case 'TemplateString':
        return this.#template(node);
      case 'ContinuedString':
        return this.#joined(this.#children(node).map((child) => this.#value(child)));
      case 'MemberExpression':
        return this.#member(node);
      case 'CallExpression':
      case 'NewExpression':
        return this.#call(node);
      case 'TaggedTemplateExpression':
        return this.#tagged(node);
      case 'BinaryExpression':
        return this.#binary(node);
      case 'ParenthesizedExpression':
      case 'SequenceExpression':
      case 'AwaitExpression':
      case 'ExpressionStatement':
        return this.#last(node);
      case 'ObjectExpression':
      case 'DictionaryExpression':
        return this.#object(node);
      case 'ArrayExpression':
      case 'TupleExpression':
      case 'SetExpression':
        return this.#all(this.#children(node));
      case 'ArrayComprehensionExpression':
      case 'ComprehensionExpression':
      case 'DictionaryComprehensionExpression':
      case 'SetComprehensionExpression':
        return this.#comprehension(node);
      case 'LambdaExpression':
      case 'ArrowFunction':
      case 'FunctionExpression':
        return this.#routine(node);
      case 'FunctionDefinition':
      case 'FunctionDeclaration':
      case 'MethodDeclaration':
        return this.#definition(node);
      case 'ClassDefinition':
      case 'ClassDeclaration':
      case 'ClassExpression':
        return this.#class(node);
      case 'AssignStatement':
      case 'UpdateStatement':
      case 'AssignmentExpression':
      case 'NamedExpression':
        return this.#assignment(node);
      case 'VariableDeclaration':
        return this.#declaration(node);
      case 'ImportStatement':
        return this.#pythonImport(node);
      case 'ImportDeclaration':
        return this.#import(node);
      case 'ForStatement':
        return this.#loop(node);
      case 'WithStatement':
        return this.#with(node);
      case 'ReturnStatement':
      case 'YieldStatement': {
        const value = this.#all(this.#children(node));
        this.#returned.push(value.taint);
        return value;
      }
      default:
        return this.#all(this.#children(node));
    }
  }

  /** The value of the last part: the one between brackets. */
  #last(node: SyntaxNode): Value {
    let value: Value = nothing;
    for (const child of this.#children(node)) {
      const own = this.#value(child);
      if (isExpression(child)) value = own;
    }
    return value;
  }

  #constant(text: string): Value {
    const what = facts.placeIn(text);
    const taint: Taint = {};
    if (what !== undefined) taint.place = { what, from: this.#tracer.here, steps: [] };
    if (facts.temporaryPath.test(text))
      taint.temporary = { what: 'temporary file', from: this.#tracer.here, steps: [] };
    return { text: text.slice(0, MAX_TEXT), taint };
  }

  /** Texts one after another. */
  #joined(values: readonly Value[], between = ''): Value {
    const parts = values.map(
      (value) => value.text ?? (isTainted(value.taint) ? this.#tracer.hole(value.taint) : UNKNOWN),
    );
    const text = parts.join(between).slice(0, MAX_TEXT);
    const own = this.#constant(text);
    return { text, taint: merge(union(...values), own.taint) };
  }

  #template(node: SyntaxNode): Value {
    const parts: Value[] = [];
    const isFormat = node.name === 'FormatString';
    let at = node.from + (isFormat ? /^[a-z]*(?:"""|'''|["'])/i.exec(this.#source(node))![0].length : 1);
    const end = node.to - (isFormat ? (/(?:"""|'''|["'])$/.exec(this.#source(node))?.[0].length ?? 0) : 1);
    for (const child of this.#children(node)) {
      if (child.name !== 'FormatReplacement' && child.name !== 'Interpolation') continue;
      parts.push({ text: decodeEscapes(this.#text.slice(at, child.from)), taint: {} });
      parts.push(child.name === 'Interpolation' ? this.#last(child) : this.#last(child));
      at = child.to;
    }
    parts.push({ text: decodeEscapes(this.#text.slice(at, Math.max(at, end))), taint: {} });
    return this.#joined(parts);
  }

  #binary(node: SyntaxNode): Value {
    const children = this.#children(node);
    const left = this.#value(children[0]!);
    const right = children.length > 2 ? this.#value(children.at(-1)!) : nothing;
    const operator = children.length > 2 ? this.#source(children[1]!) : '';
    if (operator === '+') return this.#joined([left, right]);
    if (operator === '/' && (left.text !== undefined || left.file !== undefined))
      return this.#path([left, right]);
    if (/^(?:[=!]==?|[<>]=?|in|not|is|instanceof)$/.test(operator)) return nothing;
    // `a || b` is one of both.
    if (/^(?:\|\||\?\?|or)$/.test(operator) && left.name !== undefined && !isTainted(right.taint))
      return left;
    return { taint: union(left, right) };
  }

  /** Parts of a path. */
  #path(values: readonly Value[]): Value {
    const joined = this.#joined(values, '/');
    const text = joined.text!.replace(/\/{2,}/g, '/').replace(/(?<!^)\/$/, '');
    const own = this.#constant(text).taint;
    // `~` alone is a place of its own; with more after it, the whole path decides.
    const parts = union(...values);
    if (parts.place?.what === 'files of the home directory') delete parts.place;
    return { text, taint: merge(own, parts) };
  }

  #object(node: SyntaxNode): Value {
    const fields = new Map<string, Value>();
    const all: Taint = {};
    const children = this.#children(node);
    for (let at = 0; at < children.length; at++) {
      const child = children[at]!;
      let key: string | undefined;
      let value: Value;
      if (child.name === 'Property') {
        const [first, ...rest] = this.#children(child);
        key = first === undefined ? undefined : decodeString(this.#source(first));
        const last = rest.at(-1);
        value = last === undefined || last.name === ':' ? this.#find(key ?? '') : this.#value(last);
      } else if (children[at + 1]?.name === ':') {
        key = decodeString(this.#source(child));
        value = this.#value(children[at + 2] ?? child);
        at += 2;
      } else if (isExpression(child)) {
        merge(all, this.#value(child).taint);
        continue;
      } else continue;
      if (key !== undefined && isSigning.test(key)) value = { ...value, taint: signed(value.taint) };
      if (key !== undefined) fields.set(key, value);
      merge(all, value.taint);
    }
    return { taint: all, fields };
  }

  #member(node: SyntaxNode): Value {
    const [object, ...rest] = this.#children(node);
    const base = this.#value(object!);
    const isIndex = rest.some(({ name }) => name === '[');
    let key: string | undefined;
    if (isIndex) {
      const inner = rest.filter(isExpression);
      const slice = this.#text.slice(rest[0]!.from, node.to);
      if (/^\[::-1\]$/.test(slice) && base.text !== undefined)
        return this.#constant([...base.text].reverse().join(''));
      key = inner[0] === undefined ? undefined : this.#value(inner[0]).text;
    } else key = rest.at(-1) === undefined ? undefined : this.#source(rest.at(-1)!);
    return this.#memberOf(base, key, node);
  }

  #memberOf(base: Value, key: string | undefined, node: SyntaxNode): Value {
    const known = key === undefined ? undefined : base.fields?.get(key);
    if (known !== undefined) return known;
    const at = key !== undefined && /^\d+$/.test(key) ? base.items?.[Number(key)] : undefined;
    if (at !== undefined) return at;
    if (base.name !== undefined && facts.wholeEnvironment.test(base.name)) {
      if (key === undefined || key.includes(UNKNOWN)) return this.#secret('the environment', node);
      if (/^[A-Z]/.test(key)) return this.#variable(key, node);
      if (/^(?:items|values|entries|to_h|inspect|map|select|each)$/.test(key))
        return this.#secret('the environment', node);
    }
    const name = base.name === undefined || key === undefined ? undefined : `${base.name}.${key}`;
    if (key === 'parent' && base.text !== undefined) return { ...base, name: undefined };
    const text = key === 'name' ? (base.file ?? base.text) : undefined;
    return { name, taint: base.taint, file: base.file, text };
  }

  #variable(key: string, node: SyntaxNode): Value {
    if (!facts.secretName.test(key)) {
      const what = /^(?:HOME|USERPROFILE)$/.test(key) ? '~' : undefined;
      return what === undefined ? { taint: {} } : this.#constant(what);
    }
    return { taint: { variable: { what: key, from: this.#place(node), steps: [] } } };
  }

  #secret(what: string, node: SyntaxNode): Value {
    return { taint: { secret: { what, from: this.#place(node), steps: [] } } };
  }

  #place(node: SyntaxNode) {
    return this.#tracer.place(node.from, Math.min(node.to, node.from + 300));
  }

  /** The data that goes along with a value: a name of the whole environment is the environment. */
  #data(value: Value, node: SyntaxNode): Taint {
    if (value.name !== undefined && facts.wholeEnvironment.test(value.name))
      return merge({ ...value.taint }, this.#secret('the environment', node).taint);
    return value.taint;
  }

  #arguments(node: SyntaxNode | null): { values: Value[]; named: Map<string, Value>; taint: Taint } {
    const values: Value[] = [];
    const named = new Map<string, Value>();
    const taint: Taint = {};
    const children = node === null ? [] : this.#children(node);
    for (let at = 0; at < children.length; at++) {
      const child = children[at]!;
      if (!isExpression(child)) continue;
      if (this.#isPython && child.name === 'VariableName' && children[at + 1]?.name === 'AssignOp') {
        const key = this.#source(child);
        const given = children[at + 2];
        at += 2;
        if (given === undefined) continue;
        const value = this.#value(given);
        const own = this.#data(value, given);
        const kept = isSigning.test(key) || key === 'env' ? signed(own) : own;
        if (key === 'env') delete kept.secret;
        named.set(key, { ...value, taint: kept });
        merge(taint, kept);
        continue;
      }
      const value = this.#value(child);
      const own = this.#data(value, child);
      // Options of a request: headers sign it.
      values.push(own === value.taint ? value : { ...value, taint: own });
      merge(taint, own);
    }
    return { values, named, taint };
  }

  #call(node: SyntaxNode): Value {
    const children = this.#children(node);
    const list = children.find(({ name }) => name === 'ArgList' || name === 'TemplateString') ?? null;
    const head = children.find((child) => child !== list && isExpression(child));
    const [target] = head === undefined ? [] : [head];
    this.#tracer.move(node.from, node.to);
    const isMethod = target?.name === 'MemberExpression';
    const receiver = isMethod ? this.#value(target.firstChild!) : undefined;
    const callee =
      target === undefined
        ? nothing
        : receiver === undefined
          ? this.#value(target)
          : this.#memberOf(receiver, this.#keyOf(target), target);
    if (list?.name === 'TemplateString') return this.#command(node, [this.#template(list)], {});
    const { values, named, taint } = this.#arguments(list);
    this.#tracer.move(node.from, node.to);
    const name = callee.name ?? (isMethod ? `?.${this.#keyOf(target) ?? ''}` : '');
    const given = receiver === undefined ? {} : this.#data(receiver, target!);
    return this.#called(node, { name, callee, receiver, given, values, named, taint, target });
  }

  #keyOf(member: SyntaxNode): string | undefined {
    const last = this.#children(member).findLast(
      (child) => isExpression(child) && child !== member.firstChild,
    );
    if (last === undefined) return undefined;
    return last.name === 'PropertyName' ? this.#source(last) : this.#value(last).text;
  }

  #tagged(node: SyntaxNode): Value {
    const [tag, template] = this.#children(node);
    const name = tag === undefined ? '' : (this.#value(tag).name ?? '');
    const value = template === undefined ? nothing : this.#template(template);
    return facts.runsCommand.test(name) ? this.#command(node, [value], {}) : value;
  }

  #called(
    node: SyntaxNode,
    call: {
      name: string;
      callee: Value;
      receiver: Value | undefined;
      given: Taint;
      values: Value[];
      named: ReadonlyMap<string, Value>;
      taint: Taint;
      target: SyntaxNode | undefined;
    },
  ): Value {
    const { name, callee, receiver, given, values, named, taint, target } = call;
    const first = values[0]?.text;
    const folded = this.#fold(name, receiver, values);
    if (folded !== undefined) return folded;
    const all = merge(merge({}, given), taint);
    const place = this.#place(node);
    const mapped = values[0]?.routine;
    if (
      /\.(?:map|flatMap)$/.test(name) &&
      mapped !== undefined &&
      receiver?.items !== undefined &&
      receiver.items.length <= 40
    ) {
      const items = receiver.items.map((item) => mapped.call([item]));
      return { taint: union(...items), items };
    }
    // Functions given to a call receive what it handles.
    const isSilent = facts.silent.test(name);
    if (!isSilent)
      for (const value of values) {
        if (value.routine === undefined || value.routine === callee.routine) continue;
        const result: Taint = { ...all };
        if (facts.fetches.test(name)) result.remote = { what: 'download', from: place, steps: [] };
        merge(all, value.routine.call([{ taint: result }, { taint: result }, { taint: result }]).taint);
      }
    for (const value of values)
      if (value.name !== undefined && facts.evaluates.test(value.name))
        this.#tracer.run(place, all, { isEvaluated: true });
    if (callee.routine !== undefined) {
      const own = callee.routine.call([...values, ...named.values()], receiver);
      return { ...own, name: own.name ?? callee.name };
    }
    // Sources.
    if (facts.readsVariable.test(name) && first !== undefined) return this.#variable(first, node);
    if (/^(?:dict|list|str|JSON\.stringify|json\.dumps|Object\.\w+|copy\.\w+)$/.test(name))
      return { taint: all };
    const isWhole = name.replace(/\.(?:items|copy|values|keys|to_h|entries)$/, '()').replace(/\(\)$/, '');
    if (facts.wholeEnvironment.test(isWhole) || facts.wholeEnvironment.test(`${name}()`))
      return this.#secret('the environment', node);
    const handed = facts.handsOut(`${name}(${this.#source(node).slice(-200)}`);
    if (handed !== undefined) merge(all, this.#secret(handed, node).taint);
    // Acts.
    if (facts.runsCommand.test(name)) return this.#command(node, values, { named, name, taint: all });
    if (facts.evaluates.test(name)) {
      this.#tracer.run(place, all, { isEvaluated: true });
      if (first !== undefined && /[\n(]/.test(first))
        this.#tracer.code(first, this.#isPython ? 'python' : 'javascript', place);
    }
    if (facts.sends.test(name)) {
      const url =
        values
          .map(
            ({ text, fields }) =>
              text ?? fields?.get('host')?.text ?? fields?.get('hostname')?.text ?? fields?.get('url')?.text,
          )
          .find((text) => text !== undefined && /[.:]/.test(text)) ??
        named.get('url')?.text ??
        receiver?.text;
      this.#tracer.send(place, {
        taint: all,
        address: url,
        isRaw: /socket|dgram|net\./.test(name) || facts.looksUp.test(name),
        isLookup: facts.looksUp.test(name),
        addressTaint: values[0]?.taint,
      });
      const answer: Taint = {};
      if (facts.fetches.test(name)) answer.remote = { what: url ?? 'download', from: place, steps: [] };
      return { name: `${name}()`, taint: answer, text: undefined };
    }
    if (isSilent) return nothing;
    // Files.
    const file = this.#file(name, { receiver, values, named, node, all });
    if (file !== undefined) return file;
    if (facts.fetches.test(name))
      return { name: `${name}()`, taint: { remote: { what: first ?? 'download', from: place, steps: [] } } };
    let result = facts.reads.test(name) ? readOf(all) : all;
    if (facts.decodes.test(name))
      result = { ...result, decoded: { what: 'decoded text', from: place, steps: [] } };
    if (facts.encodes.test(name) || (/\.toString$/.test(name) && /^(?:hex|base64)/.test(first ?? '')))
      result = { ...result, encoded: true };
    if (facts.temporaries.test(name))
      return {
        name: `${name}()`,
        text: `/tmp/${UNKNOWN}${node.from}`,
        file: `/tmp/${UNKNOWN}${node.from}`,
        taint: { temporary: { what: 'temporary file', from: place, steps: [] } },
      };
    // Data that is added to a value stays in it.
    if (target?.name === 'MemberExpression' && facts.adds.test(name) && isTainted(taint))
      this.#add(target.firstChild!, facts.reads.test(name) ? readOf(taint) : taint);
    return {
      name: `${name}()`,
      taint: result,
      text: isTransparent.test(name) ? (receiver?.text ?? first) : undefined,
      file: callee.file,
    };
  }

  /** Results that are constant. */
  #fold(name: string, receiver: Value | undefined, values: readonly Value[]): Value | undefined {
    const first = values[0];
    if (
      /^(?:__import__|importlib\.import_module|require|createRequire\(\))$/.test(name) &&
      first?.text !== undefined
    )
      return this.#module(first.text);
    if (name === 'getattr' && values[1]?.text !== undefined)
      return { name: `${first?.name ?? '?'}.${values[1].text}`, taint: {} };
    if (
      /^(?:os\.path\.(?:join|abspath|realpath|normpath)|path\.(?:join|resolve|normalize)|filepath\.Join|File\.join)$/.test(
        name,
      )
    )
      return this.#path(values);
    if (/^(?:pathlib\.)?(?:Path|PurePath|PosixPath)$/.test(name))
      return values.length === 0 ? nothing : this.#path(values);
    if (/^(?:os\.path\.expanduser|os\.path\.expandvars|File\.expand_path)$/.test(name) && first !== undefined)
      return first;
    if (
      /\.(?:expanduser|absolute|resolve|as_posix)$/.test(name) &&
      receiver?.text !== undefined &&
      values.length === 0
    )
      return { ...receiver, name: undefined };
    if (/\.joinpath$/.test(name) && receiver !== undefined) return this.#path([receiver, ...values]);
    if (/^(?:(?:pathlib\.)?Path\.home|os\.homedir|Dir\.home|os\.UserHomeDir|homedir)$/.test(name))
      return this.#constant('~');
    if (/\.join$/.test(name)) {
      // `"".join(list)` in Python, `list.join('')` in JavaScript.
      const [list, between] =
        receiver?.text === undefined ? [receiver, first?.text ?? ','] : [first, receiver.text];
      if (list?.items !== undefined) return this.#joined(list.items, between);
    }
    if (
      /^(?:chr|String\.fromCharCode)$/.test(name) &&
      values.every(({ text }) => text !== undefined && /^\d/.test(text))
    )
      return { text: String.fromCharCode(...values.map(({ text }) => Number(text) & 0xffff)), taint: {} };
    const coded = first?.text ?? receiver?.text;
    if (coded !== undefined && !coded.includes(UNKNOWN)) {
      const text = decodeConstant(name, coded, values[1]?.text);
      if (text !== undefined) {
        const own = this.#constant(text);
        return {
          text,
          taint: { ...own.taint, decoded: { what: 'decoded text', from: this.#tracer.here, steps: [] } },
        };
      }
    }
    return undefined;
  }

  /** Reading and writing files. */
  #file(
    name: string,
    {
      receiver,
      values,
      named,
      node,
      all,
    }: {
      receiver: Value | undefined;
      values: readonly Value[];
      named: ReadonlyMap<string, Value>;
      node: SyntaxNode;
      all: Taint;
    },
  ): Value | undefined {
    const path = values[0]?.text;
    const method = name.slice(name.lastIndexOf('.') + 1);
    const { files } = this.#tracer;
    if (
      /^(?:open|fopen|ZipFile|TarFile|createWriteStream|gzip_open|File|createReadStream|OpenFile|Create)$/.test(
        method,
      ) ||
      name === 'tarfile.open'
    ) {
      const target = method === 'open' && path === undefined ? receiver?.text : path;
      const mode =
        named.get('mode')?.text ??
        values.find(({ text }) => text !== undefined && /^[rwax]b?t?\+?(?::\w+)?$/.test(text))?.text ??
        '';
      const isWriting = /[wax]/.test(mode) || /createWriteStream|Create/.test(method);
      const taint = isWriting ? {} : merge(readOf(all), files.read(target));
      return { name: `${name}()`, taint, file: target ?? UNKNOWN };
    }
    if (
      /^(?:write_text|write_bytes|writeFile|writeFileSync|appendFile|appendFileSync|file_put_contents|WriteFile|WriteAllText|writeTextFile)$/.test(
        method,
      )
    ) {
      const target = /^write_/.test(method) ? receiver?.text : path;
      const data = union(...(/^write_/.test(method) ? values : values.slice(1)));
      this.#tracer.write(target, data, this.#place(node));
      if (values[0]?.taint.temporary ?? receiver?.taint.temporary)
        this.#tracer.drop(target, this.#place(node));
      return nothing;
    }
    if (
      /^(?:copy|copy2|copyfile|copytree|copyFile|copyFileSync|cpSync|move|rename|renameSync)$/.test(method) &&
      values.length > 1
    ) {
      this.#tracer.write(
        values[1]!.text,
        merge(readOf({ ...values[0]!.taint }), files.read(path)),
        this.#place(node),
      );
      return nothing;
    }
    if (method === 'make_archive') {
      this.#tracer.write(path, readOf(union(...values.slice(1), ...named.values())), this.#place(node));
      return { text: path, taint: readOf(all) };
    }
    if (/^(?:urlretrieve|DownloadFile|download)$/.test(method) && values.length > 1) {
      this.#tracer.write(
        values[1]!.text,
        { remote: { what: 'download', from: this.#place(node), steps: [] } },
        this.#place(node),
      );
      return nothing;
    }
    if (
      /^(?:write|writelines|writestr|add|append|file|directory|addLocalFile|addFile|WriteString|extractall)$/.test(
        method,
      ) &&
      receiver?.file !== undefined
    ) {
      this.#tracer.write(receiver.file, readOf(union(...values)), this.#place(node));
      if (facts.temporaryPath.test(receiver.file)) this.#tracer.drop(receiver.file, this.#place(node));
      return nothing;
    }
    if (facts.reads.test(name)) {
      const known = files.read(receiver?.text ?? path);
      if (known !== undefined) merge(all, known);
    }
    return undefined;
  }

  #command(
    node: SyntaxNode,
    values: readonly Value[],
    { named, taint }: { named?: ReadonlyMap<string, Value>; name?: string; taint?: Taint },
  ): Value {
    const place = this.#place(node);
    const list = values.find(({ items }) => items !== undefined && items.length > 0)?.items;
    const [program] = values;
    const words =
      program?.text === undefined
        ? (list ?? [])
        : [program, ...(list ?? values.slice(1).filter(({ text }) => text !== undefined))];
    const isOne = words.length === 1;
    const text = words
      .map((word) => {
        const own = word.text ?? (isTainted(word.taint) ? this.#tracer.hole(word.taint) : UNKNOWN);
        return isOne || /^[\w./~:@=+-]+$/.test(own) ? own : `"${own.replace(/(["\\$`])/g, '\\$1')}"`;
      })
      .join(' ');
    const input = named?.get('input') ?? named?.get('stdin');
    const result = this.#tracer.shell(text, place, input?.taint);
    // A program whose name is not constant.
    if (program !== undefined && program.items === undefined && /^[\ue000-\uf8ff]?$/.test(program.text ?? ''))
      this.#tracer.run(place, program.taint, {});
    else if (list?.[0] !== undefined && list[0].text === undefined)
      this.#tracer.run(place, list[0].taint, {});
    return { name: 'process()', taint: merge(result, onlyEncoded(taint)) };
  }

  #add(node: SyntaxNode, taint: Taint): void {
    const root = rootOf(node);
    const name = this.#source(root);
    const known = this.#find(name);
    const kept = passed(taint, this.#place(node));
    this.#assign(root, { ...known, text: undefined, taint: merge({ ...known.taint }, kept) });
    if (root !== node) {
      const field = this.#value(node);
      this.#assign(node, { ...field, taint: merge({ ...field.taint }, kept) });
    }
  }

  #assignment(node: SyntaxNode): Value {
    const children = this.#children(node);
    const operator = children.findIndex(({ name }) => /^(?:AssignOp|UpdateOp|Equals|:=)$/.test(name));
    const targets = children.slice(0, Math.max(0, operator)).filter(isExpression);
    const given = children.slice(operator + 1).filter((child) => isExpression(child));
    if (given.length === 0) return nothing;
    let value = given.length === 1 ? this.#value(given[0]!) : this.#all(given);
    if (children[operator]?.name === 'UpdateOp' && targets[0] !== undefined) {
      const known = this.#value(targets[0]);
      value =
        this.#source(children[operator]!) === '+='
          ? this.#joined([known, value])
          : { taint: union(known, value) };
    }
    // `a = b = value`
    const rest = given.filter(
      (_, at) => at < given.length - 1 && children.filter(({ name }) => name === 'AssignOp').length > 1,
    );
    for (const target of [...rest]) this.#assign(target, value);
    if (targets.length === 1) this.#assign(targets[0]!, value);
    else for (const [at, target] of targets.entries()) this.#assign(target, this.#part(value, at));
    return value;
  }

  #part(value: Value, at: number): Value {
    return value.items?.[at] ?? { taint: value.taint };
  }

  #declaration(node: SyntaxNode): Value {
    const children = this.#children(node);
    for (const [at, child] of children.entries()) {
      if (child.name !== 'Equals') continue;
      const target = children
        .slice(0, at)
        .findLast((one) => isExpression(one) || /Pattern$|Definition$/.test(one.name));
      const given = children[at + 1];
      if (target === undefined || given === undefined) continue;
      this.#assign(target, this.#value(given));
    }
    return nothing;
  }

  #assign(target: SyntaxNode, value: Value): void {
    switch (target.name) {
      case 'VariableName':
      case 'VariableDefinition': {
        const name = this.#source(target);
        const kept = isTainted(value.taint)
          ? { ...value, taint: passed(value.taint, this.#place(target)) }
          : value;
        // A key in something that is called a header signs a request.
        this.#set(name, isSigning.test(name) ? { ...kept, taint: signed(kept.taint) } : kept);
        return;
      }
      case 'MemberExpression': {
        const object = target.firstChild!;
        const key = this.#keyOf(target);
        const signing = key !== undefined && isSigning.test(key);
        const own = signing ? { ...value, taint: signed(value.taint) } : value;
        const base = this.#value(object);
        const fields = base.fields ?? new Map<string, Value>();
        if (key !== undefined) fields.set(key, own);
        if (/^(?:self|this)$/.test(this.#source(object))) {
          if (base.fields === undefined) this.#set(this.#source(object), { ...base, fields });
          return;
        }
        const root = rootOf(object);
        const known = this.#find(this.#source(root));
        const taint = merge({ ...known.taint }, own.taint);
        this.#assign(root, root === object ? { ...known, taint, fields } : { ...known, taint });
        return;
      }
      case 'ParenthesizedExpression':
      case 'TupleExpression':
      case 'ArrayExpression':
      case 'ArrayPattern':
        for (const [at, part] of this.#children(target)
          .filter((one) => isExpression(one) || /Definition$|Pattern$/.test(one.name))
          .entries())
          this.#assign(part, this.#part(value, at));
        return;
      case 'ObjectPattern':
        for (const property of this.#children(target)) {
          if (property.name !== 'PatternProperty') continue;
          const parts = this.#children(property);
          const key = parts.find(({ name }) => /^(?:PropertyName|VariableDefinition)$/.test(name));
          const name = parts.findLast(
            ({ name: kind }) => kind === 'VariableDefinition' || kind.endsWith('Pattern'),
          );
          if (key !== undefined && name !== undefined)
            this.#assign(name, this.#memberOf(value, this.#source(key), property));
        }
    }
  }

  #comprehension(node: SyntaxNode): Value {
    const children = this.#children(node);
    const loop = children.findIndex(({ name }) => name === 'for');
    const source = children.findIndex(({ name }, at) => at > loop && name === 'in');
    if (loop < 0 || source < 0) return this.#all(children);
    const from = this.#value(children[source + 1]!);
    const data = this.#data(from, children[source + 1]!);
    for (const target of children.slice(loop + 1, source))
      this.#assign(target, { taint: data, text: from.text });
    const made = this.#all(children.slice(0, loop).filter(isExpression));
    const filtered = this.#all(children.slice(source + 2));
    return {
      taint: merge({ ...made.taint }, filtered.taint.secret === undefined ? {} : made.taint),
      items: undefined,
    };
  }

  #loop(node: SyntaxNode): Value {
    const children = this.#children(node);
    const spec = children.find(({ name }) => /^For(?:Of|In)?Spec$/.test(name));
    const parts = spec === undefined ? children : this.#children(spec);
    const source = parts.findIndex(({ name }) => name === 'in' || name === 'of');
    if (source >= 0) {
      const given = parts[source + 1]!;
      const from = this.#value(given);
      const data = this.#data(from, given);
      const targets = parts
        .slice(0, source)
        .filter((one) => isExpression(one) || /Definition$|Pattern$/.test(one.name));
      const items = from.items ?? [];
      const one: Value =
        items.length === 1 ? items[0]! : { taint: merge({ ...data }, union(...items)), fields: from.fields };
      for (const target of targets)
        this.#assign(target, { ...one, text: items.length > 1 ? undefined : one.text });
    } else if (spec !== undefined) this.#all(parts);
    return this.#all(children.filter(({ name }) => /^(?:Body|Block)$|Statement$/.test(name)));
  }

  #with(node: SyntaxNode): Value {
    const children = this.#children(node);
    for (const [at, child] of children.entries()) {
      if (child.name === 'Body') this.#value(child);
      else if (child.name === 'as' && children[at + 1] !== undefined)
        this.#assign(children[at + 1]!, this.#value(children[at - 1]!));
      else if (isExpression(child) && children[at + 1]?.name !== 'as' && children[at - 1]?.name !== 'as')
        this.#value(child);
    }
    return nothing;
  }

  #routine(node: SyntaxNode): Value {
    const children = this.#children(node);
    const parameters = children.find(({ name }) => name === 'ParamList');
    const body = children.at(-1);
    const scopes = [...this.#scopes];
    const names = (parameters === undefined ? [] : this.#children(parameters)).filter(({ name }) =>
      /^(?:VariableName|VariableDefinition|self|\w+Pattern)$/.test(name),
    );
    const routine: Routine = {
      wasCalled: false,
      call: (given, receiver) => {
        routine.wasCalled = true;
        if (body === undefined || this.#calls >= MAX_CALLS) return { taint: union(...given) };
        this.#calls++;
        const [outer, returned] = [this.#scopes, this.#returned];
        this.#scopes = [...scopes, new Map()];
        this.#returned = [];
        const own =
          names[0] !== undefined && /^(?:self|cls)$/.test(this.#source(names[0])) ? names.slice(1) : names;
        if (receiver?.fields !== undefined) for (const name of ['self', 'this']) this.#set(name, receiver);
        for (const [at, name] of own.entries())
          this.#assign(name, given[at] ?? { name: undefined, taint: {} });
        const value = this.#value(body);
        const result =
          body.name === 'Body' || body.name === 'Block'
            ? { taint: union(...this.#returned.map((taint) => ({ taint }))) }
            : value;
        [this.#scopes, this.#returned] = [outer, returned];
        this.#calls--;
        return result;
      },
    };
    this.#routines.push(routine);
    return { taint: {}, routine };
  }

  #definition(node: SyntaxNode): Value {
    const name = this.#children(node).find(({ name: kind }) =>
      /^(?:VariableName|VariableDefinition|PropertyDefinition|PropertyName)$/.test(kind),
    );
    const value = this.#routine(node);
    if (name !== undefined) this.#set(this.#source(name), value);
    return value;
  }

  /** A class: its methods share one object. */
  #class(node: SyntaxNode): Value {
    const fields = new Map<string, Value>();
    const self: Value = { taint: {}, fields };
    const children = this.#children(node);
    const name = children.find(({ name: kind }) => /^(?:VariableName|VariableDefinition)$/.test(kind));
    this.#scopes = [
      ...this.#scopes,
      new Map([
        ['self', self],
        ['this', self],
      ]),
    ];
    for (const body of children.filter(({ name: kind }) => /^(?:Body|ClassBody)$/.test(kind)))
      for (const member of this.#children(body)) this.#value(member);
    for (const [key, value] of this.#scopes.at(-1)!)
      if (key !== 'self' && key !== 'this') fields.set(key, value);
    this.#scopes = this.#scopes.slice(0, -1);
    const made: Routine = {
      wasCalled: true,
      call: (given) => {
        const start = fields.get('__init__') ?? fields.get('constructor');
        start?.routine?.call(given, self);
        return self;
      },
    };
    const value: Value = { taint: {}, fields, routine: made };
    if (name !== undefined) this.#set(this.#source(name), value);
    return value;
  }

  /** The value of an import: another file of the skill, or the name of a module. */
  #module(path: string): Value {
    const own = this.#tracer.module(path);
    return own === undefined
      ? { name: path.replace(/^node:/, '').replace(/\/promises$/, ''), taint: {} }
      : { taint: {}, fields: own };
  }

  #pythonImport(node: SyntaxNode): Value {
    const text = this.#source(node).replace(/[()\\\n]/g, ' ');
    const from = /^from\s+([\w.]+)\s+import\s+(.*)$/s.exec(text);
    const list = (from?.[2] ?? text.replace(/^import\s+/, '')).split(',');
    for (const entry of list) {
      const [, name, alias] = /^\s*([\w.]+)(?:\s+as\s+(\w+))?/.exec(entry) ?? [];
      if (name === undefined) continue;
      if (from !== null) this.#set(alias ?? name, this.#memberOf(this.#module(from[1]!), name, node));
      else if (alias !== undefined || !name.includes('.')) this.#set(alias ?? name, this.#module(name));
    }
    return nothing;
  }

  #import(node: SyntaxNode): Value {
    const text = this.#source(node);
    const path = /["']([^"']{1,200})["']\s*;?$/.exec(text)?.[1];
    if (path === undefined) return nothing;
    const module = this.#module(path);
    const list = text.slice(0, text.lastIndexOf(path));
    const whole = /\*\s+as\s+([\w$]+)/.exec(list)?.[1] ?? /^import\s+(?:type\s+)?([\w$]+)/.exec(list)?.[1];
    if (whole !== undefined && whole !== 'type') this.#set(whole, module.fields?.get('default') ?? module);
    const braces = /\{([^}]*)\}/.exec(list)?.[1] ?? '';
    for (const [, name, alias] of braces.matchAll(/([\w$]+)(?:\s+as\s+([\w$]+))?/g))
      this.#set(alias ?? name!, this.#memberOf(module, name, node));
    return nothing;
  }
}

/** Names for headers and logins. */
const isSigning =
  /^(?:\w*headers?\w*|auth|\w*authorization|x-[\w-]{0,20}(?:key|token)|bearer|cookies?|credentials?)$/i;

const isTransparent =
  /\.(?:strip|trim|encode|decode|toString|format|lower|replace|rstrip|lstrip)$|^str$|^Buffer\.from$|^bytes$/;

const isExpression = ({ name }: SyntaxNode): boolean =>
  /^[A-Z]|^self$|^this$/.test(name) &&
  !/^(?:AssignOp|UpdateOp|ArithOp|CompareOp|LogicOp|BitOp|Equals|Comment|LineComment|BlockComment|TypeDef|TypeAnnotation|TypeArgList|Spread|Optional|Arrow|InterpolationStart|InterpolationEnd|FormatConversion|FormatSpec|TypeParamList|Decorator)$/.test(
    name,
  );

/** The variable that an expression belongs to. */
function rootOf(node: SyntaxNode): SyntaxNode {
  let root = node;
  while (root.name === 'MemberExpression' && root.firstChild !== null) root = root.firstChild;
  return root;
}

const onlyEncoded = (taint: Taint | undefined): Taint => (taint?.encoded ? { encoded: true } : {});

/** The content of a string literal. */
function decodeString(source: string): string {
  const match = /^([a-z]{0,3})("""|'''|["'`])([\s\S]*?)(?:\2)?$/i.exec(source);
  if (match === null) return source;
  return /r/i.test(match[1]!) ? match[3]! : decodeEscapes(match[3]!);
}

const decodeEscapes = (text: string): string =>
  text.includes('\\')
    ? text.replace(
        /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|([0-3]?[0-7]{1,2})|([\s\S]))/gi,
        (whole, ...codes: (string | undefined)[]) => {
          const [hex, unicode, braces, octal, letter] = codes;
          const code = hex ?? unicode ?? braces;
          if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
          if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
          return { n: '\n', t: '\t', r: '\r', '\n': '' }[letter ?? ''] ?? letter ?? whole;
        },
      )
    : text;
