// skc sources: the files of a skill.

import { z } from 'zod';
import { defineCommand } from './define-command.ts';

const Entry = z.object({
  path: z.string(),
  type: z.enum(['file', 'directory']),
  files: z.number().int().nullable().describe('Files below a directory'),
  expanded: z.boolean().nullable().describe('False for a directory whose content is not listed'),
});

/** Lists the files of a skill as a tree. */
export const sources = defineCommand({
  input: z.strictObject({
    skill: z.string().describe('A skill by name or path'),
    depth: z.number().int().positive().optional().describe('Levels to show'),
    dir: z.string().optional().describe('Show this directory alone'),
    limit: z.number().int().positive().default(100).describe('Most entries to show'),
    pattern: z.string().optional().describe('Show matching files alone, such as *.md'),
  }),
  positionals: ['skill'],
  output: z.object({
    skill: z.string(),
    root: z.string(),
    entries: z.array(Entry),
    total: z.number().int().describe('Entries there are without the limit'),
  }),
  effect: 'read',
  served: () => ({}),
  examples: [
    { line: 'skc sources pdf-forms --depth 2', note: 'two levels' },
    { line: 'skc sources pdf-forms --pattern "*.md"', note: 'Markdown alone' },
  ],
  async run(input, context) {
    const [{ listSources }, { openSource }] = await Promise.all([
      import('../gateway/list-sources.ts'),
      import('../gateway/open-gateway.ts'),
    ]);
    const { skill, dir, depth, limit, pattern } = input;
    const root = await openSource(skill, context);
    return { skill, ...listSources(root, { dir, depth, limit, pattern }) };
  },
  text: renderTree,
});

/** The tree with its branches; a directory that is not opened says how many files it has. */
function renderTree({
  root,
  entries,
  total,
}: {
  root: string;
  entries: z.output<typeof Entry>[];
  total: number;
}): string {
  const base = entries.length === 0 ? 0 : Math.min(...entries.map(depthOf));
  const rest = total - entries.length;
  const lines = entries.map((entry, index) => {
    const depth = depthOf(entry) - base;
    const trunk = Array.from({ length: depth }, (_, level) =>
      hasLater(entries, index, base + level) || (level === 0 && rest > 0) ? '│   ' : '    ',
    );
    const branch = hasLater(entries, index, base + depth) || (depth === 0 && rest > 0) ? '├── ' : '└── ';
    return `${trunk.join('')}${branch}${labelOf(entry)}`;
  });
  return `${[`${root}/`, ...lines, ...(rest > 0 ? [`└── ... (${rest} more)`] : [])].join('\n')}\n`;
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

function labelOf({ path, type, files, expanded }: z.output<typeof Entry>): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (type === 'file') return name;
  return expanded ? `${name}/` : `${name}/ (${files} ${files === 1 ? 'file' : 'files'})`;
}
