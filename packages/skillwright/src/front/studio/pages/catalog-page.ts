// The catalog as a host puts it into the context of a model.

import {
  badge,
  codeBlock,
  commandLine,
  emptyState,
  foreign,
  formatCount,
  type Html,
  html,
  shareBar,
  type Tone,
  tabs,
} from '../../pages/index.ts';
import type { CatalogPageView, Detail } from '../data/read-catalog.ts';
import { firstRows } from './first-rows.ts';
import { skillLink } from './skill-pieces.ts';
import { type StudioFrame, studioShell } from './studio-shell.ts';

const details: readonly {
  readonly detail: Detail;
  readonly label: string;
  /** After a number. */
  readonly counted: string;
  readonly tone: Tone;
  readonly title: string;
}[] = [
  {
    detail: 'full',
    label: 'whole description',
    counted: 'whole',
    tone: 'good',
    title: 'Its whole description is shown',
  },
  {
    detail: 'short',
    label: 'shortened',
    counted: 'shortened',
    tone: 'neutral',
    title: 'Its description was shortened to fit the budget',
  },
  {
    detail: 'name',
    label: 'name only',
    counted: 'by name only',
    tone: 'warn',
    title: 'Only its name fits into the budget',
  },
  {
    detail: 'left-out',
    label: 'left out',
    counted: 'left out',
    tone: 'bad',
    title: 'It does not fit into the budget',
  },
];

export function catalogPage(view: CatalogPageView, frame: StudioFrame): Html {
  const { shown, format, formats } = view;
  const choice = tabs(
    'Format',
    formats.map((one) => ({
      label: one,
      href: frame.href(`/catalog?format=${encodeURIComponent(one)}`),
      isCurrent: one === format,
    })),
  );
  const main = html`<div class="page-head"><h1>Catalog</h1><p>The list of skills a host puts into the context of a model at the start. The model chooses from it.</p></div>
${shown.length === 0 ? nothing() : html`<div class="stack-large">${budget(view, frame)}<div>${choice}<div class="columns-find">${injectedText(view)}${rows(view, frame)}</div></div></div>`}`;
  return studioShell(frame, { title: 'Catalog', main });
}

function nothing(): Html {
  return emptyState(
    'The catalog is empty',
    html`<div class="next-steps"><p>See where skills are looked for:</p>${commandLine('skc list --paths', 'Command for the search paths')}</div>`,
  );
}

function budget({ tokens, bytes, budget: given }: CatalogPageView, frame: StudioFrame): Html {
  return html`<section class="card" aria-labelledby="budget-heading"><div class="section-head"><h2 id="budget-heading">${formatCount(bytes)} <span class="of">of ${formatCount(given.bytes)} bytes</span></h2><p class="muted small">about ${formatCount(tokens)} tokens · ${foreign(given.source)}</p></div>${shareBar(bytes / given.bytes, bytes > given.bytes ? 'bad' : 'accent')}<p class="muted small">Agents that read the directories themselves make lists of their own: <a href="${frame.href('/agents')}">see Agents</a>.</p></section>`;
}

function injectedText({ text: injected, format }: CatalogPageView): Html {
  return html`<section aria-labelledby="text-heading"><h2 id="text-heading" class="card-title">The text a host injects</h2><div class="catalog-text">${codeBlock(injected, { label: `Catalog as ${format}` })}</div></section>`;
}

function rows({ shown, counts: all }: CatalogPageView, frame: StudioFrame): Html {
  const most = Math.max(1, ...shown.map(({ bytes }) => bytes));
  const counts = details
    .map(({ detail, counted }) => ({ counted, count: all[detail] }))
    .filter(({ count }) => count > 0)
    .map(({ counted, count }) => `${formatCount(count)} ${counted}`);
  return html`<section aria-labelledby="shown-heading"><h2 id="shown-heading" class="card-title">Every skill</h2><p class="muted small">${counts.join(', ')}</p>${firstRows(
    shown,
    {
      caption: 'Skills in the catalog',
      columns: [{ title: 'Skill' }, { title: 'Shown' }, { title: 'Bytes', kind: 'number' }],
      cells: (skill) => {
        const { label, tone, title } = details.find(({ detail }) => detail === skill.detail)!;
        return [
          skillLink(skill, frame),
          badge(label, { tone, title }),
          html`${formatCount(skill.bytes)}<span class="under">${shareBar(skill.bytes / most)}</span>`,
        ];
      },
      empty: '',
      command: 'skc skills --json',
    },
  )}</section>`;
}
