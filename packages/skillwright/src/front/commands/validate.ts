// skc validate: prints the normalised manifest of one skill, or its mistakes.

import * as z from 'zod';
import { makeVisible } from '../../base/diagnostics/index.ts';
import { ProfileName, type Validation } from '../../skill/format/index.ts';
import { defineCommand } from './define-command.ts';
import { author } from './field-schema.ts';

const Issue = z.object({
  severity: z.enum(['error', 'warning']),
  field: z.string().nullable().describe('The frontmatter field; null when the frontmatter itself is invalid'),
  message: z.string(),
  help: z.string().nullable(),
  line: z.number().int().positive().nullable(),
});

/** Checks one manifest against a profile. */
export const validate = defineCommand({
  input: z.strictObject({
    skill: z.string().default('.').describe('A skill by path or name'),
    profile: ProfileName.optional().describe(
      'The rules to check against; without it lint.profile, else spec',
    ),
    author,
  }),
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
  examples: [
    { line: 'skc validate my-skill', note: 'print the manifest as skc reads it' },
    {
      line: 'skc validate my-skill --profile strict --json',
      note: 'allow only the fields of the open standard',
    },
  ],
  async run(input, context) {
    const [{ validateSkill }] = await Promise.all([import('../../skill/format/validate-skill.ts')]);
    const config = await context.workspace.config();
    const { dir, reach } = context.skill!;
    const verdict = validateSkill(dir, input.profile ?? config.lint.profile);
    return (await reach([])).gate === undefined ? verdict : withoutAnswers(verdict);
  },
  text(output, { paint }) {
    const issues = output.issues.map((issue) => {
      const place = issue.line === null ? output.path : `${output.path}:${issue.line}`;
      const head = `${paint.strong(makeVisible(place))}: ${paint[issue.severity](issue.severity)}: ${makeVisible(issue.message)}`;
      return issue.help === null ? head : `${head}\n  ${paint.faint('help')}: ${makeVisible(issue.help)}`;
    });
    const verdict = output.valid ? `valid (${output.profile})` : `not valid (${output.profile})`;
    const manifest =
      output.manifest === null ? [] : JSON.stringify(output.manifest, null, 2).split('\n').map(makeVisible);
    return `${[...issues, ...manifest, verdict].join('\n')}\n`;
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
