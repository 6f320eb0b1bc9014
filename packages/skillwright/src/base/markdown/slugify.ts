/** Anchors of headings, as GitHub makes them. */

/** GitHub keeps what is a word character to it (letters, marks, decimal digits, connectors), spaces and hyphens. */
const dropped = /[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc} -]/gu;

/** For ASCII, where matching is several times as fast. */
const droppedAscii = /[^\w -]/g;
const isAscii = /^[\x00-\x7f]*$/;

/** GitHub's slug of one heading text: lower case, punctuation and symbols removed, each space a hyphen. */
export function slugify(text: string): string {
  const kept = text.toLowerCase().replace(isAscii.test(text) ? droppedAscii : dropped, '');
  return kept.replaceAll(' ', '-');
}

/** Makes the anchors of one document: the slug, with `-1`, `-2` … where that anchor is taken already. */
export function createAnchors(): (text: string) => string {
  const suffixes = new Map<string, number>();
  return (text) => {
    const slug = slugify(text);
    let anchor = slug;
    let suffix = suffixes.get(slug) ?? 0;
    while (suffixes.has(anchor)) {
      suffix++;
      anchor = `${slug}-${suffix}`;
    }
    suffixes.set(slug, suffix);
    if (anchor !== slug) suffixes.set(anchor, 0);
    return anchor;
  };
}
