// The text of a file beside the outline of the skill, both coloured by how often each section was read.

import { quoteWord } from '../../../base/diagnostics/index.ts';
import {
  type Content,
  codeBlock,
  commandLine,
  emptyState,
  foreign,
  formatCount,
  type Html,
  heatLegend,
  heatOf,
  html,
  numberedLines,
  outlineTree,
  plural,
  renderMarkdown,
  resolvePath,
  SECTION_PREFIX,
  table,
} from '../../pages/index.ts';
import type { HeatedSection, SkillView } from '../data/read-skill.ts';
import { skillPath } from '../data/show-place.ts';
import { commandFor, pageLink } from './skill-pieces.ts';
import { isExport, type StudioFrame } from './studio-shell.ts';

/** Sections listed of one skill. */
const MAX_SECTIONS = 400;

export function heatedText(view: SkillView, frame: StudioFrame): Html {
  const { skill, file, outline } = view;
  if (isExport(frame))
    return html`<section id="text" aria-labelledby="text-title"><h2 id="text-title">Outline</h2>${outline.length === 0 ? emptyState('No sections') : outlineBox(view, frame)}</section>`;
  const tokens = view.files.find(({ path }) => path === file)?.tokens;
  return html`<section id="text" aria-labelledby="text-title"><div class="section-head"><h2 id="text-title" class="mono-title">${foreign(file)}</h2><p class="muted small">${tokens === undefined ? '' : `${formatCount(tokens)} tokens`}${
    file === 'SKILL.md' ? '' : html` · <a href="${frame.href(skillPath(skill.id))}">Back to SKILL.md</a>`
  }</p></div>
<div class="columns-heat">${outline.length === 0 ? html`<div></div>` : outlineBox(view, frame)}<article class="text" aria-label="Text">${frontmatter(view)}${body(view, frame)}</article></div></section>`;
}

function body(view: SkillView, frame: StudioFrame): Content {
  const { skill, file, files, markdown, text, textWhy, outline } = view;
  if (text !== null) return plainText(view, text);
  if (markdown === null)
    return emptyState(
      'The text is not shown',
      html`<p>${textWhy === null ? 'It is not text.' : foreign(textWhy)}</p>`,
    );
  if (markdown.trim() === '') return emptyState('No text', 'The file has frontmatter only.');
  const most = mostOf(outline);
  const own = new Map(
    outline.filter((section) => section.file === file).map((section) => [section.anchor, section]),
  );
  const paths = new Set(files.map(({ path }) => path));
  return renderMarkdown(markdown, {
    link: (target) => {
      const path = resolvePath(file, target);
      if (path === undefined || !paths.has(path)) return undefined;
      const address = frame.href(skillPath(skill.id, path));
      return address === '#' ? undefined : address;
    },
    mark: (anchor) => {
      const section = own.get(anchor);
      return section === undefined ? undefined : readMark(section, most);
    },
  }).html;
}

/** A file that is not Markdown; findings of the scan are at their lines. */
function plainText({ skill, file, scan }: SkillView, text: string): Content {
  if (text.trim() === '') return emptyState('No text', 'The file is empty.');
  const marked = new Map<number, string>();
  for (const { rule, message, line, file: place } of scan.findings) {
    if (place !== file || line === null) continue;
    const before = marked.get(line);
    marked.set(line, `${before === undefined ? '' : `${before}; `}${rule}: ${message}`);
  }
  const lines = numberedLines(text, { label: file, marked });
  const command = `${commandFor('open', skill)} ${quoteWord(file)}`;
  return lines.hidden === 0
    ? lines.html
    : html`${lines.html}<div class="rest"><p class="muted small">${plural(lines.hidden, 'more line')} not shown. All of them:</p>${commandLine(command, 'Command for the whole file')}</div>`;
}

/** How often the section below a heading was read. */
function readMark({ reads, asked }: HeatedSection, most: number): Html {
  const said =
    reads === 0
      ? 'never read'
      : `${plural(reads, 'read')}, ${asked === reads ? 'all' : formatCount(asked)} asked for`;
  return html`<span class="read-mark heat-${heatOf(reads, most)}">${said}</span>`;
}

const mostOf = (outline: readonly HeatedSection[]) => Math.max(1, ...outline.map(({ reads }) => reads));

function outlineBox({ skill, file, outline }: SkillView, frame: StudioFrame): Html {
  const most = mostOf(outline);
  const unread = outline.filter(({ reads }) => reads === 0);
  const wasted = unread.reduce((sum, { ownTokens }) => sum + ownTokens, 0);
  const listed = outline.slice(0, MAX_SECTIONS);
  const files = [...new Set(listed.map((section) => section.file))];
  const tree = (path: string) => {
    const sections = listed
      .filter((section) => section.file === path)
      .map((section) => ({
        ...section,
        href:
          path === file
            ? `#${SECTION_PREFIX}${section.anchor}`
            : frame.href(`${skillPath(skill.id, path)}#${SECTION_PREFIX}${section.anchor}`),
      }));
    return html`<h3 class="outline-file">${path === file ? foreign(path) : pageLink(skillPath(skill.id, path), { text: foreign(path), frame })}</h3>${outlineTree(sections, { label: `Sections of ${path}`, limit: MAX_SECTIONS, most, isBrief: isExport(frame) })}`;
  };
  const rest = outline.length - listed.length;
  const said =
    unread.length === 0
      ? html`<p class="heat-summary">Every section was read.</p>`
      : html`<p class="heat-summary"><strong>${formatCount(unread.length)} of ${plural(outline.length, 'section')}</strong> never read <span class="muted">${formatCount(wasted)} tokens</span></p>`;
  return html`<details class="outline-box heat-box" id="outline"${isExport(frame) ? html` open` : ''} data-refresh="event" data-about="${skill.id}"><summary>Outline · ${plural(outline.length, 'section')}, ${formatCount(unread.length)} never read</summary><div class="heat-head">${said}${heatLegend()}</div><div class="outline-scroll" tabindex="0" role="region" aria-label="Sections">${files.map(tree)}${
    rest > 0
      ? html`<div class="rest"><p class="muted small">${plural(rest, 'more section')} not listed. All of them:</p>${commandLine(commandFor('outline', skill), 'Command for the outline')}</div>`
      : ''
  }</div></details>`;
}

function frontmatter({ file, frontmatter: fields }: SkillView): Content {
  const pairs = Object.entries(fields).map(
    ([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)] as const,
  );
  if (file !== 'SKILL.md' || pairs.length === 0) return '';
  return html`<details class="frontmatter"><summary>Frontmatter · ${plural(pairs.length, 'key')}</summary>${table(
    {
      caption: 'Frontmatter',
      columns: [{ title: 'Key' }, { title: 'Value' }],
      rows: pairs.map(([key, value]) => [
        html`<span class="mono">${foreign(key)}</span>`,
        value.includes('\n') ? codeBlock(value) : foreign(value),
      ]),
    },
  )}</details>`;
}
