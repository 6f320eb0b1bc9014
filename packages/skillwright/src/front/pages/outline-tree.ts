// The outline of a text: sections with their cost in tokens, and how often each was read.

import { showControls } from './foreign.ts';
import { type Html, html } from './html.ts';
import { formatCount, plural } from './numbers.ts';

/** One section. */
interface OutlineSection {
  /** 1 to 6. */
  readonly level: number;
  readonly text: string;
  /** `#` for a section whose text is not there to be read. */
  readonly href: string;
  readonly tokens: number;
  /** How often it was read; absent where nobody counts. */
  readonly reads?: number | undefined;
}

interface Branch {
  readonly section: OutlineSection;
  readonly below: Branch[];
}

/** Steps of the heat scale; 0 is never. */
const STEPS = 5;

/** Sections as a nested list. With `reads` each has a colour from never to most, and the number in words. */
export function outlineTree(
  sections: readonly OutlineSection[],
  options: {
    readonly label: string;
    readonly limit?: number;
    readonly more?: string;
    /** Names and numbers only, with colours for the sections that were read. */
    readonly isBrief?: boolean;
    /** Reads of the hottest colour; by default those of the section read most. */
    readonly most?: number;
  },
): Html {
  const { label, limit = 200, more, isBrief = false } = options;
  const { most = Math.max(1, ...sections.slice(0, limit).map(({ reads = 0 }) => reads)) } = options;
  const rest = sections.length - limit;
  return html`<nav class="outline" aria-label="${label}">${sectionList(grow(sections.slice(0, limit)), isBrief ? briefEntry : (section) => entry(section, most))}${
    rest > 0
      ? html`<p class="muted small">${plural(rest, 'more section')} not listed${more === undefined ? '' : html`: <a href="${more}">search them</a>`}.</p>`
      : ''
  }</nav>`;
}

function grow(sections: readonly OutlineSection[]): readonly Branch[] {
  const roots: Branch[] = [];
  const path: Branch[] = [];
  for (const section of sections) {
    while (path.length > 0 && path.at(-1)!.section.level >= section.level) path.pop();
    const branch: Branch = { section, below: [] };
    (path.at(-1)?.below ?? roots).push(branch);
    path.push(branch);
  }
  return roots;
}

function sectionList(branches: readonly Branch[], write: (section: OutlineSection) => Html): Html {
  if (branches.length === 0) return html``;
  return html`<ol>${branches.map(({ section, below }) => html`<li>${write(section)}${sectionList(below, write)}</li>`)}</ol>`;
}

/** A line of an outline that leads nowhere: what was never read is plain. */
function briefEntry({ text, tokens, reads = 0 }: OutlineSection): Html {
  const said = reads === 0 ? '' : html`<b>${plural(reads, 'read')}</b> `;
  return html`<bdi>${showControls(text)}</bdi> ${said}<i>${formatCount(tokens)}</i>`;
}

function entry({ text, href, tokens, reads }: OutlineSection, most: number): Html {
  const step = reads === undefined ? '' : ` heat-${heatOf(reads, most)}`;
  const said =
    reads === undefined
      ? ''
      : html`<span class="outline-reads">${reads === 0 ? 'never read' : plural(reads, 'read')}</span>`;
  const content = html`<bdi dir="auto" class="outline-text">${showControls(text)}</bdi>${said}<span class="tokens">${formatCount(tokens)}<span class="unseen"> tokens</span></span>`;
  if (href === '#') return html`<span class="outline-entry${step}">${content}</span>`;
  return html`<a class="outline-entry${step}" href="${href}">${content}</a>`;
}

/** A step from 0 (never) to 5 (most), on a logarithmic scale: a few sections have most of the reads. */
export function heatOf(reads: number, most: number): number {
  if (reads <= 0) return 0;
  if (most <= 1) return STEPS;
  return 1 + Math.round((Math.log(reads) / Math.log(most)) * (STEPS - 1));
}

/** Legend for the colours of an outline. */
export function heatLegend(): Html {
  const steps = Array.from({ length: STEPS + 1 }, (_, step) => html`<span class="heat-${step}"></span>`);
  return html`<p class="heat-legend"><span>never read</span><span class="heat-scale" aria-hidden="true">${steps}</span><span>most read</span></p>`;
}
