// skc sources: the files of a skill.

import type * as z from 'zod';
import { attempt, formatCount, makeVisible, SkillwrightError } from '../../base/diagnostics/index.ts';
import { defineCommand } from './define-command.ts';
import { budgetFields, integer, skill, text } from './fields.ts';
import { budgetOf } from './gateway-options.ts';
import type { sourcesOutput } from './reading-outputs.ts';
import { spellCall } from './spell-call.ts';

const DEFAULT_LIMIT = 100;

/** Lists the files of a skill as a tree. */
export const sources = defineCommand({
  fields: {
    skill,
    depth: integer('Levels of directories to show', { positive: true }),
    dir: text('Only this directory'),
    limit: integer('At most this many entries', { positive: true, default: DEFAULT_LIMIT }),
    pattern: text('Only files like *.md', { min: 1 }),
    ...budgetFields,
  },
  positionals: ['skill'],
  output: async () => (await import('./reading-outputs.ts')).sourcesOutput,
  effect: 'read',
  writes: [],
  touches: { skill: 'skill', operation: 'read' },
  served: () => ({}),
  examples: {
    'skc sources pdf-forms --depth 2': 'list two levels',
    'skc sources pdf-forms --pattern "*.md"': 'list the Markdown files',
  },
  async run(input, context) {
    const [{ budgetSources }, { plainPath, readTextFile }, { listFiles }, { hasSections }] =
      await Promise.all([
        import('../../read/gateway/list-sources.ts'),
        import('../../read/gateway/open-file.ts'),
        import('../../base/files/walk-tree.ts'),
        import('../../read/index/section.ts'),
      ]);
    const { skill, dir, depth, limit, pattern } = input;
    const { dir: root, reach } = context.skill!;
    const { allowsName } = await reach(listFiles(root));
    if (dir !== undefined && !allowsName(`${plainPath(dir).replace(/\/+$/, '')}/`))
      throw SkillwrightError.of('E022', { directory: dir });
    const { budgeted, ...listing } = await budgetSources(
      root,
      { dir, depth, limit, pattern, allows: allowsName, evals: input.all },
      await budgetOf(input, context, limit !== DEFAULT_LIMIT),
    );
    const unreadable = listing.entries.flatMap(({ path }) =>
      hasSections(path) && attempt(() => readTextFile(root, path)) === undefined ? path : [],
    );
    const listed = { skill, ...listing, ...(unreadable.length === 0 ? {} : { unreadable }) };
    if (budgeted === undefined) return listed;
    const call = (fields: object) =>
      spellCall(
        { name: 'sources', positionals: ['skill'], input: { skill, dir, pattern, ...fields } },
        context.by,
      );
    const closed = listing.entries.find(({ expanded }) => expanded === false);
    const everything =
      context.by === 'model' ? { budget: Math.ceil(budgeted.tokens / 500) * 500 + 500 } : { all: true };
    const next = [
      ...(closed === undefined ? [] : [call({ dir: closed.path })]),
      call({ depth, limit, ...everything }),
    ];
    return { ...listed, left_out: { depth: budgeted.depth, next } };
  },
  text: (listing, { by }) => {
    const { left_out: leftOut, evals = 0, unreadable = [] } = listing;
    const flag = by === 'model' ? 'all' : '--all';
    const isCollapsed = listing.entries.some(({ expanded }) => expanded === false);
    return [
      treeLines(listing),
      evals > 0 && `... (${formatCount(evals, 'file')} with evals not listed; use ${flag})`,
      unreadable.length > 0 &&
        `... (not text, so nobody can read or search it: ${unreadable.map(makeVisible).join(', ')})`,
      leftOut && [
        isCollapsed
          ? `... (only ${formatCount(leftOut.depth, 'level')} shown; for more:)`
          : '... (cut to save tokens; for more:)',
        leftOut.next.map((call) => `  ${call}`),
      ],
    ];
  },
});

type Listing = z.output<typeof sourcesOutput>;

/** The tree; a collapsed directory shows its number of files, and entries beyond the limit are counted where they begin. */
function treeLines({ root, entries, total, next }: Listing): string[] {
  const shown = [
    ...entries.map((entry) => ({ path: entry.path, label: fileLabel(entry) })),
    ...(next === null ? [] : [{ path: next, label: `... (${total - entries.length} more)` }]),
  ];
  const base = Math.min(...shown.map(depthOf));
  const lines = shown.map(({ label }, index) => {
    const depth = depthOf(shown[index]!) - base;
    // At a cut the next entry is unknown, so the trunk stays open.
    const goesOn = (level: number) =>
      hasLater(shown, index, base + level) || (next !== null && level < depthOf({ path: next }) - base);
    const trunk = Array.from({ length: depth }, (_, level) => (goesOn(level) ? '│   ' : '    '));
    return `${trunk.join('')}${goesOn(depth) ? '├── ' : '└── '}${label}`;
  });
  return [`${root}/`, ...lines];
}

const depthOf = ({ path }: { path: string }) => path.split('/').length - 1;

/** True when another entry of this level follows before its directory ends. */
function hasLater(entries: readonly { path: string }[], index: number, level: number): boolean {
  for (let next = index + 1; next < entries.length; next++) {
    const depth = depthOf(entries[next]!);
    if (depth === level) return true;
    if (depth < level) return false;
  }
  return false;
}

function fileLabel({ path, type, files, expanded }: Listing['entries'][number]): string {
  const name = makeVisible(path.slice(path.lastIndexOf('/') + 1));
  if (type === 'file') return name;
  return expanded ? `${name}/` : `${name}/ (${files} files)`;
}
