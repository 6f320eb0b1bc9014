// The scope tabs in the header of the picker.

import type { SkillScope } from '../../read/catalog/index.ts';

/** Filter of the list. */
export type ScopeFilter = 'all' | SkillScope;

/** The filters, in Tab order. */
export const scopeFilters: readonly ScopeFilter[] = ['all', 'project', 'user', 'bundled'];

/** One filter as the header shows it. */
interface ScopeTab {
  readonly filter: ScopeFilter;
  readonly at: number;
  readonly text: string;
}

/** The filters at the right end of a header; some are off-screen when it is too narrow. */
export function layOutTabs(columns: number, chosen: ScopeFilter): ScopeTab[] {
  const labels = scopeFilters.map((filter) => (filter === chosen ? `[${filter}]` : ` ${filter} `));
  let at = columns - labels.join('').length - 1;
  return labels.map((text, index) => {
    const tab = { filter: scopeFilters[index]!, at, text };
    at += text.length;
    return tab;
  });
}
