// A sample world as the views of the studio: a shop's project with a few skills, and a month of use.

import type { ActivityView, ShownAccess } from '../../src/front/studio/data/read-activity.ts';
import type { AgentsView, SeeingAgent } from '../../src/front/studio/data/read-agents.ts';
import type { CatalogPageView } from '../../src/front/studio/data/read-catalog.ts';
import type { SearchView } from '../../src/front/studio/data/read-search.ts';
import type { SkillsView } from '../../src/front/studio/data/read-skills.ts';
import type { SkillRow } from '../../src/front/studio/data/skill-facts.ts';
import type { StudioFrame } from '../../src/front/studio/pages/studio-shell.ts';

export const frame: StudioFrame = {
  href: (path) => path,
  section: 'skills',
  place: '~/work/shop',
  theme: 'auto',
  csrf: 'form-token',
  mayChange: false,
  path: '/',
  readAt: new Date('2026-11-16T14:03:00Z'),
  notes: [],
};

export const used = (count: number, last_access: string | null) => ({
  ...{ count, reads: count, error_count: 0, tokens_served: 0, tokens_saved: 0, zero_results: 0, last_access },
});

const base: SkillRow = {
  id: 'a1b2c3',
  name: 'pdf-forms',
  description:
    'Fill, flatten and check PDF forms. Use when the user wants data from a spreadsheet in the fields of a form.',
  scope: 'project',
  place: '~/work/shop/skills/pdf-forms',
  form: 'stub',
  why: 'the stub loses nothing and saves 2,310 tokens',
  agents: ['claude', 'codex', 'cursor'],
  tokens: 2431,
  stub_tokens: 121,
  verdict: 'clean',
  install: null,
  version: '1.4.0',
  enabled: true,
  unavailable: null,
  use: used(214, '2026-11-16T13:58:12Z'),
};

export const installed: NonNullable<SkillRow['install']> = {
  source: '@acme/pdf-forms 1.4.0',
  origin: null,
  path: '',
  version: '1.4.0',
  commit: null,
  digest: 'sha256:0',
  pinned: false,
  installed_at: '2026-10-01T00:00:00Z',
  agents: [],
  edits: [],
  verdict: 'clean',
  update: null,
  notices: [],
  checked_at: null,
};

export const skills: readonly SkillRow[] = [
  {
    ...base,
    id: 'd4e5f6',
    name: 'db-migrations',
    description: 'Change a live table without downtime: expand, move, contract.',
    form: 'files',
    why: 'its text refers to scripts',
    agents: ['claude', 'codex'],
    tokens: 3120,
    stub_tokens: 164,
    verdict: 'caution',
    version: '0.9.2',
    unavailable: 'locked by its quiz',
    use: used(41, '2026-11-14T09:12:44Z'),
  },
  {
    ...base,
    id: '0a9b8c',
    name: 'invoice-layout',
    description: 'Set invoices as the accountants want them.',
    form: null,
    why: 'it was not built yet',
    agents: [],
    tokens: 611,
    stub_tokens: null,
    verdict: 'unknown',
    version: null,
    use: used(0, null),
  },
  base,
  {
    ...base,
    id: '778899',
    name: 'release-notes',
    description: 'Write release notes from merged pull requests, sorted by what changes for the user.',
    scope: 'user',
    place: '~/.agents/skills/release-notes',
    agents: ['claude', 'codex', 'cursor', 'gemini', 'opencode'],
    tokens: 1240,
    stub_tokens: 98,
    install: {
      ...installed,
      version: '2.0.3',
      update: { wanted: '2.1.0', latest: null, checked_at: '2026-11-15T00:00:00Z' },
    },
    version: '2.0.3',
    use: used(96, '2026-11-16T11:20:00Z'),
  },
  {
    ...base,
    id: 'bad001',
    name: 'shell-helper',
    description: 'Runs handy one-liners.',
    scope: 'user',
    place: '~/.agents/skills/shell-helper',
    form: 'whole',
    why: 'it has hooks',
    agents: ['claude'],
    tokens: 402,
    stub_tokens: 402,
    verdict: 'danger',
    version: '0.1.0',
    enabled: false,
    unavailable: 'you turned it off',
    use: used(3, '2026-10-30T08:00:00Z'),
  },
  {
    ...base,
    id: 'skc000',
    name: 'skillwright',
    description: 'Create, check and publish skills with skc.',
    scope: 'bundled',
    place: 'bundled with skc',
    form: null,
    why: null,
    agents: [],
    tokens: 980,
    stub_tokens: null,
    verdict: 'unknown',
    version: null,
    use: used(12, '2026-11-10T10:00:00Z'),
  },
];

/** A month that ends on the day of the sample; `wave` gives a day its value. */
export const month = (wave: (at: number) => number): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [
      new Date(Date.UTC(2026, 9, 18 + at)).toISOString().slice(0, 10),
      Math.max(0, Math.round(wave(at))),
    ]),
  );

const useOf = (counts: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(counts).map(([day, count]) => [day, used(count, null)]));

const isWeekend = (at: number) => at % 7 === 0 || at % 7 === 6;

export const skillsView: SkillsView = {
  skills: [...skills],
  matching: skills.length,
  total: skills.length,
  filter: { q: '', scope: null, verdict: null, order: 'name', page: 1, pages: 1, range: '30d' },
  totals: {
    count: 366,
    reads: 301,
    tokens_served: 48_210,
    tokens_saved: 402_771,
    error_count: 9,
    zero_results: 14,
    last_access: '2026-11-16T13:58:12Z',
    updates: 1,
    byVerdict: { clean: 2, caution: 1, danger: 1, unknown: 2 },
  },
  before: {
    ...used(310, null),
    tokens_served: 40_100,
    tokens_saved: 380_500,
    error_count: 4,
    zero_results: 20,
  },
  chart: useOf(month((at) => (isWeekend(at) ? 1 + (at % 3) : 9 + 7 * Math.sin(at / 3) + (at % 5)))),
  attention: [
    {
      kind: 'danger',
      title: '1 dangerous skill without a decision',
      skills: [{ id: 'shell-helper', name: 'shell-helper' }],
      count: 1,
      command: 'skc scan shell-helper',
    },
    {
      kind: 'listing',
      title: '3 descriptions of 5 do not fit into the list of claude',
      skills: [],
      count: 3,
      command: 'skc doctor',
    },
    {
      kind: 'searches',
      title: '14 searches found nothing',
      skills: [{ id: 'pdf-forms', name: 'pdf-forms' }],
      count: 1,
      command: 'skc stats pdf-forms --group-by search',
    },
  ],
  problems: [{ place: '~/work/shop/skills/draft', why: 'SKILL.md has no frontmatter (E012)' }],
};

export const emptySkillsView: SkillsView = {
  ...skillsView,
  skills: [],
  matching: 0,
  total: 0,
  totals: {
    ...used(0, null),
    updates: 0,
    byVerdict: { clean: 0, caution: 0, danger: 0, unknown: 0 },
  },
  before: null,
  chart: useOf(month(() => 0)),
  attention: [],
  problems: [],
};

const found = (name: string) => ({
  ...{ scope: 'project' as const, enabled: true, available: true },
  path: `/work/shop/skills/${name}/SKILL.md`,
  shown: `skills/${name}/SKILL.md`,
});

export const searchView: SearchView = {
  q: 'put spreadsheet data into a pdf form',
  corrected: null,
  searched: 6,
  hasMore: false,
  skills: [
    {
      id: 'a1b2c3',
      name: 'pdf-forms',
      description: base.description,
      score: 0.88,
      reason: 'token_overlap',
      words: [
        { word: 'pdf', share: 0.34, field: 'name' },
        { word: 'form', share: 0.27, field: 'name' },
        { word: 'spreadsheet', share: 0.22, field: 'description' },
        { word: 'data', share: 0.05, field: 'description' },
      ],
      where: {
        field: 'description',
        line: 3,
        text: 'Use when the user wants data from a spreadsheet in the fields of a form.',
      },
      ...found('pdf-forms'),
    },
    {
      id: '0a9b8c',
      name: 'invoice-layout',
      description: 'Set invoices as the accountants want them.',
      score: 0.12,
      reason: 'token_overlap',
      words: [
        { word: 'pdf', share: 0.08, field: 'body' },
        { word: 'form', share: 0.03, field: 'heading' },
        { word: 'data', share: 0.008, field: 'body' },
      ],
      where: { field: 'body', line: 12, section: 'Output', text: 'Export the invoice as PDF/A.' },
      ...found('invoice-layout'),
    },
  ],
  inside: { id: 'a1b2c3', name: 'pdf-forms' },
  sections: [
    {
      file: 'SKILL.md',
      section: 'Map columns to fields',
      tokens: 212,
      snippet:
        'Write a mapping of spreadsheet [MATCH]columns[/MATCH] to field names before you fill anything.',
      ...{
        name: { section: 'Names' },
        level: 2,
        anchor: 'map-columns-to-fields',
        start_line: 1,
        end_line: 2,
        score: 1,
      },
    },
    {
      file: 'references/fields.md',
      section: 'Names',
      tokens: 96,
      snippet: 'A form lists its fields with their types; names are case-sensitive.',
      ...{ name: { section: 'Names' }, level: 2, anchor: 'names', start_line: 1, end_line: 2, score: 1 },
    },
  ],
  answer: {
    text: 'pdf-forms  project  skills/pdf-forms/SKILL.md:3\n  Fill, flatten and check PDF forms. Use when the user wants data from a sprea…\ninvoice-layout  project  skills/invoice-layout/SKILL.md:12\n  Set invoices as the accountants want them.\n  Output: Export the invoice as PDF/A.\n',
    tokens: 63,
  },
};

const entry = (name: string, text: string) =>
  `  <skill>\n    <name>${name}</name>\n    <description>${text}</description>\n  </skill>\n`;

export const catalogView: CatalogPageView = {
  format: 'xml',
  formats: ['xml', 'markdown', 'json'],
  text: `<available_skills>\n${entry('db-migrations', 'Change a live table without downtime: expand, move, contract.')}${entry('pdf-forms', base.description)}${entry('release-notes', 'Write release notes from merged pull requests…')}  <skill><name>invoice-layout</name></skill>\n</available_skills>\n`,
  tokens: 181,
  bytes: 690,
  budget: { bytes: 32_768, source: 'catalog.max_bytes' },
  counts: { full: 2, short: 1, name: 1, 'left-out': 1 },
  shown: [
    { id: 'd4e5f6', name: 'db-migrations', detail: 'full', bytes: 180 },
    { id: 'a1b2c3', name: 'pdf-forms', detail: 'full', bytes: 220 },
    { id: '778899', name: 'release-notes', detail: 'short', bytes: 150 },
    { id: '0a9b8c', name: 'invoice-layout', detail: 'name', bytes: 60 },
    { id: 'skc000', name: 'skillwright', detail: 'left-out', bytes: 0 },
  ],
};

const listing = (size: number, skills: number, over: number): SeeingAgent['listing'] => ({
  ...{ size, skills, over, unit: 'tokens' },
  limit: { max: 2000, rule: '1 % of a context of 200,000 tokens', over: 'descriptions are dropped' },
});

export const agentsView: AgentsView = {
  agents: [
    {
      id: 'claude',
      directories: [
        { place: '~/work/shop/.claude/skills', exists: true },
        { place: '~/.claude/skills', exists: true },
      ],
      skills: [
        { id: 'd4e5f6', name: 'db-migrations', form: 'files', tokens: 164, problem: null, isOver: false },
        { id: 'a1b2c3', name: 'pdf-forms', form: 'stub', tokens: 121, problem: null, isOver: false },
        { id: '778899', name: 'release-notes', form: 'stub', tokens: 98, problem: null, isOver: false },
        {
          id: 'bad001',
          name: 'shell-helper',
          form: 'whole',
          tokens: 402,
          problem: 'you turned it off',
          isOver: false,
        },
        { id: null, name: 'by-hand', form: 'unmanaged', tokens: 520, problem: null, isOver: false },
      ],
      listing: listing(1305, 5, 0),
    },
    {
      id: 'codex',
      directories: [
        { place: '~/work/shop/.agents/skills', exists: true },
        { place: '~/.codex/skills', exists: false },
      ],
      skills: [
        { id: 'd4e5f6', name: 'db-migrations', form: 'files', tokens: 164, problem: null, isOver: false },
        {
          id: 'a1b2c3',
          name: 'pdf-forms',
          form: 'stub',
          tokens: 121,
          problem: 'the stub is older than the skill: run skc build pdf-forms',
          isOver: false,
        },
        { id: '778899', name: 'release-notes', form: 'stub', tokens: 98, problem: null, isOver: false },
      ],
      listing: listing(2383, 3, 1),
    },
    {
      id: 'gemini',
      directories: [{ place: '~/.gemini/skills', exists: true }],
      skills: [],
      listing: listing(0, 0, 0),
    },
  ],
};

/** One access, `at` seconds before the sample was read. */
export function accessAt(at: number, changes: Partial<ShownAccess> = {}): ShownAccess {
  return {
    key: String(10_000 - at),
    timestamp: new Date(Date.UTC(2026, 10, 16, 14, 2, 58) - at * 1000).toISOString(),
    command: 'show',
    skill: 'pdf-forms',
    skillId: 'a1b2c3',
    subject: 'Map columns to fields',
    tokens: 212,
    durationMs: 4,
    error: null,
    project: '~/work/shop',
    run: 'r1',
    client: 'claude-code',
    ...changes,
  };
}

export const activityView: ActivityView = {
  latest: 7,
  filter: { q: '', skill: null, agent: null, command: null, failed: false },
  choices: {
    skill: ['db-migrations', 'pdf-forms', 'release-notes', 'removed-skill'],
    agent: ['claude-code'],
    command: ['load', 'open', 'outline', 'quiz', 'search', 'show'],
  },
  runs: [
    {
      run: 'r1',
      client: 'claude-code',
      first: '2026-11-16T13:58:00Z',
      skills: [{ id: 'a1b2c3', name: 'pdf-forms' }],
      steps: [
        { command: 'search', subject: 'fill a form', error: null },
        { command: 'outline', subject: null, error: null },
        { command: 'show', subject: 'Fill', error: null },
      ],
      tokens: 412,
    },
  ],
  accesses: [
    accessAt(1),
    accessAt(4, { command: 'search', subject: 'flatten', tokens: 88, durationMs: 6 }),
    accessAt(9, { command: 'outline', subject: null, tokens: 121, durationMs: 3 }),
    accessAt(47, { command: 'show', subject: 'Signatures', tokens: 0, error: 'E020', durationMs: 2 }),
    accessAt(300, { skill: 'db-migrations', skillId: 'd4e5f6', command: 'quiz', subject: null, tokens: 140 }),
    accessAt(4000, {
      skill: 'removed-skill',
      skillId: null,
      command: 'open',
      subject: 'references/old.md',
      tokens: 640,
    }),
    accessAt(9000, {
      skill: 'release-notes',
      skillId: '778899',
      command: 'load',
      subject: null,
      tokens: 1240,
    }),
  ],
  total: 366,
};
