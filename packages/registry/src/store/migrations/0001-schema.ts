// The schema of the first release: one SQL text, with a blank line between two statements.

import type { Migration } from './index.ts';

/** Accounts, namespaces and their roles, the audit log. */
const people = `
create table settings (key text primary key, value jsonb not null)

create table accounts (
  id bigint generated always as identity primary key,
  name text not null unique,
  display_name text not null default '',
  email text,
  is_admin boolean not null default false,
  is_moderator boolean not null default false,
  suspended text,
  -- The same folding as nameSkeleton, for names in ASCII.
  skeleton text not null unique
    generated always as (replace(translate(lower(name), 'lio._-', '110'), 'rn', 'm')) stored,
  created_at timestamptz not null default now()
)

create table owners (
  id bigint generated always as identity primary key,
  name text not null unique,
  skeleton text not null unique,
  title text not null default '',
  url text,
  created_by bigint references accounts,
  created_at timestamptz not null default now()
)

create index owners_by_creator on owners (created_by)

create table roles (
  owner_id bigint not null references owners,
  account_id bigint not null references accounts,
  role text not null check (role in ('reader', 'publisher', 'reviewer', 'admin')),
  primary key (owner_id, account_id, role)
)

create index roles_by_account on roles (account_id)

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  account_id bigint references accounts,
  actor text not null,
  via text not null,
  action text not null,
  owner_id bigint references owners,
  skill_id bigint,
  version text,
  details jsonb not null default '{}'
)

create index audit_by_account on audit (account_id, id)

create index audit_by_owner on audit (owner_id, id)

create index audit_by_skill on audit (skill_id, id)

create table identities (
  issuer text not null,
  subject text not null,
  account_id bigint not null references accounts,
  created_at timestamptz not null,
  primary key (issuer, subject)
)

-- Everything that somebody proves with a secret: its hash, whose it is, what it was made with and how long it works.
-- details has what only one kind needs.
create table secrets (
  id text primary key,
  kind text not null check (kind in ('token', 'session', 'invitation', 'device', 'attempt', 'identity')),
  hash bytea not null,
  account_id bigint references accounts,
  owner_id bigint references owners,
  scopes text[],
  parent text references secrets on delete cascade,
  details jsonb not null default '{}',
  created_at timestamptz not null default now(),
  used_at timestamptz,
  expires_at timestamptz,
  ended_at timestamptz,
  unique (hash, kind)
)

create index secrets_by_account on secrets (account_id, kind)

create index secrets_by_parent on secrets (parent)

create index secrets_by_expiry on secrets (kind, expires_at)

create unique index secrets_by_user_code on secrets ((details->>'user')) where kind = 'device'

-- Offers of a namespace, or with roles of a membership. They name an account instead of pointing to it: an offer to a name
-- that nobody has looks like any other.
create table transfers (
  id text primary key,
  owner_id bigint not null references owners,
  from_account bigint not null references accounts,
  to_account bigint references accounts,
  to_name text not null,
  roles text[],
  state text not null default 'pending' check (state in ('pending', 'accepted', 'declined', 'replaced')),
  created_at timestamptz not null,
  expires_at timestamptz not null
)

create unique index transfers_pending on transfers (owner_id) where state = 'pending' and roles is null

create unique index memberships_pending on transfers (owner_id, to_name) where state = 'pending' and roles is not null

create index transfers_by_recipient on transfers (to_account)

create table publishers (
  id text primary key,
  owner_id bigint not null references owners,
  skill text not null,
  issuer text not null,
  repository text not null,
  repository_owner_id text,
  workflow text,
  environment text,
  created_by bigint not null references accounts,
  created_at timestamptz not null,
  used_at timestamptz
)

create index publishers_by_owner on publishers (owner_id)

create index publishers_by_repository on publishers (issuer, lower(repository collate "C"))

-- Requests counted by all processes together. Losing the counts in a crash does no harm.
create unlogged table request_counts (
  key text primary key,
  started_at timestamptz not null,
  count float8 not null,
  is_refused boolean not null default false
)
`;

/** Skills, versions, archives, downloads, mirrors. */
const skills = `
create table skills (
  id bigint generated always as identity primary key,
  owner_id bigint not null references owners,
  name text not null,
  skeleton text not null,
  visibility text not null default 'private' check (visibility in ('private', 'public')),
  -- No version has been approved: strangers do not hear of it, whatever its visibility.
  is_withheld boolean not null default false,
  require_provenance boolean not null default false,
  description text not null default '',
  license text,
  repository text,
  homepage text,
  tags text[] not null default '{}',
  category text,
  level text not null default 'community' check (level in ('community', 'verified', 'official')),
  latest text,
  -- The version whose description the skill shows.
  shown text,
  deprecated text,
  -- Decisions of the registry, by name; those of the namespace are left out. Versions have the same.
  authority jsonb not null default '{}',
  rating_sum bigint not null default 0,
  rating_count bigint not null default 0,
  downloads bigint not null default 0,
  revision bigint not null default 1,
  -- The next moment a version becomes old enough for latest.
  settle_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (owner_id, name),
  unique (owner_id, skeleton)
)

create index skills_to_settle on skills (settle_at) where settle_at is not null

create index skills_by_update on skills (updated_at desc, id desc)

create index skills_by_downloads on skills (downloads desc, id desc)

-- As search/search-skills.ts orders them.
create index skills_by_rating on skills (((rating_sum + 9.0::float8) / (rating_count + 3)) desc, id desc)

create index skills_by_name on skills (name, id)

create index skills_by_level on skills (level, updated_at desc, id desc)

create index skills_by_category on skills (category) where category is not null

create index skills_by_tag on skills using gin (tags)

create table versions (
  id bigint generated always as identity primary key,
  skill_id bigint not null references skills,
  version text not null,
  archive_digest text not null,
  archive_size bigint not null,
  document text not null,
  document_digest text not null,
  manifest jsonb not null,
  -- Headings and text for search, from the version itself.
  search_text jsonb not null default '{}',
  review text not null default 'approved' check (review in ('approved', 'pending', 'rejected')),
  review_reason text,
  reviewed_by bigint references accounts,
  reviewed_at timestamptz,
  scan jsonb not null,
  override jsonb,
  -- Why a reviewer should look at a published version again.
  flagged text,
  yanked text,
  quarantined text,
  purged text,
  authority jsonb not null default '{}',
  provenance jsonb,
  published_by bigint not null references accounts,
  -- The account that started the CI run that published it, where that is known.
  started_by bigint references accounts,
  published_at timestamptz not null default now(),
  eligible_at timestamptz not null default now(),
  unique (skill_id, version)
)

create index versions_by_archive on versions (archive_digest)

create index versions_by_publisher on versions (published_by, skill_id)

create index versions_to_review on versions (id) where review = 'pending' or flagged is not null

create index versions_withheld on versions (id) where purged is not null or quarantined is not null

create table blobs (
  digest text primary key,
  bytes bytea not null,
  created_at timestamptz not null default now()
)

-- Entries of the skills extension, made at publication: frontmatter, and digest and size of every file.
create table served_entries (
  archive_digest text primary key,
  entry jsonb not null,
  created_at timestamptz not null default now()
)

-- Downloads: who counted today, by a hash that nobody can reverse tomorrow, and the sums of each day.
create table download_salts (day date primary key, salt bytea not null)

create table download_marks (
  day date not null,
  version_id bigint not null references versions on delete cascade,
  identity bytea not null,
  primary key (day, version_id, identity)
)

create table downloads_by_day (
  skill_id bigint not null references skills on delete cascade,
  day date not null,
  count bigint not null,
  primary key (skill_id, day)
)

create table mirrors (
  id bigint generated always as identity primary key,
  owner_id bigint not null references owners,
  source text not null,
  every_minutes bigint not null default 60,
  added_by bigint not null references accounts,
  added_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  synced_at timestamptz,
  resolution text,
  failure text,
  notes jsonb not null default '[]',
  unique (owner_id, source)
)

create index mirrors_due on mirrors (due_at)

create table mirrored (
  mirror_id bigint not null references mirrors on delete cascade,
  name text not null,
  content text not null,
  version text not null,
  primary key (mirror_id, name)
)
`;

/** Scans after the first, ratings, reports, advisories, webhooks. */
const opinions = `
create table scans (
  id bigint generated always as identity primary key,
  version_id bigint not null references versions,
  result jsonb not null,
  account_id bigint references accounts,
  at timestamptz not null default now()
)

create index scans_by_version on scans (version_id, id)

create table ratings (
  skill_id bigint not null references skills,
  account_id bigint not null references accounts,
  stars smallint not null check (stars between 1 and 5),
  at timestamptz not null default now(),
  primary key (skill_id, account_id)
)

create table reports (
  id text primary key,
  skill_id bigint not null references skills,
  version text,
  account_id bigint not null references accounts,
  kind text not null,
  message text not null,
  at timestamptz not null default now(),
  resolution text,
  resolved_by bigint references accounts,
  resolved_at timestamptz
)

create index reports_by_skill on reports (skill_id)

create index reports_open on reports (at) where resolved_at is null

-- Applications for the level verified; a skill has one that waits at most.
create table verifications (
  id text primary key,
  skill_id bigint not null references skills,
  account_id bigint not null references accounts,
  statement text not null,
  url text,
  at timestamptz not null,
  decision text check (decision in ('grant', 'decline')),
  reason text,
  decided_by bigint references accounts,
  decided_at timestamptz
)

create unique index verifications_waiting on verifications (skill_id) where decision is null

create table advisory_years (year integer primary key, last integer not null)

create table advisories (
  id text primary key,
  skill_id bigint not null references skills,
  severity text not null,
  summary text not null,
  affected text not null,
  url text,
  account_id bigint references accounts,
  by_registry boolean not null default false,
  at timestamptz not null default now(),
  withdrawn_at timestamptz
)

create index advisories_by_skill on advisories (skill_id)

create table webhooks (
  id text primary key,
  owner_id bigint not null references owners,
  url text not null,
  secret text not null,
  failures integer not null default 0,
  disabled text,
  account_id bigint references accounts,
  created_at timestamptz not null default now()
)

create index webhooks_by_owner on webhooks (owner_id)

create table deliveries (
  id bigint generated always as identity primary key,
  webhook_id text not null references webhooks on delete cascade,
  audit_id bigint not null references audit,
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  delivered_at timestamptz,
  error text,
  -- The process that sends a delivery has it until then. next_at is the time of the next attempt.
  taken_until timestamptz
)

create index deliveries_due on deliveries (next_at) where delivered_at is null

create index deliveries_by_webhook on deliveries (webhook_id, id)

create index deliveries_taken on deliveries (taken_until) where taken_until is not null
`;

/** The transparency log: its origins, leaves, hashes of complete subtrees, signed checkpoints and cosignatures. */
const log = `
-- The open origin's row is the lock that puts leaves in order.
create table log_origins (
  generation bigint primary key,
  name text not null,
  origin text not null unique,
  size bigint not null default 0,
  started_at timestamptz not null default now(),
  closed_at timestamptz
)

create unique index log_open_origin on log_origins ((true)) where closed_at is null

create table log_leaves (
  generation bigint not null references log_origins,
  index bigint not null,
  kind text not null,
  leaf bytea not null,
  entry text not null,
  salt bytea,
  -- The subject of a private version's leaf, by which everybody recognises a second one.
  subject text,
  skill_id bigint,
  version_id bigint,
  logged_at timestamptz not null default now(),
  primary key (generation, index)
)

create index log_leaves_by_skill on log_leaves (skill_id, generation, index)

create index log_leaves_by_version on log_leaves (version_id, generation, index)

create table log_hashes (
  generation bigint not null references log_origins,
  level int not null,
  index bigint not null,
  hash bytea not null,
  primary key (generation, level, index)
)

create table log_checkpoints (
  generation bigint not null references log_origins,
  size bigint not null,
  root bytea not null,
  note text not null,
  signed_at timestamptz not null default now(),
  primary key (generation, size)
)

create table log_cosignatures (
  generation bigint not null,
  size bigint not null,
  witness text not null,
  line text not null,
  cosigned_at timestamptz not null,
  primary key (generation, size, witness),
  foreign key (generation, size) references log_checkpoints
)
`;

/**
 * Words of skills for search. `scope` is 0 for public skills, else the id of the owner: it is part of every posting, so that
 * a search reads only what its caller may see. Triggers keep it true after every change of a skill, and note every change of the
 * rows that processes remember, in its own transaction: `search-changes.ts` reads those notes and says why none is missed. Every
 * column of a skill counts, downloads as well: such a change costs one remembered summary. Too many terms are not worth a list:
 * readers forget all lists instead.
 */
const search = `
create table search_documents (
  skill_id bigint primary key references skills on delete cascade,
  scope bigint not null,
  name text not null,
  terms integer[] not null,
  weights smallint[] not null,
  -- The version of the words: the server renews older ones when it starts.
  words integer not null default 0
)

create index search_documents_by_name on search_documents (name text_pattern_ops) include (skill_id, scope)

create table search_postings (
  term integer not null,
  weight smallint not null,
  skill_id bigint not null,
  scope bigint not null
)

create index search_postings_best on search_postings (term, weight desc, skill_id) include (scope)

create function forget_search_postings() returns trigger language plpgsql as $$
begin
  delete from search_postings p using unnest(old.terms, old.weights) as w (term, weight)
    where p.term = w.term and p.weight = w.weight and p.skill_id = old.skill_id;
  return null;
end $$

create trigger search_documents_deleted after delete on search_documents
  for each row execute function forget_search_postings()

create function move_search_scope() returns trigger language plpgsql as $$
declare
  moved bigint := case when new.visibility = 'public' and not new.is_withheld then 0 else new.owner_id end;
begin
  update search_postings p set scope = moved
    from search_documents d, unnest(d.terms, d.weights) as w (term, weight)
    where d.skill_id = new.id and p.term = w.term and p.weight = w.weight and p.skill_id = new.id;
  update search_documents set scope = moved where skill_id = new.id;
  return null;
end $$

create trigger skills_moved after update of visibility, owner_id, is_withheld on skills for each row
  when (old.visibility is distinct from new.visibility or old.owner_id is distinct from new.owner_id
    or old.is_withheld is distinct from new.is_withheld)
  execute function move_search_scope()

create table search_changes (
  xact xid8 not null default pg_current_xact_id(),
  skills bigint[] not null default '{}',
  terms integer[] not null default '{}',
  names text[] not null default '{}',
  is_filter boolean not null default false,
  is_everything boolean not null default false
)

create index search_changes_by_xact on search_changes (xact)

-- The last transaction whose changes were deleted.
create table search_horizon (is_only boolean primary key default true check (is_only), pruned xid8 not null)

create function note_search_change() returns trigger language plpgsql as $$
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
end $$

create trigger note_update after update on owners referencing old table as older new table as newer
  for each statement execute function note_search_change()

create trigger note_update after update on skills referencing old table as older new table as newer
  for each statement execute function note_search_change()

create trigger note_delete after delete on skills referencing old table as older
  for each statement execute function note_search_change()

create trigger note_insert after insert on search_documents referencing new table as newer
  for each statement execute function note_search_change()

create trigger note_update after update on search_documents referencing old table as older new table as newer
  for each statement execute function note_search_change()

create trigger note_delete after delete on search_documents referencing old table as older
  for each statement execute function note_search_change()

create trigger note_insert after insert on search_postings referencing new table as newer
  for each statement execute function note_search_change()

create trigger note_update after update on search_postings referencing old table as older new table as newer
  for each statement execute function note_search_change()

create trigger note_delete after delete on search_postings referencing old table as older
  for each statement execute function note_search_change()
`;

export const schema: Migration = {
  name: '0001-schema',
  statements: [people, skills, opinions, log, search].flatMap((part) => part.trim().split('\n\n')),
};
