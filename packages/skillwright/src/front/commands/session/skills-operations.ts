// Operations of a session: skills.list, skills.search, skills.load, skills.read, skills.resources, skills.plan,
// skills.outline, skills.section, skills.findIn, skills.mentions, skills.triggers, skills.quiz, skills.answerQuiz, skills.setEnabled.

import * as z from 'zod';
import {
  FoundSections,
  type SessionCatalog,
  SkillOutline,
  SkillSection,
  sectionRequests,
  textPart,
  wireSkill,
} from '../../../host/runtime/index.ts';
import { HOOK_TYPES } from '../../../skill/format/index.ts';
import { QuizAnswer, QuizView } from '../../../skill/quiz/index.ts';
import { openWorkspace } from '../../../skill/workspace/index.ts';
import { defineOperation } from '../define-command.ts';
import { load } from '../load.ts';
import { recordsMeant, switchNamed } from '../switch-named.ts';
import {
  Directory,
  listsSkills,
  Message,
  Remark,
  readsSkill,
  SkillCatalog,
  SkillMetadata,
  SkillScope,
  wireCatalog,
  withReference,
} from './wire-shapes.ts';

const offsetField = z.int().nonnegative().optional();

/** Lists the skills of a folder. */
export const listSkills = defineOperation({
  input: z.strictObject({
    cwd: Directory.optional().describe('Another directory; it is trusted if it is inside the trusted folder'),
    force_reload: z.boolean().default(false).describe('Read configuration and skills from disk again'),
  }),
  output: SkillCatalog,
  ...listsSkills,
  writes: ['cache'],
  async run({ cwd, force_reload }, connection) {
    const session = await connection.session(cwd);
    return wireCatalog(await session.catalog({ reload: force_reload }));
  },
});

/** Finds skills for a model. */
export const searchSkills = defineOperation({
  input: z.strictObject({
    query: z.string(),
    limit: z
      .int()
      .positive()
      .optional()
      .describe(
        'Maximum number of results; search.default_limit and search.max_limit set the default and the upper limit',
      ),
    scope: SkillScope.optional(),
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
  async run({ query, limit, scope }, connection) {
    const session = await connection.session();
    const answer = await session.search({ query, scope, limit });
    const results = answer.results.map(({ skill, ...hit }) => ({ ...hit, skill: wireSkill(skill) }));
    return { ...answer, results };
  },
});

/** Returns the text of a skill, or its stub, once; then reminders. */
export const loadSkill = defineOperation({
  input: withReference({
    offset: offsetField.describe(
      'Bytes to skip in a long body: next_offset of the previous part; 0 for the text of a skill that came as a stub',
    ),
  }),
  output: load.output.extend({
    text: z.string().describe('Text for the model'),
    quiz: QuizView.optional().describe('With status quiz: the quiz to pass first'),
    diagnostics: z.array(Remark),
  }),
  ...readsSkill,
  run: async ({ offset, ...reference }, connection) =>
    (await connection.session()).load(reference, { offset }),
});

/** Returns a text file. */
export const readSkillFile = defineOperation({
  input: withReference({
    file: z
      .string()
      .min(1)
      .describe('Path relative to the skill, or as listed by skills.load; a directory returns its files'),
    offset: offsetField.describe('Bytes to skip: 0, or next_offset of the previous part'),
    limit: z.int().positive().optional().describe('Maximum number of bytes; the server may return fewer'),
  }),
  output: z.strictObject({
    path: z.string(),
    kind: z.enum(['file', 'directory']).describe('For a directory, content lists the paths of its files'),
    ...textPart,
  }),
  ...readsSkill,
  run: async (request, connection) => (await connection.session()).readResource(request),
});

/** Lists the files that skills.read reads. */
export const listResources = defineOperation({
  input: withReference({
    directory: z.string().optional().describe('List only this directory of the skill'),
    limit: z.int().positive().optional().describe('Maximum number of files; default 1,000'),
  }),
  output: z.strictObject({
    files: z.array(z.string()).describe('Paths relative to the skill'),
    total: z.int(),
    truncated: z.boolean(),
  }),
  ...readsSkill,
  async run({ directory, limit, ...reference }, connection) {
    const session = await connection.session();
    return session.listResources(reference, {
      ...(directory === undefined ? {} : { directory }),
      ...(limit === undefined ? {} : { limit }),
    });
  },
});

const remarks = { diagnostics: z.array(Remark) };

/** Lists the headings of a skill. */
export const outlineSkill = defineOperation({
  input: withReference(sectionRequests.outline),
  output: SkillOutline.extend(remarks),
  ...readsSkill,
  writes: ['cache'],
  run: async (request, connection) => (await connection.session()).outline(request),
});

/** Returns one section. */
export const showSection = defineOperation({
  input: withReference(sectionRequests.section),
  output: SkillSection.extend(remarks),
  ...readsSkill,
  writes: ['cache'],
  run: async (request, connection) => (await connection.session()).section(request),
});

/** Searches inside a skill. */
export const findInSkill = defineOperation({
  input: withReference(sectionRequests.findIn),
  output: FoundSections.extend(remarks),
  ...readsSkill,
  writes: ['cache'],
  run: async (request, connection) => (await connection.session()).findIn(request),
});

/** A hook as the skill defines it; further fields depend on its type. */
const Handler = z.looseObject({ type: z.enum(HOOK_TYPES) });

/** Returns the plan; runs nothing. */
export const planSkill = defineOperation({
  input: withReference({
    arguments: z
      .union([z.string(), z.array(z.string())])
      .default('')
      .describe('Arguments as typed, or split into words'),
    offset: offsetField.describe('Bytes to skip in a long text: next_offset of the previous part'),
    by: z.enum(['user', 'model']).default('user').describe('Who invokes the skill'),
  }),
  output: z.strictObject({
    skill: z.strictObject({ id: z.string(), name: z.string(), path: z.string(), dir: z.string() }),
    body: z.string().describe('Text for the model with the arguments filled in'),
    next_offset: z
      .int()
      .nullable()
      .describe('Plan again with this offset for the next part; null at the end'),
    arguments: z.array(z.string()),
    mode: z.enum(['inline', 'fork']).describe('fork: run in a separate conversation'),
    agent: z.string().nullable().describe('Kind of agent for a fork'),
    agent_type: z
      .strictObject({
        type: z.string(),
        model: z.string().nullable(),
        tools: z.enum(['read-only', 'terminal', 'all']),
        use: z.string(),
      })
      .nullable()
      .describe('Definition of that kind of agent; null for an agent the user defined'),
    is_mode: z.boolean().describe('Whether it is a mode, which stays on afterwards'),
    model: z.string().nullable().describe('Model to use; null for the model of the conversation'),
    effort: z.string().nullable(),
    background: z.boolean(),
    allowed_tools: z.array(z.string()),
    disallowed_tools: z.array(z.string()),
    hooks: z.array(z.strictObject({ event: z.string(), matcher: z.string().nullable(), handler: Handler })),
    files: z.strictObject({
      entries: z.array(z.strictObject({ path: z.string(), files: z.int() })),
      total: z.int(),
      missing: z.int(),
      truncated: z.boolean(),
    }),
    quiz: QuizView.nullable().describe('Quiz to pass first; the body is then its text'),
    dynamic: z
      .array(
        z.strictObject({
          source: z.string().describe('The command as the author wrote it'),
          command: z.string().describe('Command for a shell; arguments are variables in it'),
          env: z.record(z.string(), z.string()).describe('Variables the command refers to'),
          written: z.string(),
          line: z.int(),
          literal: z.array(z.string()).describe('Placeholders left as written'),
          refused: z.string().nullable().describe('Why it must not run with these arguments'),
        }),
      )
      .describe('Commands in the body; this method never runs them'),
    diagnostics: z.array(Remark),
  }),
  effect: 'read',
  writes: [],
  touches: { skill: 'name', operation: 'invoke' },
  async run({ arguments: args, by, offset, ...reference }, connection) {
    const plan = await (await connection.session()).plan(reference, args, { by, offset });
    const { allowedTools, disallowedTools, agentType, isMode, issues: _, ...rest } = plan;
    return {
      ...rest,
      agent_type: agentType,
      is_mode: isMode,
      allowed_tools: allowedTools,
      disallowed_tools: disallowedTools,
    };
  },
});

/** Finds mentions. */
export const findMentions = defineOperation({
  input: z.strictObject({ text: Message }),
  output: z.strictObject({
    mentions: z.array(
      z.strictObject({
        text: z.string().describe('The mention as written'),
        start: z.int().describe('Offset in the message, in UTF-16 code units'),
        end: z.int(),
        name: z.string(),
        skill: SkillMetadata.nullable().describe(
          'Null when the name is ambiguous or the skill may not be used',
        ),
        problem: z.enum(['ambiguous', 'denied', 'model-only', 'unavailable', 'not-in-catalog']).nullable(),
        candidates: z.array(z.string()).describe('Paths of the skills when the name is ambiguous'),
      }),
    ),
  }),
  ...listsSkills,
  async run({ text }, connection) {
    const mentions = await (await connection.session()).mentions(text);
    return {
      mentions: mentions.map(({ skill, ...rest }) => ({
        ...rest,
        skill: skill === null ? null : wireSkill(skill),
      })),
    };
  },
});

/** Suggests skills. */
export const findTriggers = defineOperation({
  input: z.strictObject({ text: Message }),
  output: z.strictObject({
    matches: z.array(
      z.strictObject({
        skill: SkillMetadata,
        score: z.number().describe('From 0 to 1'),
        reasons: z.array(
          z.strictObject({
            kind: z.enum(['name', 'keyword', 'verb', 'pattern', 'description']),
            value: z.string().describe('The trigger, or a word of the description'),
            matched: z.string().describe('The part of the message that matched'),
          }),
        ),
      }),
    ),
  }),
  ...listsSkills,
  async run({ text }, connection) {
    const matches = await (await connection.session()).triggers(text);
    return { matches: matches.map(({ skill, ...rest }) => ({ ...rest, skill: wireSkill(skill) })) };
  },
});

/** Returns the questions. */
export const showQuiz = defineOperation({
  input: withReference({}),
  output: QuizView,
  ...readsSkill,
  run: async (reference, connection) => (await connection.session()).quiz(reference),
});

/** Grades answers. */
export const answerQuiz = defineOperation({
  input: withReference({
    choices: z
      .array(z.strictObject({ question: z.int(), options: z.array(z.int()).max(1000) }))
      .min(1)
      .max(1000)
      .describe('Question and option numbers as returned by skills.quiz'),
  }),
  output: z.strictObject({ answers: z.array(QuizAnswer), quiz: QuizView }),
  effect: 'write',
  writes: [],
  touches: { skill: 'name', operation: 'read' },
  run: async ({ choices, ...reference }, connection) =>
    (await connection.session()).answerQuiz(reference, choices),
});

/** Turns skills on or off. Unknown names are stored too, and listed in the result. */
export const setEnabled = defineOperation({
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
  }),
  effect: 'write',
  writes: ['state'],
  touches: { skills: 'list' },
  async run({ names, enabled, scope }, connection) {
    const { cwd, trust } = connection.open();
    const { home, env } = connection.surroundings;
    const workspace = await openWorkspace({ cwd, home, env, trust });
    const own = await connection.session();
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
    return {
      scope: done.scope === 'project' ? ('repo' as const) : done.scope,
      path: done.path,
      changed: done.changed,
      still_disabled: done.stillDisabled,
      unknown: names.filter((name) => recordsMeant(everything, name).length === 0),
    };
  },
});

const allOf = ({ skills, hidden }: SessionCatalog) => ({
  skills: [...skills, ...hidden.map(({ skill }) => skill)],
});
