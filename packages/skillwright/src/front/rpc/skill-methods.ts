// Methods about the skills themselves. Params of search, load and read may come from a model as they are.

import * as z from 'zod';
import { foldText } from '../../base/markdown/index.ts';
import { wireSkill } from '../../host/runtime/index.ts';
import { DEFAULT_SEARCH_LIMIT, MAX_SEARCH_LIMIT, setSkillEnabled } from '../../read/catalog/index.ts';
import { QuizView } from '../../skill/quiz/index.ts';
import { defineMethod } from './define-method.ts';
import {
  Directory,
  Remark,
  SkillCatalog,
  SkillMetadata,
  SkillScope,
  wireCatalog,
  withReference,
} from './wire-shapes.ts';

/** `skills.list` */
export const listSkills = defineMethod({
  summary: 'List the skills seen from the folder, or from another directory',
  params: z.strictObject({
    cwd: Directory.optional().describe('Trusted when it lies in the folder and that is trusted'),
    force_reload: z.boolean().default(false).describe('Look at configuration and disk again'),
  }),
  result: SkillCatalog,
  async run({ cwd, force_reload }, connection) {
    const session = await connection.session(cwd);
    return wireCatalog(await session.catalog({ reload: force_reload }));
  },
});

/** `skills.search` */
export const searchSkills = defineMethod({
  summary: 'Find skills by what they are for',
  params: z.strictObject({
    query: z.string(),
    limit: z
      .int()
      .positive()
      .default(DEFAULT_SEARCH_LIMIT)
      .describe(`More than ${MAX_SEARCH_LIMIT} means ${MAX_SEARCH_LIMIT}`),
    scope: SkillScope.optional(),
  }),
  result: z.strictObject({
    results: z.array(
      z.strictObject({
        skill: SkillMetadata,
        score: z.number(),
        reason: z.enum(['exact_name', 'exact_path', 'prefix', 'token_overlap']),
      }),
    ),
    count: z.int(),
    truncated: z.boolean().describe('Whether there may be more'),
  }),
  async run({ query, limit, scope }, connection) {
    const session = await connection.session();
    const wanted = Math.min(limit, MAX_SEARCH_LIMIT);
    const found = await session.search({ query, scope, limit: wanted + 1 });
    const results = found
      .slice(0, wanted)
      .map(({ skill, score, reason }) => ({ skill: wireSkill(skill), score, reason }));
    // The most that can be asked for leaves no room for one more that would tell.
    const truncated = found.length > wanted || found.length === MAX_SEARCH_LIMIT;
    return { results, count: results.length, truncated };
  },
});

/** `skills.load` */
export const loadSkill = defineMethod({
  summary: 'Get the text of a skill for the model, or a reminder when it has that already',
  params: withReference({}),
  result: z.strictObject({
    status: z.enum(['loaded', 'already-loaded', 'quiz']),
    text: z.string().describe('For the model'),
    truncated: z.boolean(),
    metadata: z.strictObject({
      skill_id: z.string(),
      name: z.string(),
      path: z.string(),
      dir: z.string(),
      mtime_ms: z.number(),
    }),
    quiz: QuizView.optional().describe('With status quiz: what has to be passed first'),
    diagnostics: z.array(Remark),
  }),
  async run(reference, connection) {
    const { quiz, ...result } = await (await connection.session()).load(reference);
    return quiz === undefined ? result : { ...result, quiz };
  },
});

/** `skills.read` */
export const readSkillFile = defineMethod({
  summary: 'Read a text file of a skill',
  params: withReference({
    resource: z.string().min(1).describe('Relative to the skill, or a path that loading listed'),
  }),
  result: z.strictObject({ path: z.string(), content: z.string(), truncated: z.boolean() }),
  async run({ resource, ...reference }, connection) {
    return (await connection.session()).readResource(reference, resource);
  },
});

/** `skills.setEnabled` */
export const setEnabled = defineMethod({
  summary: 'Switch skills on or off, for every program and until it is changed again',
  params: z.strictObject({
    names: z.array(z.string().min(1).max(256)).min(1).max(1000),
    enabled: z.boolean(),
    scope: z
      .enum(['repo', 'user'])
      .optional()
      .describe('Default: repo in a trusted folder that has a .skillc directory, else user'),
  }),
  result: z.strictObject({
    scope: z.enum(['repo', 'user']),
    path: z.string().describe('The file that holds it'),
    changed: z.array(z.string()).describe('Names that were not so before'),
    still_disabled: z.array(z.string()).describe('Names that the other scope keeps off'),
    unknown: z.array(z.string()).describe('Names that no skill has here'),
  }),
  async run({ names, enabled, scope }, connection) {
    const { cwd, trust } = connection.open();
    const { home, env } = connection.surroundings;
    // What nobody vouches for is not written to unless that was asked for.
    const where = scope === 'repo' ? 'project' : (scope ?? (trust ? undefined : 'user'));
    const switched = setSkillEnabled(names, enabled, {
      cwd,
      home,
      env,
      ...(where === undefined ? {} : { scope: where }),
    });
    const own = await connection.session();
    // What was off when a catalog was read stays off in it.
    const reload = enabled && switched.changed.length > 0;
    const sessions = [...(await connection.sessions()).values()];
    if (reload) await Promise.all(sessions.map((session) => session.catalog({ reload })));
    const { skills, hidden } = await own.catalog();
    const known = new Set([...skills, ...hidden.map(({ skill }) => skill)].map(({ name }) => foldText(name)));
    const written: 'repo' | 'user' = switched.scope === 'project' ? 'repo' : 'user';
    return {
      scope: written,
      path: switched.path,
      changed: switched.changed,
      still_disabled: switched.stillDisabled,
      unknown: names.filter((name) => !known.has(foldText(name))),
    };
  },
});
