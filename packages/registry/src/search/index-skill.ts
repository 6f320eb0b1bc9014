// Writes the words of a skill into the search index, in the transaction of its publication.

import { createWordWeigher, WORDS_VERSION } from 'skillwright/read';
import type { Queryable } from '../store/index.ts';

/** The texts of a skill, from its latest readable version. */
interface SearchedSkill {
  readonly skillId: number;
  readonly owner: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly category: string | null;
  /** Headings besides those of the body, such as those of further files. */
  readonly headings: readonly string[];
  /** SKILL.md after the frontmatter; empty while a quiz locks it: a hit would reveal it. */
  readonly body: string;
}

/** Words kept of one skill, the heaviest: those of name, description, tags and headings, then those of the body. */
const MAX_TERMS = 400;

const weigh = createWordWeigher();

/** Makes the next search find the skills by these texts, and no longer by earlier ones. */
export async function indexSkills(tx: Queryable, skills: readonly SearchedSkill[]): Promise<void> {
  const ids = skills.map(({ skillId }) => skillId);
  await tx.query('delete from search_documents where skill_id = any($1::bigint[])', [ids]);
  const postings: { id: number; term: number; weight: number }[] = [];
  for (const skill of skills)
    for (const [hash, weight] of heaviest(skill)) postings.push({ id: skill.skillId, term: hash, weight });
  await tx.query(
    `with word as (
       select * from unnest($1::bigint[], $2::integer[], $3::smallint[]) as w (skill_id, term, weight)
     ), skill as (
       select s.id, s.name, case when s.visibility = 'public' and not s.is_withheld then 0 else s.owner_id end as scope
       from skills s where s.id = any($4::bigint[])
     ), written as (
       insert into search_postings (term, weight, skill_id, scope)
       select w.term, w.weight, w.skill_id, s.scope from word w join skill s on s.id = w.skill_id
       order by w.term
     )
     insert into search_documents (skill_id, scope, name, terms, weights, words)
     select s.id, s.scope, s.name, coalesce(array_agg(w.term) filter (where w.term is not null), '{}'),
       coalesce(array_agg(w.weight) filter (where w.term is not null), '{}'), ${WORDS_VERSION}
     from skill s left join word w on w.skill_id = s.id group by s.id, s.name, s.scope`,
    [
      postings.map(({ id }) => id),
      postings.map(({ term }) => term),
      postings.map(({ weight }) => weight),
      ids,
    ],
  );
}

/** Makes search forget a skill none of whose versions can be read any more. */
export async function unindexSkill(tx: Queryable, skillId: number): Promise<void> {
  await tx.query('delete from search_documents where skill_id = $1', [skillId]);
}

/** Equal weights: the smaller hash, so that the choice does not depend on the order of the text. */
function heaviest({ name, description, tags, category, headings, body }: SearchedSkill) {
  const further = headings.map((heading) => `# ${heading}\n`).join('');
  const words: [hash: number, weight: number][] = [];
  const texts = {
    name,
    description,
    tags: category === null ? tags : [...tags, category],
    body: further === '' ? body : `${body}\n${further}`,
  };
  weigh(texts, (hash, weight) => words.push([hash, weight]));
  if (words.length <= MAX_TERMS) return words;
  return words.sort(([a, heavy], [b, light]) => light - heavy || a - b).slice(0, MAX_TERMS);
}
