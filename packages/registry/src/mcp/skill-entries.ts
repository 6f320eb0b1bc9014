// Pages of the skills extension, from the entries made at publication.

import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Skill } from '@modelcontextprotocol/server/ext/skills';
import { type Caller, visibleTo } from '../access/index.ts';
import { installableOf, type VersionRow, versionColumns } from '../catalog/index.ts';
import type { StoredEntry } from '../reading/index.ts';
import type { Registry } from '../registry.ts';

const PAGE_SIZE = 50;

/** One page of the latest versions the caller may read. */
export async function listEntries(
  { database, now }: Registry,
  caller: Caller,
  cursor: string | undefined,
): Promise<{ skills: Skill[]; nextCursor?: string }> {
  const parameters: unknown[] = [readCursor(cursor)];
  const rows = await database.query<VersionRow & { owner: string; name: string; entry: StoredEntry }>(
    `select ${versionColumns}, o.name as owner, s.name, e.entry
     from skills s join owners o on o.id = s.owner_id
     join versions v on v.skill_id = s.id and v.version = s.latest
     join served_entries e on e.archive_digest = v.archive_digest
     where s.id > $1 and ${visibleTo(caller, parameters)}
     order by s.id limit ${PAGE_SIZE + 1}`,
    parameters,
  );
  const page = rows.slice(0, PAGE_SIZE);
  const at = now();
  const readable = page.filter((row) => installableOf(row, at).answer === 'yes');
  const skills = readable.map(({ owner, name, entry }) => {
    const root = `skill://${owner}/${name}`;
    return {
      uri: `${root}/SKILL.md`,
      frontmatter: entry.frontmatter as Skill['frontmatter'],
      resources: entry.files.map(({ path, digest, size }) => ({ uri: `${root}/${path}`, digest, size })),
    } as Skill;
  });
  const last = page.at(-1);
  return last === undefined || rows.length <= PAGE_SIZE
    ? { skills }
    : { skills, nextCursor: String(last.skill_id) };
}

function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,15}$/.test(cursor)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid cursor');
  return Number(cursor);
}
