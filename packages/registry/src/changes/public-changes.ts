// Changes of public skills, newest first, from the audit log.

import { anonymous, visibleTo } from '../access/index.ts';
import { PUBLISHED } from '../catalog/index.ts';
import type { Registry } from '../registry.ts';

/** One change. */
export interface PublicChange {
  readonly id: number;
  readonly at: Date;
  /** `@owner/name`. */
  readonly name: string;
  readonly version: string | null;
  readonly title: string;
  readonly summary: string;
  /** Page of the skill or version. */
  readonly path: string;
}

interface ChangeRow {
  readonly id: number;
  readonly at: Date;
  readonly owner: string;
  readonly name: string;
  readonly version: string | null;
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Text of each action in a feed. Other actions are not public. */
const titles: Readonly<Record<string, string>> = {
  'version.publish': 'published',
  'version.approve': 'published after review',
  'version.yank': 'yanked',
  'version.unyank': 'no longer yanked',
  'version.quarantine': 'quarantined',
  'version.release': 'released from quarantine',
  'version.purge': 'purged',
  'skill.deprecate': 'deprecated',
  'skill.undeprecate': 'no longer deprecated',
  'advisory.publish': 'advisory',
  'advisory.withdraw': 'advisory withdrawn',
};

const MAX_CHANGES = 50;

/** The newest changes, of one namespace or of all. A version under review is not mentioned. */
export async function readPublicChanges(registry: Registry, owner?: string): Promise<PublicChange[]> {
  const rows = await registry.database.query<ChangeRow>(
    `select a.id, a.at, o.name as owner, s.name, a.version, a.action, a.details
     from audit a join skills s on s.id = a.skill_id join owners o on o.id = s.owner_id
       left join versions v on v.skill_id = s.id and v.version = a.version
     where ${visibleTo(anonymous, [])} and a.action = any($1::text[]) and ($2::text is null or o.name = $2)
       and (a.version is null or ${PUBLISHED})
       and (a.action <> 'version.publish' or a.details->>'review' = 'approved')
     order by a.id desc limit ${MAX_CHANGES}`,
    [Object.keys(titles), owner ?? null],
  );
  return rows.map(({ id, at, version, action, details, ...skill }) => {
    const name = `@${skill.owner}/${skill.name}`;
    const what = version === null ? name : `${name} ${version}`;
    const { reason, summary, id: advisory } = details;
    return {
      id,
      at,
      name,
      version,
      title: `${what}: ${titles[action]}${typeof advisory === 'string' ? ` ${advisory}` : ''}`,
      summary: [reason, summary].find((text): text is string => typeof text === 'string') ?? '',
      path: version === null ? `/${name}` : `/${name}/${version}`,
    };
  });
}
