// All versions with their states.

import { formatBytes } from 'skillwright/base';
import {
  actionColumn,
  ago,
  badge,
  diffView,
  emptyState,
  foreign,
  type Html,
  html,
  plural,
  selectField,
  stateBadge,
  submit,
  table,
  verdictBadge,
} from 'skillwright/pages';
import { skillHref } from '../addresses.ts';
import { buttonForm, drawClosedForm, pageForm } from '../forms/page-form.ts';
import type { Frame } from '../frame.ts';
import type { DiffTab, SkillView } from './skill-page.ts';

export const yankForm = pageForm('yank', 'yankVersion', { reason: 'yanked' });

export function versionsTab({ index, viewer, versionFacts }: SkillView, frame: Frame): Html {
  const { name, versions, latest } = index;
  if (versions.length === 0) return emptyState('No version yet');
  const choices = versions.map(({ version }) => ({ value: version, label: version }));
  const compare =
    versions.length < 2
      ? ''
      : html`<form class="form-inline" method="get" action="${skillHref(name, { tab: 'diff' })}" aria-label="Compare two versions">${selectField({ name: 'from', label: 'From', choices, value: versions[1]?.version })}${selectField({ name: 'to', label: 'To', choices, value: versions[0]?.version })}${submit('Compare', { kind: 'plain' })}</form>`;
  return html`${compare}${table({
    caption: `Versions of ${name}`,
    columns: [
      'Version',
      'State',
      'Published',
      'By',
      { title: 'Size', kind: 'number' },
      'Scan',
      { title: 'Changes', isTitleHidden: true },
      ...(viewer.mayPublish ? [actionColumn('Yank')] : []),
    ],
    rows: versions.map((version, at) => {
      const before = versions[at + 1]?.version;
      const { publisher, size, verdict } = versionFacts.get(version.version)!;
      return [
        html`<a class="mono" href="${skillHref(name, { version: version.version })}">${version.version}</a>`,
        html`${version.version === latest && index.deprecated === null ? stateBadge('latest') : ''} ${
          version.installable.reasons.length === 0 && version.version !== latest ? badge('installable') : ''
        }${version.installable.reasons.map(({ code, message }) => html`<div>${stateBadge(code)} <span class="small">${foreign(message)}</span></div>`)}`,
        ago(version.published),
        foreign(publisher),
        formatBytes(size),
        verdictBadge(verdict),
        before === undefined
          ? html`<span class="muted small">first version</span>`
          : html`<a class="small" href="${skillHref(name, { tab: 'diff' })}?from=${encodeURIComponent(before)}&amp;to=${encodeURIComponent(version.version)}">changes<span class="unseen"> from ${before} to ${version.version}</span></a>`,
        ...(viewer.mayPublish
          ? [
              version.purged === null
                ? yank(name, { version: version.version, isYanked: version.yanked !== null, frame })
                : '',
            ]
          : []),
      ];
    }),
  })}`;
}

function yank(
  name: string,
  { version, isYanked, frame }: { version: string; isYanked: boolean; frame: Frame },
): Html {
  const action = `${skillHref(name, { version })}/yank`;
  if (isYanked)
    return buttonForm(frame, {
      action,
      label: `Undo the yank of ${version}`,
      button: submit('Undo yank', { kind: 'plain', name: 'undo', value: 'yes' }),
    });
  return drawClosedForm(html`Yank<span class="unseen"> ${version}</span>`, yankForm, {
    frame,
    action,
    about: version,
    id: `yank-${version}`,
    label: `Yank ${version}`,
    button: submit('Yank', { kind: 'danger' }),
  });
}

export function diffTab({ index }: SkillView, { from, to, files }: DiffTab): Html {
  const choices = index.versions.map(({ version }) => ({ value: version, label: version }));
  return html`<div class="row row-between"><h2>Changes from ${from} to ${to}</h2><form class="form-inline" method="get" action="${skillHref(index.name, { tab: 'diff' })}" aria-label="Compare two versions">${selectField({ name: 'from', label: 'From', choices, value: from })}${selectField({ name: 'to', label: 'To', choices, value: to })}${submit('Compare', { kind: 'plain' })}</form></div>
${files.length === 0 ? emptyState('No differences', 'Both versions contain the same files.') : html`<p class="muted small">${plural(files.length, 'file')} changed.</p>${diffView(files)}`}`;
}
