// Chooses the skills to install from a fetched source.

import { posix } from 'node:path';
import {
  type Diagnostic,
  diagnosticOf,
  formatCount,
  makeVisible,
  quoteWord,
  SkillwrightError,
  suggest,
} from '../../../base/diagnostics/index.ts';
import { toolVersion } from '../../../base/version.ts';
import { measureSkill } from '../../../read/usage/index.ts';
import {
  checksumOf,
  isSkillName,
  readChecksum,
  shorten,
  unreachedVersion,
} from '../../../skill/format/index.ts';
import { SKILL_FILE, writtenName } from '../../../skill/skill/index.ts';
import type { InstallContext } from '../place/install-place.ts';
import { readSkillFiles } from '../place/stored-files.ts';
import type { FetchedSkill, FetchedSource } from '../source/fetched-source.ts';
import { spellCommand } from './consent.ts';

/** The user's choice, and flags that a repeated command needs too. */
export interface ChoiceRequest extends Partial<Parameters<typeof spellCommand>[1]> {
  /** Names, or paths inside the source. */
  readonly skills: readonly string[];
  readonly all: boolean;
  /** The source as displayed. */
  readonly source: string;
  readonly targets?: readonly string[] | undefined;
  readonly scope?: string | undefined;
}

/** The command line of a request without its skills and its scope, to repeat it by hand. */
export function spellInstall({ source, targets = [], ...flags }: ChoiceRequest): string {
  const target = targets.length === 0 ? [] : ['--target', quoteWord(targets.join(','))];
  return spellCommand(['skc install', quoteWord(source), ...target], flags);
}

/**
 * The skills to install: the named ones, all of them, the only one, or those the user picks. E001 for a name the
 * source does not have, E100 when there are several and nobody to ask.
 */
export async function chooseSkills(
  fetched: Pick<FetchedSource, 'skills' | 'offered' | 'diagnostics'>,
  request: ChoiceRequest,
  context: InstallContext,
): Promise<readonly FetchedSkill[]> {
  if (request.skills.length > 0) return namedSkills(fetched, request);
  const [only, ...others] = fetched.skills;
  if (only !== undefined && others.length === 0) {
    // If the only skill is unusable, its error is the error of the command.
    checkSkill(only);
    return [only];
  }
  const usable = fetched.skills.filter((skill) => isUsable(skill, context));
  if (usable.length === 0) {
    const isSeen = fetched.diagnostics.length > 0;
    const help = isSeen
      ? 'correct what the warnings name, then install again'
      : 'no SKILL.md was found there';
    throw SkillwrightError.of('E201', { what: `a skill in ${request.source}` }, { help });
  }
  if (request.all || usable.length === 1) return usable;
  const chosen = await askWhich(usable, request, context);
  if (chosen !== undefined && chosen.length > 0) return chosen.map((index) => usable[index]!);
  if (context.ask !== undefined) throw SkillwrightError.of('E100', { why: 'no skill was chosen' });
  const scope = request.scope === undefined ? '' : ` --scope ${request.scope}`;
  const command = `${spellInstall(request)}${scope}`;
  throw SkillwrightError.of(
    'E100',
    { why: `the source has ${usable.length} skills` },
    {
      help: `choose one with ${command} --skill ${usable[0]!.name}, or install all with ${command} --all`,
      detail: listed(usable.map(({ name, description }) => `${name}: ${cutNote(description)}`)),
      data: { skills: usable.map(({ name }) => name) },
    },
  );
}

/** Asks the user, with a searchable list if there is a screen for it. */
async function askWhich(
  usable: readonly FetchedSkill[],
  { source }: ChoiceRequest,
  { ask }: InstallContext,
): Promise<readonly number[] | undefined> {
  const question = `${makeVisible(source)} has ${usable.length} skills. Which do you want to install?`;
  if (ask?.pick === undefined)
    return ask?.choose(
      question,
      usable.map(({ name, description }) => ({ label: name, note: cutNote(description) })),
      { many: true },
    );
  const { scanSkill } = await import('../../../guard/scan/index.ts');
  const choices = usable.map(({ name, description, dir, within }) => ({
    label: name,
    description,
    facts: () => {
      const { verdict, findings } = scanSkill(dir);
      const found = findings.length === 0 ? '' : `, ${formatCount(findings.length, 'finding')}`;
      return [`${measureSkill(dir)} tokens in total`, `scan: ${verdict}${found}`, within];
    },
  }));
  return ask.pick(question, choices);
}

function namedSkills(
  { skills, offered }: Pick<FetchedSource, 'skills' | 'offered'>,
  { skills: words, source }: ChoiceRequest,
): FetchedSkill[] {
  const chosen = splitNames(words).map((word) => {
    const skill = skills.find(({ name, within }) => name === word || (within !== '' && within === word));
    if (skill !== undefined) return skill;
    const names = offered ?? skills.map(({ name }) => name);
    const near = suggest(word, names);
    const help =
      near.length > 0
        ? `did you mean ${near.join(', ')}?`
        : `${source} has ${names.slice(0, 20).join(', ') || 'no skills'}`;
    throw SkillwrightError.of('E001', { skill: word }, { help, data: { suggestions: near } });
  });
  for (const skill of chosen) checkSkill(skill);
  return [...new Set(chosen)];
}

/** The names in `--skill` values, which may be comma-separated lists. */
export function splitNames(words: readonly string[]): string[] {
  return words
    .flatMap((list) => list.split(','))
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** Whether a diagnostic of a source concerns the wanted skills. */
export function isWanted({ data }: Pick<Diagnostic, 'data'>, words: readonly string[]): boolean {
  const { skill, path } = data ?? {};
  const names = [skill, path, typeof path === 'string' ? posix.basename(path) : undefined];
  const known = names.filter((name) => typeof name === 'string');
  return words.length === 0 || known.length === 0 || known.some((name) => words.includes(name));
}

/** Reports skills that cannot be compiled and leaves them out. */
function isUsable(skill: FetchedSkill, context: InstallContext): boolean {
  try {
    checkSkill(skill);
    return true;
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    context.report({ ...diagnosticOf(error), severity: 'warning', detail: `  ${skill.name} is left out` });
    return false;
  }
}

/**
 * E014 when the skill cannot be installed under its own name, E226 when it needs a newer skc, E204 when it does not match
 * its checksum.
 */
export function checkSkill({ name, dir, frontmatter, within }: FetchedSkill): void {
  const needed = unreachedVersion(frontmatter);
  if (needed !== undefined)
    throw SkillwrightError.of(
      'E226',
      { skill: name, needed, version: toolVersion },
      { help: 'install a newer skc, or an older version of the skill', data: { needed } },
    );
  checkPromise(name, readChecksum(frontmatter), dir);
  const written = writtenName(frontmatter);
  if (written === undefined || written === name || !isSkillName(written)) return;
  const file = within === '' ? SKILL_FILE : `${within}/${SKILL_FILE}`;
  const help = 'use lower-case letters, digits and single hyphens';
  throw SkillwrightError.of('E014', { path: file, why: `'${written}' is not a skill name` }, { help });
}

/** E204 when the files do not match the checksum that the skill itself promises. */
function checkPromise(name: string, promised: string | undefined, dir: string): void {
  if (promised === undefined) return;
  const files = [...readSkillFiles(dir)].map(([path, { bytes }]) => ({ path, bytes }));
  const received = checksumOf(files, promised);
  if (received === promised) return;
  throw SkillwrightError.of(
    'E204',
    { what: `${name}, by the checksum in its SKILL.md` },
    {
      help: 'it changed after it was published; its author must remove the checksum and publish it again',
      detail: `  promised ${promised}\n  received ${received}`,
      data: { promised, received },
    },
  );
}

/** Lines of a list, shortened; the data of the error has all of them. */
function listed(lines: readonly string[]): string {
  const rest = lines.length - LISTED;
  return [...lines.slice(0, LISTED), ...(rest > 0 ? [`… and ${rest} more`] : [])]
    .map((line) => `  ${line}`)
    .join('\n');
}

const LISTED = 100;

const cutNote = (text: string) => makeVisible(shorten(text, 100));
