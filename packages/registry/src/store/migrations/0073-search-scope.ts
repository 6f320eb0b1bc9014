import type { Migration } from './index.ts';

/** A skill that waits for its first approval belongs to its owner's scope, whatever its visibility. */
export const searchScope: Migration = {
  name: '0073-search-scope',
  statements: [
    `create or replace function move_search_scope() returns trigger language plpgsql as $$
    declare
      moved bigint := case when new.visibility = 'public' and not new.is_withheld then 0 else new.owner_id end;
    begin
      update search_postings p set scope = moved
        from search_documents d, unnest(d.terms, d.weights) as w (term, weight)
        where d.skill_id = new.id and p.term = w.term and p.weight = w.weight and p.skill_id = new.id;
      update search_documents set scope = moved where skill_id = new.id;
      return null;
    end $$`,
    'drop trigger skills_moved on skills',
    `create trigger skills_moved after update of visibility, owner_id, is_withheld on skills for each row
      when (old.visibility is distinct from new.visibility or old.owner_id is distinct from new.owner_id
        or old.is_withheld is distinct from new.is_withheld)
      execute function move_search_scope()`,
    `update search_documents d set scope = s.owner_id from skills s
      where s.id = d.skill_id and d.scope = 0 and s.is_withheld`,
    `update search_postings p set scope = s.owner_id from skills s
      where s.id = p.skill_id and p.scope = 0 and s.is_withheld`,
  ],
};
