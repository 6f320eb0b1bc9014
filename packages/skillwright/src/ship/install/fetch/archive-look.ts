// Remembers the state a web server reported for an archive, to ask later whether it changed.

import { join } from 'node:path';
import * as z from 'zod';
import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import { sha256 } from '../../../base/files/index.ts';
import { readState, updateState, type Workspace } from '../../../skill/workspace/index.ts';
import type { FetchedHead } from '../../network/index.ts';

/** Limit of remembered archives: the oldest are dropped. */
const MAX_REMEMBERED = 500;
const MAX_LOOK = 300;

const Look = z.object({ digest: z.string(), look: z.string() });

/** A server's state for an archive, and the archive's digest at that time. */
type ArchiveLook = z.output<typeof Look>;

/** The entity tag, else the time and size; undefined when the server sends neither. */
export function lookOfAnswer({ headers }: Pick<FetchedHead, 'headers'>): string | undefined {
  const { etag, 'last-modified': modified, 'content-length': length } = headers;
  const look = etag ?? (modified === undefined || length === undefined ? undefined : `${modified} ${length}`);
  return look === undefined || look.length > MAX_LOOK ? undefined : look;
}

/** A version label for an archive that was not downloaded: the start of its tag, or its date. */
export function labelLook(look: string): string {
  const day = Date.parse(look.replace(/ \d+$/, ''));
  if (!look.includes('"') && !Number.isNaN(day)) return new Date(day).toISOString().slice(0, 10);
  return look
    .replace(/^W\//, '')
    .replace(/[^\w.+-]/g, '')
    .slice(0, 12);
}

const fileOf = ({ user }: Pick<Workspace, 'user'>) => join(user.cache, 'archives.json');
// A URL may contain a secret.
const keyOf = (url: string) => sha256(url);

/** The state of the archive at a URL when it was last downloaded; undefined when unknown. */
export function readLook(url: string, workspace: Pick<Workspace, 'user'>): ArchiveLook | undefined {
  const looks = tableOf(readState(fileOf(workspace)).state.archives);
  const key = keyOf(url);
  return Object.hasOwn(looks, key) ? Look.safeParse(looks[key]).data : undefined;
}

/** Remembers a state. A failed write is ignored: this is a cache. */
export function rememberLook(url: string, look: ArchiveLook, workspace: Pick<Workspace, 'user'>): void {
  try {
    updateState(fileOf(workspace), (state) => {
      const { [keyOf(url)]: _, ...others } = tableOf(state.archives);
      const kept = Object.entries(others).slice(1 - MAX_REMEMBERED);
      return { ...state, archives: { ...Object.fromEntries(kept), [keyOf(url)]: look } };
    });
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
  }
}

function tableOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
