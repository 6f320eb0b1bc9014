// Everything a first publication lacks: named at once, and written into SKILL.md as far as it can be known.

import { join } from 'node:path';
import { quoteWord, SkillwrightError } from '../../base/diagnostics/index.ts';
import { displayPath, readRegularFile, writeFileAtomic } from '../../base/files/index.ts';
import type { LintFinding } from '../../make/lint/index.ts';
import { SKILL_FILE } from '../../skill/skill/index.ts';
import type { CommandContext } from './command-context.ts';

/** A field that a registry requires. */
type NeededField = 'license' | 'version' | 'author' | 'tags';

/** Answers of the user to what the files do not say. */
interface Wishes {
  readonly owner?: string | undefined;
  readonly version?: string | undefined;
  readonly license?: string | undefined;
}

/** Missing fields with the values to write. A field that only the author can know is left out. */
interface FilledManifest {
  readonly dir: string;
  readonly path: string;
  readonly values: ReadonlyMap<NeededField, string>;
}

/** The fields that findings call missing, with values for them. */
export async function planFilling(
  findings: readonly LintFinding[],
  dirs: readonly string[],
  { wishes, context }: { readonly wishes: Wishes; readonly context: CommandContext },
): Promise<FilledManifest[]> {
  const owner = (wishes.owner ?? (await context.workspace.config()).registry.owner)?.replace(/^@/, '');
  const filled: FilledManifest[] = [];
  for (const dir of dirs) {
    const path = displayPath(context.workspace.cwd, join(dir, SKILL_FILE));
    const missing = findings.flatMap((finding) =>
      finding.path === path
        ? (/^missing '(license|version|author|tags)'$/.exec(finding.message)?.[1] ?? [])
        : [],
    ) as NeededField[];
    const values = new Map<NeededField, string>();
    for (const field of missing) {
      const value = await proposeValue(field, dir, { ...wishes, owner });
      if (value !== undefined && value !== '') values.set(field, value);
    }
    if (values.size > 0) filled.push({ dir, path, values });
  }
  return filled;
}

async function proposeValue(
  field: NeededField,
  dir: string,
  { owner, version = '1.0.0', license }: Wishes,
): Promise<string | undefined> {
  if (field === 'version') return version;
  if (field === 'author') return owner;
  if (field === 'tags') return tagsOf(dir);
  if (license !== undefined) return license;
  const { readLicence } = await import('../report/read-licence.ts');
  return readLicence(dir, undefined, { allow: [], deny: [] }).detected ?? undefined;
}

/** Tags from the name of a skill: its words, without those that every skill could have. */
function tagsOf(dir: string): string {
  const words = (dir.split(/[\\/]/).at(-1) ?? '').split('-');
  const telling = words.filter((word) => word.length > 2 && !/^(?:and|for|skill|the|with)$/.test(word));
  return [...new Set(telling)].slice(0, 20).join(', ');
}

/** `version "1.0.0", author "acme"`: what filling a skill writes. */
export function describeFilling({ path, values }: FilledManifest): string {
  return `${[...values].map(([field, value]) => `${field} ${quoteWord(value)}`).join(', ')} into ${path}`;
}

/** Writes the values. */
export async function fillManifests(filled: readonly FilledManifest[]): Promise<void> {
  const { insertText } = await import('../../ship/network/insert-field.ts');
  for (const { dir, values } of filled) {
    const file = join(dir, SKILL_FILE);
    const bytes = readRegularFile(file, { maxBytes: 16 * 1024 * 1024 });
    if (bytes === undefined) throw SkillwrightError.of('E010', { path: dir });
    let text = bytes.toString('utf8');
    for (const [field, value] of values) text = insertText(text, field, value);
    writeFileAtomic(file, text);
  }
}
