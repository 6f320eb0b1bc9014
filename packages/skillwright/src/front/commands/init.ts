// skc init: creates a skill, or sets up a project.

import { join } from 'node:path';
import * as z from 'zod';
import { invalidOption, SkillwrightError } from '../../base/diagnostics/index.ts';
import { realPath } from '../../base/files/index.ts';
import { templateNames, templateProfiles } from '../../make/author/index.ts';
import { defineCommand } from './define-command.ts';
import { choice, flag, own, text } from './fields.ts';

/** Creates a skill in the project's or the user's store; without a name, sets up the project. */
export const init = defineCommand({
  fields: {
    name: text('Name of the new skill: lower-case words joined by hyphens'),
    scope: own(choice(['project', 'user'], 'Create it in the project, or for you in every project')),
    global: own(flag('The same as --scope user')),
    template: choice(templateNames, 'The template to start from', { default: 'minimal' }),
    dry_run: flag('Show what would be created, and write nothing'),
  },
  positionals: ['name'],
  output: z.object({
    project: z.string().describe('Directory of the store: the project, or the home directory'),
    dry_run: z.boolean(),
    created: z.boolean().describe('False when there was nothing to do'),
    skill: z.string().nullable(),
    path: z.string().nullable().describe('Directory of the new skill'),
    files: z.array(z.string()).describe('Files written, relative to it'),
    next: z.array(z.string()).describe('Commands to try next'),
  }),
  effect: 'write',
  writes: ['stores'],
  touches: 'nothing',
  about:
    'The skill goes into `.skillc/skills/<name>` of the project: the nearest directory upward with a `.skillc`, else the root of the repository. If there is neither, the working directory becomes the project.',
  examples: {
    'skc init': 'turn the repository around you, or this directory, into a project',
    'skc init pdf-forms': 'create a small skill in the project',
    'skc init pdf-forms --template quiz': 'create one that is locked behind a quiz',
  },
  async run(input, context) {
    const { initialise } = await import('../../make/author/initialise.ts');
    const { name, scope, template } = input;
    if (input.global && scope === 'project')
      throw invalidOption('--global and --scope project exclude each other', 'leave one of them out');
    const global = input.global || scope === 'user';
    const { access, workspace } = context;
    if (
      access.by === 'model' &&
      realPath(workspace.project?.dir ?? workspace.cwd) === realPath(workspace.home)
    )
      throw SkillwrightError.of('E018', {
        input: 'scope',
        why: "outside a project it means the user's store",
      });
    const result = initialise({ name, global, template, dryRun: input.dry_run }, context.workspace);
    const profile = templateProfiles[input.template];
    const lint =
      profile === 'spec' ? `skc lint ${input.name}` : `skc lint ${input.name} --profile ${profile}`;
    return {
      ...result,
      dry_run: input.dry_run,
      next: input.name === undefined ? ['skc init my-skill'] : [lint],
    };
  },
  text(output) {
    const created = output.dry_run ? 'would create' : 'created';
    return [
      output.skill !== null
        ? `${created} skill ${output.skill}`
        : output.created
          ? `${created} project ${output.project}`
          : `${output.project} is already a project`,
      output.files.map((file) => `  ${join(output.path!, file)}`),
      `next: ${output.next.join(', ')}`,
    ];
  },
});
