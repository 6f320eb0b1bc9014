// Feeds: JSON Feed 1.1 and Atom.

import type { PublicChange } from './public-changes.ts';

/** Where a feed comes from. */
interface FeedPlace {
  readonly publicUrl: string;
  /** Path of the feed itself. */
  readonly path: string;
  readonly title: string;
}

/** A JSON Feed. */
export function renderJsonFeed(
  changes: readonly PublicChange[],
  { publicUrl, path, title }: FeedPlace,
): unknown {
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: publicUrl,
    feed_url: publicUrl + path,
    items: changes.map((change) => ({
      id: `${publicUrl}/changes/${change.id}`,
      url: publicUrl + change.path,
      title: change.title,
      content_text: change.summary || change.title,
      date_published: change.at.toISOString(),
    })),
  };
}

/** An Atom feed. */
export function renderAtomFeed(
  changes: readonly PublicChange[],
  { publicUrl, path, title }: FeedPlace,
): string {
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
