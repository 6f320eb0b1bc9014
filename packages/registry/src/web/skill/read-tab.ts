// The text of a skill beside its outline, and the sections of it that answer a question.

import {
  type Content,
  emptyState,
  formatCount,
  type Html,
  html,
  type MarkdownLinks,
  notice,
  outlineTree,
  plural,
  renderMarkdown,
  resolvePath,
  SECTION_PREFIX,
} from 'skillwright/pages';
import { fileHref, isRaster, rawHref, skillHref } from '../addresses.ts';
import type { ReadTab } from '../load/load-tab.ts';
import type { AskTab, ShownVersion, SkillView } from './skill-page.ts';

export function readTab(
  { index, version }: SkillView,
  { tab, facts }: { tab: ReadTab; facts: Content },
): Html {
  const { text, file, outline, tokens, closed } = tab;
  const beside = html`<aside class="beside" aria-label="Facts">${facts}</aside>`;
  if (version === null)
    return html`<div class="columns"><div>${emptyState('No version yet', 'It was announced, but nothing is published.')}</div>${beside}</div>`;
  const { version: number } = version.index;
  const sections = outline.map((section) => ({
    level: section.level,
    text: section.text,
    tokens: section.tokens,
    href:
      section.file === file
        ? `#${SECTION_PREFIX}${section.anchor}`
        : fileHref(index.name, { version: number, path: section.file }),
  }));
  const body =
    closed !== undefined
      ? notice('warn', { title: 'The text is closed', body: closed })
      : text.trim() === ''
        ? emptyState('No text', 'SKILL.md has frontmatter only.')
        : renderMarkdown(text, skillLinks(version, file)).html;
  const box =
    sections.length === 0
      ? html`<div></div>`
      : html`<details class="outline-box"><summary>Outline · ${plural(sections.length, 'section')} · ${formatCount(tokens)} tokens</summary><div class="outline-scroll" tabindex="0" role="region" aria-label="Sections">${outlineTree(
          sections,
          { label: 'Outline', more: skillHref(index.name, { tab: 'ask' }) },
        )}</div></details>`;
  return html`<div class="columns-read">${box}<article class="text" aria-label="Text of ${index.name}">${body}</article>${beside}</div>`;
}

/** Links to files of the same version, and its raster pictures. */
function skillLinks({ document }: ShownVersion, from: string): MarkdownLinks {
  const { name, version } = document;
  const paths = new Set(document.files.map(({ path }) => path));
  const inside = (target: string) => {
    const path = resolvePath(from, target);
    return path !== undefined && paths.has(path) ? path : undefined;
  };
  return {
    link: (target) => {
      const path = inside(target);
      return path === undefined ? undefined : fileHref(name, { version, path });
    },
    image: (target) => {
      const path = inside(target);
      return path === undefined || !isRaster(path) ? undefined : rawHref(name, { version, path });
    },
  };
}

export function askTab(view: SkillView, { question, answers }: AskTab): Html {
  const { index, version, isPinned } = view;
  const action = skillHref(index.name, {
    version: isPinned ? version?.index.version : undefined,
    tab: 'ask',
  });
  const field = html`<form class="big-search" method="get" action="${action}"><label class="unseen" for="ask-q">Question</label><input id="ask-q" type="search" name="q" value="${question}" placeholder="How do I …" autocomplete="off" dir="auto" maxlength="500"><button type="submit" class="button primary">Ask</button></form>`;
  const hint = html`<p class="muted small">Shows the sections an agent would be given: by search in this version, without a model.</p>`;
  if (question === '') return html`${field}${hint}`;
  if (answers.length === 0)
    return html`${field}${emptyState('No section answers this', html`<p>Try other words, or <a href="${skillHref(index.name)}">read the outline</a>.</p>`)}`;
  const [best, ...others] = answers;
  return html`${field}${hint}${best === undefined ? '' : bestAnswer(view, best)}${
    others.length === 0
      ? ''
      : html`<h2>${plural(others.length, 'other section')}</h2>${others.map((other) => html`<details class="card"><summary><bdi dir="auto">${other.heading}</bdi> <span class="muted small">${other.file} · ${formatCount(other.tokens)} tokens</span></summary>${body(view, other)}</details>`)}`
  }`;
}

type Answer = AskTab['answers'][number];

function bestAnswer(view: SkillView, found: Answer): Html {
  const { heading, file, startLine, endLine, tokens } = found;
  const { index, version } = view;
  const href = fileHref(index.name, { version: version?.index.version ?? '', path: file, line: startLine });
  return html`<section class="answer" aria-label="Best answer"><header><h2 dir="auto">${heading}</h2><p class="facts"><a href="${href}">${file}, lines ${startLine}–${endLine}</a><span>${formatCount(tokens)} tokens</span></p></header><div class="answer-body">${body(view, found)}</div></section>`;
}

function body({ version }: SkillView, { text, file }: Answer): Html {
  return renderMarkdown(text, version === null ? {} : skillLinks(version, file)).html;
}
