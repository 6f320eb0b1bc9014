// skc test: runs the evals of skills.

import { resolve } from 'node:path';
import * as z from 'zod';
import { diagnose, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { JudgedQuestion } from '../../make/evals/index.ts';
import { loadCatalog, type SkillCatalog, type SkillRecord } from '../../read/catalog/index.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand } from './define-command.ts';
import { renderJunit, renderMarkdown, renderTest } from './render-test.ts';

const Word = z.object({
  word: z.string(),
  field: z
    .enum(['name', 'description', 'tags', 'heading', 'body'])
    .nullable()
    .describe('Where the skill has it'),
});

const Query = z.object({
  query: z.string(),
  source: z.string().describe('The file of the case'),
  position: z.number().int().describe('Its place in the file, from 1'),
  should_trigger: z.boolean(),
  passed: z.boolean(),
  rank: z
    .number()
    .int()
    .nullable()
    .describe('Place of the skill in the results; null when it is not among them'),
  score: z.number(),
  rivals: z.array(z.object({ skill: z.string(), score: z.number(), words: z.array(Word) })),
  why: z.string().describe('Why it failed'),
});

const Place = z.object({ file: z.string(), section: z.string() });

const Question = z.object({
  question: z.string(),
  source: z.string(),
  position: z.number().int(),
  section: z.string().describe('The section that answers'),
  file: z.string().nullable(),
  passed: z.boolean(),
  rank: z.number().int().nullable().describe('Place of the section in a search for the question'),
  tokens: z
    .number()
    .int()
    .nullable()
    .describe('Tokens an agent with the stub reads until it has the section'),
  first: z.array(Place).describe('Best results of that search'),
  why: z.string(),
});

/** Result of a test run. */
export const TestReport = z.object({
  skills: z.array(
    z.object({
      name: z.string(),
      path: z.string(),
      queries: z.array(Query),
      questions: z.array(Question),
      tasks: z.number().int().describe('Tasks for a model, which were not run'),
      problems: z.array(z.string()).describe('Cases that cannot be used'),
    }),
  ),
  rivals: z.number().int().describe('Skills that competed for the requests'),
  passed: z.number().int(),
  failed: z.number().int(),
});
export type TestReport = z.output<typeof TestReport>;

/** Tests whether agents find a skill and its sections. */
export const test = defineCommand({
  input: z.strictObject({
    skills: z
      .array(z.string())
      .default([])
      .describe('Skills by name or path; without any, all of the project with evals'),
    against: z.array(z.string()).default([]).describe('Directories with more skills that compete'),
  }),
  positionals: ['skills'],
  output: TestReport,
  effect: 'read',
  writes: ['cache'],
  touches: { skills: 'inspect' },
  about:
    'Requests in `eval_queries.json` or `evals/eval_queries.json` are searched among all skills an agent sees from here: the skill must win those with `should_trigger: true`, and must not win the others. For questions in `evals/questions.json` a scripted agent reads from the stub on until it has the section that answers.',
  examples: [
    { line: 'skc test', note: 'run the evals of every skill in the project' },
    { line: 'skc test my-skill --against ~/other-skills', note: 'with more competitors' },
    { line: 'skc test my-skill --format junit', note: 'for a CI system' },
  ],
  async run(input, context) {
    const { judgeQueries, judgeQuestion, readEvals } = await import('../../make/evals/index.ts');
    const { catalog, tested, accept } = await chooseSkills(input, context);
    const skills = [];
    for (const skill of tested) {
      const evals = readEvals(skill.dir);
      const questions: JudgedQuestion[] = [];
      if (evals.questions.length > 0) {
        const { withStubWorld } = await import('./stub-world.ts');
        await withStubWorld(skill, context, async (world) => {
          for (const question of evals.questions) {
            context.progress(`${skill.name}: question ${question.position} of ${evals.questions.length}`);
            questions.push(await judgeQuestion(question, world));
          }
        });
      }
      skills.push({
        name: skill.name,
        path: skill.path,
        queries: judgeQueries(skill, evals.queries, { catalog, accept }),
        questions,
        tasks: evals.tasks.length,
        problems: evals.diagnostics.map(({ message }) => message),
      });
    }
    const cases = skills.flatMap(({ queries, questions }) => [...queries, ...questions]);
    const tasks = skills.reduce((sum, skill) => sum + skill.tasks, 0);
    if (cases.length + tasks === 0) throw noEvals(input.skills, tested);
    const passed = cases.filter((one) => one.passed).length;
    return { skills, rivals: catalog.skills.filter(accept).length, passed, failed: cases.length - passed };
  },
  text: renderTest,
  formats: { junit: renderJunit, markdown: renderMarkdown },
  failed: ({ failed, skills }) => failed > 0 || skills.some(({ problems }) => problems.length > 0),
});

/** The skills to test, the catalog they compete in, and who may win. */
async function chooseSkills(
  { skills: words, against }: { readonly skills: readonly string[]; readonly against: readonly string[] },
  { access, workspace, report }: CommandContext,
): Promise<{ catalog: SkillCatalog; tested: SkillRecord[]; accept: (skill: SkillRecord) => boolean }> {
  const named = await Promise.all(words.map((word) => access.open(word, { operation: 'inspect' })));
  const extra = [
    ...against.map((path) => resolve(workspace.cwd, path)),
    // A skill outside every root competes, too.
    ...named.map(({ dir }) => dir),
  ];
  const catalog =
    extra.length === 0
      ? await access.catalog({ fresh: true })
      : await loadCatalog(workspace, {
          roots: extra.map((path) => ({ path, scope: 'project' as const })),
          cache: false,
        });
  if (catalog.truncated)
    report(diagnose('W007', { root: workspace.cwd, why: 'the search for skills stopped early' }));
  const { visible } = await access.view(catalog);
  const seen = new Set(visible.skills);
  const accept = (skill: SkillRecord) => seen.has(skill) && skill.enabled && skill.available;
  const tested =
    words.length === 0
      ? visible.skills.filter(({ scope }) => scope === 'project')
      : named.map(({ dir, word }) => {
          const record = catalog.skills.find((skill) => skill.dir === dir);
          if (record === undefined) throw SkillwrightError.of('E001', { skill: word });
          return record;
        });
  return { catalog, tested, accept };
}

function noEvals(words: readonly string[], tested: readonly SkillRecord[]): SkillwrightError {
  const what = words.length > 0 ? words.join(', ') : tested.length === 1 ? tested[0]!.name : 'this project';
  return SkillwrightError.of('E260', { what });
}
