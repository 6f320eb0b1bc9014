// The state of the registry.

import { toolVersion } from 'skillwright';
import { badge, dayAndTime, definitions, formatCount, html, notice, plural, table } from 'skillwright/pages';
import { readStatus } from '../doctor/index.ts';
import { readFacets } from '../search/index.ts';
import { definePage } from './define-page.ts';
import { shell } from './frame.ts';

export const statusPage = definePage({
  path: '/status',
  load: async ({ registry, caller }) => ({
    ...(await readStatus(registry)),
    version: toolVersion,
    counts: (await readFacets(registry, caller)).counts,
  }),
  draw({ checks, version, counts, log, started }, frame) {
    const isWell = checks.every(({ isOk }) => isOk);
    const main = html`<div class="page-head"><h1>Status</h1></div><div class="stack-large">${notice(isWell ? 'good' : 'bad', { title: isWell ? 'Everything works' : 'Something does not work' })}
${table({
  caption: 'Checks',
  columns: ['Part', 'State', 'Detail'],
  rows: checks.map(({ name, isOk, detail }) => [
    name,
    isOk ? badge('ok', { tone: 'good', sign: '✓' }) : badge('failing', { tone: 'bad', sign: '✕' }),
    detail,
  ]),
})}
<section class="stack"><h2>Transparency log</h2>${
      log === null
        ? html`<p class="muted">It starts with the first change.</p>`
        : definitions([
            ['Origin', html`<span class="mono">${log.origin}</span>`],
            ['Key to pin', html`<span class="mono">${log.key}</span>`],
            ['Leaves', formatCount(log.size)],
            [
              'Newest checkpoint',
              log.checkpoint === null
                ? html`none yet; one is signed when somebody asks for it`
                : html`${plural(log.checkpoint.size, 'leaf', 'leaves')}, signed ${dayAndTime(log.checkpoint.signed)}`,
            ],
            [
              'Files',
              html`<a href="/log">entries</a>, <a href="/log/checkpoint">checkpoint</a>, <a href="/log/key">key</a>`,
            ],
          ])
    }</section>
<section class="stack"><h2>Registry</h2>${definitions([
      ['Address', html`<span class="mono">${frame.publicUrl}</span>`],
      ['Version', version],
      ['Running since', dayAndTime(started)],
      ['Skills', formatCount(counts.skills)],
      ['Versions', formatCount(counts.versions)],
    ])}</section></div>`;
    return shell(frame, { title: 'Status', main });
  },
});
