// A world for the doctor: two skills installed for two agents.

import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../src/ship/doctor/run-doctor.ts';
import { writeTree } from './make-directory.ts';
import { makeWorld, skillText, type World } from './make-world.ts';
import type { SkcResult } from './run-in-process.ts';

/** A finding in short: check, severity, subject, message, and whether it can be repaired. */
export type Told = readonly [
  check: string,
  severity: string,
  subject: string,
  message: string,
  ...('fixable' | 'fixed')[],
];

/** Runs a command that has to succeed. */
export async function must(world: World, words: readonly string[]): Promise<SkcResult> {
  const result = await world.run(words);
  if (result.status !== 0) throw new Error(`skc ${words.join(' ')}\n${result.stdout}${result.stderr}`);
  return result;
}

/** Two skills in a directory next to the project, and nothing installed. */
export function makeSourceWorld(): World {
  const world = makeWorld();
  for (const name of ['pdf', 'docx'])
    writeTree(join(world.root, 'source', name), { 'SKILL.md': skillText(name) });
  return world;
}

/** Both installed in the project, linked for Claude Code and for Codex. */
export async function makeInstalledWorld(options: { copy?: boolean } = {}): Promise<World> {
  const world = makeSourceWorld();
  const words = ['install', '../source', '--all', '--target', 'claude,codex', '--yes'];
  await must(world, options.copy ? [...words, '--copy'] : words);
  return world;
}

/** A skill of the user's own in the project's store, compiled, and linked for Claude Code of the user. */
export async function makeBuiltWorld(words: readonly string[] = []): Promise<World> {
  const world = makeWorld({ '.skillc/skills/own/SKILL.md': skillText('own') });
  await must(world, ['build', 'own', ...words]);
  return world;
}

/** The doctor's findings, in the project or in another directory. */
export async function consult(world: World, words: readonly string[] = [], cwd?: string): Promise<Told[]> {
  const result = await world.run(['doctor', '--json', ...words], cwd === undefined ? {} : { cwd });
  const { findings } = JSON.parse(spell(result.stdout, world)) as {
    findings: Finding[];
  };
  return findings.map(({ check, severity, subject, message, fixable, fixed }) => [
    check,
    severity,
    subject,
    message,
    ...(fixed ? (['fixed'] as const) : fixable ? (['fixable'] as const) : []),
  ]);
}

/** The project as `.`, the home directory as `~`, and files next to them as `..`. */
function spell(text: string, { project, home, root }: World): string {
  return text
    .replaceAll('<cwd>', '.')
    .replaceAll('<home>', '~')
    .replaceAll(project, '.')
    .replaceAll(home, '~')
    .replaceAll(root, '..');
}

/** Removes an existing file or directory of the project. */
export function remove(world: World, path: string): void {
  const place = join(world.project, path);
  lstatSync(place);
  rmSync(place, { recursive: true });
}
