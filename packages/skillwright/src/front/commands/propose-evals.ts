// Adds proposed cases to the evals of a skill.

import { diagnosticOf, SkillwrightError } from '../../base/diagnostics/index.ts';
import { type FoundEvals, proposeCases, writeEvals } from '../../make/evals/index.ts';
import type { OpenedSkill } from '../../read/access/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { outlineSkill } from '../../read/gateway/index.ts';
import { type LoggedSearch, readSearches } from '../../read/usage/index.ts';
import type { CommandContext } from './command-context.ts';
import type { TestReport } from './test-report.ts';

const MAX_LEVEL = 3;

/** Writes new cases, or with `dryRun` returns them only. */
export async function proposeEvals(
  opened: OpenedSkill,
  {
    record,
    evals,
    dryRun,
    context,
  }: {
    readonly record: SkillRecord;
    readonly evals: FoundEvals;
    readonly dryRun: boolean;
    readonly context: CommandContext;
  },
): Promise<TestReport['skills'][number]['written']> {
  const { dir } = opened;
  const { headings } = outlineSkill(dir, { maxLevel: MAX_LEVEL });
  const { allowsFile } = await opened.reach(headings.map(({ file }) => file));
  const cases = proposeCases(
    {
      name: record.name,
      description: record.description,
      headings: headings.filter(({ file }) => allowsFile(file)),
      searches: await searchesIn(opened, context),
    },
    evals,
  );
  return writeEvals(dir, cases, { dryRun }).map(({ file, added }) => ({ file, added: [...added] }));
}

/** A skill that was never built has no log; an unreadable log is reported, and the other cases are proposed. */
async function searchesIn(opened: OpenedSkill, context: CommandContext): Promise<LoggedSearch[]> {
  try {
    const runtime = await opened.runtime();
    return readSearches({ dir: opened.dir, runtime, home: context.workspace.home });
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    context.report(diagnosticOf(error));
    return [];
  }
}
