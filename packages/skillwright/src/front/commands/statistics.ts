// The result of `skc stats`, for one skill and for all.

import * as z from 'zod';
import { usageRows } from '../../read/usage/index.ts';

const { summary, ...lists } = usageRows;
const { sections, files, commands, projects, errors, search, quiz, days } = lists;
const list = z.union([
  z.array(sections),
  z.array(files),
  z.array(commands),
  z.array(projects),
  z.array(errors),
  z.array(search),
  z.array(quiz),
  z.array(days),
]);

const named = { skill: z.string(), skill_path: z.string() };

/** What `--prune` did to one log. */
const Pruned = z.strictObject({ removed: z.number().int(), kept: z.number().int() });

/** A skill of the ranking. */
const RankedSkill = z.strictObject({
  ...named,
  ...summary.shape,
  last_access: z.string().nullable(),
});

/** The rows of one skill among all. */
const SkillRows = z.strictObject({ ...named, data: list });

const PrunedSkill = z.strictObject({ ...named, ...Pruned.shape });

/** What is told, by the way it was added up. */
export const StatisticsData = z.union([
  summary,
  list,
  Pruned,
  z.array(RankedSkill),
  z.array(SkillRows),
  z.array(PrunedSkill),
]);

/** The result of the command. */
export const Statistics = z.object({
  skill: z.string().nullable().describe('Null for all skills'),
  skill_path: z.string().nullable(),
  query: z.string().describe('The group, or prune'),
  filters: z.object({
    since: z.string().nullable(),
    until: z.string().nullable(),
    projects: z.array(z.string()),
  }),
  period: z
    .object({ start: z.string().nullable(), end: z.string().nullable() })
    .describe('First and last access that was counted'),
  data: StatisticsData.describe('The summary or the rows of the group; for all skills, one entry each'),
});

export type StatisticsData = z.output<typeof StatisticsData>;
export type Statistics = z.output<typeof Statistics>;
export type RankedSkill = z.output<typeof RankedSkill>;
export type SkillRows = z.output<typeof SkillRows>;
export type Pruned = z.output<typeof Pruned>;
export type PrunedSkill = z.output<typeof PrunedSkill>;
