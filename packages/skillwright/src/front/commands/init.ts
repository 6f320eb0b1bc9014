// skc init: creates a skill, or sets up a project.

import * as z from 'zod';
import { invalidOption, SkillwrightError } from '../../base/diagnostics/index.ts';
import { realPath } from '../../base/files/index.ts';
import { templateNames, templateProfiles } from '../../make/author/index.ts';
import { defineCommand } from './define-command.ts';

/** Creates a skill in the project's or the user's store; without a name, sets up the project. */
export const init = defineCommand({
  input: z.strictObject({
    name: z.string().optional().describe('Name of the new skill: lower-case words joined by hyphens'),
    scope: z
      .enum(['project', 'user'])
      .optional()
      .describe('Create it in the project, or for you in every project'),
    global: z.boolean().default(false).describe('The same as --scope user'),
    template: z.enum(templateNames).default('minimal').describe('The template to start from'),
    dry_run: z.boolean().default(false).describe('Show what would be created, and write nothing'),
  }),
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
  usersOwn: { scope: undefined, global: false },
  touches: 'nothing',
  about:
    'The skill goes into `.skillc/skills/<name>` of the project: the nearest directory upward with a `.skillc`, else the root of the repository. If there is neither, the working directory becomes the project.',
  examples: [
    { line: 'skc init', note: 'turn the repository around you, or this directory, into a project' },
    { line: 'skc init pdf-forms', note: 'create a small skill in the project' },
    { line: 'skc init pdf-forms --template quiz', note: 'create one that is locked behind a quiz' },
  ],
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
    const lines =
      output.skill === null
        ? [
            output.created
              ? `${output.dry_run ? 'would create' : 'created'} project ${output.project}`
              : `${output.project} is already a project`,
          ]
        : [
            `${output.dry_run ? 'would create' : 'created'} skill ${output.skill}`,
            ...output.files.map((file) => `  ${output.path}/${file}`),
          ];
    return `${[...lines, `next: ${output.next.join(', ')}`].join('\n')}\n`;
  },
});
