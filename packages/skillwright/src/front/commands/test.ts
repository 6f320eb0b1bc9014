// skc test: runs the evals of skills.

import { quoteWord, SkillwrightError } from '../../base/diagnostics/index.ts';
import { defineCommand } from './define-command.ts';
import { author, choices, flag, integer, own, text, texts } from './fields.ts';
import { conditions } from './model-report.ts';
import { githubCommands } from './render-findings.ts';
import { renderJunit, renderTestMarkdown, testFindings, testLines } from './render-test.ts';
import { hasNothingRun, isTestFailed, TestReport } from './test-report.ts';

/** Tests whether agents find a skill and its sections. */
export const test = defineCommand({
  fields: {
    skills: texts(
      'Skills by name or path, or directories of skills; without any, all that are written in this project',
    ),
    against: texts('Directories with more skills that compete'),
    all: flag('Test every skill that agents see from here, and show which are confused'),
    improve: flag('Propose descriptions that win more requests; with --model, ask it for some'),
    apply: own(flag('With --improve: write the proposed descriptions')),
    write: own(flag('First add proposed cases, from the description, the headings and the access log')),
    model: own(text('Also run the cases with this model of your configuration')),
    condition: own(
      choices(
        conditions,
        'With --model: run questions and tasks only without the skill, with its stub, or with its whole text',
      ),
    ),
    runs: own(integer('With --model: runs of each case', { positive: true, max: 1000, default: 3 })),
    threshold: own({
      type: 'number',
      about: 'With --model: the share of runs that must succeed with the skill',
      min: 0,
      max: 1,
      default: 0.5,
    }),
    judge: own(text('With --model: a model that grades the assertions of tasks without a check')),
    max_calls: own(integer('With --model: stop after this many calls', { positive: true, default: 1000 })),
    max_cost: own({
      type: 'number',
      about: 'With --model: stop before a call that could cost more in total',
      positive: true,
    }),
    jobs: own(integer('With --model: runs at the same time', { positive: true, max: 64, default: 1 })),
    output: own(text('With --model: write every answer to this JSON file')),
    resume: own(flag('With --output: keep the answers that the file has')),
    dry_run: flag(
      'With --write: change nothing; with --model: send nothing, and say how many runs there are',
    ),
    author,
  },
  positionals: ['skills'],
  output: TestReport,
  effect: 'write',
  writes: ['cache'],
  belongsTo: {
    apply: ['improve'],
    dry_run: ['write', 'model'],
    condition: ['model'],
    runs: ['model'],
    threshold: ['model'],
    judge: ['model'],
    max_calls: ['model'],
    max_cost: ['model'],
    jobs: ['model'],
    output: ['model'],
    resume: ['output'],
  },
  touches: { skills: 'inspect' },
  about:
    'Requests in `evals/eval_queries.json`, `evals/trigger-evals.json` and files of many other names are judged among all skills an agent sees from here, by what a choosing model sees: names and descriptions. The skill must win those with `should_trigger: true`, and must not win the others; whole texts are searched for comparison. For questions in `evals/questions.json` a scripted agent reads from the stub on until it has the section that answers. No model is involved. `skc help evals` shows the formats.\n`--model` runs the same cases and the tasks in `evals/evals.json` with a model from your own configuration (`models.<name>`), and reports success rates with 95 % intervals, tokens, time and cost. It sends the texts of the tested skills to that model.\nThe exit code is 1 if a case fails or cannot be read, or none was run; with a model, also if a case succeeds with the skill in fewer runs than `--threshold` says, or the run is not complete. Cases with `"proposed": true` are run but do not count: remove the mark from those that are right.',
  examples: {
    'skc test': 'run the evals of every skill written in this project',
    'skc test my-skill --against ~/other-skills': 'with more competitors',
    'skc test my-skill --write --dry-run': 'see which cases it would propose',
    'skc test --all': 'see which skills are confused, and what changed since the last run',
    'skc test my-skill --improve': 'see a description that wins more requests',
    'skc test my-skill --format junit': 'for a CI system',
    'skc test my-skill --model local --runs 5 --max-calls 200': 'with a model',
  },
  async run(input, context) {
    const { chooseTested, runEvals } = await import('./run-evals.ts');
    const chosen = await chooseTested(input, context);
    const report = await runEvals(chosen, { ...input, context });
    const isEmpty = report.skills.every((skill) => hasNothingRun(skill) && skill.tasks === 0);
    if (isEmpty && !input.write) throw noEvals(input.skills, report);
    if (input.improve) {
      const { improveSkills } = await import('./improve-skills.ts');
      return { ...report, improved: await improveSkills(chosen, input, context) };
    }
    if (input.model === undefined) return report;
    const { runModelEvals } = await import('./run-model-evals.ts');
    return { ...report, model: await runModelEvals(chosen, { ...input, model: input.model }, context) };
  },
  text: testLines,
  formats: {
    junit: renderJunit,
    github: (report) => githubCommands(testFindings(report)),
    markdown: renderTestMarkdown,
  },
  failed: isTestFailed,
});

function noEvals(words: readonly string[], { skills }: TestReport): SkillwrightError {
  const what = words.length > 0 ? words.join(', ') : skills.length === 1 ? skills[0]!.name : 'this project';
  const [first] = words.length > 0 ? words : skills.map(({ path }) => path);
  const help = first === undefined ? undefined : `let skc propose some: skc test ${quoteWord(first)} --write`;
  return SkillwrightError.of('E260', { what }, { help });
}
