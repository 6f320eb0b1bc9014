import type { Migration } from './index.ts';

/** A list of this many terms is not worth keeping: readers forget all lists instead. */
const MAX_TERMS = 5000;

const note = (name: string, insert: string) =>
  `create function ${name}() returns trigger language plpgsql as $$ begin ${insert}; return null; end $$`;

/** Triggers that see the rows after, the rows before, or both as the table `changed`. */
function onEvery(table: string, { columns, note: call }: { columns: string; note: string }): string[] {
  const insert = (rows: string) =>
    `insert into search_changes (terms, names, is_everything) select ${columns} from (${rows}) as changed having count(*) > 0`;
  const events = {
    insert: { rows: 'select * from newer', seen: 'new table as newer' },
    delete: { rows: 'select * from older', seen: 'old table as older' },
    update: {
      rows: 'select * from older union all select * from newer',
      seen: 'old table as older new table as newer',
    },
  };
  return Object.entries(events).flatMap(([event, { rows, seen }]) => [
    note(`${call}_${event}`, insert(rows)),
    `create trigger ${call}_${event} after ${event} on ${table} referencing ${seen}
      for each statement execute function ${call}_${event}()`,
  ]);
}

/**
 * Changes of the rows that processes remember for search, written by triggers in the transaction of the change itself.
 * `search-changes.ts` reads them and says why no change is missed.
 */
export const searchChanges: Migration = {
  name: '0074-search-changes',
  statements: [
    `create table search_changes (
      xact xid8 not null default pg_current_xact_id(),
      skills bigint[] not null default '{}',
      terms integer[] not null default '{}',
      names text[] not null default '{}',
      is_filter boolean not null default false,
      is_everything boolean not null default false
    )`,
    'create index search_changes_by_xact on search_changes (xact)',
    // The last transaction whose changes were deleted.
    `create table search_horizon (is_only boolean primary key default true check (is_only), pruned xid8 not null)`,
    // Every column counts, downloads as well: such a change costs one remembered summary.
    note(
      'note_skills',
      `insert into search_changes (skills, is_filter)
       select array_agg(n.id), bool_or((n.owner_id, n.tags, n.category, n.level)
         is distinct from (o.owner_id, o.tags, o.category, o.level))
       from older o join newer n on n.id = o.id where n.* is distinct from o.* having count(*) > 0`,
    ),
    `create trigger note_skills after update on skills referencing old table as older new table as newer
      for each statement execute function note_skills()`,
    note(
      'note_deleted_skills',
      `insert into search_changes (skills, is_filter) select array_agg(id), true from older having count(*) > 0`,
    ),
    `create trigger note_deleted_skills after delete on skills referencing old table as older
      for each statement execute function note_deleted_skills()`,
    note(
      'note_owners',
      `insert into search_changes (is_everything)
       select true from older o join newer n on n.id = o.id where n.name <> o.name limit 1`,
    ),
    `create trigger note_owners after update on owners referencing old table as older new table as newer
      for each statement execute function note_owners()`,
    ...onEvery('search_postings', {
      note: 'note_postings',
      columns: `case when count(distinct term) <= ${MAX_TERMS} then array_agg(distinct term) else '{}' end, '{}',
        count(distinct term) > ${MAX_TERMS}`,
    }),
    ...onEvery('search_documents', {
      note: 'note_documents',
      columns: `'{}', array_agg(distinct name), false`,
    }),
  ],
};
