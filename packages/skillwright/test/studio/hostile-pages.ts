// A skill that tries everything a stranger can try, in every field that reaches a page of the studio.

import type { HeatedSection, SkillView } from '../../src/front/studio/data/read-skill.ts';
import type { SkillRow } from '../../src/front/studio/data/skill-facts.ts';
import { activityPage } from '../../src/front/studio/pages/activity-page.ts';
import { agentsPage } from '../../src/front/studio/pages/agents-page.ts';
import { catalogPage } from '../../src/front/studio/pages/catalog-page.ts';
import { placesPage } from '../../src/front/studio/pages/places-page.ts';
import { searchPage } from '../../src/front/studio/pages/search-page.ts';
import { skillPage } from '../../src/front/studio/pages/skill-page.ts';
import { skillsPage } from '../../src/front/studio/pages/skills-page.ts';
import { studioErrorPage } from '../../src/front/studio/pages/studio-error-page.ts';
import type { Render } from './sample-pages.ts';
import { skillView } from './sample-skill.ts';
import {
  accessAt,
  activityView,
  agentsView,
  catalogView,
  installed,
  searchView,
  skillsView,
  used,
} from './sample-views.ts';

const run = 'window.hacked=true;alert(1)';

/** Markup that would run, load or break out if it were not escaped. */
const markup = `"><script>${run}</script><img src=x onerror="${run}"><svg onload="${run}"></svg>' autofocus onfocus='${run}`;

/** Text that would turn the rest of the page around. */
export const turned = '\u202egnp.exe\u2066\u2067 שלום';

/** A word of 300 characters without a place to break. */
const word = 'W'.repeat(300);
const long = `${word} ${turned} ${markup}`;

const text = `# ${markup}

[click](javascript:window.hacked=true) [click](data:text/html,<script>${run}</script>) [click](//evil.example/)
![x](https://evil.example/pixel.png) ![x](picture.svg) [up](../../../../etc/passwd) [main](#main)

<script>${run}</script>
<iframe srcdoc="<script>parent.hacked=true</script>"></iframe>
<style>body { display: none }</style>
<meta http-equiv="refresh" content="0;url=https://evil.example/">

## ${turned}

${word}

| ${word} | ${turned} |
|---|---|
| \`${word}\` | ${markup.replaceAll('|', '')} |

${'> '.repeat(80)}deep

## main
`;

const skill: SkillRow = {
  id: markup,
  name: `${turned}<b>evil</b>"onmouseover="${run}`,
  description: long,
  scope: 'user',
  place: long,
  form: 'stub',
  why: long,
  agents: [markup, word, turned, long],
  tokens: 1,
  stub_tokens: 1,
  verdict: 'danger',
  install: {
    ...installed,
    source: long,
    update: { wanted: word, latest: long, checked_at: markup },
  },
  version: word,
  enabled: true,
  unavailable: long,
  use: { ...skillsView.totals, count: 1e12, last_access: markup },
};

const section = (at: number): HeatedSection => ({
  level: (at % 9) + 1,
  text: at === 0 ? long : `Section ${at}`,
  anchor: at === 0 ? markup : `section-${at}`,
  tokens: 1e9,
  ownTokens: 1e9,
  asked: 0,
  reads: at % 3,
  file: at % 50 === 0 ? `references/${word}${markup}.md` : 'SKILL.md',
  start_line: 1,
  end_line: 2,
});

const evil: SkillView = {
  ...skillView,
  skill,
  file: 'SKILL.md',
  markdown: text,
  frontmatter: { [markup]: long, [word]: `${long}\n${long}` },
  outline: Array.from({ length: 300 }, (_, at) => section(at)),
  files: [{ path: `${word}${markup}`, size: 1, tokens: 1, reads: 1 }],
  stats: {
    search: [{ query: long, count: 1e9, zero_results: 1e9, last_access: markup }],
    errors: [{ error: markup, command: long, subject: long, count: 1, last_access: markup }],
    quiz: [{ question: 1, text: long, asked: 0, failed: 3, rate: 0, attempts: 0, passes: 0 }],
  },
  scan: {
    ...skillView.scan,
    findings: [
      {
        ...skillView.scan.findings[0]!,
        ...{ rule: markup, name: word, severity: word as 'low', confidence: word as 'low' },
        ...{ message: long, reason: long, file: long, line: 1, excerpt: long },
      },
    ],
  },
  trust: {
    score: 1,
    factors: [{ factor: long, points: -5, max: 0, reason: long }],
    cap: { at: 1, reason: long },
  },
  deployed: [long],
};

const many: SkillView = {
  ...skillView,
  files: Array.from({ length: 5000 }, (_, at) => ({ path: `f/${at}.md`, size: at, tokens: at, reads: 0 })),
  outline: Array.from({ length: 1000 }, (_, at) => ({ ...section(at + 1), file: 'SKILL.md' })),
};

let reads = 60;
let hasSettled = false;

let happened = -1;
const strangeAccesses = [
  accessAt(-5, {
    skill: `<img src=x onerror="window.hacked=true">${turned}`,
    skillId: '"><script>window.hacked=true</script>',
    subject: null,
    error: 'E001',
  }),
  accessAt(-4, { subject: 'Names' }),
];

export const hostilePages: Readonly<Record<string, Render>> = {
  '/hostile/skills': (frame) =>
    skillsPage(
      {
        ...skillsView,
        skills: [skill],
        matching: 5000,
        total: 5000,
        filter: { q: markup, scope: null, verdict: null, order: 'reads', page: 3, pages: 50, range: '30d' },
        attention: [
          { kind: 'searches', title: long, skills: [{ id: markup, name: long }], count: 9000, command: long },
        ],
        chart: { [long]: used(1e15, null), '2026-11-16': used(1e15, null) },
        problems: [{ place: long, why: long }],
      },
      { ...frame, place: long, notes: [long, markup] },
    ),
  '/hostile/skill': (frame) =>
    skillPage(evil, { ...frame, place: long, path: `/${markup}`, mayChange: true }),
  '/hostile/closed': (frame) => skillPage({ ...evil, markdown: null, textWhy: long, file: long }, frame),
  '/hostile/many': (frame) => skillPage(many, frame),
  '/hostile/search': (frame) =>
    searchPage(
      {
        ...searchView,
        q: markup,
        corrected: long,
        skills: [
          {
            ...searchView.skills[0]!,
            id: markup,
            name: long,
            description: long,
            where: { field: 'body', line: 1, text: long },
            words: [
              { word: long, share: 7, field: 'name' },
              { word: markup, share: Number.NaN, field: null },
            ],
          },
        ],
        inside: { id: markup, name: long },
        sections: [
          {
            ...searchView.sections[0]!,
            ...{ file: long, section: long, tokens: 1, snippet: long, anchor: markup },
          },
        ],
        answer: { text: `${long}\n${text}`, tokens: 1 },
      },
      frame,
    ),
  '/hostile/catalog': (frame) =>
    catalogPage(
      {
        ...catalogView,
        format: markup,
        formats: [markup, word],
        text: `${text}${long}`,
        budget: { bytes: 0, source: long },
        shown: Array.from({ length: 5000 }, (_, at) => ({
          id: markup,
          name: at === 0 ? long : `n${at}`,
          detail: 'full' as const,
          bytes: 1,
        })),
      },
      frame,
    ),
  '/hostile/agents': (frame) =>
    agentsPage(
      {
        agents: [
          {
            ...agentsView.agents[0]!,
            directories: [{ place: long, exists: false }],
            skills: [
              { id: markup, name: long, form: 'unmanaged', tokens: null, problem: long, isOver: true },
            ],
          },
        ],
      },
      frame,
    ),
  '/hostile/go': (frame) =>
    placesPage(
      {
        q: markup,
        places: [
          { kind: 'skill', title: long, about: long, path: `/skills/${encodeURIComponent(markup)}` },
          { kind: 'section', title: markup, about: markup, path: 'javascript:alert(1)' },
        ],
      },
      frame,
    ),
  '/hostile/activity': (frame) =>
    activityPage(
      {
        ...{ latest: 5000, total: 5000, filter: activityView.filter },
        choices: { skill: [long, markup], agent: [long, markup], command: [markup] },
        runs: [
          {
            ...{ run: markup, client: long, first: '2026-11-16T13:58:00Z', tokens: 1e12 },
            skills: [{ id: markup, name: long }],
            steps: Array.from({ length: 5000 }, () => ({ command: word, subject: long, error: long })),
          },
        ],
        accesses: Array.from({ length: 5000 }, (_, at) =>
          accessAt(at, {
            command: markup,
            skill: long,
            skillId: markup,
            subject: long,
            error: word,
            project: long,
          }),
        ),
      },
      frame,
    ),
  '/hostile/error': (frame) => studioErrorPage({ title: long, text: long }, frame),
  // A skill that is read once more each time its page is asked for.
  '/growing': (frame) => {
    reads += 1;
    const outline = skillView.outline.map((one) => (one.text === 'Fill' ? { ...one, reads } : one));
    return skillPage({ ...skillView, outline }, frame);
  },
  // Accesses that another one follows each time the page is asked for.
  '/happening': (frame) => {
    happened += 1;
    const accesses = [...strangeAccesses.slice(Math.max(0, 2 - happened)), ...activityView.accesses];
    return activityPage(
      { ...activityView, accesses, total: activityView.total + happened },
      { ...frame, section: 'activity' },
    );
  },
  // A list that is whole the second time.
  '/settling': (frame) => {
    const isWhole = hasSettled;
    hasSettled = true;
    return skillsPage(isWhole ? skillsView : { ...skillsView, skills: [] }, {
      ...frame,
      notes: isWhole ? [] : ['Still counting.'],
      said: ['It is on.'],
    });
  },
};
