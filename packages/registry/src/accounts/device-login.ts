// Device login (RFC 8628): a program shows a short code, a person confirms it in a browser, the program gets a token.

import { randomInt } from 'node:crypto';
import type { Scope } from 'skillwright/registry-protocol';
import { type Account, type Caller, countTogether, record, uncountTogether } from '../access/index.ts';
import { Failure, hashSecret, newSecret } from '../base/index.ts';
import { OauthError } from '../identity/index.ts';
import type { Registry } from '../registry.ts';
import type { Queryable } from '../store/index.ts';
import { demandTokenManager, limitExpiry } from './manage-tokens.ts';
import { asPerson } from './sessions.ts';
import { createToken, forgetExpired, storeSecret } from './stored-secrets.ts';

const LIFETIME_SECONDS = 600;
const WAIT_SECONDS = 5;
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
  const userCode = newUserCode();
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
export async function findDeviceLogin(
  registry: Registry,
  caller: Caller,
  userCode: string,
): Promise<PendingLogin> {
  const account = demandTokenManager(caller);
  const counted = `device ${account.id}`;
  // Counted before the look-up, so that attempts at the same moment count too.
  const { remaining } = await countTogether(registry, counted, WRONG_CODES);
  if (remaining < 0)
    throw new Failure('rate_limited', 'too many wrong codes: wait ten minutes', {
      headers: { 'retry-after': String(WRONG_CODES.seconds) },
    });
  const [row] = await registry.database.query<{ client: string; scopes: Scope[]; created_at: Date }>(
    `select details->>'client' as client, scopes, created_at from secrets where ${PENDING}`,
    [userHash(userCode), registry.now()],
  );
  if (row === undefined) throw new Failure('not_found', 'no such code, or it has expired');
  await uncountTogether(registry, counted);
  return { client: row.client, scopes: grantable(caller, row.scopes), requested: row.created_at };
}

/** A person approves or denies a login. The token gets no rights the person lacks. */
export async function decideDeviceLogin(
  registry: Registry,
  caller: Caller,
  { userCode, isApproved }: { readonly userCode: string; readonly isApproved: boolean },
): Promise<PendingLogin> {
  const login = await findDeviceLogin(registry, caller, userCode);
  if (isApproved && login.scopes.length === 0)
    throw new Failure('forbidden', 'you have none of the rights this program asks for');
  await registry.database.transaction(async (tx) => {
    const decided = await tx.query(
      `update secrets set details = details || jsonb_build_object('state', $3::text), account_id = $4, owner_id = $5,
         parent = $6, scopes = $7 where ${PENDING} returning id`,
      [
        userHash(userCode),
        registry.now(),
        isApproved ? 'approved' : 'denied',
        caller.account!.id,
        caller.limitedTo ?? null,
        caller.tokenId ?? null,
        login.scopes,
      ],
    );
    if (decided.length === 0) throw new Failure('not_found', 'no such code, or it has expired');
    await record(tx, caller, {
      action: isApproved ? 'device.approve' : 'device.deny',
      details: { client: login.client, scopes: login.scopes },
    });
  });
  return login;
}

interface LoginRow {
  id: string;
  scopes: Scope[];
  account_id: number | null;
  owner_id: number | null;
  parent: string | null;
  details: { client: string; state: 'pending' | 'approved' | 'denied'; wait: number };
  /** When the program asked last. */
  used_at: Date | null;
  expires_at: Date;
  ended_at: Date | null;
}

/** The program asks for its token. An approved login gives one token, once. */
export async function pollDeviceLogin(
  registry: Registry,
  { deviceCode, client }: { readonly deviceCode: string; readonly client: string },
) {
  const now = registry.now();
  const answer = await registry.database.transaction(async (tx) => {
    const [row] = await tx.query<LoginRow>(
      `select * from secrets where hash = $1 and kind = 'device' and details->>'client' = $2 for update`,
      [hashSecret(deviceCode), client],
    );
    if (row === undefined || row.ended_at !== null)
      return new OauthError('invalid_grant', 'this code is unknown or was used');
    if (row.expires_at <= now) return new OauthError('expired_token', 'the code has expired: start again');
    const { state, wait } = row.details;
    const isTooFast = row.used_at !== null && now.getTime() - row.used_at.getTime() < wait * 1000;
    const nextWait = wait + (isTooFast ? WAIT_SECONDS : 0);
    await tx.query(
      `update secrets set used_at = $2, details = details || jsonb_build_object('wait', $3::int) where id = $1`,
      [row.id, now, nextWait],
    );
    if (isTooFast) return new OauthError('slow_down', `wait ${nextWait} seconds`);
    if (state === 'pending')
      return new OauthError('authorization_pending', 'nobody has confirmed the code yet');
    await tx.query('update secrets set ended_at = $2 where id = $1', [row.id, now]);
    return state === 'denied' ? denied() : issueToken(tx, { registry, row });
  });
  if (answer instanceof OauthError) throw answer;
  return answer;
}

async function issueToken(
  tx: Queryable,
  { registry, row }: { readonly registry: Registry; readonly row: LoginRow },
) {
  const [account] = await tx.query<Account>(
    `select a.id, a.name, a.is_admin as "isAdmin" from accounts a where a.id = $1 and a.suspended is null
       and ($2::text is null or exists (select from secrets t where t.id = $2 and t.ended_at is null))`,
    [row.account_id, row.parent],
  );
  if (account === undefined) return denied();
  const now = registry.now().getTime();
  const expiresAt = await limitExpiry(
    tx,
    { tokenId: row.parent ?? undefined },
    { expiresAt: new Date(now + TOKEN_DAYS * 86_400_000) },
  );
  const { id, token } = await createToken(tx, {
    accountId: account.id,
    name: row.details.client,
    scopes: row.scopes,
    ownerId: row.owner_id,
    parent: row.parent,
    expiresAt,
  });
  await record(tx, asPerson(account), {
    action: 'token.create',
    details: { id, name: row.details.client, scopes: row.scopes },
  });
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: Math.floor((expiresAt!.getTime() - now) / 1000),
    scope: row.scopes.join(' '),
  };
}

function denied(): OauthError {
  return new OauthError('access_denied', 'the login was denied');
}

function grantable(caller: Caller, scopes: readonly Scope[]): Scope[] {
  return scopes.filter(
    (scope) => caller.scopes.has(scope) && (scope !== 'admin' || caller.account?.isAdmin === true),
  );
}

function newUserCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** The stored form of a code. People type it with or without hyphen, spaces and capitals. */
function userHash(text: string): string {
  return Buffer.from(hashSecret(text.toUpperCase().replace(/[^A-Z]/g, ''))).toString('hex');
}
