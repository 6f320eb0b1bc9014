// The ways in which accesses are added up, and what each gives.

import * as z from 'zod';
import { SkillwrightError } from '../../base/diagnostics/index.ts';

const count = z.number().int();

/** What one row is, by group; `summary` has a single one. */
export const usageRows = {
  summary: z.strictObject({
    total_accesses: count,
    unique_sections: count.describe('Different sections that were read'),
    unique_files: count.describe('Different files that were read, whole or in part'),
    error_count: count,
    tokens_served: count.describe('What the answers cost a model, estimated'),
    tokens_saved: count.describe('What loading the whole skill at each access would have cost more'),
  }),
  sections: z.strictObject({ file: z.string(), section: z.string(), count }),
  files: z.strictObject({ file: z.string(), count }),
  commands: z.strictObject({
    command: z.string(),
    count,
    error_count: count,
    tokens_served: count,
    duration_ms: z.number().describe('Mean'),
  }),
  projects: z.strictObject({
    project: z.string().describe('Working directory'),
    count,
    error_count: count,
    tokens_served: count,
    last_access: z.string(),
  }),
  errors: z.strictObject({
    error: z.string(),
    command: z.string(),
    subject: z.string().nullable().describe('The section, file, directory or query that was asked for'),
    count,
    last_access: z.string(),
  }),
  search: z.strictObject({
    query: z.string(),
    count,
    zero_results: count.describe('How often it found nothing'),
    last_access: z.string(),
  }),
  quiz: z.strictObject({
    question: count.describe('Its number in the skill'),
    text: z.string().nullable().describe('The question as it is now; null when there is none of this number'),
    asked: count.describe('How often it was answered'),
    failed: count.describe('How often the answer was wrong'),
    rate: z.number().describe('Per cent of the answers that were wrong'),
    attempts: count.describe('Attempts at its quiz that were finished'),
    passes: count.describe('Attempts at its quiz that were passed'),
  }),
  days: z.strictObject({
    day: z.string().describe('In UTC'),
    count,
    error_count: count,
    tokens_served: count,
  }),
} as const;

/** A way of adding up. */
export type UsageGroup = keyof typeof usageRows;

/** A row of a group. */
export type UsageRow<Group extends UsageGroup> = z.output<(typeof usageRows)[Group]>;

/** What a group gives: one row for the summary, a list for the others. */
export type UsageData<Group extends UsageGroup = UsageGroup> = {
  [G in Group]: G extends 'summary' ? UsageRow<G> : UsageRow<G>[];
}[Group];

/** Every group, in the order help shows them. */
export const usageGroups = Object.keys(usageRows) as UsageGroup[];

/** The group of this name; E030 when there is none. */
export function readUsageGroup(name: string): UsageGroup {
  const group = usageGroups.find((known) => known === name);
  if (group !== undefined) return group;
  throw SkillwrightError.of('E030', { query: name }, { help: `use one of: ${usageGroups.join(', ')}` });
}
