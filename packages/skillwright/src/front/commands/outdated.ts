// skc outdated: installed skills that have a newer version.

import { makeVisible } from '../../base/diagnostics/index.ts';
import { noticeLine } from '../../ship/network/index.ts';
import { OutdatedOutcome, showOrigin } from '../../ship/results/index.ts';
import { defineCommand } from './define-command.ts';
import { flag, scopeField, texts } from './fields.ts';
import { renderTable } from './render-table.ts';

/** Compares installed skills with their sources. */
export const outdated = defineCommand({
  fields: {
    skills: texts('Names of installed skills; without one, all'),
    scope: scopeField('Only the project, or only yours; without it, both'),
    offline: flag('Never use the network'),
  },
  positionals: ['skills'],
  output: OutdatedOutcome,
  effect: 'read',
  writes: ['cache'],
  touches: { skills: 'inspect' },
  about:
    'A source that cannot be reached is shown as unreachable; the exit code is still 0. Skills of a registry cost one request for up to a hundred of them. If a registry cannot be asked, its last answer is shown, and when it was.',
  examples: {
    'skc outdated': 'compare current, wanted and latest versions',
  },
  async run({ skills, scope, offline }, context) {
    const { listOutdated } = await import('../../ship/install/list-outdated.ts');
    return listOutdated({ skills, scope, offline }, context);
  },
  text({ skills }, view) {
    if (skills.length === 0) return ['no skills installed'];
    const titles = ['NAME', 'CURRENT', 'WANTED', 'LATEST', 'STATUS', 'SOURCE'];
    const rows = skills.map(({ name, current, wanted, latest, status, pinned, ...skill }) => [
      name,
      current,
      wanted ?? '-',
      latest ?? '-',
      pinned ? `${status}, pinned` : status,
      makeVisible(showOrigin(skill)),
    ]);
    return [
      renderTable(titles, rows, { ...view, leaves: ['SOURCE', 'LATEST', 'CURRENT'] }),
      skills.map(({ name, error, notices }) => [
        error && `${name}: ${error.message}`,
        notices.map((notice) => `${name}: ${notice.kind}: ${noticeLine(notice.text)}`),
      ]),
    ];
  },
});
