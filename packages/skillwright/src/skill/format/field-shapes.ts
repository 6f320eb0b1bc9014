// Kinds of field values, each with the spellings authors use, and zod's findings as sentences for authors. The schemas of
// this folder only say how a value must look ("must be a number of seconds, not …"); `issuesOf` adds the name of the value
// and the kind of fault.

import * as z from 'zod';
import { suggest } from '../../base/diagnostics/index.ts';
import { describeValue, type FormatIssue, isMapping, readFlag } from './format-issue.ts';
import { splitCommas, splitWords } from './split-list.ts';
import { countCodePoints, fitsWithin } from './text-length.ts';
import { writtenText } from './written-text.ts';

/** Any text. */
export const Text = z.string({ error: mustBe('text') });

/** Text that is not blank. */
export const FilledText = Text.refine((text) => text.trim() !== '', {
  error: 'must not be empty',
  params: { kind: 'empty' },
});

/** A boolean; also yes/no, on/off and 1/0 in any case. */
export const Flag = z.preprocess(
  (value) => readFlag(value) ?? value,
  z.boolean({ error: mustBe('true or false') }),
);

/** Tool rules such as `Bash(git:*)`: a list, or one text with spaces or commas between them. */
export const ToolList = textList(splitWords, 'a list of tools or one text');

/** Words: a list, or one text with spaces or commas between them. */
export const WordList = textList(splitWords, 'a list of words or one text');

/** Phrases or globs: a list, or one text with commas between them. */
export const CommaList = textList(splitCommas, 'a list or one text with commas');

/** Arbitrary texts: a list, or a single one. */
export const TextList = textList((text) => [text], 'a list of texts or one text');

/** Metadata in the standard's form: every value is text. Numbers keep their written form; lists are joined by commas. */
export const Metadata = z.preprocess(
  metadataTexts,
  z.record(z.string(), Text, { error: mustBe('a mapping of texts') }),
);

/** Metadata as agents read it: values without a text form stay unchanged. */
export const FreeMetadata = z.preprocess(
  (value) =>
    isMapping(value)
      ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, writtenText(value, key) ?? item]))
      : value,
  z.record(z.string(), z.unknown(), { error: mustBe('a mapping') }),
);

/**
 * A mapping of which only `shape` is read. Fields without a value count as absent; numbers in fields of text keep their
 * written form.
 */
export function readMapping<Shape extends z.ZodRawShape>(shape: Shape) {
  const texts = new Set(Object.keys(shape).filter((key) => holdsText(shape[key])));
  const tidy = (mapping: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(mapping)
        .filter(([, value]) => value !== null)
        .map(([key, value]) => [key, texts.has(key) ? (writtenText(mapping, key) ?? value) : value]),
    );
  return z.preprocess(
    (value) => (isMapping(value) ? tidy(value) : value),
    z.object(shape, { error: mustBe('a mapping') }),
  );
}

/** Whether a field holds one text, whatever is required of it. */
function holdsText(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return holdsText(schema.def.innerType);
  if (schema instanceof z.ZodPipe) return holdsText(schema.def.in) || holdsText(schema.def.out);
  return schema instanceof z.ZodString;
}

/** Text that passes a test of its form. */
export function textThat(isRight: (text: string) => boolean, what: string) {
  return FilledText.refine(isRight, { error: mustBe(what), params: { kind: 'format' } });
}

/** A page or an endpoint. */
export const WebAddress = textThat(
  (text) => /^https?:\/\//i.test(text) && URL.canParse(text),
  'an http or https URL',
);

export function limitedText(limit: number) {
  return FilledText.refine((text) => fitsWithin(text.trim(), limit), {
    error: (issue) =>
      `may have at most ${limit} characters, not ${countCodePoints(String(issue.input).trim())}`,
    params: { kind: 'length' },
  });
}

export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  const list = values.map((value) => `'${value}'`).join(', ');
  return z.enum(values, { error: mustBe(values.length === 1 ? list : `one of ${list}`) });
}

function textList(split: (text: string) => string[], what: string) {
  return z.preprocess(
    (value) => {
      if (typeof value === 'string') return split(value);
      if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
      return Array.isArray(value) ? value.map((item, index) => writtenText(value, index) ?? item) : value;
    },
    z.array(Text, { error: mustBe(what) }),
  );
}

function metadataTexts(value: unknown): unknown {
  if (!isMapping(value)) return value;
  const texts = Object.entries(value)
    .filter(([, item]) => item !== null)
    .map(([key, item]) => {
      if (!Array.isArray(item)) return [key, writtenText(value, key) ?? item];
      const words = item.map((_, index) => writtenText(item, index));
      return [key, words.includes(undefined) ? item : words.join(', ')];
    });
  return Object.fromEntries(texts);
}

type RawIssue = z.core.$ZodRawIssue;
type Path = readonly (string | number)[];

/** Message for a value of the wrong type: `must be <what>, not <the value>`. */
export function mustBe(what: string): (issue: RawIssue) => string {
  return (issue) => `must be ${what}, not ${describeValue(issue.input)}`;
}

/** The faults that a schema finds in the value at `path`; none when it fits. */
export function schemaIssues(schema: z.ZodType, at: { value: unknown; path: Path }): FormatIssue[] {
  const result = schema.safeParse(at.value, { reportInput: true });
  return result.success ? [] : issuesOf(result.error, at.path);
}

/** A zod error as issues below `path`, whose first step is the field. */
export function issuesOf(error: z.ZodError, path: Path): FormatIssue[] {
  return error.issues.map((issue) => {
    const full = [...path, ...(issue.path as (string | number)[])];
    const kind = kindOf(issue);
    const message = kind === 'missing' ? `missing '${full.at(-1)}'` : `${nameOfValue(full)} ${issue.message}`;
    return { kind, field: String(full[0]), path: full, message, severity: 'error' };
  });
}

/** Name of a value in a sentence: its key, or the key of its list and the position. */
function nameOfValue(path: Path): string {
  const last = path.at(-1);
  if (typeof last === 'string' || path.length < 2) return String(last);
  return `${nameOfValue(path.slice(0, -1))}[${last}]`;
}

function kindOf(issue: z.core.$ZodIssue): FormatIssue['kind'] {
  const { input } = issue;
  const isEmpty = input === '' || (Array.isArray(input) && input.length === 0);
  switch (issue.code) {
    case 'invalid_type':
      return input === undefined ? 'missing' : 'type';
    case 'too_small':
      return issue.origin === 'number' ? 'value' : isEmpty ? 'empty' : 'length';
    case 'too_big':
      return issue.origin === 'number' ? 'value' : 'length';
    case 'invalid_format':
      return 'format';
    case 'invalid_union': {
      // The key that tells the members of a union apart may be missing.
      const key = issue.path.at(-1);
      if (!isMapping(input)) return 'type';
      return typeof key === 'string' && input[key] === undefined ? 'missing' : 'value';
    }
    case 'custom':
      return (issue.params?.kind as FormatIssue['kind'] | undefined) ?? 'value';
    default:
      return input === undefined ? 'missing' : 'value';
  }
}

/** A warning for each key of the mapping at `path` that is not in `known`; none when the value is not a mapping. */
export function unknownKeys(
  value: unknown,
  { known, path }: { known: readonly string[]; path: readonly (string | number)[] },
): FormatIssue[] {
  if (!isMapping(value)) return [];
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const [closest] = suggest(key, known, 1);
      return {
        kind: 'unknown',
        field: String(path[0]),
        path: [...path, key],
        message: `unknown key '${key}' in ${nameOfValue(path)}`,
        help: closest === undefined ? `known keys: ${known.join(', ')}` : `did you mean '${closest}'?`,
        severity: 'warning',
      };
    });
}
