// Every page of the studio by its path, with the sample world and its empty states.

import type { Html } from '../../src/front/pages/index.ts';
import type { PlacesView } from '../../src/front/studio/data/read-places.ts';
import type { SearchView } from '../../src/front/studio/data/read-search.ts';
import type { SkillView } from '../../src/front/studio/data/read-skill.ts';
import type { SkillsView } from '../../src/front/studio/data/read-skills.ts';
import { activityPage } from '../../src/front/studio/pages/activity-page.ts';
import { agentsPage } from '../../src/front/studio/pages/agents-page.ts';
import { catalogPage } from '../../src/front/studio/pages/catalog-page.ts';
import { placesPage } from '../../src/front/studio/pages/places-page.ts';
import { searchPage } from '../../src/front/studio/pages/search-page.ts';
import { skillPage } from '../../src/front/studio/pages/skill-page.ts';
import { skillsPage } from '../../src/front/studio/pages/skills-page.ts';
import { studioErrorPage } from '../../src/front/studio/pages/studio-error-page.ts';
import type { StudioFrame } from '../../src/front/studio/pages/studio-shell.ts';
import { skillView } from './sample-skill.ts';
import {
  activityView,
  agentsView,
  catalogView,
  emptySkillsView,
  searchView,
  skillsView,
} from './sample-views.ts';

export type Render = (frame: StudioFrame, query: URLSearchParams) => Html;

/** The list as a server filters it. */
function filtered(query: URLSearchParams): SkillsView {
  const q = query.get('q') ?? '';
  const verdict = (query.get('verdict') || null) as SkillsView['filter']['verdict'];
  const skills = skillsView.skills.filter(
    (skill) => skill.name.includes(q) && (verdict === null || skill.verdict === verdict),
  );
  return { ...skillsView, skills, matching: skills.length, filter: { ...skillsView.filter, q, verdict } };
}

const noAnswer: SearchView = { ...searchView, skills: [], sections: [], inside: null, answer: null };

const placesFor = (q: string): PlacesView => ({
  q,
  places: (
    [
      { kind: 'page', title: 'Activity', about: 'Reads and searches as they happen', path: '/activity' },
      { kind: 'skill', title: 'pdf-forms', about: 'Fill and check PDF forms.', path: '/skills/a1b2c3' },
      {
        ...({ kind: 'section', title: 'Check boxes', about: 'pdf-forms' } as const),
        path: '/skills/a1b2c3#section-check-boxes',
      },
    ] as const
  ).filter(({ title, about }) => `${title} ${about}`.toLowerCase().includes(q.toLowerCase())),
});

export const samplePages: Readonly<Record<string, Render>> = {
  '/': (frame, query) => skillsPage(filtered(query), frame),
  '/skills/a1b2c3': (frame) => skillPage(skillView, { ...frame, section: null }),
  '/search': (frame, query) => {
    const q = query.get('q') ?? '';
    const section = { ...frame, section: 'search' as const };
    if (q === '') return searchPage({ ...noAnswer, q }, section);
    return searchPage(/pdf/.test(q) ? { ...searchView, q } : { ...noAnswer, q }, section);
  },
  '/catalog': (frame) => catalogPage(catalogView, { ...frame, section: 'catalog' }),
  '/agents': (frame) => agentsPage(agentsView, { ...frame, section: 'agents' }),
  '/go': (frame, query) => placesPage(placesFor(query.get('q') ?? ''), frame),
  '/activity': (frame) => activityPage(activityView, { ...frame, section: 'activity' }),
};

const nothingUsed: SkillView = {
  ...skillView,
  outline: skillView.outline.map((section) => ({ ...section, reads: 0 })),
  files: skillView.files.map((file) => ({ ...file, reads: 0 })),
  stats: { search: [], errors: [], quiz: [] },
  scan: { ...skillView.scan, findings: [] },
  trust: { score: 0, factors: [], cap: null },
  deployed: [],
  skill: {
    ...skillView.skill,
    install: null,
    form: null,
    why: null,
    agents: [],
    verdict: 'unknown',
    version: null,
    stub_tokens: null,
    use: emptySkillsView.totals,
  },
};

/** Pages without data, and pages with everything else that can be said. */
export const otherPages: Readonly<Record<string, Render>> = {
  '/empty': (frame) => skillsPage(emptySkillsView, frame),
  '/empty/skill': (frame) => skillPage(nothingUsed, { ...frame, mayChange: true }),
  '/empty/found': (frame) => searchPage({ ...noAnswer, q: 'sing a song' }, frame),
  '/empty/catalog': (frame) => catalogPage({ ...catalogView, shown: [], text: '' }, frame),
  '/empty/agents': (frame) => agentsPage({ agents: [] }, frame),
  '/empty/activity': (frame) =>
    activityPage({ ...activityView, accesses: [], total: 0, latest: 0, runs: [] }, frame),
  '/error': (frame) => studioErrorPage({ title: 'No such page', text: 'The studio has no page /x.' }, frame),
  '/refused': (frame) =>
    studioErrorPage(
      { title: 'Refused', text: 'Open the address that skc studio prints.' },
      { ...frame, csrf: null, place: '' },
    ),
  '/noted': (frame) =>
    catalogPage(
      { ...catalogView, tokens: 5210, bytes: 20_840, budget: { ...catalogView.budget, bytes: 600 } },
      { ...frame, notes: ['Discovery stopped after 5,000 skills. Raise catalog.limit to see all.'] },
    ),
};
