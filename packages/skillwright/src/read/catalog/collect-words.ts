// The words of all skills of a catalog: remembered ones where the content is the same, else read from the files.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isMissing, systemErrorCode } from '../../base/files/index.ts';
import type { RunScanner } from '../index/index.ts';
import { hashText } from './hash-words.ts';
import { createFileReader } from './read-skill-file.ts';
import { MIN_CACHED_ENTRIES } from './root-cache.ts';
import type { SkillCatalog, SkillRecord } from './skill-record.ts';
import { createWordReader, type SkillWords } from './skill-words.ts';
import { readWords, writeWords } from './words-cache.ts';

/**
 * The words of each skill, in the order of the catalog. A body that cannot be read any more has no words, nor has one
 * behind a gate: who finds the skill by it would know that it stands there. `opened` are directories whose gate was passed.
 */
export function collectWords(
  { skills, cache }: SkillCatalog,
  scan: RunScanner,
  opened: ReadonlySet<string> = new Set(),
): SkillWords[] {
  const readBody = createBodyReader();
  const read = createWordReader(scan);
  const version = fingerprint(read(sample));
  const vectors = new Array<SkillWords>(skills.length);
  for (const [root, places] of groupByRoot(skills)) {
    const isWorth = cache !== undefined && places.length >= MIN_CACHED_ENTRIES;
    const place = isWorth ? { directory: cache, root, version } : undefined;
    const known = place === undefined ? new Map<string, SkillWords>() : readWords(place);
    const current = new Map<string, SkillWords>();
    let isNew = false;
    for (const index of places) {
      const skill = skills[index] as SkillRecord;
      let words = skill.gated ? undefined : known.get(skill.digest);
      if (words === undefined) {
        const body = skill.gated && !opened.has(skill.dir) ? undefined : readBody(skill);
        words = read({ ...skill, body: body ?? nothing });
        isNew ||= body !== undefined && !skill.gated;
      }
      vectors[index] = words;
      // A name that is the directory's does not follow from the content, nor does who has passed a gate.
      if (typeof skill.frontmatter.name === 'string' && !skill.gated) current.set(skill.digest, words);
    }
    if (place !== undefined && isNew) writeWords(place, current);
  }
  return vectors;
}

/** A skill with words of many kinds. */
const sample = {
  name: 'sampleSkill-2Words',
  description: 'Converting queries into organized tables, classes and studies; stopped, Naïve, 处理电子表格.',
  tags: ['testing', 'releases'],
  body: Buffer.from(
    '# Running the tests\n\nThe quick foxes are jumping over lazier dogs.\n\n```\n# code\n```\n',
  ),
};

const nothing = new Uint8Array(0);

/** A number that is another one when words are cut, reduced or weighed in another way. */
function fingerprint({ hashes, weights }: SkillWords): number {
  return hashText(`${hashes.join()};${weights.join()}`) >>> 0;
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

/** Reads what follows the frontmatter; valid until the next is read. Undefined when the file is gone or cannot be read. */
function createBodyReader(): (skill: SkillRecord) => Uint8Array | undefined {
  const readFile = createFileReader();
  return ({ path }) => {
    try {
      const { bytes } = readFile(path);
      const fence = bytes.indexOf('\n---', 3);
      return fence === -1 ? bytes : bytes.subarray(fence + 4);
    } catch (error) {
      if (isMissing(error) || systemErrorCode(error) || error instanceof SkillwrightError) return undefined;
      throw error;
    }
  };
}
