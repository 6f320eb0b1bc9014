// Where a person goes after signing in: always a page of this registry.

/** The path of a page of this registry; `/` for everything else. */
export function returnPath(text: string | undefined, publicUrl: string): string {
  if (text === undefined || !text.startsWith('/') || /[\\\x00-\x20\x7f]/.test(text)) return '/';
  if (!URL.canParse(text, publicUrl)) return '/';
  const { origin, pathname, search, hash } = new URL(text, publicUrl);
  if (origin !== new URL(publicUrl).origin || pathname.startsWith('//')) return '/';
  return pathname + search + hash;
}
