// Repositories and sites kept in sync as namespaces.

import {
  badge,
  card,
  dayAndTime,
  emptyState,
  field,
  foreign,
  form,
  html,
  outsideLink,
  plural,
  submit,
  table,
} from 'skillwright/pages';
import type { Frame } from '../frame.ts';
import { filledIn, type SentForm } from '../sent-form.ts';
import { ownerLink } from '../skill-list.ts';
import { adminShell } from './admin-shell.ts';

interface MirrorsView {
  readonly mirrors: readonly {
    readonly id: string;
    readonly owner: string;
    readonly source: string;
    readonly everyMinutes: number;
    readonly synced: string | null;
    /** Why the last attempt failed, or null. */
    readonly failure: string | null;
    /** Skills that were left out, and why. */
    readonly notes: readonly string[];
  }[];
  /** The form that was just refused. */
  readonly sent?: SentForm | undefined;
}

export function mirrorsPage({ mirrors, sent }: MirrorsView, frame: Frame): string {
  const { csrf } = frame;
  const again = filledIn(sent, 'mirror');
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
      form({
        action: `/admin/mirrors/${encodeURIComponent(id)}`,
        csrf,
        isInline: true,
        label: `Change the mirror of ${source}`,
        content: html`<input type="hidden" name="owner" value="${owner}">${submit('Sync now', { kind: 'plain', name: 'change', value: 'sync' })}${submit('Remove', { kind: 'danger', name: 'change', value: 'remove' })}`,
      }),
    ]),
    empty: emptyState(
      'No mirrors',
      'A mirror keeps a repository or site as versions of a namespace, scanned like every publication.',
    ),
  });
  const add = form({
    action: '/admin/mirrors',
    csrf,
    content: html`${field({ name: 'source', label: 'Source', hint: 'A Git address, or a site with .well-known/agent-skills', isRequired: true, ...again.text('source') })}${field({ name: 'owner', label: 'Namespace', hint: 'Without @; it must exist', isRequired: true, maxLength: 64, ...again.text('owner') })}${field({ name: 'everyMinutes', label: 'Minutes between two runs', hint: '5 to 10,080', type: 'number', inputMode: 'numeric', isRequired: true, ...again.text('everyMinutes', '60') })}${submit('Add mirror')}`,
  });
  return adminShell(frame, {
    title: 'Mirrors',
    href: '/admin/mirrors',
    main: html`${list}${card('Add a mirror', add)}`,
  });
}
