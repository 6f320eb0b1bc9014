// Device login (RFC 8628): a program shows a short code, a person confirms it in a browser, the program gets a token.

import { randomInt } from 'node:crypto';
import type { Scope } from 'skillwright/registry-protocol';
import { type Account, anonymous, countTogether, uncountTogether } from '../access/index.ts';
import { Failure, hashSecret, newSecret } from '../base/index.ts';
import { OauthError } from '../identity/index.ts';
import type { Registry } from '../registry.ts';
import { type Act, type Change, change } from '../work/index.ts';
import { asPerson, createToken, forgetExpired, storeSecret } from './stored-secrets.ts';
import { demandTokenManager, limitExpiry } from './tokens.ts';

const LIFETIME_SECONDS = 600;
const WAIT_SECONDS = 2;
/** Added to the wait of a program that asks too often, as the RFC says. */
const SLOW_DOWN_SECONDS = 5;
const TOKEN_DAYS = 90;
const MAX_PENDING = 10_000;
/** Wrong codes of one account. */
const WRONG_CODES = { times: 10, seconds: 600 };
/** Consonants: no digits, no words, no letters that look alike. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const CODE_LENGTH = 8;

/** SQL condition: the login with the code `$1` waits for a person at the time `$2`. */
const PENDING = `kind = 'device' and details->>'user' = $1 and details->>'state' = 'pending' and expires_at > $2`;

/** A login that waits for a person. */
interface PendingLogin {
  readonly client: string;
  /** Those of the requested rights that the person can give. */
  readonly scopes: readonly Scope[];
  readonly requested: Date;
}

/** Starts a login for a program. */
export async function startDeviceLogin(
  { database, now, publicUrl }: Registry,
  { client, scopes }: { readonly client: string; readonly scopes: readonly Scope[] },
) {
  const at = now();
  await forgetExpired(database, 'device', new Date(at.getTime() - LIFETIME_SECONDS * 1000));
  const [waiting] = await database.query<{ count: number }>(
    `select count(*) as count from secrets where kind = 'device'`,
  );
  if (waiting!.count >= MAX_PENDING)
    throw new OauthError('temporarily_unavailable', 'too many logins are waiting: try again in ten minutes');
  const deviceCode = newSecret();
  const userCode = Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  await storeSecret(database, {
    kind: 'device',
    hash: hashSecret(deviceCode),
    scopes,
    details: { user: userHash(userCode), client, state: 'pending', wait: WAIT_SECONDS },
    now: at,
    expiresAt: new Date(at.getTime() + LIFETIME_SECONDS * 1000),
  });
  const shown = `${userCode.slice(0, CODE_LENGTH / 2)}-${userCode.slice(CODE_LENGTH / 2)}`;
  return {
    device_code: deviceCode,
    user_code: shown,
    verification_uri: `${publicUrl}/device`,
    verification_uri_complete: `${publicUrl}/device?code=${shown}`,
    expires_in: LIFETIME_SECONDS,
    interval: WAIT_SECONDS,
  };
}

/** The login behind a code that a person typed. Wrong codes are counted per account. */
export async function findDeviceLogin({ registry, caller }: Act, userCode: string): Promise<PendingLogin> {
  const account = demandTokenManager(caller);
  const counted = `device ${account.id}`;
  // Counted before the look-up, so that attempts at the same moment count too.
  const { remaining } = await countTogether(registry, counted, WRONG_CODES);
  if (remaining < 0)
    throw new Failure('rate_limited', 'too many wrong codes: wait ten minutes', {
      headers: { 'retry-after': String(WRONG_CODES.seconds) },
    });
  const [row] = await registry.database.query<PendingLogin>(
    `select details->>'client' as client, scopes, created_at as requested from secrets where ${PENDING}`,
    [userHash(userCode), registry.now()],
  );
  if (row === undefined) throw noSuchCode();
  await uncountTogether(registry, counted);
  const scopes = row.scopes.filter(
    (scope) => caller.scopes.has(scope) && (scope !== 'admin' || account.isAdmin),
  );
  return { ...row, scopes };
}

const noSuchCode = () => new Failure('not_found', 'no such code, or it has expired');

/** A person approves or denies a login. The token gets no rights the person lacks. */
export async function decideDeviceLogin(
  act: Act,
  { userCode, isApproved }: { readonly userCode: string; readonly isApproved: boolean },
): Promise<PendingLogin> {
  const { registry, caller } = act;
  const login = await findDeviceLogin(act, userCode);
  const { client, scopes } = login;
  if (isApproved && scopes.length === 0)
    throw new Failure('forbidden', 'this program asks for rights that you do not have');
  return change(act, async ({ tx, note }) => {
    const decided = await tx.query(
      `update secrets set details = details || jsonb_build_object('state', $3::text), account_id = $4, owner_id = $5,
         parent = $6, scopes = $7 where ${PENDING} returning id`,
      [
        ...[userHash(userCode), registry.now(), isApproved ? 'approved' : 'denied'],
        ...[caller.account!.id, caller.limitedTo ?? null, caller.tokenId ?? null, scopes],
      ],
    );
    if (decided.length === 0) throw noSuchCode();
    note(isApproved ? 'device.approve' : 'device.deny', { details: { client, scopes } });
    return login;
  });
}

interface LoginRow {
  readonly id: string;
  readonly scopes: Scope[];
  readonly account_id: number | null;
  readonly owner_id: number | null;
  readonly parent: string | null;
  readonly details: { client: string; state: 'pending' | 'approved' | 'denied'; wait: number };
  /** When the program asked last. */
  readonly used_at: Date | null;
  readonly expires_at: Date;
  readonly ended_at: Date | null;
}

/** The program asks for its token. An approved login gives one token, once. */
export async function pollDeviceLogin(
  registry: Registry,
  { deviceCode, client }: { readonly deviceCode: string; readonly client: string },
) {
  const now = registry.now();
  const answer = await change({ registry, caller: anonymous }, async (made) => {
    const { tx } = made;
    const [row] = await tx.query<LoginRow>(
      `select * from secrets where hash = $1 and kind = 'device' and details->>'client' = $2 for update`,
      [hashSecret(deviceCode), client],
    );
    if (row === undefined || row.ended_at !== null)
      return new OauthError('invalid_grant', 'this code is unknown or was used');
    if (row.expires_at <= now) return new OauthError('expired_token', 'the code has expired: start again');
    const { state, wait } = row.details;
    const isTooFast = row.used_at !== null && now.getTime() - row.used_at.getTime() < wait * 1000;
    const nextWait = wait + (isTooFast ? SLOW_DOWN_SECONDS : 0);
    await tx.query(
      `update secrets set used_at = $2, details = details || jsonb_build_object('wait', $3::int) where id = $1`,
      [row.id, now, nextWait],
    );
    if (isTooFast) return new OauthError('slow_down', `wait ${nextWait} seconds`);
    if (state === 'pending')
      return new OauthError('authorization_pending', 'nobody has confirmed the code yet');
    await tx.query('update secrets set ended_at = $2 where id = $1', [row.id, now]);
    return (
      (state === 'approved' && (await issueToken(made, row))) ||
      new OauthError('access_denied', 'the login was denied')
    );
  });
  // Returned and not thrown: what was noted about the program that asks must stay.
  if (answer instanceof OauthError) throw answer;
  return answer;
}

async function issueToken(
  { registry, tx, note }: Change,
  { account_id, owner_id: ownerId, parent, scopes, details: { client: name } }: LoginRow,
) {
  const [account] = await tx.query<Account>(
    `select a.id, a.name, a.is_admin as "isAdmin" from accounts a where a.id = $1 and a.suspended is null
       and ($2::text is null or exists (select from secrets t where t.id = $2 and t.ended_at is null))`,
    [account_id, parent],
  );
  if (account === undefined) return undefined;
  const now = registry.now().getTime();
  const wanted = new Date(now + TOKEN_DAYS * 86_400_000);
  const expiresAt = await limitExpiry(tx, { by: parent, expiresAt: wanted });
  const accountId = account.id;
  const { id, token } = await createToken(tx, { accountId, name, scopes, ownerId, parent, expiresAt });
  note('token.create', { details: { id, name, scopes } }, asPerson(account));
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: Math.floor((expiresAt!.getTime() - now) / 1000),
    scope: scopes.join(' '),
  };
}

/** The stored form of a code. People type it with or without hyphen, spaces and capitals. */
function userHash(text: string): string {
  return Buffer.from(hashSecret(text.toUpperCase().replace(/[^A-Z]/g, ''))).toString('hex');
}
