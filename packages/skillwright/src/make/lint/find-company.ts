// Compares linted skills with each other and with all skills an agent sees from the workspace.

import { basename } from 'node:path';
import { displayPath } from '../../base/files/index.ts';
import type { Access } from '../../read/access/index.ts';
import type { Discovery } from '../../read/catalog/index.ts';
import { acceptVisible, createQueryJudge, type JudgedQuery, loadRivals, readEvals } from '../evals/index.ts';
import type { SkillCompany } from './lint-subject.ts';
import type { Rule } from './rule.ts';
import { companyRules, descriptionFound, distinctSkills } from './rules/company.ts';
import type { Likeness, SkillNeighbours } from './skill-neighbours.ts';

/** Whether a rule looks at a skill among others. */
export const isCompanyRule = (rule: Rule): boolean => companyRules.includes(rule);

/** The linted skills of a run. */
interface Company {
  readonly neighbours: SkillNeighbours;
  /** Canonical directories of all of them. */
  readonly dirs: readonly string[];
  /** Those that have evals. */
  readonly tested: readonly string[];
  readonly rules: readonly Rule[];
  /** The catalog's entries of some of them. */
  readonly opened: Discovery['opened'];
}

/** Facts for the rules about company, by canonical directory; only of skills about which there is something to say. */
export async function findCompany(
  company: Company,
  access: Access,
): Promise<ReadonlyMap<string, SkillCompany>> {
  const { rules } = company;
  const likeness = rules.includes(distinctSkills) ? await findLikeness(company, access) : undefined;
  const judged = rules.includes(descriptionFound) ? await judgeEvals(company, access) : undefined;
  const dirs = new Set([...(likeness?.keys() ?? []), ...(judged?.keys() ?? [])]);
  return new Map([...dirs].map((dir) => [dir, { likeness: likeness?.get(dir), judged: judged?.get(dir) }]));
}

async function findLikeness(
  { neighbours, opened }: Company,
  access: Access,
): Promise<ReadonlyMap<string, Likeness>> {
  const { visible } = await access.view(await access.catalog({ opened }));
  for (const { dir, name, description, frontmatter } of visible.skills.filter(acceptVisible(visible)))
    neighbours.addVisible({
      identity: dir,
      path: displayPath(access.workspace.cwd, dir),
      // A linted skill is named as it is written, too.
      name: typeof frontmatter.name === 'string' ? frontmatter.name : name,
      description,
    });
  return neighbours.compare();
}

/** Searches the requests that should find a skill. Only skills with evals cost anything. */
async function judgeEvals(
  { dirs, tested }: Company,
  access: Access,
): Promise<ReadonlyMap<string, JudgedQuery[]>> {
  const asked = tested.flatMap((dir) => {
    const { queries: all } = readEvals({ dir, names: [basename(dir)] });
    const queries = all.filter((query) => query.should_trigger && query.proposed !== true);
    return queries.length === 0 ? [] : [{ dir, queries }];
  });
  if (asked.length === 0) return new Map();
  const rivals = await loadRivals(dirs, access);
  const { catalog, accept } = rivals;
  const { judge } = createQueryJudge(rivals);
  return new Map(
    asked.flatMap(({ dir, queries }) => {
      const record = catalog.skills.find((skill) => skill.dir === dir);
      // Another skill of its name is used instead, or it is switched off.
      return record === undefined || !accept(record) ? [] : [[dir, judge(record, queries)]];
    }),
  );
}
