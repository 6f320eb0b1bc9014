// skc diff: changes to an installed skill, and who made them.

import * as z from 'zod';
import { makeVisible, type Paint } from '../../base/diagnostics/index.ts';
import { DiffOutcome, showOrigin } from '../../ship/results/index.ts';
import { defineCommand } from './define-command.ts';
import { paintDiff } from './paint-diff.ts';

/** Shows how an installed skill differs from its source. */
export const diff = defineCommand({
  input: z.strictObject({
    skill: z.string().describe('Name of an installed skill'),
    upstream: z.boolean().default(false).describe('Compare with the newest version of the source'),
    offline: z.boolean().default(false).describe('Never use the network'),
  }),
  positionals: ['skill'],
  output: DiffOutcome,
  effect: 'read',
  writes: ['cache'],
  touches: { skill: 'skill', operation: 'read' },
  about:
    'Without `--upstream`: the changes from the locked version to your files. With it: the changes from your files to the newest version of the source, which `skc update` would merge.',
  examples: [
    { line: 'skc diff pdf', note: 'your edits, and those of the project' },
    { line: 'skc diff pdf --upstream', note: 'what an update would merge' },
  ],
  async run({ upstream, offline }, context) {
    const { diffSkill } = await import('../../ship/install/diff-skill.ts');
    const skill = context.skill!;
    const found = await diffSkill({ dir: skill.dir, upstream, offline }, context);
    const { allowsFile, allowsName } = await skill.reach(found.files.map(({ path }) => path));
    const shown = found.files
      .filter(({ path }) => allowsName(path))
      .map((file) => (allowsFile(file.path) ? file : { ...file, diff: null }));
    return { ...found, files: shown };
  },
  text({ name, files, upstream, ...skill }, { paint }) {
    const from = skill.origin === null ? '' : ` from ${makeVisible(showOrigin(skill))}`;
    if (files.length === 0) return `${name}${from}: matches the ${upstream ? 'source' : 'lock'}\n`;
    const head = from === '' ? '' : `${name}${from}\n`;
    return head + files.map((file) => diffLines(name, file, paint)).join('');
  },
});

const words = {
  project: 'an edit of the project',
  lock: "behind the lock; 'skc install' updates it",
  you: 'edited here',
  source: 'changed in the source',
} as const;

function diffLines(
  name: string,
  { path, status, by, diff: text }: DiffOutcome['files'][number],
  paint: Paint,
): string {
  const title = `${paint.strong(makeVisible(`${name}/${path}`))}: ${status === 'mode' ? 'permissions' : status} (${words[by]})\n`;
  if (text === null) return title;
  return `${title}${paintDiff(text, paint)}`;
}
