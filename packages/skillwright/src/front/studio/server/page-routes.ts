// The pages: from an address to a view, and from a view to HTML.

import { attempt, formatCount, orUndefined, SkillwrightError } from '../../../base/diagnostics/index.ts';
import { readLastRun } from '../../../make/evals/index.ts';
import { listLocalLogs } from '../../../read/usage/index.ts';
import { openSkill, SKILL_FILE } from '../../../skill/skill/index.ts';
import type { Html } from '../../pages/index.ts';
import { type ActivityView, readActivity } from '../data/read-activity.ts';
import { readAgents } from '../data/read-agents.ts';
import { readCatalog } from '../data/read-catalog.ts';
import { readPlaces } from '../data/read-places.ts';
import { readSearch } from '../data/read-search.ts';
import { readSkill } from '../data/read-skill.ts';
import { readSkills } from '../data/read-skills.ts';
import { withoutHome } from '../data/show-place.ts';
import type { StudioState } from '../data/studio-state.ts';
import type { Look } from '../data/take-look.ts';
import { RANGES, timeRange } from '../data/usage-counts.ts';
import { activityPage } from '../pages/activity-page.ts';
import { agentsPage } from '../pages/agents-page.ts';
import { catalogPage } from '../pages/catalog-page.ts';
import { evalsPage } from '../pages/evals-page.ts';
import { placesPage } from '../pages/places-page.ts';
import { searchPage } from '../pages/search-page.ts';
import { skillPage } from '../pages/skill-page.ts';
import { skillsPage } from '../pages/skills-page.ts';
import type { StudioFrame, StudioSection } from '../pages/studio-shell.ts';

/** A page before it is drawn. */
interface ReadPage {
  readonly section: StudioSection | null;
  readonly view: unknown;
  /** Sentences about rows that are left out or still missing. */
  readonly notes: readonly string[];
  draw(frame: StudioFrame): Html;
}

/** The page at an address; undefined when there is none. E001 for a skill that is gone, E021 for a missing file. */
export async function readPage(url: URL, look: Look, state: StudioState): Promise<ReadPage | undefined> {
  const { pathname, searchParams: query } = url;
  const range = timeRange(RANGES.find((one) => one === query.get('range')) ?? '30d', state.front.now());
  switch (pathname) {
    case '/': {
      const view = await readSkills({ ...skillsRequest(query), range }, look, state);
      const { unknown } = view.totals.byVerdict;
      const notes = [
        ...state.unfinished(),
        ...(unknown === 0
          ? []
          : [
              `${unknown} of ${formatCount(view.total, 'skill')} not scanned yet. Filters by verdict leave them out until then.`,
            ]),
      ];
      const cut = look.catalog.truncated
        ? ["The search for skills stopped at a limit; 'skc list --paths' says where."]
        : [];
      return made('skills', { view, notes: [...notes, ...cut, ...logNotes(look, state)] }, skillsPage);
    }
    case '/search': {
      const asked = { q: query.get('q') ?? '', inside: query.get('inside'), look };
      return made('search', await readSearch(asked, state), searchPage);
    }
    case '/go':
      return made(null, { view: await readPlaces({ q: query.get('q') ?? '', look }, state) }, placesPage);
    case '/catalog':
      return made('catalog', { view: await readCatalog(query.get('format'), look, state) }, catalogPage);
    case '/agents':
      return made('agents', { view: await readAgents(look, state) }, agentsPage);
    case '/activity':
      return made(
        'activity',
        { view: await readActivity(activityRequest(query), look, state), notes: logNotes(look, state) },
        activityPage,
      );
    case '/evals':
      return made('evals', { view: { run: readLastRun(look.context.workspace) ?? null } }, evalsPage);
  }
  const id = skillAt(url);
  if (id === undefined) return undefined;
  const asked = { file: query.get('file') ?? SKILL_FILE, look, range };
  return made('skills', await readSkill(skillWith(id, look), asked, state), skillPage);
}

/** The skills for the page at an address. The page of a skill needs a new look only if its SKILL.md has changed. */
export async function lookFor(url: URL, state: StudioState): Promise<Look> {
  const id = skillAt(url);
  if (id === undefined) return state.look();
  const recent = await state.look({ mayBeOld: true });
  const record = recent.byId.get(id);
  const now = record && attempt(() => openSkill(record.dir));
  return now?.digest === record?.digest && now !== undefined ? recent : state.look();
}

function skillAt({ pathname }: URL): string | undefined {
  const [, name] = /^\/skills\/([^/]+)$/.exec(pathname) ?? [];
  return name === undefined ? undefined : orUndefined(() => decodeURIComponent(name));
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
  section: StudioSection | null,
  { view, notes = [] }: { view: View; notes?: readonly string[] },
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
    order: one('order', ['name', 'reads', 'used', 'tokens', 'verdict']) ?? ('name' as const),
    page: Number.isSafeInteger(page) ? page : 1,
  };
}

function activityRequest(query: URLSearchParams): ActivityView['filter'] {
  const one = (name: string) => query.get(name)?.slice(0, 200) || null;
  return {
    ...{ q: one('q') ?? '', skill: one('skill'), agent: one('agent'), command: one('command') },
    failed: query.get('result') === 'failed',
  };
}

/** Logs that cannot be read, and accesses that are not in them yet. */
function logNotes({ context: { workspace } }: Look, state: StudioState): string[] {
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
