// Kinds of field values, each with the spellings authors use.

import * as z from 'zod';
import { isMapping } from './format-issue.ts';
import { readFlag } from './read-flag.ts';
import { mustBe } from './schema-issues.ts';
import { splitCommas, splitWords } from './split-list.ts';
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
 * A mapping of which only `shape` is read. Fields without a value count as absent; numbers in the `texts` fields keep
 * their written form.
 */
export function readMapping<Shape extends z.ZodRawShape>(
  shape: Shape,
  texts: readonly (keyof Shape & string)[] = [],
) {
  return z.preprocess(
    (value) => (isMapping(value) ? tidyMapping(value, texts) : value),
    z.object(shape, { error: mustBe('a mapping') }),
  );
}

/** A mapping without empty fields; the scalars of `texts` keep their written form. */
export function tidyMapping(
  mapping: Record<string, unknown>,
  texts: readonly string[],
): Record<string, unknown> {
  const tidy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(mapping)) {
    if (value === null) continue;
    tidy[key] = texts.includes(key) ? (writtenText(mapping, key) ?? value) : value;
  }
  return tidy;
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
