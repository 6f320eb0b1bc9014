// Relative links in a file of a skill.

/** The path a relative link in `from` leads to; undefined when it leaves the skill or cannot be read. */
export function resolvePath(from: string, target: string): string | undefined {
  const written = target.split(/[?#]/, 1)[0]!;
  let decoded: string;
  try {
    decoded = decodeURIComponent(written);
  } catch {
    return undefined;
  }
  if (decoded === '' || decoded.startsWith('/') || /[\\\0]/.test(decoded)) return undefined;
  const parts = from.split('/').slice(0, -1);
  for (const part of decoded.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}
