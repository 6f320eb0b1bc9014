// skc test: runs the evals of skills.

import * as z from 'zod';
import { invalidOption, quoteWord, SkillwrightError } from '../../base/diagnostics/index.ts';
import { author } from './author-flag.ts';
import { defineCommand } from './define-command.ts';
import { renderGithub, renderJunit, renderMarkdown, renderTest } from './render-test.ts';
import { isTestFailed, TestReport } from './test-report.ts';

/** Tests whether agents find a skill and its sections. */
export const test = defineCommand({
  input: z.strictObject({
    skills: z
      .array(z.string())
      .default([])
      .describe(
        'Skills by name or path, or directories of skills; without any, all that are written in this project',
      ),
    against: z.array(z.string()).default([]).describe('Directories with more skills that compete'),
    write: z
      .boolean()
      .default(false)
      .describe('First add proposed cases, from the description, the headings and the access log'),
    dry_run: z.boolean().default(false).describe('With --write: change nothing'),
    author,
  }),
  positionals: ['skills'],
  output: TestReport,
  effect: 'write',
  writes: ['cache'],
  usersOwn: { write: false, author: false },
  touches: { skills: 'inspect' },
  about:
    'Requests in `eval_queries.json` or `evals/eval_queries.json` are searched among all skills an agent sees from here: the skill must win those with `should_trigger: true`, and must not win the others. For questions in `evals/questions.json` a scripted agent reads from the stub on until it has the section that answers. No model is involved. `skc help evals` shows the formats.\nThe exit code is 1 if a case fails or cannot be read. Cases with `"proposed": true` are run but do not count: remove the mark from those that are right.',
  examples: [
    { line: 'skc test', note: 'run the evals of every skill written in this project' },
    { line: 'skc test my-skill --against ~/other-skills', note: 'with more competitors' },
    { line: 'skc test my-skill --write --dry-run', note: 'see which cases it would propose' },
    { line: 'skc test my-skill --format junit', note: 'for a CI system' },
  ],
  async run(input, context) {
    if (input.dry_run && !input.write) throw invalidOption('--dry-run belongs to --write');
    const { chooseTested, runEvals } = await import('./run-evals.ts');
    const chosen = await chooseTested(input, context);
    const report = await runEvals(chosen, { ...input, context });
    const isEmpty = report.skills.every(
      ({ queries, questions, tasks, problems }) =>
        queries.length + questions.length + tasks + problems.length === 0,
    );
    if (isEmpty && !input.write) throw noEvals(input.skills, report);
    return report;
  },
  text: renderTest,
  formats: { junit: renderJunit, github: renderGithub, markdown: renderMarkdown },
  failed: isTestFailed,
});

function noEvals(words: readonly string[], { skills }: TestReport): SkillwrightError {
  const what = words.length > 0 ? words.join(', ') : skills.length === 1 ? skills[0]!.name : 'this project';
  const [first] = words.length > 0 ? words : skills.map(({ path }) => path);
  const help = first === undefined ? undefined : `let skc propose some: skc test ${quoteWord(first)} --write`;
  return SkillwrightError.of('E260', { what }, { help });
}
