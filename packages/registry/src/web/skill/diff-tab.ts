// The difference between two versions.

import { diffView, emptyState, type Html, html, plural, selectField, submit } from 'skillwright/pages';
import { skillHref } from '../addresses.ts';
import type { DiffTab, SkillView } from './skill-view.ts';

export function diffTab({ index }: SkillView, { from, to, files }: DiffTab): Html {
  const choices = index.versions.map(({ version }) => ({ value: version, label: version }));
  return html`<div class="row row-between"><h2>Changes from ${from} to ${to}</h2><form class="form-inline" method="get" action="${skillHref(index.name, { tab: 'diff' })}" aria-label="Compare two versions">${selectField({ name: 'from', label: 'From', choices, value: from })}${selectField({ name: 'to', label: 'To', choices, value: to })}${submit('Compare', { kind: 'plain' })}</form></div>
${files.length === 0 ? emptyState('No differences', 'Both versions contain the same files.') : html`<p class="muted small">${plural(files.length, 'file')} changed.</p>${diffView(files)}`}`;
}
