// Repositories and sites kept in sync as namespaces.

import {
  actionColumn,
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
import { asked, MAX_NAME, pathParts } from 'skillwright/registry-protocol';
import { listAllMirrors } from '../../mirrors/index.ts';
import { definePage } from '../define-page.ts';
import { buttonForm, drawForm, pageForm } from '../forms/page-form.ts';
import { ownerLink } from '../skill-list.ts';
import { adminShell } from './admin-shell.ts';

const mirrorForm = pageForm('mirror', 'addMirror', {
  source: 'source',
  owner: asked(pathParts.owner, {
    label: 'Namespace',
    hint: 'Without @; it must exist',
    maxLength: MAX_NAME,
  }),
  everyMinutes: 'everyMinutes',
});

export const mirrorsPage = definePage({
  path: '/admin/mirrors',
  load: listAllMirrors,
  draw(mirrors, frame) {
    const list = table({
      caption: 'Mirrors',
      columns: ['Source', 'Namespace', 'Last sync', 'State', actionColumn('Change')],
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
    const add = drawForm(mirrorForm, { frame, action: '/admin/mirrors', button: 'Add mirror' });
    return adminShell(frame, {
      title: 'Mirrors',
      href: '/admin/mirrors',
      main: html`${list}${card('Add a mirror', add)}`,
    });
  },
  forms: [
    { path: '/admin/mirrors', form: mirrorForm, typedParts: { owner: 'owner' } },
    {
      path: '/admin/mirrors/:id',
      form: ({ change }) => (change?.[0] === 'remove' ? 'removeMirror' : 'syncMirror'),
      typedParts: { owner: 'owner' },
    },
  ],
});
