import type { Migration } from './index.ts';

/**
 * One function notes every change of the rows that processes remember for search, in the transaction of the change itself.
 * Every column of a skill counts, downloads as well: such a change costs one remembered summary. Too many terms are not worth
 * a list: readers forget all lists instead. Earlier versions made nine functions.
 */
export const searchTriggers: Migration = {
  name: '0090-search-triggers',
  statements: [
    `drop function if exists note_skills, note_deleted_skills, note_owners, note_postings_insert, note_postings_delete,
      note_postings_update, note_documents_insert, note_documents_delete, note_documents_update cascade`,
    `create function note_search_change() returns trigger language plpgsql as $$
    declare
      changed_terms integer[] := '{}';
      changed_names text[] := '{}';
    begin
      if tg_table_name = 'owners' then
        insert into search_changes (is_everything)
          select true from older o join newer n on n.id = o.id where n.name <> o.name limit 1;
      elsif tg_table_name = 'skills' and tg_op = 'DELETE' then
        insert into search_changes (skills, is_filter) select array_agg(id), true from older having count(*) > 0;
      elsif tg_table_name = 'skills' then
        insert into search_changes (skills, is_filter)
          select array_agg(n.id), bool_or((n.owner_id, n.tags, n.category, n.level)
            is distinct from (o.owner_id, o.tags, o.category, o.level))
          from older o join newer n on n.id = o.id where n.* is distinct from o.* having count(*) > 0;
      elsif tg_table_name = 'search_documents' then
        if tg_op <> 'INSERT' then changed_names := array(select name from older); end if;
        if tg_op <> 'DELETE' then changed_names := changed_names || array(select name from newer); end if;
        insert into search_changes (names)
          select array_agg(distinct name) from unnest(changed_names) as name having count(*) > 0;
      else
        if tg_op <> 'INSERT' then changed_terms := array(select distinct term from older); end if;
        if tg_op <> 'DELETE' then changed_terms := changed_terms || array(select distinct term from newer); end if;
        insert into search_changes (terms, is_everything)
          select case when count(distinct term) <= 5000 then array_agg(distinct term) else '{}' end,
            count(distinct term) > 5000
          from unnest(changed_terms) as term having count(*) > 0;
      end if;
      return null;
    end $$`,
    `create trigger note_update after update on owners referencing old table as older new table as newer
      for each statement execute function note_search_change()`,
    `create trigger note_update after update on skills referencing old table as older new table as newer
      for each statement execute function note_search_change()`,
    `create trigger note_delete after delete on skills referencing old table as older
      for each statement execute function note_search_change()`,
    `create trigger note_insert after insert on search_documents referencing new table as newer
      for each statement execute function note_search_change()`,
    `create trigger note_update after update on search_documents referencing old table as older new table as newer
      for each statement execute function note_search_change()`,
    `create trigger note_delete after delete on search_documents referencing old table as older
      for each statement execute function note_search_change()`,
    `create trigger note_insert after insert on search_postings referencing new table as newer
      for each statement execute function note_search_change()`,
    `create trigger note_update after update on search_postings referencing old table as older new table as newer
      for each statement execute function note_search_change()`,
    `create trigger note_delete after delete on search_postings referencing old table as older
      for each statement execute function note_search_change()`,
  ],
};
