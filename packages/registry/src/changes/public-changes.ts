// Changes of public skills, newest first, from the audit log, and the Atom feed of them.

import { anonymous, visibleTo } from '../access/index.ts';
import { PUBLISHED } from '../catalog/index.ts';
import type { Registry } from '../registry.ts';

/** One change. */
type PublicChange = Awaited<ReturnType<typeof readPublicChanges>>[number];

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
export async function readPublicChanges(registry: Registry, owner?: string) {
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
      title: `${what}: ${titles[action]}${typeof advisory === 'string' ? ` ${advisory}` : ''}`,
      summary: [reason, summary].find((text): text is string => typeof text === 'string') ?? '',
      /** Page of the skill or version. */
      path: version === null ? `/${name}` : `/${name}/${version}`,
    };
  });
}

/** Where a feed comes from. */
interface FeedPlace {
  readonly publicUrl: string;
  /** Path of the feed itself. */
  readonly path: string;
  readonly title: string;
}

/** An Atom feed. */
export function renderFeed(changes: readonly PublicChange[], { publicUrl, path, title }: FeedPlace): string {
  const updated = (changes[0]?.at ?? new Date(0)).toISOString();
  const entries = changes.map(
    (change) => `  <entry>
    <id>${escapeXml(`${publicUrl}/changes/${change.id}`)}</id>
    <title>${escapeXml(change.title)}</title>
    <link href="${escapeXml(publicUrl + change.path)}"/>
    <updated>${change.at.toISOString()}</updated>
    <summary>${escapeXml(change.summary || change.title)}</summary>
  </entry>\n`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${escapeXml(publicUrl + path)}</id>
  <title>${escapeXml(title)}</title>
  <link rel="self" href="${escapeXml(publicUrl + path)}"/>
  <author><name>${escapeXml(title)}</name></author>
  <updated>${updated}</updated>
${entries.join('')}</feed>\n`;
}

const names: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for XML, without the control characters XML does not allow. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (character) => names[character]!);
}
