import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { basename } from 'node:path';
import { listCopies, readHolder } from '../../store/index.ts';
import { type Check, type Finding, failing, ok, warning } from '../finding.ts';

const LOOPBACK = /^(?:localhost|127\.|\[?::1\]?$)/;

/** The address people use, and the proxy in front. */
export const checkSettings: Check = async ({ settings, publicUrl }) => {
  const findings: Finding[] = [];
  const say = (message: string, fix: string) => findings.push(warning('settings', message, fix));
  const isOpen = !LOOPBACK.test(settings.host);
  const { protocol, hostname } = new URL(publicUrl);
  if (isOpen && settings.publicUrl === undefined)
    say('other machines reach this registry, and it has no public address', 'set --public-url');
  else if (protocol === 'http:' && !LOOPBACK.test(hostname))
    say(
      `${publicUrl} is not encrypted: anyone on the way can read tokens`,
      'put a proxy with TLS in front and set --public-url to its https address',
    );
  if (protocol === 'https:' && settings.trustedProxies.length === 0)
    say(
      'limits count everyone behind the proxy as one caller',
      "set --trusted-proxies to the proxy's address",
    );
  return findings.length === 0 ? [ok('settings', publicUrl)] : findings;
};

/** This process has the data directory. */
export const checkLock: Check = async ({ database, settings }) => {
  if (database.kind !== 'embedded') return [];
  const holder = readHolder(settings.data);
  const who = holder === undefined ? 'nobody' : `process ${holder.pid} on ${holder.host}`;
  if (holder?.pid === process.pid) return [ok('lock', `${who} since ${holder.since}`)];
  return [
    failing(
      'lock',
      `${who} is noted as the user of ${settings.data}, but process ${process.pid} has the database open`,
      'stop every process that uses this directory and start one; the file system must support locks',
    ),
  ];
};

/** The embedded database has a copy to go back to. */
export const checkCopies: Check = async ({ database, settings }) => {
  if (database.kind !== 'embedded') return [];
  if (settings.copies === 0) return [warning('copies', 'copies are off', 'set --copies 3')];
  const [newest] = await listCopies(settings.data);
  return [
    ok(
      'copies',
      newest === undefined ? 'none yet; a running server makes them' : `the newest is ${basename(newest)}`,
    ),
  ];
};

const LEAST_BYTES = 1024 ** 3;

/** The disk of the data directory has room. */
export const checkDisk: Check = async ({ settings }) => {
  if (!existsSync(settings.data)) return [];
  const { bavail, bsize } = await statfs(settings.data);
  const free = bavail * bsize;
  const message = `${(free / 1024 ** 3).toFixed(1)} GiB are free in ${settings.data}`;
  return [free >= LEAST_BYTES ? ok('disk', message) : warning('disk', message, 'free at least 1 GiB')];
};
