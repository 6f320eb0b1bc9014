// The transparency log, as people read it.

import {
  badge,
  commandLine,
  dayAndTime,
  definitions,
  emptyState,
  foreign,
  formatCount,
  html,
  pager,
  table,
} from 'skillwright/pages';
import type { LogEntry } from 'skillwright/registry-protocol';
import { logVerifier } from '../log/index.ts';
import type { Registry } from '../registry.ts';
import { skillHref } from './addresses.ts';
import { definePage } from './define-page.ts';
import { shell } from './frame.ts';
import { addressText } from './skill-list.ts';

export const logPage = definePage({
  path: '/log',
  load: ({ registry, context }) => readEntries(registry, Number(context.req.query('before') ?? Number.NaN)),
  draw({ origin, key, size, signed, entries, next }, frame) {
    const list = table({
      caption: 'Entries of the log',
      columns: [{ title: 'Entry', kind: 'number' }, 'Change', 'Subject', 'Details'],
      rows: entries.map(({ index, entry }) => [formatCount(index), ...cellsOf(entry)]),
      empty: emptyState('No entries yet', 'The log starts with the first change.'),
    });
    const main = html`<div class="page-head"><h1>Transparency log</h1><p>Every version and every decision about one has an entry that nobody can change or remove later, not even this registry. Anybody can check that.</p></div><div class="stack-large">${
      origin === null
        ? ''
        : html`${definitions([
            ['Origin', html`<span class="mono">${origin}</span>`],
            ['Key to pin', html`<span class="mono">${key}</span>`],
            ['Entries', formatCount(size)],
            [
              'Newest checkpoint',
              html`<a href="/log/checkpoint">${signed === null ? 'signed when you ask for it' : html`signed ${dayAndTime(signed)}`}</a>`,
            ],
          ])}<div><p class="small">Check the whole log:</p>${commandLine(`skc registry monitor ${frame.publicUrl}`, 'command that checks the log')}</div>`
    }${list}${pager({ next: next === null ? undefined : `/log?before=${next}` })}</div>`;
    return shell(frame, { title: 'Transparency log', main, canonical: next === null ? '/log' : undefined });
  },
});

function cellsOf(entry: LogEntry | null) {
  if (entry === null)
    return [badge('private'), '', html`<span class="muted small">Its members can open it.</span>`];
  if (entry.kind === 'version' || entry.kind === 'state') {
    const { name, version } = entry;
    const subject = html`<a href="${skillHref(name, { version })}">${addressText(name)} <span class="mono">${version}</span></a>`;
    return entry.kind === 'version'
      ? [
          badge('published', { tone: 'good' }),
          subject,
          html`<span class="mono muted small" title="${entry.archive}">${entry.archive.slice(0, 19)}…</span>`,
        ]
      : [
          badge(entry.change),
          subject,
          html`${foreign(entry.reason ?? '')} <span class="small">${dayAndTime(entry.time)}</span>`,
        ];
  }
  if (entry.kind === 'origin')
    return [badge('new origin', { tone: 'warn' }), foreign(entry.previous), dayAndTime(entry.time)];
  return [badge(entry.change), html`<bdi>@${entry.owner}</bdi>`, dayAndTime(entry.time)];
}

/** Entries on one page of the log. */
const LOG_PAGE = 50;

/** The newest entries of the log, or those before one. An entry about something private is null. */
async function readEntries(registry: Registry, before: number) {
  const rows = await registry.database.query<{
    origin: string;
    size: number;
    signed: Date | null;
    index: number;
    entry: string | null;
  }>(
    `select o.origin, o.size, l.index,
       (select c.signed_at from log_checkpoints c where c.generation = o.generation order by c.size desc limit 1) as signed,
       case when l.salt is null then l.entry end as entry
     from log_origins o join log_leaves l on l.generation = o.generation and l.index < coalesce($1::bigint, o.size)
     where o.closed_at is null order by l.index desc limit ${LOG_PAGE + 1}`,
    [Number.isSafeInteger(before) && before >= 0 ? before : null],
  );
  const shown = rows.slice(0, LOG_PAGE);
  return {
    /** Null before the first change. */
    origin: rows[0]?.origin ?? null,
    size: rows[0]?.size ?? 0,
    /** The verifier key that clients pin. */
    key: await logVerifier(registry),
    /** When the newest checkpoint was signed; null before anybody asked for one. */
    signed: rows[0]?.signed?.toISOString() ?? null,
    entries: shown.map(({ index, entry }) => ({
      index,
      entry: entry === null ? null : (JSON.parse(entry) as LogEntry),
    })),
    next: rows.length > LOG_PAGE ? shown.at(-1)!.index : null,
  };
}
