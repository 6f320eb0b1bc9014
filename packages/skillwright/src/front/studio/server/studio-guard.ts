// Decides which requests the studio answers. It shows the user's skills, so it answers one browser: the one that opened the
// address with the one-time token. Everything here is a secret of one run.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { SkillwrightError } from '../../../base/diagnostics/index.ts';

/** The guard of one studio. */
export interface StudioGuard {
  /** One-time token of the address that is printed. */
  readonly token: string;
  /** Token of forms. */
  readonly csrf: string;
  /** E096 for a request to another host name, or from another site. */
  checkSender(context: Context): void;
  /** Uses up the one-time token, and gives the browser its cookie. E096 when the token is wrong or was used. */
  exchange(context: Context, token: string): void;
  /** E096 without the cookie. */
  checkCookie(context: Context): void;
  /** E096 unless our own page sent the form. */
  checkForm(context: Context, csrf: string | undefined): void;
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
    checkSender({ req }) {
      // A page of another site can reach this port under a host name of its own.
      if (req.header('host') !== host) throw turnedAway(`it was sent to another host than ${host}`);
      if (![undefined, origin].includes(req.header('origin')))
        throw turnedAway('it came from a page of another site');
    },
    exchange(context, given) {
      if (!isSameSecret(given, token))
        throw turnedAway('the token in the address is not the one of this studio');
      if (isUsed) throw turnedAway('the token in the address was used before, and works once');
      isUsed = true;
      setCookie(context, name, session, { httpOnly: true, sameSite: 'Strict' });
    },
    checkCookie(context) {
      // Pages on other ports of this machine count as the same site, and browsers send them the cookie.
      if (![undefined, 'same-origin', 'none'].includes(context.req.header('sec-fetch-site')))
        throw turnedAway('it came from a page of another site');
      if (!isSameSecret(getCookie(context, name) ?? '', session))
        throw turnedAway('this browser has not opened the studio');
    },
    checkForm({ req }, given) {
      if (req.header('origin') !== origin) throw turnedAway('the form came from a page of another site');
      if (!isSameSecret(given ?? '', csrf))
        throw turnedAway('the form is from an earlier studio; reload its page');
    },
  };
}

/** E096. */
export function turnedAway(why: string): SkillwrightError {
  return SkillwrightError.of('E096', { why });
}

const secret = () => randomBytes(32).toString('base64url');

function isSameSecret(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
