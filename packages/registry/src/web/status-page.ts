// The state of the registry.

import { badge, dayAndTime, definitions, formatCount, html, notice, table } from 'skillwright/pages';
import { type Frame, shell } from './frame.ts';

/** Checks and numbers everybody may see. */
export interface StatusView {
  readonly checks: readonly { readonly name: string; readonly isOk: boolean; readonly detail: string }[];
  readonly version: string;
  readonly counts: { readonly skills: number; readonly versions: number };
  readonly log: {
    readonly origin: string;
    readonly key: string | null;
    readonly size: number;
    readonly checkpointed: string | null;
  } | null;
}

export function statusPage({ checks, version, counts, log }: StatusView, frame: Frame): string {
  const isWell = checks.every(({ isOk }) => isOk);
  const main = html`<div class="page-head"><h1>Status</h1></div><div class="stack-large">${notice(isWell ? 'good' : 'bad', { title: isWell ? 'Everything works' : 'Something does not work' })}
${table({
  caption: 'Checks',
  columns: [{ title: 'Part' }, { title: 'State' }, { title: 'Detail' }],
  rows: checks.map(({ name, isOk, detail }) => [
    name,
    isOk ? badge('ok', { tone: 'good', sign: '✓' }) : badge('failing', { tone: 'bad', sign: '✕' }),
    detail,
  ]),
})}
<section class="stack"><h2>Transparency log</h2>${
    log === null
      ? html`<p class="muted">No checkpoint yet.</p>`
      : definitions([
          ['Origin', html`<span class="mono">${log.origin}</span>`],
          ['Key', log.key === null ? null : html`<span class="mono">${log.key}</span>`],
          ['Leaves', formatCount(log.size)],
          ['Last checkpoint', log.checkpointed === null ? null : dayAndTime(log.checkpointed)],
          ['Files', html`<a href="/log/checkpoint">checkpoint</a>`],
        ])
  }</section>
<section class="stack"><h2>Registry</h2>${definitions([
    ['Address', html`<span class="mono">${frame.publicUrl}</span>`],
    ['Version', version],
    ['Skills', formatCount(counts.skills)],
    ['Versions', formatCount(counts.versions)],
  ])}</section></div>`;
  return shell(frame, { title: 'Status', main });
}
