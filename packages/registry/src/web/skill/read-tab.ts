// The text of a skill beside its outline.

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
import type { ShownVersion, SkillView } from './skill-view.ts';

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
export function skillLinks({ document }: ShownVersion, from: string): MarkdownLinks {
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
