// Methods about skills: listing, finding, reading and switching them, their quizzes and their plans.

import * as z from 'zod';
import {
  FoundSections,
  InvocationPlan,
  LoadResult,
  Mention,
  ResourceList,
  SkillMetadata,
  SkillOutline,
  SkillResource,
  SkillSection,
  TriggerMatch,
  WireScope,
} from '../../../host/answers/index.ts';
import {
  resourceFields,
  type SessionCatalog,
  sectionRequests,
  wireSkill,
} from '../../../host/runtime/index.ts';
import { Settled } from '../../../ship/results/index.ts';
import { QuizAnswer, QuizView } from '../../../skill/quiz/index.ts';
import { openWorkspace } from '../../../skill/workspace/index.ts';
import { settleSwitched } from '../settle.ts';
import { recordsMeant, switchNamed } from '../switch-named.ts';
import {
  Directory,
  listsSkills,
  Message,
  method,
  onConnection,
  readsSkill,
  SkillCatalog,
  wireCatalog,
  withReference,
} from './method.ts';

const offsetField = z.int().nonnegative().optional();

/** The methods, in the order a client meets them. */
export const skillMethods = {
  'skills.list': onConnection({
    summary: 'List the skills visible from the folder, or from another directory',
    input: z.strictObject({
      cwd: Directory.optional().describe(
        'Another directory; it is trusted if it is inside the trusted folder',
      ),
      force_reload: z.boolean().default(false).describe('Read configuration and skills from disk again'),
    }),
    output: SkillCatalog,
    ...listsSkills,
    writes: ['cache'],
    run: async ({ cwd, force_reload }, connection) =>
      wireCatalog(await (await connection.session(cwd)).catalog({ reload: force_reload })),
  }),
  'skills.search': method({
    summary: 'Find skills by purpose',
    input: z.strictObject({
      query: z.string(),
      limit: z
        .int()
        .positive()
        .optional()
        .describe(
          'Maximum number of results; search.default_limit and search.max_limit set the default and the upper limit',
        ),
      scope: WireScope.optional(),
    }),
    output: z.strictObject({
      results: z.array(
        z.strictObject({
          skill: SkillMetadata,
          score: z.number(),
          reason: z.enum(['exact_name', 'exact_path', 'prefix', 'token_overlap']),
        }),
      ),
      count: z.int().describe('Number of results returned'),
      truncated: z.boolean().describe('Whether more skills match'),
      incomplete: z.boolean().describe('Whether a limit cut discovery short, so that skills may be missing'),
      corrected: z
        .string()
        .optional()
        .describe('The query that was searched instead, when no skill contains the words of yours'),
    }),
    ...listsSkills,
    writes: ['cache'],
    async answer({ query, limit, scope }, session) {
      const answer = await session.search({ query, scope, limit });
      const results = answer.results.map(({ skill, ...hit }) => ({ ...hit, skill: wireSkill(skill) }));
      return { ...answer, results };
    },
  }),
  'skills.load': method({
    summary: 'Get the text or the stub of a skill for the model, or a reminder if it already has it',
    input: withReference({
      offset: offsetField.describe(
        'Bytes to skip in a long body: next_offset of the previous part; 0 for the text of a skill that came as a stub',
      ),
    }),
    output: LoadResult,
    ...readsSkill,
    answer: ({ offset, ...reference }, session) => session.load(reference, { offset }),
  }),
  'skills.read': method({
    summary: 'Read a text file of a skill',
    input: withReference(resourceFields),
    output: SkillResource,
    ...readsSkill,
    answer: (request, session) => session.readResource(request),
  }),
  'skills.resources': method({
    summary: 'List the files of a skill, or of one directory of it',
    input: withReference({
      directory: z.string().optional().describe('List only this directory of the skill'),
      limit: z.int().positive().optional().describe('Maximum number of files; default 1,000'),
    }),
    output: ResourceList,
    ...readsSkill,
    answer: ({ directory, limit, ...reference }, session) =>
      session.listResources(reference, { directory, limit }),
  }),
  'skills.outline': method({
    summary: 'List the headings of a skill',
    input: withReference(sectionRequests.outline),
    output: SkillOutline,
    ...readsSkill,
    writes: ['cache'],
    answer: (request, session) => session.outline(request),
  }),
  'skills.section': method({
    summary: 'Read one section of a skill',
    input: withReference(sectionRequests.section),
    output: SkillSection,
    ...readsSkill,
    writes: ['cache'],
    answer: (request, session) => session.section(request),
  }),
  'skills.findIn': method({
    summary: 'Search inside a skill',
    input: withReference(sectionRequests.findIn),
    output: FoundSections,
    ...readsSkill,
    writes: ['cache'],
    answer: (request, session) => session.findIn(request),
  }),
  'skills.plan': method({
    summary: 'Get everything needed to invoke a skill with arguments',
    input: withReference({
      arguments: z
        .union([z.string(), z.array(z.string())])
        .default('')
        .describe('Arguments as typed, or split into words'),
      offset: offsetField.describe('Bytes to skip in a long text: next_offset of the previous part'),
      by: z.enum(['user', 'model']).default('user').describe('Who invokes the skill'),
    }),
    output: InvocationPlan,
    writes: [],
    touches: { skill: 'name', operation: 'invoke' },
    async answer({ arguments: args, by, offset, ...reference }, session) {
      const plan = await session.plan(reference, args, { by, offset });
      const { allowedTools, disallowedTools, agentType, isMode, issues: _, ...rest } = plan;
      return {
        ...rest,
        agent_type: agentType,
        is_mode: isMode,
        allowed_tools: allowedTools,
        disallowed_tools: disallowedTools,
      };
    },
  }),
  'skills.mentions': method({
    summary: 'Find the skills a user message names, as $name, as a link or by path',
    input: z.strictObject({ text: Message }),
    output: z.strictObject({ mentions: z.array(Mention) }),
    ...listsSkills,
    answer: async ({ text }, session) => ({
      mentions: (await session.mentions(text)).map(({ skill, ...rest }) => ({
        ...rest,
        skill: skill && wireSkill(skill),
      })),
    }),
  }),
  'skills.triggers': method({
    summary: 'Suggest skills for a message by their triggers and purpose',
    input: z.strictObject({ text: Message }),
    output: z.strictObject({ matches: z.array(TriggerMatch) }),
    ...listsSkills,
    answer: async ({ text }, session) => ({
      matches: (await session.triggers(text)).map(({ skill, ...rest }) => ({
        ...rest,
        skill: wireSkill(skill),
      })),
    }),
  }),
  'skills.quiz': method({
    summary: 'Get the quizzes of a skill and their state',
    input: withReference({}),
    output: QuizView,
    ...readsSkill,
    answer: (reference, session) => session.quiz(reference),
  }),
  'skills.answerQuiz': method({
    summary: 'Answer questions of a quiz, all of them or none',
    input: withReference({
      choices: z
        .array(z.strictObject({ question: z.int(), options: z.array(z.int()).max(1000) }))
        .min(1)
        .max(1000)
        .describe('Question and option numbers as returned by skills.quiz'),
    }),
    output: z.strictObject({ answers: z.array(QuizAnswer), quiz: QuizView }),
    writes: [],
    touches: { skill: 'name', operation: 'read' },
    answer: ({ choices, ...reference }, session) => session.answerQuiz(reference, choices),
  }),
  'skills.setEnabled': method({
    summary: 'Switch skills on or off permanently, for every program',
    input: z.strictObject({
      names: z.array(z.string().min(1).max(256)).min(1).max(1000),
      enabled: z.boolean(),
      scope: z
        .enum(['repo', 'user'])
        .optional()
        .describe('Default: repo in a trusted folder with a .skillc directory, otherwise user'),
    }),
    output: z.strictObject({
      scope: z.enum(['repo', 'user']),
      path: z.string().describe('File that stores the setting'),
      changed: z.array(z.string()).describe('Names that changed'),
      still_disabled: z.array(z.string()).describe('Names that the other scope keeps disabled'),
      unknown: z.array(z.string()).describe('Names that match no skill here'),
      settled: z
        .array(Settled)
        .optional()
        .describe('Changes to directories of agents, in a trusted folder; absent without any'),
    }),
    writes: ['state', 'runtime directories', 'agent directories'],
    touches: { skills: 'list' },
    async answer({ names, enabled, scope }, own, connection) {
      const { cwd, trust } = connection.open();
      const { home, env } = connection.surroundings;
      const workspace = await openWorkspace({ cwd, home, env, trust });
      const done = switchNamed(
        {
          names,
          enabled,
          // Write into an untrusted folder only at the client's request.
          scope: scope === 'repo' ? 'project' : (scope ?? (trust ? undefined : 'user')),
          unknown: true,
        },
        allOf(await own.catalog()),
        workspace,
      );
      // A catalog keeps skills disabled that were so when it was read.
      const reload = enabled && done.changed.length > 0;
      const sessions = [...(await connection.sessions()).values()];
      if (reload) await Promise.all(sessions.map((session) => session.catalog({ reload })));
      const everything = allOf(await own.catalog());
      const switched = names.flatMap((name) => recordsMeant(everything, name)).map(({ name }) => name);
      const settled = trust ? await settleSwitched(switched, { workspace, now: () => new Date() }) : [];
      return {
        scope: done.scope === 'project' ? ('repo' as const) : done.scope,
        path: done.path,
        changed: done.changed,
        still_disabled: done.stillDisabled,
        unknown: names.filter((name) => recordsMeant(everything, name).length === 0),
        ...(settled.length === 0 ? {} : { settled }),
      };
    },
  }),
};

const allOf = ({ skills, hidden }: SessionCatalog) => ({
  skills: [...skills, ...hidden.map(({ skill }) => skill)],
});
