// The files of a version, and one of them.

import { formatBytes } from 'skillwright/base';
import {
  formatCount,
  type Html,
  html,
  MAX_LINES,
  notice,
  numberedLines,
  plural,
  showControls,
} from 'skillwright/pages';
import type { VersionFile } from 'skillwright/registry-protocol';
import { fileHref, isRaster, rawHref, skillHref } from '../addresses.ts';
import { highlightLines } from './highlight.ts';
import type { FileTab, SkillView } from './skill-page.ts';

/** Every file as a tree, with its size. */
export function filesTab({ index, version }: SkillView): Html {
  if (version === null) return html`<p class="muted">No files.</p>`;
  const { files, unpacked, archive } = version.document;
  const { version: number } = version.index;
  return html`<p class="muted small">${plural(files.length, 'file')}, ${formatBytes(unpacked)} unpacked, ${formatBytes(archive.size)} as an archive.</p>
<nav class="tree" aria-label="Files of ${index.name} ${number}">${branch(files, '', (path) => fileHref(index.name, { version: number, path }))}</nav>`;
}

/** The files below a directory, its directories first; each of these can be closed. */
function branch(files: readonly VersionFile[], prefix: string, href: (path: string) => string): Html {
  const inside = Map.groupBy(files, ({ path }) => {
    const at = path.indexOf('/', prefix.length);
    return at === -1 ? '' : path.slice(0, at + 1);
  });
  const { '': own = [], ...directories } = Object.fromEntries(inside) as Record<string, VersionFile[]>;
  return html`<ul>${Object.entries(directories).map(
    ([path, below]) =>
      html`<li><details open><summary><bdi>${showControls(path.slice(prefix.length))}</bdi> <span class="muted">${plural(below.length, 'file')}</span></summary>${branch(below, path, href)}</details></li>`,
  )}${own.map(
    ({ path, size, digest }) =>
      html`<li><a href="${href(path)}"><bdi>${showControls(path.slice(prefix.length))}</bdi></a> <span class="muted" title="${digest}">${formatBytes(size)}</span></li>`,
  )}</ul>`;
}

/** One file as text with line numbers; findings of the scan stand at their lines. */
export function fileTab({ index, version, isPinned }: SkillView, { path, size, text }: FileTab): Html {
  const number = version?.index.version ?? '';
  const flags = version?.scan.flags.filter(({ file }) => file === path) ?? [];
  const marked = new Map(
    flags.flatMap(({ line, rule, message }) =>
      line === null ? [] : [[line, `${rule}: ${message}`] as const],
    ),
  );
  const raw = rawHref(index.name, { version: number, path });
  const back = skillHref(index.name, { version: isPinned ? number : undefined, tab: 'files' });
  return html`<div class="row row-between"><h2 class="mono"><a href="${back}">Files</a> / <bdi>${path}</bdi></h2><p class="row small"><span class="muted">${formatBytes(size)}</span><a href="${raw}">Raw</a></p></div>${content()}`;

  function content(): Html {
    if (text !== undefined) {
      const lines = numberedLines(text, { label: path, marked, coloured: highlightLines(path, text) });
      const cut =
        lines.hidden === 0
          ? ''
          : notice('warn', {
              title: `The first ${formatCount(MAX_LINES)} lines are shown`,
              body: html`${plural(lines.hidden, 'more line')}: open the <a href="${raw}">raw file</a>.`,
            });
      return html`${cut}${lines.html}`;
    }
    if (isRaster(path)) return html`<p><img src="${raw}" alt="${path}" loading="lazy"></p>`;
    return notice('neutral', {
      title: 'This file is not shown',
      body: html`It is not text, or too large. You can <a href="${raw}">download it</a>.`,
    });
  }
}
