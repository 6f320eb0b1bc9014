// Where a few words lead: pages of the studio, skills by name, and sections of the skill that fits best.

import { foldText } from '../../../base/markdown/index.ts';
import { SECTION_PREFIX } from '../../pages/index.ts';
import { studioPages } from '../pages/studio-shell.ts';
import { readSearch } from './read-search.ts';
import { skillPath } from './show-place.ts';
import type { StudioState } from './studio-state.ts';
import type { Look } from './take-look.ts';

/** The page: places, each with its address. */
export type PlacesView = Awaited<ReturnType<typeof readPlaces>>;

const MAX_SKILLS = 8;

/** Reads it. */
export async function readPlaces({ q, look }: { q: string; look: Look }, state: StudioState) {
  const words = foldText(q).split(' ').filter(Boolean);
  const has = (text: string) => words.every((word) => foldText(text).includes(word));
  const pages = studioPages.filter(({ label }) => has(label));
  const named = look.named.filter(({ name }) => has(name));
  const described = look.named.filter((skill) => !has(skill.name) && has(skill.description));
  const { view } = await readSearch({ q, inside: null, look }, state);
  return {
    q: view.q,
    places: [
      ...pages.map(({ label, about, path }) => ({ kind: 'page' as const, title: label, about, path })),
      ...[...named, ...described].slice(0, MAX_SKILLS).map((skill) => ({
        ...{ kind: 'skill' as const, title: skill.name, about: skill.description },
        path: skillPath(look.addressOf(skill)),
      })),
      ...view.sections.map(({ file, section, anchor }) => ({
        kind: 'section' as const,
        title: section === '' ? `Start of ${file}` : section,
        about: view.inside!.name,
        path: `${skillPath(view.inside!.id, file)}${anchor === '' ? '' : `#${SECTION_PREFIX}${anchor}`}`,
      })),
    ],
  };
}
