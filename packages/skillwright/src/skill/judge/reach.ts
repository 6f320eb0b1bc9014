// How much of a skill may be read: not the parts its own quiz keeps closed, nor nested skills that are denied,
// switched off or closed.

import { lstatSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { orUndefined, SkillwrightError } from '../../base/diagnostics/index.ts';
import { realPath } from '../../base/files/index.ts';
import type { ClosedGate } from '../quiz/index.ts';
import { isSkill, SKILL_FILE } from '../skill/index.ts';
import { type Judge, type JudgeOptions, refusalOf, type Verdict } from './judge.ts';
import type { Judged, Question } from './standing.ts';

/** A section and the file it is in. */
interface Place {
  readonly file: string;
  readonly start_line: number;
}

/** The readable part of a skill. */
export interface Reach {
  /** The skill's own gate, while closed. */
  readonly gate: ClosedGate | undefined;
  /** True when everything may be read. */
  readonly isWhole: boolean;
  /** Directories inside the skill that are off limits, with a trailing `/`. */
  readonly fenced: readonly string[];
  /** Whether the whole file may be read. */
  allowsFile(path: string): boolean;
  allowsSection(place: Place): boolean;
  /** Whether a file may be named. A quiz hides text, not names. */
  allowsName(path: string): boolean;
  /** Why a file, or the whole skill, may not be read. `word` is the caller's name for the skill. */
  refusal(word: string, path?: string): SkillwrightError;
}

interface Fence {
  /** `templates/inner/` */
  readonly prefix: string;
  readonly verdict: Exclude<Verdict, { verdict: 'allow' }>;
}

/**
 * The caller's reach into a skill. `files` are the requested paths, relative to the skill: nested skills that contain
 * none of them are skipped.
 */
export async function findReach(
  judge: Judge,
  skill: Pick<Judged, 'dir'>,
  { files, question, author, digest }: { files: Iterable<string>; question: Question } & JudgeOptions,
): Promise<Reach> {
  const { dir } = skill;
  const gate = author === true ? undefined : await judge.gateOf(dir, digest);
  const fences: Fence[] = [];
  for (const prefix of nestedSkills(dir, files)) {
    if (fences.some((fence) => prefix.startsWith(fence.prefix))) continue;
    const verdict = await judgeNested(join(dir, prefix));
    if (verdict !== undefined && verdict.verdict !== 'allow') fences.push({ prefix, verdict });
  }
  return makeReach(dir, gate, fences);

  /** Also judged by the outer skills; those were already allowed. */
  async function judgeNested(nested: string): Promise<Verdict | undefined> {
    const { tryOpen } = await import('./within.ts');
    const inner = tryOpen(nested);
    return inner === undefined ? undefined : judge.judge(inner, question, { author });
  }
}

function makeReach(dir: string, gate: ClosedGate | undefined, fences: readonly Fence[]): Reach {
  /** The fence around a file, by its path and its real path, and the path inside that skill. */
  const fenceOf = (path: string): { fence: Fence; inside: string } | undefined => {
    if (fences.length === 0) return undefined;
    for (const spelled of [path, realPlace(dir, path)])
      for (const fence of fences)
        if (spelled.startsWith(fence.prefix)) return { fence, inside: spelled.slice(fence.prefix.length) };
    return undefined;
  };
  const allows = (path: string, byGate: (gate: ClosedGate, path: string) => boolean): boolean => {
    const found = fenceOf(path);
    if (found === undefined) return gate === undefined || byGate(gate, path);
    const { verdict } = found.fence;
    return verdict.verdict === 'closed' && gate === undefined && byGate(verdict.gate, found.inside);
  };
  return {
    gate,
    isWhole: gate === undefined && fences.length === 0,
    fenced: fences.map(({ prefix }) => prefix),
    allowsFile: (path) => allows(path, (closed, inside) => closed.allowsFile(inside)),
    allowsSection: ({ file, start_line }) =>
      allows(file, (closed, inside) => closed.allowsSection({ file: inside, start_line })),
    allowsName: (path) => {
      const found = fenceOf(path);
      return found === undefined || found.fence.verdict.verdict === 'closed';
    },
    refusal(word, path) {
      const found = path === undefined ? undefined : fenceOf(path);
      if (found === undefined)
        return gate?.refusal(word) ?? SkillwrightError.of('E021', { file: path ?? word });
      const { verdict } = found.fence;
      // A hidden skill and its files do not exist for the caller.
      if (verdict.verdict === 'hide') return SkillwrightError.of('E021', { file: path! });
      return refusalOf(verdict);
    },
  };
}

/** The path relative to `dir` of the file that a path leads to. */
const realPlace = (dir: string, path: string): string =>
  relative(dir, realPath(join(dir, path)))
    .split(sep)
    .join('/');

/** Directories of nested skills that contain any of the files, outer ones first. */
function nestedSkills(dir: string, files: Iterable<string>): string[] {
  const found = new Map<string, boolean>();
  const directories = new Map<string, string>();
  /** The path of the file that a path leads to. Resolves each directory once, and files only where they are links. */
  const leadsTo = (file: string): string => {
    const status = orUndefined(() => lstatSync(join(dir, file)));
    if (status === undefined) return file;
    if (status.isSymbolicLink()) return realPlace(dir, file);
    const name = file.slice(file.lastIndexOf('/') + 1);
    const directory = file.slice(0, file.length - name.length);
    const real = directories.get(directory) ?? (directory && `${realPlace(dir, directory)}/`);
    directories.set(directory, real);
    return real + name;
  };
  const paths = [...new Set(files)].flatMap((file) => (file === SKILL_FILE ? [] : [file, leadsTo(file)]));
  for (const path of paths) {
    // A link may lead into a nested skill. One that leads out is refused when it is read.
    if (path.startsWith('../')) continue;
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
      const prefix = path.slice(0, end + 1);
      if (!found.has(prefix)) found.set(prefix, isSkill(join(dir, prefix)));
    }
  }
  return [...found].filter(([, is]) => is).map(([prefix]) => prefix);
}

/** File names that show where nested skills are. */
export const nestedManifests = (files: readonly string[]): string[] =>
  files.filter((path) => path.endsWith(`/${SKILL_FILE}`));

/** Everything may be read. */
export const wholeReach: Reach = {
  gate: undefined,
  isWhole: true,
  fenced: [],
  allowsFile: () => true,
  allowsSection: () => true,
  allowsName: () => true,
  refusal: (word, path) => SkillwrightError.of('E021', { file: path ?? word }),
};
