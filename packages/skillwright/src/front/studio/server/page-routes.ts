// The pages: from an address to a view, and from a view to HTML.

import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import { listLocalLogs } from '../../../read/usage/index.ts';
import { SKILL_FILE } from '../../../skill/skill/index.ts';
import type { Html } from '../../pages/index.ts';
import { readActivity } from '../data/read-activity.ts';
import { readAgents } from '../data/read-agents.ts';
import { readCatalog } from '../data/read-catalog.ts';
import { readSearch } from '../data/read-search.ts';
import { readSkill } from '../data/read-skill.ts';
import { readSkills, withoutHome } from '../data/read-skills.ts';
import type { Look, StudioState } from '../data/studio-state.ts';
import { activityPage } from '../pages/activity-page.ts';
import { agentsPage } from '../pages/agents-page.ts';
import { catalogPage } from '../pages/catalog-page.ts';
import { searchPage } from '../pages/search-page.ts';
import { skillPage } from '../pages/skill-page.ts';
import { skillsPage } from '../pages/skills-page.ts';
import type { StudioFrame, StudioSection } from '../views/studio-frame.ts';

/** A page before it is drawn. */
export interface ReadPage {
  readonly section: StudioSection | null;
  readonly view: unknown;
  /** Sentences about rows that are left out or still missing. */
  readonly notes: readonly string[];
  draw(frame: StudioFrame): Html;
}

/** The page at an address; undefined when there is none. E001 for a skill that is gone, E021 for a missing file. */
export async function readPage(url: URL, state: StudioState): Promise<ReadPage | undefined> {
  const { pathname, searchParams: query } = url;
  switch (pathname) {
    case '/': {
      const view = await readSkills(skillsRequest(query), state);
      const waiting = state.verdicts.waiting;
      const notes = [
        ...state.unfinished(),
        ...(waiting === 0
          ? []
          : [
              `${waiting === 1 ? 'A skill is' : `${waiting} skills are`} being scanned. Reload for the verdicts.`,
            ]),
      ];
      return made('skills', { view, notes: [...notes, ...(await catalogNotes(state))] }, skillsPage);
    }
    case '/search': {
      const asked = { q: query.get('q') ?? '', inside: query.get('inside') };
      return made('search', await readSearch(asked, state), searchPage);
    }
    case '/catalog':
      return made('catalog', await readCatalog(query.get('format'), state), catalogPage);
    case '/agents':
      return made('agents', await readAgents(state), agentsPage);
    case '/activity':
      return made(
        'activity',
        { view: await readActivity(state), notes: await logNotes(state) },
        activityPage,
      );
  }
  const [, id] = /^\/skills\/([0-9a-f]{1,64})$/.exec(pathname) ?? [];
  if (id === undefined) return undefined;
  const record = skillWith(id, await state.look());
  return made('skills', await readSkill(record, query.get('file') ?? SKILL_FILE, state), skillPage);
}

/** The skill with an id; E001. */
export function skillWith(id: string, { byId }: Look) {
  const record = byId.get(id);
  if (record === undefined)
    throw SkillwrightError.of(
      'E001',
      { skill: id },
      { help: 'it was removed or moved since the page was made' },
    );
  return record;
}

function made<View>(
  section: StudioSection,
  { view, notes }: { view: View; notes: readonly string[] },
  draw: (view: View, frame: StudioFrame) => Html,
): ReadPage {
  return { section, view, notes, draw: (frame) => draw(view, frame) };
}

function skillsRequest(query: URLSearchParams) {
  const one = <const Word extends string>(name: string, words: readonly Word[]) =>
    words.find((word) => word === query.get(name)) ?? null;
  const page = Number(query.get('page') ?? '1');
  return {
    q: (query.get('q') ?? '').slice(0, 200),
    scope: one('scope', ['project', 'user', 'bundled']),
    verdict: one('verdict', ['clean', 'caution', 'danger', 'unknown']),
    order: one('order', ['name', 'reads', 'tokens', 'verdict']) ?? ('name' as const),
    page: Number.isSafeInteger(page) ? page : 1,
  };
}

async function catalogNotes(state: StudioState): Promise<string[]> {
  const { catalog } = await state.look();
  const cut = catalog.truncated ? ["The search for skills stopped at a limit; 'skc roots' says where."] : [];
  return [...cut, ...(await logNotes(state))];
}

/** Logs that cannot be read, and accesses that are not in them yet. */
async function logNotes(state: StudioState): Promise<string[]> {
  const { workspace } = (await state.look()).context;
  const local = listLocalLogs(workspace.cwd).length;
  const waiting =
    local === 0
      ? []
      : [`Accesses in local logs (${local}) are not counted; 'skc sync' merges them into the others.`];
  const { problems } = state.usage;
  const [first] = problems.values();
  if (first === undefined) return waiting;
  const more = problems.size === 1 ? '' : `, and ${problems.size - 1} more`;
  const told = withoutHome(first, workspace.home);
  return [...waiting, `An access log cannot be counted${more}: ${told}. The next access starts a new one.`];
}
