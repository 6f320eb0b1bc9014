// View models of every page, as a registry in use would fill them.

import type {
  IndexVersion,
  SearchHit,
  SkillIndex,
  SkillSummary,
  VersionDocument,
} from 'skillwright/registry-protocol';
import type { Frame } from '../../src/web/frame.ts';
import type { ShownVersion, SkillView } from '../../src/web/skill/skill-page.ts';

const digest = (of: string) => `sha256:${of.repeat(64).slice(0, 64)}`;

export const frame: Frame = {
  registryName: 'Acme Skills',
  publicUrl: 'https://skills.example.com',
  viewer: { account: 'mara', isAdmin: true, mayModerate: true, mayReview: true },
  csrf: 'token-of-this-session',
  theme: 'auto',
  path: '/',
};

const summary: SkillSummary = {
  name: '@acme/pdf-forms',
  description:
    'Fill, read and flatten PDF forms. Use when a task mentions PDF forms, field values, signatures or filling a document from data.',
  visibility: 'public',
  level: 'verified',
  rating: { mean: 4.6, count: 38 },
  downloads: 12840,
  latest: '2.3.1',
  license: 'Apache-2.0',
  repository: 'https://git.example.com/acme/skills',
  homepage: 'https://acme.example.com/skills/pdf-forms',
  tags: ['pdf', 'forms', 'documents'],
  category: 'documents',
  deprecated: null,
  created: '2026-02-03T10:00:00Z',
  updated: '2026-11-12T08:30:00Z',
};

const another = (name: string, description: string, more: Partial<SkillSummary> = {}): SkillSummary => ({
  ...summary,
  name,
  description,
  ...more,
});

export const summaries: readonly SkillSummary[] = [
  summary,
  another('@acme/release-notes', 'Write release notes from merged changes, grouped by what users notice.', {
    level: 'official',
    downloads: 5210,
    latest: '1.4.0',
    rating: { mean: 4.1, count: 12 },
  }),
  another(
    '@platform/incident-review',
    'Prepare the review after an incident: timeline, causes, actions with owners.',
    {
      visibility: 'private',
      level: 'community',
      downloads: 310,
      latest: '0.9.2',
      rating: null,
      license: null,
    },
  ),
  another('@zeichen/中文排版', '中文排版规则：标点、全角与半角、行首行尾。用于中文文档的校对和格式化。', {
    name: '@zeichen/chinese-typesetting',
    level: 'community',
    downloads: 2045,
    latest: '3.0.0',
    tags: ['中文', '排版'],
  }),
  another('@acme/old-deploy', 'Deploy services with the old pipeline.', {
    level: 'community',
    downloads: 88,
    latest: null,
    deprecated: 'Use @platform/deploy instead.',
    rating: { mean: 2, count: 1 },
  }),
];

export const hits: readonly SearchHit[] = summaries.map((skill, at) => ({
  ...skill,
  score: 10 - at,
  reason: 'text',
}));

const version = (number: string, published: string, more: Partial<IndexVersion> = {}): IndexVersion => ({
  version: number,
  archive: digest('a1b2'),
  document: digest('c3d4'),
  published,
  yanked: null,
  quarantined: null,
  purged: null,
  installable: { answer: 'yes', reasons: [] },
  ...more,
});

export const index: SkillIndex = {
  ...summary,
  schema: 1,
  versions: [
    version('3.0.0-rc.1', '2026-11-14T09:00:00Z', {
      installable: { answer: 'no', reasons: [{ code: 'pending', message: 'waits for a reviewer' }] },
    }),
    version('2.3.1', '2026-11-12T08:30:00Z'),
    version('2.3.0', '2026-10-30T12:00:00Z', {
      yanked: 'Flattening lost check marks',
      installable: { answer: 'exact', reasons: [{ code: 'yanked', message: 'Flattening lost check marks' }] },
    }),
    version('2.2.0', '2026-08-02T12:00:00Z'),
    version('2.1.0', '2026-06-17T12:00:00Z', {
      quarantined: 'Downloads a binary',
      installable: { answer: 'no', reasons: [{ code: 'quarantined', message: 'Downloads a binary' }] },
    }),
    version('1.0.0', '2026-02-03T10:00:00Z', {
      purged: 'Contained a customer document',
      installable: { answer: 'no', reasons: [{ code: 'purged', message: 'Contained a customer document' }] },
    }),
  ],
  advisories: [
    {
      id: 'ASK-2026-0007',
      severity: 'moderate',
      summary: 'Field values with line breaks are written outside their field.',
      affected: '>=2.0.0 <2.3.0',
      url: 'https://acme.example.com/advisories/7',
    },
  ],
};

export const document: VersionDocument = {
  schema: 1,
  name: '@acme/pdf-forms',
  version: '2.3.1',
  description: summary.description,
  license: 'Apache-2.0',
  client: '>=0.1.0',
  archive: { digest: digest('a1b2'), size: 48_213 },
  unpacked: 131_072,
  files: [
    { path: 'SKILL.md', digest: digest('01'), size: 6120 },
    { path: 'assets/form.png', digest: digest('02'), size: 20_480 },
    { path: 'references/fields.md', digest: digest('03'), size: 18_022 },
    { path: 'references/signatures.md', digest: digest('04'), size: 9044 },
    { path: 'scripts/fill.py', digest: digest('05'), size: 5410 },
  ],
  scan: { verdict: 'caution', engine: 'skillwright 0.1.0', scanned: '2026-11-12T08:30:01Z', flags: [] },
  published: '2026-11-12T08:30:00Z',
  publishedBy: 'acme-ci',
  provenance: {
    kind: 'ci',
    issuer: 'https://git.example.com',
    subject: 'project_path:acme/skills:ref_type:tag:ref:v2.3.1',
    repository: 'acme/skills',
    repositoryId: '4711',
    ownerId: '42',
    commit: '9f1c2ab34de56789f1c2ab34de56789f1c2ab34d',
    ref: 'refs/tags/v2.3.1',
    workflow: '.gitlab-ci.yml',
    run: 'https://git.example.com/acme/skills/-/jobs/9001',
  },
};

export const shown: ShownVersion = {
  author: 'Mara Lindqvist',
  abilities: [
    {
      kind: 'network',
      declared: [],
      found: [
        {
          what: 'curl',
          by: 'instructions',
          count: 2,
          file: 'SKILL.md',
          line: 12,
          excerpt: null,
          declared: false,
        },
      ],
    },
    {
      kind: 'programs',
      declared: ['allowed-tools: Bash(python:*)'],
      found: [
        {
          what: 'its own Python scripts',
          by: 'script',
          count: 1,
          file: 'scripts/fill.py',
          line: null,
          excerpt: null,
          declared: true,
        },
      ],
    },
  ],
  index: index.versions[1]!,
  document,
  scan: {
    verdict: 'caution',
    engine: 'skillwright 0.1.0',
    scanned: '2026-11-15T02:00:00Z',
    flags: [
      {
        rule: 'SCN204',
        category: 'download-and-run',
        severity: 'medium',
        confidence: 'medium',
        file: 'scripts/fill.py',
        line: 3,
        message: 'installs a package at run time',
      },
      {
        rule: 'SCN601',
        category: 'permissions',
        severity: 'low',
        confidence: 'high',
        file: 'SKILL.md',
        line: null,
        message: 'asks for every tool',
      },
    ],
  },
  trust: {
    score: 78,
    factors: [
      { factor: 'level', points: 20, max: 30, reason: 'the registry verified its origin' },
      { factor: 'licence', points: 10, max: 10, reason: 'Apache-2.0' },
      { factor: 'scan', points: 8, max: 15, reason: 'the scan asks for caution' },
      { factor: 'integrity', points: 10, max: 10, reason: 'it matches the digest from its source' },
    ],
    cap: null,
  },
  proof: { origin: 'skills.example.com/log', leaf: 1204, size: 1388, checkpointed: '2026-11-16T09:00:00Z' },
};

export const text = `# PDF forms

Fill, read and flatten forms without opening an editor. Start with [the field reference](references/fields.md)
or jump to [signatures](#signatures).

![A form with its fields](assets/form.png)

## Fill a form

1. List the fields.
2. Write values as JSON.
3. Fill, then *flatten* if nobody edits it later.

\`\`\`python
from fill import fill_form

fill_form("claim.pdf", {"name": "Mara", "accepted": True}, flatten=True)
\`\`\`

| Field kind | Value | Notes |
|---|---:|---|
| text | 120 | Longest value in characters |
| check box | 1 | \`true\` or \`false\` |

### Values with line breaks

> Fields of one line refuse them; use a field of several lines.

## Signatures

Signed documents are never changed. See [the reference](references/signatures.md#levels) and
[the standard](https://www.example.org/pdf).

## Troubleshooting

- **Nothing is filled.** The form uses XFA. Convert it first.
- **Boxes stay empty.** Use the export value, not the label.
`;

const outline = [
  { level: 1, text: 'PDF forms', file: 'SKILL.md', anchor: 'pdf-forms', tokens: 1210 },
  { level: 2, text: 'Fill a form', file: 'SKILL.md', anchor: 'fill-a-form', tokens: 420 },
  {
    level: 3,
    text: 'Values with line breaks',
    file: 'SKILL.md',
    anchor: 'values-with-line-breaks',
    tokens: 64,
  },
  { level: 2, text: 'Signatures', file: 'SKILL.md', anchor: 'signatures', tokens: 96 },
  { level: 2, text: 'Troubleshooting', file: 'SKILL.md', anchor: 'troubleshooting', tokens: 118 },
  {
    level: 1,
    text: 'Field reference',
    file: 'references/fields.md',
    anchor: 'field-reference',
    tokens: 4310,
  },
  { level: 2, text: 'Text fields', file: 'references/fields.md', anchor: 'text-fields', tokens: 1288 },
  { level: 1, text: 'Signature levels', file: 'references/signatures.md', anchor: 'levels', tokens: 2104 },
];

const start = Date.UTC(2026, 7, 18);
const downloads = Array.from({ length: 90 }, (_, at) => ({
  day: new Date(start + at * 86_400_000).toISOString().slice(0, 10),
  count: Math.round(90 + 60 * Math.sin(at / 6) + at + (at % 7 < 5 ? 40 : 0)),
}));

const readTab: SkillView['tab'] = { kind: 'read', file: 'SKILL.md', text, tokens: 7624, outline };

export const skill: SkillView = {
  index,
  version: shown,
  isPinned: false,
  versionFacts: new Map(
    index.versions.map(({ version }) => [
      version,
      { publisher: 'acme-ci', size: 48_213, verdict: 'caution' },
    ]),
  ),
  downloads,
  viewer: { mayRate: true, stars: 4, mayPublish: true, mayReview: true },
  tab: readTab,
};

export const diff = `--- a/SKILL.md
+++ b/SKILL.md
@@ -12,7 +12,8 @@
 ## Fill a form
 
 1. List the fields.
-2. Write values as text.
+2. Write values as JSON.
+3. Fill, then *flatten* if nobody edits it later.
 
 \`\`\`python
 from fill import fill_form
`;
