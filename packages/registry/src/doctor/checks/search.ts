import type { Registry } from '../../registry.ts';
import { type Check, failing, firstTen, ok } from '../finding.ts';

/** Skills looked at in one statement. */
const PAGE = 500;
/** Skills whose words are looked at without `--all`, newest first. */
const SAMPLE = 200;

/** A skill that searches find wrongly, or not at all. */
interface UnsearchableSkill {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly why: 'not in the index' | 'still in the index' | 'found by others' | 'words are missing';
}

/** Looks at the search index of every skill, and at the words of a sample or of all. */
export async function findUnsearchable(
  { database }: Registry,
  { isThorough }: { readonly isThorough: boolean },
): Promise<{ readonly wrong: readonly UnsearchableSkill[]; readonly looked: number }> {
  const [sample] = await database.query<{ first: number | null }>(
    `select min(id) as first from (select id from skills order by id desc limit ${SAMPLE}) s`,
  );
  const first = isThorough ? 0 : (sample!.first ?? 0);
  const wrong: UnsearchableSkill[] = [];
  let looked = 0;
  for (let last = 0; ; ) {
    const rows = await database.query<
      Omit<UnsearchableSkill, 'why'> & { why: UnsearchableSkill['why'] | null }
    >(
      `select s.id, o.name as owner, s.name, case
         when d.skill_id is null and s.shown is not null then 'not in the index'
         when d.skill_id is not null and s.shown is null then 'still in the index'
         when d.scope <> case when s.visibility = 'public' and not s.is_withheld then 0 else s.owner_id end
           then 'found by others'
         when s.id >= $2 and cardinality(d.terms) <> (
           select count(*) from unnest(d.terms, d.weights) as w (term, weight) join search_postings p
             on p.term = w.term and p.weight = w.weight and p.skill_id = s.id and p.scope = d.scope
         ) then 'words are missing' end as why
       from skills s join owners o on o.id = s.owner_id left join search_documents d on d.skill_id = s.id
       where s.id > $1 order by s.id limit ${PAGE}`,
      [last, first],
    );
    for (const { why, ...skill } of rows) if (why !== null) wrong.push({ ...skill, why });
    looked += rows.length;
    if (rows.length < PAGE) return { wrong, looked };
    last = rows.at(-1)!.id;
  }
}

/** Searches find every skill that has a version to show, by all of its words, for those who may see it. */
export const checkSearch: Check = async (registry, options) => {
  const { wrong, looked } = await findUnsearchable(registry, options);
  if (wrong.length === 0) return [ok('search', `the index agrees with ${looked} skills`)];
  const shown = firstTen(wrong.map(({ owner, name, why }) => `@${owner}/${name} (${why})`));
  const message = `${wrong.length} of ${looked} skills are not found as they should be: ${shown}`;
  return [failing('search', message, 'index them again: skillwright-registry doctor --tidy')];
};
