// skc validate: prints the normalised manifest of one skill, or its mistakes.

import * as z from 'zod';
import { formatPlace, makeVisible } from '../../base/diagnostics/index.ts';
import { ProfileName, type Validation } from '../../skill/format/index.ts';
import { defineCommand } from './define-command.ts';
import { author, choice, text } from './fields.ts';

const Issue = z.object({
  severity: z.enum(['error', 'warning']),
  field: z.string().nullable().describe('The frontmatter field; null when the frontmatter itself is invalid'),
  message: z.string(),
  help: z.string().nullable(),
  line: z.number().int().positive().nullable(),
});

/** Checks one manifest against a profile. */
export const validate = defineCommand({
  fields: {
    skill: text('A skill by path or name', { default: '.' }),
    profile: choice(ProfileName.options, 'The rules to check against; without it lint.profile, else spec'),
    author,
  },
  positionals: ['skill'],
  output: z.object({
    valid: z.boolean(),
    profile: z.string(),
    path: z.string(),
    manifest: z.record(z.string(), z.unknown()).nullable().describe('Null when the manifest is not valid'),
    issues: z.array(Issue),
  }),
  effect: 'read',
  writes: [],
  touches: { skill: 'skill', operation: 'inspect' },
  about:
    'Checks the frontmatter only; `skc lint` checks the whole skill. The quiz of a locked skill is left out unless you pass `--author`.',
  examples: {
    'skc validate my-skill': 'print the manifest as skc reads it',
    'skc validate my-skill --profile strict --json': 'allow only the fields of the open standard',
  },
  async run(input, context) {
    const { validateSkill } = await import('../../skill/format/validate-skill.ts');
    const config = await context.workspace.config();
    const { read, reach } = context.skill!;
    const verdict = validateSkill(await read(), input.profile ?? config.lint.profile);
    return (await reach([])).gate === undefined ? verdict : withoutAnswers(verdict);
  },
  text(output, { paint }) {
    return [
      output.issues.map(({ line, severity, message, help }) => [
        `${paint.strong(makeVisible(formatPlace(output.path, line)))}: ${paint[severity](severity)}: ${makeVisible(message)}`,
        help !== null && `  ${paint.faint('help')}: ${makeVisible(help)}`,
      ]),
      output.manifest && JSON.stringify(output.manifest, null, 2).split('\n').map(makeVisible),
      `${output.valid ? 'valid' : 'not valid'} (${output.profile})`,
    ];
  },
  failed: (output) => !output.valid,
});

/** The result for a locked skill, without its quiz and without quoting an unreadable frontmatter. */
function withoutAnswers({ manifest, issues, ...rest }: Validation): Validation {
  const { quiz: _, ...shown } = manifest ?? {};
  return {
    ...rest,
    manifest: manifest === null ? null : shown,
    issues: issues.map((issue) =>
      issue.field === 'quiz' || issue.field === null
        ? {
            ...issue,
            message: `${issue.field ?? 'the frontmatter'} is not valid`,
            help: 'if you wrote the skill, --author shows why',
          }
        : issue,
    ),
  };
}
