// Repositories and sites kept in sync as namespaces.

import {
  badge,
  card,
  dayAndTime,
  emptyState,
  foreign,
  html,
  outsideLink,
  plural,
  submit,
  table,
} from 'skillwright/pages';
import { asked, MAX_NAME, type Mirror, pathParts } from 'skillwright/registry-protocol';
import { buttonForm, drawForm, pageForm, type SentForm } from '../forms/page-form.ts';
import type { Frame } from '../frame.ts';
import { ownerLink } from '../skill-list.ts';
import { adminShell } from './admin-shell.ts';

export const mirrorForm = pageForm('mirror', 'addMirror', {
  source: 'source',
  owner: asked(pathParts.owner, {
    label: 'Namespace',
    hint: 'Without @; it must exist',
    maxLength: MAX_NAME,
  }),
  everyMinutes: 'everyMinutes',
});

interface MirrorsView {
  readonly mirrors: readonly Omit<Mirror, 'resolution'>[];
  /** The form that was just refused. */
  readonly sent?: SentForm | undefined;
}

export function mirrorsPage({ mirrors, sent }: MirrorsView, frame: Frame): string {
  const list = table({
    caption: 'Mirrors',
    columns: [
      { title: 'Source' },
      { title: 'Namespace' },
      { title: 'Last sync' },
      { title: 'State' },
      { title: 'Change', isTitleHidden: true, kind: 'action' },
    ],
    rows: mirrors.map(({ id, owner, source, everyMinutes, synced, failure, notes }) => [
      html`${/^https?:/.test(source) ? outsideLink(source) : foreign(source)} <span class="muted small">every ${plural(everyMinutes, 'minute')}</span>`,
      ownerLink(owner),
      synced === null ? 'never' : dayAndTime(synced),
      failure === null
        ? html`${badge('ok', { tone: 'good', sign: '✓' })}${notes.map((note) => html`<div class="small muted">${foreign(note)}</div>`)}`
        : html`${badge('failing', { tone: 'bad', sign: '✕' })} <span class="small">${foreign(failure)}</span>`,
      buttonForm(frame, {
        action: `/admin/mirrors/${encodeURIComponent(id)}`,
        label: `Change the mirror of ${source}`,
        button: html`<input type="hidden" name="owner" value="${owner}">${submit('Sync now', { kind: 'plain', name: 'change', value: 'sync' })}${submit('Remove', { kind: 'danger', name: 'change', value: 'remove' })}`,
      }),
    ]),
    empty: emptyState(
      'No mirrors',
      'A mirror keeps a repository or site as versions of a namespace, scanned like every publication.',
    ),
  });
  const add = drawForm(mirrorForm, { frame, action: '/admin/mirrors', sent, button: 'Add mirror' });
  return adminShell(frame, {
    title: 'Mirrors',
    href: '/admin/mirrors',
    main: html`${list}${card('Add a mirror', add)}`,
  });
}
