// What a web server tells the state of an archive by, so that it can be asked later whether it has another one.

import { join } from 'node:path';
import * as z from 'zod';
import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import { sha256 } from '../../../base/files/index.ts';
import { readState, updateState, type Workspace } from '../../../skill/workspace/index.ts';
import type { FetchedHead } from '../../network/index.ts';

/** More archives than this are not remembered: the oldest go. */
const MAX_REMEMBERED = 500;
const MAX_LOOK = 300;

const Look = z.object({ digest: z.string(), look: z.string() });

/** How an archive looked, and the digest it had then. */
export type ArchiveLook = z.output<typeof Look>;

/** The entity tag, else the time and size; undefined when the server tells neither. */
export function lookOfAnswer({ headers }: Pick<FetchedHead, 'headers'>): string | undefined {
  const { etag, 'last-modified': modified, 'content-length': length } = headers;
  const look = etag ?? (modified === undefined || length === undefined ? undefined : `${modified} ${length}`);
  return look === undefined || look.length > MAX_LOOK ? undefined : look;
}

/** A look as the version of an archive nobody has downloaded: the start of its tag, or its day. */
export function labelLook(look: string): string {
  const day = Date.parse(look.replace(/ \d+$/, ''));
  if (!look.includes('"') && !Number.isNaN(day)) return new Date(day).toISOString().slice(0, 10);
  return look
    .replace(/^W\//, '')
    .replace(/[^\w.+-]/g, '')
    .slice(0, 12);
}

const fileOf = ({ user }: Pick<Workspace, 'user'>) => join(user.cache, 'archives.json');
// A URL may hold a secret.
const keyOf = (url: string) => sha256(url);

/** How the archive at a URL looked when it was downloaded last; undefined when nobody knows. */
export function readLook(url: string, workspace: Pick<Workspace, 'user'>): ArchiveLook | undefined {
  const looks = tableOf(readState(fileOf(workspace)).state.archives);
  const key = keyOf(url);
  return Object.hasOwn(looks, key) ? Look.safeParse(looks[key]).data : undefined;
}

/** Remembers it. A cache that cannot be written is not. */
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
