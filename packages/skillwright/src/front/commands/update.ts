// skc update: updates installed skills.

import { makeVisible } from '../../base/diagnostics/index.ts';
import { type Resolved, UpdateOutcome } from '../../ship/results/index.ts';
import { defineCommand, type Line } from './define-command.ts';
import { choice, consentFields, flag, scopeField, texts } from './fields.ts';
import { consentOf } from './install-input.ts';
import { settleDeployed } from './settle.ts';

/** Updates installed skills and keeps local edits. */
export const update = defineCommand({
  fields: {
    skills: texts('Names of installed skills; without one, all'),
    scope: scopeField('Update the project, or your own skills; without it, the project if you are in one'),
    yes: flag('Ask nothing'),
    ...consentFields,
    accept_moved: flag('Accept a tag or version that has moved'),
    force: flag(
      'If you and the source changed the same lines, take the new version; a backup of yours is kept',
    ),
    conflict: choice(
      ['stop', 'markers', 'files'],
      'If both changed the same lines: change nothing, mark them in the files, or keep yours',
      { default: 'stop' },
    ),
    unpin: flag('Update pinned skills too, and unpin them'),
    offline: flag('Never use the network'),
    dry_run: flag('Show what would change, and write nothing'),
  },
  positionals: ['skills'],
  output: UpdateOutcome,
  effect: 'write',
  writes: ['stores', 'runtime directories', 'agent directories', 'cache'],
  touches: { skills: 'inspect' },
  about:
    'Files you did not edit are replaced. Your edits stay; if the source changed the same file, both changes are merged line by line. If that fails, the skill stays as it is and you see the files and lines. `--conflict markers` writes both versions into the files, between `<<<<<<<` and `>>>>>>>`; `--conflict files` keeps yours. Either way, `.skillc/conflicts/<skill>` has all three versions. Edit the files, then run `skc update <skill> --yes` to record them as edits of the project.',
  examples: {
    'skc update': 'update everything that is not pinned',
    'skc update pdf --dry-run': 'see what would change',
  },
  async run(input, context) {
    const { skills, scope, yes, force, conflict, unpin, offline, dry_run, accept_moved } = input;
    const { updateSkills } = await import('../../ship/install/update-skills.ts');
    const options = { skills, scope, yes, force, conflict, unpin, offline, dryRun: dry_run };
    const request = { ...options, acceptMoved: accept_moved, ...consentOf(input) };
    const outcome = await updateSkills(request, context);
    if (!dry_run) await settleDeployed(context);
    return outcome;
  },
  text({ updated, failed, dry_run }) {
    if (updated.length + failed.length === 0) return ['no skills installed'];
    return [
      updated.map((skill) => describeUpdated(skill, dry_run)),
      failed.map(({ name, code, message }) => `${name}: failed: ${message} (${code})`),
    ];
  },
  failed: ({ failed, updated }) => failed.length > 0 || updated.some(({ status }) => status === 'conflicts'),
});

function describeUpdated(skill: UpdateOutcome['updated'][number], isDry: boolean): Line {
  const { name, status, from, to, changed, kept, merged, conflicts, versions, backup } = skill;
  const words = {
    updated: isDry ? 'would be updated' : 'updated',
    current: 'up to date',
    pinned: 'pinned, not updated',
    conflicts: isDry ? 'would be updated, with conflicts' : 'updated, with conflicts',
    declined: 'not updated, as you chose',
  }[status];
  const [old, new_] = status === 'updated' ? [resolutionLabel(from), resolutionLabel(to)] : [];
  const way = old === new_ ? '' : ` from ${old} to ${new_}`;
  const list = (title: string, files: readonly string[]) =>
    files.length > 0 && `  ${title}: ${files.map(makeVisible).join(', ')}`;
  const own = kept.filter((path) => !merged.includes(path));
  return [
    `${name}: ${words}${makeVisible(way)}`,
    list('changed', changed),
    list('kept your edits', own),
    list('merged with your edits', merged),
    conflicts.map((line) => `  conflict: ${makeVisible(line)}`),
    versions !== null &&
      !isDry && [
        `  three versions of each: ${versions}`,
        `  then: skc update ${name} --yes --scope ${skill.scope}`,
      ],
    backup && `  backup of yours: ${backup}`,
  ];
}

const resolutionLabel = ({ version, commit }: Resolved) =>
  version ?? commit?.slice(0, 12) ?? 'the old version';
