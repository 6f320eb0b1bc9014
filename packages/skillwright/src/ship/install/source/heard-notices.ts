// The warnings about locked skills before their content is used again: those that registries give now, else the remembered ones.

import { makeVisible, type SkillwrightError } from '../../../base/diagnostics/index.ts';
import type { Workspace } from '../../../skill/workspace/index.ts';
import { withheldByNotices } from '../../network/index.ts';
import type { Installed } from '../plan/find-installed.ts';
import { askRegistries } from './ask-registries.ts';
import type { SourceNotice } from './fetched-source.ts';
import type { SourceOptions } from './locked-source.ts';
import { readNews } from './source-news.ts';

/** The warnings about a locked skill. */
export type NoticesOf = (skill: Installed) => readonly SourceNotice[];

/** The remembered warnings; nobody is asked. */
export function rememberedNotices(workspace: Pick<Workspace, 'user'>): NoticesOf {
  const news = readNews(workspace);
  return ({ name, place, entry }) => news.of({ lock: place.store.lock, name, entry })?.notices ?? [];
}

/** Asks the registries of some skills, unless offline. Where there is no answer, the last one counts. */
export async function hearNotices(skills: readonly Installed[], options: SourceOptions): Promise<NoticesOf> {
  const { context, offline } = options;
  const heard = new Map<string, readonly SourceNotice[]>();
  const keyOf = ({ name, entry }: Installed) => `${name} ${entry.digest}`;
  // Asks no person: a registry that the user has not confirmed is not asked either.
  const answers = offline
    ? undefined
    : await askRegistries(skills, { ...options, context: { ...context, ask: undefined } });
  for (const skill of answers === undefined ? [] : skills) {
    const answer = answers?.of(skill);
    if (answer?.kind === 'now')
      heard.set(keyOf(skill), answer.answer.noticesOf?.(skill.entry.resolution.version) ?? []);
  }
  const remembered = rememberedNotices(context.workspace);
  return (skill) => heard.get(keyOf(skill)) ?? remembered(skill);
}

/** E236 or E237 for a locked skill that its registry withholds now. */
export function withheldSkill(
  { name, entry }: Pick<Installed, 'name' | 'entry'>,
  notices: readonly SourceNotice[],
): SkillwrightError | undefined {
  const { version } = entry.resolution;
  const what = version === undefined ? name : `${name}@${version}`;
  const help = `'skc update ${name}' looks for another version, and 'skc uninstall ${name}' removes it`;
  return withheldByNotices(makeVisible(what), notices)?.withHelp(help);
}
