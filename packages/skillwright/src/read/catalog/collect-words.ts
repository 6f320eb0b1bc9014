// Words of all skills in a catalog: cached when the content is unchanged, else read from the files.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { freeGarbage, isMissing, systemErrorCode } from '../../base/files/index.ts';
import { hashText } from '../../base/words/index.ts';
import { writtenName } from '../../skill/skill/index.ts';
import { createFileReader } from './read-root.ts';
import { MIN_CACHED_ENTRIES } from './root-cache.ts';
import type { Postings } from './score-words.ts';
import type { SkillCatalog, SkillRecord } from './skill-record.ts';
import { createWordReader } from './skill-words.ts';
import { createTermTable } from './term-table.ts';
import { createWordIndex, type WordIndex } from './word-index.ts';
import { forgetWords, readCachedWords, type WordsPlace, writeCachedWords } from './words-cache.ts';

/** The words of a catalog. */
interface CatalogWords {
  /** Document of each skill, in catalog order. Skills with the same content share one. */
  readonly documents: Uint32Array;
  /** Upper bound of document numbers. */
  readonly size: number;
  find(hash: number): Postings;
}

/**
 * Collects the words of each skill. An unreadable body has no words, nor has that of a skill whose directory is in
 * `sealed`: a search hit would reveal its text.
 */
export function collectWords({ skills, cache }: SkillCatalog, sealed: ReadonlySet<string>): CatalogWords {
  const readBody = createBodyReader();
  const documents = new Uint32Array(skills.length);
  const parts: { index: WordIndex; start: number }[] = [];
  let size = 0;
  const addPart = (index: WordIndex, places: readonly number[]): void => {
    for (const place of places) documents[place] = (documents[place] as number) + size;
    parts.push({ index, start: size });
    size += index.size;
  };
  const remaining: number[] = [];
  for (const [root, places] of groupByRoot(skills)) {
    const isWorth = cache !== undefined && places.length >= MIN_CACHED_ENTRIES;
    const remembered = isWorth
      ? openWords({ directory: cache, root, version: version() }, places)
      : undefined;
    const known = places.filter((place) => {
      const skill = skills[place] as SkillRecord;
      const document = sealed.has(skill.dir) ? undefined : remembered?.find(skill, readBody);
      documents[place] = document ?? 0;
      if (document === undefined) remaining.push(place);
      return document !== undefined;
    });
    if (remembered === undefined) continue;
    addPart(remembered.index, known);
    remembered.save();
  }
  const index = createWordIndex();
  const read = createWordReader(index.terms);
  for (const place of remaining) {
    const skill = skills[place] as SkillRecord;
    const body = sealed.has(skill.dir) ? undefined : readBody(skill);
    documents[place] = index.begin();
    read({ ...skill, name: searchedName(skill), body: body ?? '' }, index.add);
  }
  addPart(index, remaining);
  return { documents, size, find: createFinder(parts, documents, size) };
}

const SKILLS_PER_CLEANUP = 3000;

type BodyReader = (skill: SkillRecord) => string | undefined;

/** Words of a root with many skills, backed by the cache. */
function openWords(place: WordsPlace, places: readonly number[]) {
  const before = readCachedWords(place);
  // Most of the cache would belong to deleted skills.
  const words = before.index.size > 2 * places.length ? forgetWords() : before;
  const { index, documents } = words;
  const read = createWordReader(index.terms);
  let added = 0;
  return {
    index,
    /** The document of a skill; undefined when its words depend on more than the content of its file. */
    find(skill: SkillRecord, readBody: BodyReader): number | undefined {
      // They do when the name is the directory's.
      if (writtenName(skill.frontmatter) !== skill.name) return undefined;
      const known = documents.get(skill.digest);
      if (known !== undefined) return known;
      const body = readBody(skill);
      if (body === undefined) return undefined;
      if (added % SKILLS_PER_CLEANUP === 0 && places.length > SKILLS_PER_CLEANUP) freeGarbage();
      added += 1;
      const document = index.begin();
      read({ ...skill, body }, index.add);
      documents.set(skill.digest, document);
      return document;
    },
    save(): void {
      if (added > 0) writeCachedWords(place, words);
    },
  };
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
  for (const document of documents) skills[document] = (skills[document] as number) + 1;
  return (hash) => {
    const most = parts.reduce((sum, { index }) => sum + index.count(hash), 0);
    const found = new Uint32Array(most);
    const weights = new Uint8Array(most);
    let count = 0;
    let frequency = 0;
    for (const { index, start } of parts)
      index.each(hash, (number, weight) => {
        const document = start + number;
        // Cached words of a deleted skill.
        if (skills[document] === 0) return;
        found[count] = document;
        weights[count] = weight;
        count += 1;
        frequency += skills[document] as number;
      });
    return { documents: found.subarray(0, count), weights: weights.subarray(0, count), frequency };
  };
}

/** A sample skill with many kinds of words. */
const sample = {
  name: 'sampleSkill-2Words',
  description: 'Converting queries into organized tables, classes and studies; stopped, Naïve, 处理电子表格.',
  tags: ['testing', 'releases'],
  body: '# Running the tests\n\nThe quick foxes are jumping over lazier dogs.\n\n```\n# code\n```\n',
};

/** Fingerprint that changes when words are split, stemmed or weighted differently. */
function version(): number {
  const terms = createTermTable();
  const words: number[] = [];
  createWordReader(terms)(sample, (term, weight) => words.push(terms.hashOf(term), weight));
  return hashText(words.join());
}

function groupByRoot(skills: readonly SkillRecord[]): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  skills.forEach(({ source }, place) => {
    const group = groups.get(source.root);
    if (group === undefined) groups.set(source.root, [place]);
    else group.push(place);
  });
  return groups;
}

/** Reads the body after the frontmatter. Undefined when the file is gone or unreadable. */
function createBodyReader(): BodyReader {
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
