// Decides which requests the studio answers. It shows the user's skills, so it answers one browser: the one that opened the
// address with the one-time token. Everything here is a secret of one run.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { SkillwrightError } from '../../../base/diagnostics/index.ts';

/** The guard of one studio. */
export interface StudioGuard {
  /** One-time token of the address that is printed. */
  readonly token: string;
  /** Token of forms. */
  readonly csrf: string;
  /** Cookie of the browser, as a header sets it. */
  readonly cookie: string;
  /** E096 for a request to another host name, or from another site. */
  checkSender(request: IncomingMessage): void;
  /** Uses up the one-time token. E096 when it is wrong or was used. */
  exchange(token: string): void;
  /** E096 without the cookie. */
  checkCookie(request: IncomingMessage): void;
  /** E096 unless our own page sent the form. */
  checkForm(request: IncomingMessage, csrf: string | undefined): void;
}

/** Creates the secrets of a studio at an origin: `http://127.0.0.1:7412`. */
export function createGuard(origin: string): StudioGuard {
  const { host, port } = new URL(origin);
  // Cookies do not tell ports apart, and two studios may run at once.
  const name = `skc-studio-${port}`;
  const [token, csrf, session] = [secret(), secret(), secret()];
  let isUsed = false;
  return {
    token,
    csrf,
    cookie: `${name}=${session}; Path=/; HttpOnly; SameSite=Strict`,
    checkSender({ headers }) {
      // A page of another site can reach this port under a host name of its own.
      if (headers.host !== host) throw refused(`it was sent to another host than ${host}`);
      if (headers.origin !== undefined && headers.origin !== origin)
        throw refused('it came from a page of another site');
    },
    exchange(given) {
      if (!isSameSecret(given, token))
        throw refused('the token in the address is not the one of this studio');
      if (isUsed) throw refused('the token in the address was used before, and works once');
      isUsed = true;
    },
    checkCookie({ headers }) {
      const site = headers['sec-fetch-site'];
      // Pages on other ports of this machine count as the same site, and browsers send them the cookie.
      if (site !== undefined && site !== 'same-origin' && site !== 'none')
        throw refused('it came from a page of another site');
      if (!isSameSecret(readCookie(headers.cookie, name) ?? '', session))
        throw refused('this browser has not opened the studio');
    },
    checkForm({ headers }, given) {
      if (headers.origin !== origin) throw refused('the form came from a page of another site');
      if (!isSameSecret(given ?? '', csrf))
        throw refused('the form is from an earlier studio; reload its page');
    },
  };
}

/** E096. */
export function refused(why: string): SkillwrightError {
  return SkillwrightError.of('E096', { why });
}

const secret = () => randomBytes(32).toString('base64url');

function isSameSecret(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The value of a cookie. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at !== -1 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}
