import type { Migration } from './index.ts';

/**
 * Words of skills for search. `scope` is 0 for public skills, else the id of the owner: it is part of every posting, so that
 * a search reads only what its caller may see. The triggers keep it true whoever changes a skill.
 */
export const search: Migration = {
  name: '0070-search',
  statements: [
    `create table search_documents (
      skill_id bigint primary key references skills on delete cascade,
      scope bigint not null,
      name text not null,
      terms integer[] not null,
      weights smallint[] not null
    )`,
    'create index search_documents_by_name on search_documents (name text_pattern_ops)',
    `create table search_postings (
      term integer not null,
      weight smallint not null,
      skill_id bigint not null,
      scope bigint not null
    )`,
    'create index search_postings_best on search_postings (term, weight desc, skill_id) include (scope)',
    `create function forget_search_postings() returns trigger language plpgsql as $$
    begin
      delete from search_postings p using unnest(old.terms, old.weights) as w (term, weight)
        where p.term = w.term and p.weight = w.weight and p.skill_id = old.skill_id;
      return null;
    end $$`,
    `create trigger search_documents_deleted after delete on search_documents
      for each row execute function forget_search_postings()`,
    `create function move_search_scope() returns trigger language plpgsql as $$
    declare
      moved bigint := case new.visibility when 'public' then 0 else new.owner_id end;
    begin
      update search_postings p set scope = moved
        from search_documents d, unnest(d.terms, d.weights) as w (term, weight)
        where d.skill_id = new.id and p.term = w.term and p.weight = w.weight and p.skill_id = new.id;
      update search_documents set scope = moved where skill_id = new.id;
      return null;
    end $$`,
    `create trigger skills_moved after update of visibility, owner_id on skills for each row
      when (old.visibility is distinct from new.visibility or old.owner_id is distinct from new.owner_id)
      execute function move_search_scope()`,
    'create index skills_by_update on skills (updated_at desc, id desc)',
    'create index skills_by_downloads on skills (downloads desc, id desc)',
    'create index skills_by_category on skills (category) where category is not null',
    'create index skills_by_tag on skills using gin (tags)',
  ],
};
