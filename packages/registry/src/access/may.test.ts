import { type Role, Scope } from 'skillwright/registry-protocol';
import { describe, expect, test } from 'vitest';
import { Failure } from '../base/index.ts';
import { anonymous, type Caller } from './caller.ts';
import {
  type Action,
  decidedBy,
  demand,
  demandRating,
  demandRegistryAdmin,
  demandUndo,
  type Guarded,
  isModerator,
  isOpen,
  isRegistryAdmin,
  may,
  maySee,
  readableOwners,
  readersOf,
  reviewedBy,
  stillMay,
  unauthorised,
  visibleBy,
  visibleTo,
} from './may.ts';

const ACME = 1;
const OTHER = 2;

/** An account with roles in the namespace `ACME`; by default all rights, as in a session. */
function member(roles: readonly Role[], given: Partial<Caller> & { isAdmin?: boolean } = {}): Caller {
  const { isAdmin = false, ...rest } = given;
  return {
    ...anonymous,
    via: 'token',
    account: { id: 7, name: 'ada', isAdmin },
    scopes: new Set(Scope.options),
    roles: new Map(roles.length === 0 ? [] : [[ACME, new Set(roles)]]),
    ...rest,
  };
}

const admin = (given: Partial<Caller> = {}) => member([], { isAdmin: true, ...given });
const withScopes = (...scopes: Scope[]) => ({ scopes: new Set(scopes) });
const system: Caller = { ...anonymous, via: 'system', scopes: new Set() };

const actions: readonly Action[] = ['read', 'preview', 'publish', 'review', 'manage'];
const demo = { ownerId: ACME, name: 'demo' };
const all = 'read preview publish review manage';

describe('actions in a namespace', () => {
  test.each<[string, Caller, string]>([
    ['nobody', anonymous, ''],
    ['the system', system, all],
    ['an account without a role', member([]), ''],
    // Roles, with every scope.
    ['a reader', member(['reader']), 'read'],
    ['a publisher', member(['publisher']), 'read preview publish'],
    ['a reviewer', member(['reviewer']), 'read preview review'],
    ['an admin of the namespace', member(['admin']), all],
    ['a reader and reviewer', member(['reader', 'reviewer']), 'read preview review'],
    ['an administrator of the registry', admin(), all],
    ['a role in another namespace', member([], { roles: new Map([[OTHER, new Set<Role>(['admin'])]]) }), ''],
    // Scopes of a token, with every role.
    ['no scope', member(['admin'], withScopes()), ''],
    ['to read', member(['admin'], withScopes('read')), 'read preview'],
    ['to publish', member(['admin'], withScopes('publish')), 'publish'],
    ['to review', member(['admin'], withScopes('review')), 'review'],
    ['to manage', member(['admin'], withScopes('owner')), 'manage'],
    ['to rate', member(['admin'], withScopes('rate')), ''],
    ['to administer the registry', member(['admin'], withScopes('admin')), ''],
    ['an administrator, to read', admin(withScopes('read')), 'read preview'],
    ['an administrator, to administer the registry', admin(withScopes('admin')), ''],
    // Tokens for one namespace or one skill.
    ['for this namespace', member(['admin'], { limitedTo: ACME }), all],
    ['for another namespace', member(['admin'], { limitedTo: OTHER }), ''],
    ['an administrator, for this namespace', admin({ limitedTo: ACME }), all],
    ['an administrator, for another namespace', admin({ limitedTo: OTHER }), ''],
    ['for this skill', member(['admin'], { limitedTo: ACME, onlySkill: 'demo' }), all],
    ['for another skill', member(['admin'], { limitedTo: ACME, onlySkill: 'tables' }), ''],
    ['an administrator, for another skill', admin({ limitedTo: ACME, onlySkill: 'tables' }), ''],
  ])('%s: %s', (_, caller, allowed) => {
    expect(actions.filter((action) => may(caller, action, demo)).join(' ')).toBe(allowed);
  });

  test('a token for one skill can do nothing where no skill is named', () => {
    const caller = member(['admin'], { limitedTo: ACME, onlySkill: 'demo' });
    expect(actions.filter((action) => may(caller, action, { ownerId: ACME }))).toEqual([]);
  });
});

const skills: Readonly<Record<string, Guarded>> = {
  public: { ...demo, visibility: 'public' },
  'public, withheld': { ...demo, visibility: 'public', isWithheld: true },
  private: { ...demo, visibility: 'private' },
  'private, withheld': { ...demo, visibility: 'private', isWithheld: true },
};

test.each([
  ['public', true],
  ['public, withheld', false],
  ['private', false],
  ['private, withheld', false],
])('%s: anyone sees it: %s', (skill, expected) => {
  expect(isOpen(skills[skill]!)).toBe(expected);
  expect(maySee(anonymous, skills[skill]!)).toBe(expected);
  expect(maySee(member([]), skills[skill]!)).toBe(expected);
  expect(maySee(member(['reader'], withScopes('publish')), skills[skill]!)).toBe(expected);
  expect(maySee(member(['reader']), skills[skill]!)).toBe(true);
  expect(maySee(admin(), skills[skill]!)).toBe(true);
});

const failureOf = (work: () => void): unknown => {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return `${error.status} ${error.message}`;
  }
};

const SIGN_IN = '401 sign in first';
const FORBIDDEN = '403 your role or token does not allow this';
const NOT_FOUND = '404 no such skill, version or owner, or you may not see it';

describe('the administration of the registry', () => {
  const ONLY = '403 only administrators of the registry may do this';
  test.each<[string, Caller, string | undefined]>([
    ['the system', system, undefined],
    ['nobody', anonymous, SIGN_IN],
    ['nobody, with every scope', { ...anonymous, scopes: new Set(Scope.options) }, SIGN_IN],
    ['an admin of a namespace', member(['admin']), ONLY],
    ['an administrator', admin(), undefined],
    ['an administrator with a token for that', admin(withScopes('admin')), undefined],
    [
      'an administrator with a token for everything else',
      admin(withScopes('read', 'publish', 'rate', 'review', 'owner')),
      ONLY,
    ],
    ['an administrator with a token for one namespace', admin({ limitedTo: ACME }), ONLY],
    ['an administrator with a token for the namespace 0', admin({ limitedTo: 0 }), ONLY],
    ['an administrator with a token for one skill', admin({ limitedTo: ACME, onlySkill: 'demo' }), ONLY],
  ])('%s: %s', (_, caller, failure) => {
    expect(isRegistryAdmin(caller)).toBe(failure === undefined);
    expect(failureOf(() => demandRegistryAdmin(caller))).toBe(failure);
  });
});

describe('a refused action', () => {
  test.each<[string, Caller, Action, keyof typeof skills, string | undefined]>([
    ['allowed', member(['publisher']), 'publish', 'private', undefined],
    ['nobody, public', anonymous, 'publish', 'public', SIGN_IN],
    ['nobody, private', anonymous, 'publish', 'private', NOT_FOUND],
    ['nobody, withheld', anonymous, 'read', 'public, withheld', NOT_FOUND],
    ['an account, public', member([]), 'publish', 'public', FORBIDDEN],
    ['an account, private', member([]), 'publish', 'private', NOT_FOUND],
    ['a reader, private', member(['reader']), 'publish', 'private', FORBIDDEN],
    [
      'a token that cannot read, private',
      member(['admin'], withScopes('publish')),
      'review',
      'private',
      NOT_FOUND,
    ],
  ])('%s: %s %s', (_, caller, action, skill, failure) => {
    expect(failureOf(() => demand(caller, action, skills[skill]!))).toBe(failure);
  });

  test('asks for a token', () => {
    expect({ ...unauthorised(), message: unauthorised().message }).toEqual({
      code: 'unauthorised',
      message: 'sign in first',
      details: [],
      headers: { 'www-authenticate': 'Bearer' },
    });
    expect(unauthorised('the token expired').message).toBe('the token expired');
  });
});

describe('a rating', () => {
  const OWN = '403 you publish in this namespace, so you cannot rate its skills';
  test.each<[string, Caller, keyof typeof skills, string | undefined]>([
    ['nobody, public', anonymous, 'public', SIGN_IN],
    ['nobody, private', anonymous, 'private', NOT_FOUND],
    ['an account, public', member([]), 'public', undefined],
    ['an account, private', member([]), 'private', NOT_FOUND],
    ['a reader', member(['reader']), 'private', undefined],
    ['a reviewer', member(['reviewer']), 'private', undefined],
    ['a publisher', member(['publisher']), 'public', OWN],
    ['an admin', member(['admin']), 'public', OWN],
    ['an administrator of the registry', admin(), 'private', undefined],
    ['a token to rate', member([], withScopes('rate')), 'public', undefined],
    [
      'a token for everything else',
      member([], withScopes('read', 'publish', 'review', 'owner', 'admin')),
      'public',
      FORBIDDEN,
    ],
    ['a token for this namespace', member([], { limitedTo: ACME }), 'public', undefined],
    ['a token for another namespace', member([], { limitedTo: OTHER }), 'public', FORBIDDEN],
  ])('%s, %s: %s', (_, caller, skill, failure) => {
    expect(failureOf(() => demandRating(caller, skills[skill]!, { hasPublished: false }))).toBe(failure);
  });

  test('having published closes it, whatever the role is now', () => {
    const rate = (caller: Caller) =>
      failureOf(() => demandRating(caller, skills.public!, { hasPublished: true }));
    expect([rate(member([])), rate(member(['reader'])), rate(admin())]).toEqual([OWN, OWN, OWN]);
  });
});

describe('the same rules as a condition in SQL', () => {
  const OPEN = `(s.visibility = 'public' and not s.is_withheld)`;
  const both = new Map<number, ReadonlySet<Role>>([
    [ACME, new Set<Role>(['reader'])],
    [OTHER, new Set<Role>(['reviewer'])],
  ]);
  test.each<[string, Caller, { read: number[] | undefined; named?: number[]; review: number[] | undefined }]>(
    [
      ['the system', system, { read: undefined, review: undefined }],
      ['nobody', anonymous, { read: [], review: [] }],
      ['an account', member([]), { read: [], review: [] }],
      ['two namespaces', member([], { roles: both }), { read: [ACME, OTHER], review: [OTHER] }],
      ['one of two namespaces', member([], { roles: both, limitedTo: ACME }), { read: [ACME], review: [] }],
      [
        'no scope to read',
        member([], { roles: both, ...withScopes('review') }),
        { read: [], review: [OTHER] },
      ],
      [
        'one skill',
        member([], { roles: both, limitedTo: ACME, onlySkill: 'demo' }),
        { read: [], named: [ACME], review: [] },
      ],
      ['an administrator', admin(), { read: undefined, review: undefined }],
      ['an administrator, to review', admin(withScopes('review')), { read: [], review: undefined }],
      ['an administrator, one namespace', admin({ limitedTo: OTHER }), { read: [OTHER], review: [OTHER] }],
      [
        'an administrator with a role there',
        member(['reader'], { isAdmin: true, limitedTo: ACME }),
        { read: [ACME], review: [ACME] },
      ],
    ],
  )('%s', (_, caller, { read, named = read, review }) => {
    expect(readableOwners(caller)).toEqual(read);
    expect(readableOwners(caller, 'demo')).toEqual(named);
    expect(readersOf(caller, 'demo')).toBe(named?.join(',') ?? '*');
    const conditionOf = (owners: number[] | undefined) =>
      owners === undefined
        ? ['true', 'before']
        : owners.length === 0
          ? [OPEN, 'before']
          : [`(${OPEN} or s.owner_id = any($2::bigint[]))`, 'before', owners];
    const [general, one, reviewing]: unknown[][] = [['before'], ['before'], ['before']];
    expect([visibleTo(caller, general!), ...general!]).toEqual(conditionOf(read));
    expect([visibleTo(caller, one!, { name: 'demo' }), ...one!]).toEqual(conditionOf(named));
    expect([reviewedBy(caller, reviewing!), ...reviewing!]).toEqual(
      review === undefined ? ['true', 'before'] : ['s.owner_id = any($2::bigint[])', 'before', review],
    );
  });

  test('many callers in one statement', () => {
    expect(visibleBy('q.readers')).toBe(
      `(${OPEN} or q.readers = '*' or s.owner_id::text = any(string_to_array(q.readers, ',')))`,
    );
  });

  test.each<[Action, string]>([
    ['read', `'reader', 'publisher', 'reviewer', 'admin'`],
    ['preview', `'publisher', 'reviewer', 'admin'`],
    ['publish', `'publisher', 'admin'`],
    ['review', `'reviewer', 'admin'`],
    ['manage', `'admin'`],
  ])('%s, later: one of %s', (action, roles) => {
    expect(stillMay(action, { account: 'm.account_id', owner: 'm.owner_id' }).replaceAll(/\s+/g, ' ')).toBe(
      'exists (select from accounts acting where acting.id = m.account_id and acting.suspended is null ' +
        'and (acting.is_admin or exists (select from roles held ' +
        `where held.owner_id = m.owner_id and held.account_id = acting.id and held.role in (${roles}))))`,
    );
  });
});

describe('moderation of the registry', () => {
  const moderator = (given: Partial<Caller> = {}): Caller => {
    const caller = member([], given);
    return { ...caller, account: { ...caller.account!, isModerator: true } };
  };
  type Row = [name: string, caller: Caller, moderates: boolean, review: unknown[], publish: unknown[]];
  const registry = ['registry', true, 'forbidden'];
  const namespace = [null, 'forbidden', true];
  const nobody = ['registry', 'forbidden', 'forbidden'];
  test.each<Row>([
    ['nobody', anonymous, false, nobody, nobody],
    ['the system', system, true, ['registry', true, true], ['registry', true, true]],
    ['an administrator of the registry', admin(), true, registry, registry],
    ['a moderator', moderator(), true, registry, registry],
    ['a moderator whose token cannot review', moderator(withScopes('read')), false, nobody, nobody],
    ['a moderator whose token is limited', moderator({ limitedTo: ACME }), false, nobody, nobody],
    ['one whose token cannot review', admin(withScopes('read', 'admin')), false, nobody, nobody],
    ['one whose token is limited to a namespace', admin({ limitedTo: ACME }), false, nobody, nobody],
    [
      'an administrator who belongs to the namespace',
      member(['admin'], { isAdmin: true }),
      true,
      ['registry', true, true],
      [null, true, true],
    ],
    ['an admin of the namespace', member(['admin']), false, namespace, namespace],
    ['a reviewer', member(['reviewer']), false, namespace, nobody],
    ['a publisher', member(['publisher']), false, nobody, namespace],
  ])('%s', (_, caller, moderates, review, publish) => {
    const decides = (action: Action) => {
      const undoes = (decided: 'registry' | null) => {
        try {
          demandUndo(caller, { decided, action, ownerId: ACME });
          return true;
        } catch (error) {
          return (error as Failure).code;
        }
      };
      return [decidedBy(caller, { action, ownerId: ACME }), undoes('registry'), undoes(null)];
    };
    expect([isModerator(caller), decides('review'), decides('publish')]).toEqual([
      moderates,
      review,
      publish,
    ]);
  });

  test('a moderator reads and reviews everywhere, and does nothing else', () => {
    expect(actions.filter((action) => may(moderator(), action, demo)).join(' ')).toBe('read preview review');
    expect(isRegistryAdmin(moderator())).toBe(false);
    expect(readableOwners(moderator())).toBeUndefined();
    expect(readableOwners(moderator({ limitedTo: OTHER }))).toEqual([OTHER]);
    expect(reviewedBy(moderator(), [])).toBe('true');
    expect(readableOwners(moderator(withScopes('review')))).toEqual([]);
  });
});
