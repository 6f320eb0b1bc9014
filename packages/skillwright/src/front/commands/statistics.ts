// The result of `skc stats`, for one skill and for all.

import * as z from 'zod';
import { usageRows } from '../../read/usage/index.ts';

// Schemas are made on demand: only help and docs need them.
const usageList = () =>
  z.union([
    z.array(usageRows.sections),
    z.array(usageRows.files),
    z.array(usageRows.commands),
    z.array(usageRows.projects),
    z.array(usageRows.errors),
    z.array(usageRows.search),
    z.array(usageRows.quiz),
    z.array(usageRows.run),
    z.array(usageRows.days),
  ]);

const skillName = () => ({ skill: z.string(), skill_path: z.string() });

/** Result of `--prune` for one log. */
const pruned = () => z.strictObject({ removed: z.number().int(), kept: z.number().int() });

/** A skill of the ranking. */
const rankedRow = () =>
  z.strictObject({
    ...skillName(),
    ...usageRows.summary.shape,
    last_access: z.string().nullable(),
  });

/** The rows of one skill, in a result over all skills. */
const skillRows = () => z.strictObject({ ...skillName(), data: usageList() });

const prunedRow = () => z.strictObject({ ...skillName(), ...pruned().shape });

/** Rows by group. */
const statisticsData = () =>
  z.union([
    usageRows.summary,
    usageList(),
    pruned(),
    z.array(rankedRow()),
    z.array(skillRows()),
    z.array(prunedRow()),
  ]);

/** The result of the command. */
export const statistics = () =>
  z.object({
    skill: z.string().nullable().describe('Null for all skills'),
    skill_path: z.string().nullable(),
    query: z.string().describe('The group, or prune'),
    filters: z.object({
      since: z.string().nullable(),
      until: z.string().nullable(),
      projects: z.array(z.string()),
      without_author: z.literal(true).optional(),
    }),
    period: z
      .object({ start: z.string().nullable(), end: z.string().nullable() })
      .describe('First and last access counted'),
    left_out: z.number().int().optional().describe('Rows left out by the limit'),
    data: statisticsData().describe('The summary or the rows of the group; for all skills, one entry each'),
  });

export type StatisticsData = z.output<ReturnType<typeof statisticsData>>;
export type Statistics = z.output<ReturnType<typeof statistics>>;
export type RankedRow = z.output<ReturnType<typeof rankedRow>>;
export type SkillRows = z.output<ReturnType<typeof skillRows>>;
export type Pruned = z.output<ReturnType<typeof pruned>>;
export type PrunedRow = z.output<ReturnType<typeof prunedRow>>;
