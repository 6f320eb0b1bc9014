// A skill that tries everything a stranger can try, in every field that reaches a page.

import type { SkillView } from '../../src/web/skill/skill-page.ts';
import { index, shown, skill } from './fixtures.ts';

const run = `window.hacked=true;alert(1)`;

/** Markup that would run, load or break out if it were not escaped. */
export const markup = `"><script>${run}</script><img src=x onerror="${run}"><svg onload="${run}"></svg>' autofocus onfocus='${run}`;

/** Text that would turn the rest of the page around. */
export const turned = '\u202egnp.exe\u2066\u2067 שלום עולם مرحبا';

/** A word of 300 characters without a place to break. */
export const word = 'W'.repeat(300);

const links = `[click](javascript:window.hacked=true) [click](JaVaScRiPt:window.hacked=true) [click](data:text/html,<script>${run}</script>)
[click](vbscript:x) [click](//evil.example/) <javascript:window.hacked=true> [click](https://evil.example/ "${markup.replaceAll('"', "'")}")
![x](https://evil.example/pixel.png) ![x](data:image/svg+xml,<svg/onload=${run}>) ![x](picture.svg) ![x" onerror="${run}](assets/form.png)

[ref]: javascript:window.hacked=true
[ref] [up](../../../../etc/passwd) [encoded](%2e%2e/%2e%2e/admin) [main](#main)
`;

/** Markdown with all of it. */
const text = `# ${markup}

${links}

<script>${run}</script>
<iframe srcdoc="<script>parent.hacked=true</script>"></iframe>
<style>body { display: none }</style>
<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">
<form action="https://evil.example/"><input name=csrf></form>

\`\`\`"><script>${run}</script>
<script>${run}</script>
\`\`\`

## ${turned}

## שלום עולם

${word}

${`中文排版规则没有空格所以必须能在任何地方换行${'，'}`.repeat(20)}

| ${word} | ${turned} |
|---|---|
| \`${word}\` | ${markup.replaceAll('|', '')} |

${'> '.repeat(80)}deep

## main
`;

const hostileFile = `references/${word.slice(0, 120)}<img src=x onerror=${run}>.md`;
const long = `${word} ${turned} ${markup}`;

/** The view of such a skill; every tab shows it. */
export const hostile: SkillView = {
  ...skill,
  index: {
    ...index,
    name: '@<b>evil</b>/"onmouseover="window.hacked=true',
    description: `${long} ${'字'.repeat(400)}`,
    license: markup,
    repository: 'https://evil.example/"><script>',
    homepage: `javascript:${run}`,
    tags: [markup, word, turned],
    category: turned,
    deprecated: long,
    advisories: [
      {
        id: markup.slice(0, 100),
        severity: 'critical',
        summary: long,
        affected: '*',
        url: `javascript:${run}`,
      },
    ],
    versions: index.versions.map((version) => ({
      ...version,
      installable: { answer: 'exact', reasons: [{ code: 'yanked', message: long }] },
    })),
  },
  version: {
    ...shown,
    index: { ...shown.index, installable: { answer: 'exact', reasons: [{ code: 'yanked', message: long }] } },
    document: {
      ...shown.document,
      publishedBy: long,
      license: markup,
      client: markup,
      files: [...shown.document.files, { path: hostileFile, digest: shown.document.archive.digest, size: 1 }],
      provenance: {
        ...shown.document.provenance!,
        repository: long,
        subject: long,
        run: `javascript:${run}`,
      },
    },
    scan: {
      ...shown.scan,
      flags: [
        {
          rule: markup,
          category: word,
          severity: turned,
          confidence: word,
          file: hostileFile,
          line: 1,
          message: long,
        },
      ],
    },
    trust: {
      score: 0,
      factors: [{ factor: markup, points: -5, max: 0, reason: long }],
      cap: { at: 10, reason: long },
    },
    proof: { origin: long, leaf: 1, size: 2, checkpointed: markup },
  },
  tab: {
    kind: 'read',
    file: 'SKILL.md',
    text,
    tokens: 1,
    outline: [
      { level: 1, text: long, file: 'SKILL.md', anchor: '"><script>', tokens: 1 },
      { level: 9, text: word, file: hostileFile, anchor: word, tokens: 1 },
    ],
  },
};

/** One tab of the skill. */
export const hostileTabs: Readonly<Record<string, SkillView['tab']>> = {
  read: hostile.tab,
  ask: {
    kind: 'ask',
    question: markup,
    answers: [
      { heading: long, file: hostileFile, startLine: 1, endLine: 2, tokens: 1, text },
      { heading: markup, file: word, startLine: 1, endLine: 2, tokens: 1, text },
    ],
  },
  files: { kind: 'files' },
  file: { kind: 'file', path: hostileFile, size: 1, text: `${text}\n${long}\n` },
  versions: { kind: 'versions' },
  diff: {
    kind: 'diff',
    from: markup,
    to: markup,
    files: [
      { path: hostileFile, status: 'changed', diff: `@@ ${markup} @@\n+${long}\n-${long}\n ${long}\n` },
    ],
  },
  safety: { kind: 'safety' },
  settings: { kind: 'settings', requireProvenance: false, applications: undefined },
};
