// The meaning of texts, names and members in a program, whatever they are written in.

import * as facts from './facts.ts';
import type { Tracer } from './tracer.ts';
import { isTainted, merge, type Taint, trace, UNKNOWN, union, type Value } from './value.ts';

const MAX_TEXT = 20_000;

/** Part of a program. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Values of one program. */
export class Meanings {
  protected readonly tracer: Tracer;

  constructor(tracer: Tracer) {
    this.tracer = tracer;
  }

  constant(text: string): Value {
    const what = facts.placeIn(text);
    const taint: Taint = {};
    if (what !== undefined) taint.place = this.tracer.private(what);
    return { text: text.slice(0, MAX_TEXT), taint };
  }

  /** Texts one after another. */
  joined(values: readonly Value[], between = ''): Value {
    const parts = values.map(
      (value) => value.text ?? (isTainted(value.taint) ? this.tracer.hole(value.taint) : UNKNOWN),
    );
    const text = parts.join(between).slice(0, MAX_TEXT);
    const taint = union(...values);
    // `~` alone is a place of its own; with more after it, the whole path decides.
    if (taint.place?.what === facts.home && values.slice(1).some((part) => /\w/.test(part.text ?? '')))
      delete taint.place;
    return { text, taint: merge(taint, this.constant(text).taint) };
  }

  /** Parts of a path. */
  path(values: readonly Value[]): Value {
    const joined = this.joined(values, '/');
    const text = joined.text!.replace(/\/{2,}/g, '/').replace(/(?<!^)\/$/, '');
    return { text, taint: merge(this.constant(text).taint, joined.taint) };
  }

  memberOf(base: Value, key: string | undefined, span: Span): Value {
    const known = key === undefined ? undefined : base.fields?.get(key);
    if (known !== undefined) return known;
    const at = key !== undefined && /^\d+$/.test(key) ? base.items?.[Number(key)] : undefined;
    if (at !== undefined) return at;
    if (base.name !== undefined && facts.wholeEnvironment.test(base.name)) {
      if (key === undefined || key.includes(UNKNOWN)) return this.secret('the environment', span);
      if (/^[A-Z]/.test(key)) return this.variable(key, span);
      if (/^(?:items|values|entries|to_h|inspect|map|select|each)$/.test(key))
        return this.secret('the environment', span);
    }
    const name = base.name === undefined || key === undefined ? undefined : `${base.name}.${key}`;
    if (name !== undefined && facts.requestData.test(name))
      return { name, taint: { remote: trace('request', this.place(span)) } };
    if (key === 'transcript_path') return this.constant(key);
    if (key === 'parent' && base.text !== undefined) return { ...base, name: undefined };
    const text = key === 'name' ? (base.file ?? base.text) : undefined;
    return { name, taint: base.taint, file: base.file, text };
  }

  variable(key: string, span: Span): Value {
    if (!facts.secretName.test(key)) {
      const what = /^(?:HOME|USERPROFILE)$/.test(key) ? '~' : undefined;
      return what === undefined ? { taint: {} } : this.constant(what);
    }
    return { taint: this.tracer.variable(key, this.place(span)) };
  }

  secret(what: string, span: Span): Value {
    return { taint: { secret: this.tracer.private(what, this.place(span)) } };
  }

  place(span: Span) {
    return this.tracer.place(span.from, Math.min(span.to, span.from + 300));
  }

  /** The data that goes along with a value: a name of the whole environment is the environment. */
  data(value: Value, span: Span): Taint {
    if (value.name !== undefined && facts.wholeEnvironment.test(value.name))
      return merge({ ...value.taint }, this.secret('the environment', span).taint);
    return value.taint;
  }

  /** The value of an import: another file of the skill, or the name of a module. */
  module(path: string): Value {
    const own = this.tracer.module(path);
    return own === undefined
      ? { name: path.replace(/^node:/, '').replace(/\/promises$/, ''), taint: {} }
      : { taint: {}, fields: own };
  }

  /** Something of a module: a name in it, or a module inside it. */
  imported(path: string, name: string | undefined, span: Span): Value {
    const module = this.module(path);
    if (name === undefined) return module;
    if (name === 'default') return module.fields?.get(name) ?? module;
    const inside = module.fields === undefined ? this.tracer.module(`${path}.${name}`) : undefined;
    return inside === undefined ? this.memberOf(module, name, span) : { taint: {}, fields: inside };
  }
}
