// Follows data through a Python or JavaScript program, on its syntax tree. Other languages with calls and braces are read as
// JavaScript: what the parser does not understand is skipped, and the calls in it remain.

import type { SyntaxNode, Tree } from '@lezer/common';
import { parser as javascript } from '@lezer/javascript';
import { parser as python } from '@lezer/python';
import { Calls } from './calls.ts';
import * as facts from './facts.ts';
import { importsIn } from './imports.ts';
import { decodeEscapes, decodeString, isExpression, isSigning, isTarget, rootOf } from './syntax.ts';
import type { Tracer } from './tracer.ts';
import {
  isTainted,
  merge,
  nothing,
  passed,
  type Routine,
  signed,
  type Taint,
  trace,
  union,
  type Value,
} from './value.ts';

const typescript = javascript.configure({ dialect: 'ts jsx' });

/** The tree of a program. */
const parseCode = (text: string, language: 'python' | 'javascript'): Tree =>
  (language === 'python' ? python : typescript).parse(text);

const MAX_DEPTH = 150;
const MAX_CALLS = 6;
/** Routines that one place of a program makes and nothing calls. */
const MAX_REPEATS = 500;
/** Rounds of a loop that are followed one by one. */
const MAX_ROUNDS = 6;

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
  readonly #calls: Calls;
  readonly #top: Scope = new Map();
  readonly #routines: { readonly routine: Routine; readonly at: number }[] = [];
  #scopes: Scope[] = [this.#top];
  #returned: Taint[] = [];
  #depth = 0;
  #nesting = 0;

  constructor(text: string, language: 'python' | 'javascript', tracer: Tracer) {
    this.#text = text;
    this.#isPython = language === 'python';
    this.#tracer = tracer;
    this.#calls = new Calls(tracer, this.#isPython);
  }

  evaluate(): Scope {
    const tree = parseCode(this.#text, this.#isPython ? 'python' : 'javascript');
    this.#value(tree.topNode);
    // Routines that nothing here calls are called from elsewhere.
    const times = new Map<number, number>();
    for (const { routine, at } of this.#routines) {
      if (routine.wasCalled) continue;
      times.set(at, (times.get(at) ?? 0) + 1);
      // A call that makes the same routine again, as a handler that connects again does, has no end.
      if (times.get(at)! > MAX_REPEATS) this.#tracer.spend(Number.POSITIVE_INFINITY);
      if (this.#tracer.isSpent) break;
      routine.call([]);
    }
    const exported = [this.#top.get('exports'), this.#top.get('module')?.fields?.get('exports')];
    for (const value of exported) for (const [name, own] of value?.fields ?? []) this.#top.set(name, own);
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

  /** Sets a name where it is known, in JavaScript; a declaration and Python make a new one. */
  #set(name: string, value: Value, isNew = this.#isPython): void {
    const scope = (isNew ? undefined : this.#scopes.findLast((one) => one.has(name))) ?? this.#scopes.at(-1)!;
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
    const evaluate = Program.#meanings.get(node.name);
    return evaluate === undefined ? this.#all(this.#children(node)) : evaluate(this, node);
  }

  /** The meaning of nodes by their names; of others, their parts have one. */
  static readonly #meanings = new Map<string, (program: Program, node: SyntaxNode) => Value>(
    (
      [
        [
          'Comment LineComment BlockComment TypeDef TypeAnnotation TypeAliasDeclaration InterfaceDeclaration',
          () => nothing,
        ],
        ['VariableName self this', (program, node) => program.#find(program.#source(node))],
        [
          'PropertyName PropertyDefinition Number',
          (program, node) => ({ text: program.#source(node), taint: {} }),
        ],
        ['String', (program, node) => program.#string(node)],
        ['FormatString TemplateString', (program, node) => program.#template(node)],
        [
          'ContinuedString',
          (program, node) =>
            program.#calls.joined(program.#children(node).map((child) => program.#value(child))),
        ],
        ['MemberExpression', (program, node) => program.#member(node)],
        ['CallExpression NewExpression', (program, node) => program.#call(node)],
        ['DynamicImport', (program, node) => program.#dynamicImport(node)],
        ['TaggedTemplateExpression', (program, node) => program.#tagged(node)],
        ['BinaryExpression', (program, node) => program.#binary(node)],
        ['ConditionalExpression', (program, node) => program.#either(node)],
        [
          'ParenthesizedExpression SequenceExpression AwaitExpression ExpressionStatement',
          (program, node) => program.#last(node),
        ],
        ['ObjectExpression DictionaryExpression', (program, node) => program.#object(node)],
        [
          'ArrayComprehensionExpression ComprehensionExpression DictionaryComprehensionExpression SetComprehensionExpression',
          (program, node) => program.#comprehension(node),
        ],
        ['LambdaExpression ArrowFunction FunctionExpression', (program, node) => program.#routine(node)],
        [
          'FunctionDefinition FunctionDeclaration MethodDeclaration',
          (program, node) => program.#definition(node),
        ],
        ['ClassDefinition ClassDeclaration ClassExpression', (program, node) => program.#class(node)],
        [
          'AssignStatement UpdateStatement AssignmentExpression NamedExpression',
          (program, node) => program.#assignment(node),
        ],
        ['VariableDeclaration', (program, node) => program.#declaration(node)],
        ['ImportStatement ImportDeclaration', (program, node) => program.#import(node)],
        ['ForStatement', (program, node) => program.#loop(node)],
        ['WithStatement', (program, node) => program.#with(node)],
        ['ReturnStatement YieldStatement', (program, node) => program.#return(node)],
      ] satisfies [names: string, meaning: (program: Program, node: SyntaxNode) => Value][]
    ).flatMap(([names, meaning]) => names.split(' ').map((name) => [name, meaning] as const)),
  );

  #string(node: SyntaxNode): Value {
    this.#tracer.move(node.from, node.to);
    return this.#calls.constant(decodeString(this.#source(node)));
  }

  /** One of both: what is known about the last. */
  #either(node: SyntaxNode): Value {
    const { items = [], taint } = this.#all(this.#children(node));
    return { ...items.at(-1), taint };
  }

  #return(node: SyntaxNode): Value {
    const value = this.#all(this.#children(node));
    this.#returned.push(value.taint);
    return value;
  }

  /** The value of the last part: the one between brackets. A text that is a whole statement is a description. */
  #last(node: SyntaxNode): Value {
    if (node.name === 'ExpressionStatement' && /String$/.test(node.firstChild?.name ?? '')) return nothing;
    let value: Value = nothing;
    for (const child of this.#children(node)) {
      const own = this.#value(child);
      if (isExpression(child)) value = own;
    }
    return value;
  }

  #template(node: SyntaxNode): Value {
    const parts: Value[] = [];
    const isFormat = node.name === 'FormatString';
    let at = node.from + (isFormat ? /^[a-z]*(?:"""|'''|["'])/i.exec(this.#source(node))![0].length : 1);
    const end = node.to - (isFormat ? (/(?:"""|'''|["'])$/.exec(this.#source(node))?.[0].length ?? 0) : 1);
    for (const child of this.#children(node)) {
      if (child.name !== 'FormatReplacement' && child.name !== 'Interpolation') continue;
      parts.push({ text: decodeEscapes(this.#text.slice(at, child.from)), taint: {} });
      parts.push(this.#last(child));
      at = child.to;
    }
    parts.push({ text: decodeEscapes(this.#text.slice(at, Math.max(at, end))), taint: {} });
    return this.#calls.joined(parts);
  }

  #binary(node: SyntaxNode): Value {
    const children = this.#children(node);
    const left = this.#value(children[0]!);
    const right = children.length > 2 ? this.#value(children.at(-1)!) : nothing;
    const operator = children.length > 2 ? this.#source(children[1]!) : '';
    if (operator === '+') return this.#calls.joined([left, right]);
    if (operator === '/' && (left.text !== undefined || left.file !== undefined))
      return this.#calls.path([left, right]);
    if (/^(?:[=!]==?|[<>]=?|in|not|is|instanceof)$/.test(operator)) return nothing;
    // `a || b` is one of both: what is known about the last, unless the first has a name.
    if (/^(?:\|\||\?\?|or)$/.test(operator))
      return left.name !== undefined && !isTainted(right.taint)
        ? left
        : { ...right, taint: union(left, right) };
    return { taint: union(left, right) };
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
        merge(all, this.#calls.data(this.#value(child), child));
        continue;
      } else continue;
      if (key !== undefined && isSigning.test(key)) value = { ...value, taint: signed(value.taint) };
      if (key !== undefined) fields.set(key, value);
      merge(all, this.#calls.data(value, child));
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
        return this.#calls.constant([...base.text].reverse().join(''));
      key = inner[0] === undefined ? undefined : this.#value(inner[0]).text;
    } else key = rest.at(-1) === undefined ? undefined : this.#source(rest.at(-1)!);
    return this.#calls.memberOf(base, key, node);
  }

  #arguments(node: SyntaxNode | null): { values: Value[]; named: Map<string, Value>; taint: Taint } {
    const values: Value[] = [];
    const named = new Map<string, Value>();
    const taint: Taint = {};
    const children = node === null ? [] : this.#children(node);
    if (children.some(({ name }) => name === 'for')) {
      const made = this.#comprehension(node!);
      return { values: [made], named, taint: made.taint };
    }
    for (let at = 0; at < children.length; at++) {
      const child = children[at]!;
      if (!isExpression(child)) continue;
      if (this.#isPython && child.name === 'VariableName' && children[at + 1]?.name === 'AssignOp') {
        const key = this.#source(child);
        const given = children[at + 2];
        at += 2;
        if (given === undefined) continue;
        const value = this.#value(given);
        const own = this.#calls.data(value, given);
        const kept = isSigning.test(key) || key === 'env' ? signed(own) : own;
        if (key === 'env') delete kept.secret;
        named.set(key, { ...value, taint: kept });
        merge(taint, kept);
        continue;
      }
      const value = this.#value(child);
      const own = this.#calls.data(value, child);
      // Options of a request: headers sign it.
      values.push(own === value.taint ? value : { ...value, taint: own });
      merge(taint, own);
    }
    return { values, named, taint };
  }

  #call(node: SyntaxNode): Value {
    const children = this.#children(node);
    const list = children.find(({ name }) => name === 'ArgList' || name === 'TemplateString') ?? null;
    const target = children.find((child) => child !== list && isExpression(child));
    this.#tracer.move(node.from, node.to);
    const isMethod = target?.name === 'MemberExpression';
    const receiver = isMethod ? this.#value(target.firstChild!) : undefined;
    const key = isMethod ? this.#keyOf(target) : undefined;
    const callee =
      target === undefined
        ? nothing
        : receiver === undefined
          ? this.#value(target)
          : this.#calls.memberOf(receiver, key, target);
    const place = this.#calls.place(node);
    if (list?.name === 'TemplateString')
      return this.#calls.command({ values: [this.#template(list)], place });
    const { values, named, taint } = this.#arguments(list);
    this.#tracer.move(node.from, node.to);
    const all = merge(receiver === undefined ? {} : { ...this.#calls.data(receiver, target!) }, taint);
    const name = callee.name ?? (isMethod ? `?.${key ?? ''}` : '');
    const keep = isMethod ? (kept: Taint): void => this.#add(target.firstChild!, kept) : undefined;
    const written = this.#source(node).slice(-200);
    return this.#calls.called({
      span: node,
      written,
      name,
      callee,
      receiver,
      values,
      named,
      taint,
      all,
      keep,
      place,
    });
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
    return facts.runsCommand.test(name)
      ? this.#calls.command({ values: [value], place: this.#calls.place(node) })
      : value;
  }

  #add(node: SyntaxNode, taint: Taint): void {
    const root = rootOf(node);
    const name = this.#source(root);
    const known = this.#find(name);
    const kept = passed(taint, this.#calls.place(node));
    this.#assign(root, {
      ...known,
      text: undefined,
      items: undefined,
      taint: merge({ ...known.taint }, kept),
    });
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
          ? this.#calls.joined([known, value])
          : { taint: union(known, value) };
    }
    // `a = b = value`
    if (children.filter(({ name }) => name === 'AssignOp').length > 1)
      for (const target of given.slice(0, -1)) this.#assign(target, value);
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
      const target = children.slice(0, at).findLast(isTarget);
      const given = children[at + 1];
      if (target === undefined || given === undefined) continue;
      this.#assign(target, this.#value(given));
      // Functions in a call may use what the call returns.
      if (/(?:=>|function)/.test(this.#source(given)) && this.#usesItself(target, given))
        this.#assign(target, this.#value(given));
    }
    return nothing;
  }

  #usesItself(target: SyntaxNode, given: SyntaxNode): boolean {
    if (target.name !== 'VariableDefinition' || given.name === 'ArrowFunction') return false;
    const name = this.#source(target);
    return new RegExp(String.raw`(?<![\w$.])${name.replaceAll('$', '\\$&')}\.`).test(this.#source(given));
  }

  #assign(target: SyntaxNode, value: Value): void {
    switch (target.name) {
      case 'VariableName':
      case 'VariableDefinition': {
        const name = this.#source(target);
        const kept = isTainted(value.taint)
          ? { ...value, taint: passed(value.taint, this.#calls.place(target)) }
          : value;
        // A key in something that is called a header signs a request.
        this.#set(
          name,
          isSigning.test(name) ? { ...kept, taint: signed(kept.taint) } : kept,
          this.#isPython || target.name === 'VariableDefinition',
        );
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
        for (const [at, part] of this.#children(target).filter(isTarget).entries())
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
          // `...rest`
          if (parts[0]?.name === 'Spread' && name !== undefined)
            this.#assign(name, { taint: this.#calls.data(value, target) });
          else if (key !== undefined && name !== undefined)
            this.#assign(name, this.#calls.memberOf(value, this.#source(key), property));
        }
    }
  }

  #comprehension(node: SyntaxNode): Value {
    const children = this.#children(node);
    const first = children.findIndex(({ name }) => name === 'for');
    if (first < 0) return this.#all(children);
    for (let loop = first; loop < children.length; loop++) {
      const source = children.findIndex(({ name }, at) => at > loop && name === 'in');
      if (children[loop]!.name !== 'for' || source < 0) continue;
      const given = this.#elements(children[source + 1]!);
      this.#assignAll(
        children.slice(loop + 1, source),
        given.length === 1 ? given[0]! : { taint: union(...given) },
      );
    }
    const made = this.#all(children.slice(0, first).filter(isExpression));
    this.#all(children.slice(first).filter(({ name }) => name !== 'for' && name !== 'in'));
    return { taint: made.taint };
  }

  #loop(node: SyntaxNode): Value {
    const children = this.#children(node);
    const spec = children.find(({ name }) => /^For(?:Of|In)?Spec$/.test(name));
    const parts = spec === undefined ? children : this.#children(spec);
    const source = parts.findIndex(({ name }) => name === 'in' || name === 'of');
    const body = children.filter(({ name }) => /^(?:Body|Block)$|Statement$/.test(name));
    if (source < 0) {
      if (spec !== undefined) this.#all(parts);
      return this.#all(body);
    }
    const rounds = this.#elements(parts[source + 1]!).map((element) => {
      this.#assignAll(parts.slice(0, source), element);
      return this.#all(body);
    });
    return { taint: union(...rounds) };
  }

  /** The values a loop runs through: each of a short list, otherwise one for all. */
  #elements(given: SyntaxNode): readonly Value[] {
    const from = this.#value(given);
    const items = from.items ?? [];
    if (items.length > 0 && items.length <= MAX_ROUNDS) return items;
    const taint = merge({ ...this.#calls.data(from, given) }, union(...items));
    // A connection yields messages.
    if (facts.connections.test(from.name ?? '')) taint.remote ??= trace('request', this.#calls.place(given));
    return [{ taint, fields: from.fields, text: items.length > 1 ? undefined : from.text }];
  }

  #assignAll(targets: readonly SyntaxNode[], value: Value): void {
    const all = targets.filter(isTarget);
    for (const [at, target] of all.entries())
      this.#assign(target, all.length === 1 ? value : this.#part(value, at));
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
        if (body === undefined || this.#nesting >= MAX_CALLS) return { taint: union(...given) };
        this.#nesting++;
        const [outer, returned] = [this.#scopes, this.#returned];
        this.#scopes = [...scopes, new Map()];
        this.#returned = [];
        const own =
          names[0] !== undefined && /^(?:self|cls)$/.test(this.#source(names[0])) ? names.slice(1) : names;
        if (receiver?.fields !== undefined) for (const name of ['self', 'this']) this.#set(name, receiver);
        const handled = own.slice(0, 2).map((name) => this.#source(name));
        const request: Taint = facts.handles.test(handled.join(' '))
          ? { remote: trace('request', this.#calls.place(own[0]!)) }
          : {};
        for (const [at, name] of own.entries()) {
          const value = given[at] ?? { taint: {} };
          this.#assign(name, at === 0 ? { ...value, taint: merge({ ...value.taint }, request) } : value);
        }
        const value = this.#value(body);
        const result =
          body.name === 'Body' || body.name === 'Block'
            ? { taint: union(...this.#returned.map((taint) => ({ taint }))) }
            : value;
        [this.#scopes, this.#returned] = [outer, returned];
        this.#nesting--;
        return result;
      },
    };
    this.#routines.push({ routine, at: node.from });
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
    const self: Value = { name: 'self', taint: {}, fields };
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

  /** `import(…)` of something that was downloaded or decoded runs it. */
  #dynamicImport(node: SyntaxNode): Value {
    const given = this.#last(node);
    this.#tracer.run(this.#calls.place(node), given.taint, { isEvaluated: true });
    return isTainted(given.taint) ? given : this.#calls.module(given.text ?? '');
  }

  #import(node: SyntaxNode): Value {
    for (const { path, name, alias } of importsIn(this.#source(node), this.#isPython))
      this.#set(alias, this.#calls.imported(path, name, node));
    return nothing;
  }
}
