// Checks relative paths from untrusted sources.

import { isReservedName } from '../../skill/format/index.ts';

/** Whether a path stays inside its directory on every system, names no hidden file, and can be written as spelled. */
export function isSafePath(path: string): boolean {
  if (path.length === 0 || path.length > 1024) return false;
  const parts = path.split('/');
  return parts.length <= 32 && parts.every(isSafeName);
}

function isSafeName(name: string): boolean {
  if (name.length === 0 || Buffer.byteLength(name) > 255) return false;
  if (name.startsWith('.') || /[. ]$/.test(name) || name === 'node_modules') return false;
  return !/[\p{Cc}\p{Cs}\p{Bidi_Control}\\:*?"<>|]/u.test(name) && !isReservedName(name);
}
