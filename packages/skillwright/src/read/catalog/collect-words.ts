// Words of all skills in a catalog: cached when the content is unchanged, else read from the files.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { freeGarbage, isMissing, systemErrorCode } from '../../base/files/index.ts';
import { writtenName } from '../../skill/skill/index.ts';
import { createFileReader } from './read-root.ts';
import { MIN_CACHED_ENTRIES } from './root-cache.ts';
import type { Postings } from './score-words.ts';
import type { SkillCatalog, SkillRecord } from './skill-record.ts';
import { createWordWeigher } from './skill-words.ts';
import { createWordCollector, MAX_DOCUMENTS, rangeOf, type WordIndex } from './word-index.ts';
import { type KnownWords, readCachedWords, writeCachedWords } from './words-cache.ts';

/** The words of a catalog. */
interface CatalogWords {
  /** Document of each skill, in catalog order. Skills with the same content share one. */
  readonly documents: Uint32Array;
  /** Upper bound of document numbers. */
  readonly size: number;
  find(hash: number): Postings;
}

/** More indexes of one root are made one: each search looks into all of them. */
const MAX_INDEXES = 12;

/**
 * Collects the words of each skill. An unreadable body has no words, nor has that of a skill whose directory is in
 * `sealed`: a search hit would reveal its text.
 */
export function collectWords({ skills, cache }: SkillCatalog, sealed: ReadonlySet<string>): CatalogWords {
  const readBody = createBodyReader();
  const documents = new Uint32Array(skills.length);
  const parts: { index: WordIndex; start: number }[] = [];
  let size = 0;
  const others: [place: number, key: string][] = [];
  /** Adds indexes, and finds the document of each of some skills by a key that tells their content. */
  const addParts = (
    known: readonly KnownWords[],
    places: Iterable<readonly [place: number, key: string]>,
  ): void => {
    const numbers = new Map<string, number>();
    for (const { index, digests } of known) {
      for (const [number, digest] of digests.entries()) numbers.set(digest, size + number);
      parts.push({ index, start: size });
      size += index.size;
    }
    for (const [place, key] of places) {
      const number = numbers.get(key);
      if (number === undefined) others.push([place, String(place)]);
      else documents[place] = number;
    }
  };
  for (const [root, places] of Map.groupBy(skills.keys(), (place) => skills[place]!.source.root)) {
    const isCached = cache !== undefined && places.length >= MIN_CACHED_ENTRIES;
    // The words of the other skills depend on more than the content of their files.
    const isPlain = ({ dir, name, frontmatter }: SkillRecord) =>
      isCached && !sealed.has(dir) && writtenName(frontmatter) === name;
    const plain = new Map<string, SkillRecord>();
    const own = places.flatMap((place) => {
      const skill = skills[place]!;
      if (!isPlain(skill)) others.push([place, String(place)]);
      else plain.set(skill.digest, skill);
      return isPlain(skill) ? [[place, skill.digest] as const] : [];
    });
    if (!isCached) continue;
    const before = readCachedWords({ directory: cache, root });
    const kept = before.filter(
      ({ digests }) => 2 * digests.filter((digest) => plain.has(digest)).length > digests.length,
    );
    const known = kept.length > MAX_INDEXES ? [] : kept;
    const seen = new Set(known.flatMap(({ digests }) => digests));
    const missing = [...plain].filter(([digest]) => !seen.has(digest));
    const added = indexWords(missing, (skill) => {
      const body = readBody(skill);
      return body === undefined ? undefined : { ...skill, body };
    });
    if (added.length > 0) writeCachedWords({ directory: cache, root }, [...known, ...added]);
    addParts([...known, ...added], own);
  }
  const rest = others.map(([place, key]) => [key, skills[place]!] as const);
  const read = (skill: SkillRecord) => ({
    ...skill,
    name: searchedName(skill),
    body: (sealed.has(skill.dir) ? undefined : readBody(skill)) ?? '',
  });
  addParts(indexWords(rest, read), others.splice(0));
  return { documents, size, find: createFinder(parts, documents, size) };
}

/** Indexes of skills by their keys, without those that cannot be read. */
function indexWords(
  skills: readonly (readonly [key: string, skill: SkillRecord])[],
  read: (skill: SkillRecord) => Parameters<ReturnType<typeof createWordWeigher>>[0] | undefined,
): KnownWords[] {
  const weigh = createWordWeigher();
  const words = createWordCollector();
  const made: KnownWords[] = [];
  for (let start = 0; start < skills.length; start += MAX_DOCUMENTS) {
    if (start > 0) freeGarbage();
    const digests: string[] = [];
    for (const [key, skill] of skills.slice(start, start + MAX_DOCUMENTS)) {
      const texts = read(skill);
      if (texts === undefined) continue;
      digests.push(key);
      words.begin();
      weigh(texts, words.add);
    }
    made.push({ index: words.finish(), digests });
  }
  return made;
}

/** Name of a skill, with the written name when the directory's replaced it. */
function searchedName({ name, frontmatter }: SkillRecord): string {
  const written = writtenName(frontmatter);
  return written === undefined || written === name ? name : `${name} ${written}`;
}

/** Looks up words in several indexes with consecutive document numbers. */
function createFinder(
  parts: readonly { readonly index: WordIndex; readonly start: number }[],
  documents: Uint32Array,
  size: number,
): CatalogWords['find'] {
  const skills = new Uint32Array(size);
  for (const document of documents) skills[document] = skills[document]! + 1;
  return (hash) => {
    const ranges = parts.map(({ index, start }) => ({ index, start, range: rangeOf(index, hash) }));
    const most = ranges.reduce((sum, { range: [from, to] }) => sum + to - from, 0);
    const found = new Uint32Array(most);
    const weights = new Uint8Array(most);
    let count = 0;
    let frequency = 0;
    for (const { index, start, range } of ranges)
      for (let at = range[0]; at < range[1]; at++) {
        const document = start + index.documents[at]!;
        // Cached words of a deleted skill.
        if (skills[document] === 0) continue;
        found[count] = document;
        weights[count] = index.weights[at]!;
        count += 1;
        frequency += skills[document]!;
      }
    return { documents: found.subarray(0, count), weights: weights.subarray(0, count), frequency };
  };
}

/** Reads the body after the frontmatter; undefined when the file is gone or unreadable. */
function createBodyReader(): (skill: SkillRecord) => string | undefined {
  const readFile = createFileReader();
  return ({ path }) => {
    try {
      const { bytes } = readFile(path);
      const fence = bytes.indexOf('\n---', 3);
      return bytes.toString('utf8', fence === -1 ? 0 : fence + 4);
    } catch (error) {
      if (isMissing(error) || systemErrorCode(error) || error instanceof SkillwrightError) return undefined;
      throw error;
    }
  };
}
