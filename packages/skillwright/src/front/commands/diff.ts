// skc diff: changes to an installed skill, and who made them.

import { makeVisible, type Paint } from '../../base/diagnostics/index.ts';
import { DiffOutcome, showOrigin } from '../../ship/results/index.ts';
import { defineCommand, type Line } from './define-command.ts';
import { flag, text } from './fields.ts';
import { paintDiff } from './paint-diff.ts';

/** Shows how an installed skill differs from its source. */
export const diff = defineCommand({
  fields: {
    skill: text('Name of an installed skill', { required: true }),
    upstream: flag('Compare with the newest version of the source'),
    offline: flag('Never use the network'),
  },
  positionals: ['skill'],
  output: DiffOutcome,
  effect: 'read',
  writes: ['cache'],
  touches: { skill: 'skill', operation: 'read' },
  about:
    'Without `--upstream`: the changes from the locked version to your files. With it: the changes from your files to the newest version of the source, which `skc update` would merge.',
  examples: {
    'skc diff pdf': 'your edits, and those of the project',
    'skc diff pdf --upstream': 'what an update would merge',
  },
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
    return [from !== '' && `${name}${from}`, files.map((file) => diffLines(name, file, paint))];
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
): Line {
  const what = status === 'mode' ? 'permissions' : status;
  return [
    `${paint.strong(makeVisible(`${name}/${path}`))}: ${what} (${words[by]})`,
    text && paintDiff(text.replace(/\n$/, ''), paint),
  ];
}
