// The sender of a request, with its rights.

import type { Provenance, Role, Scope } from 'skillwright/registry-protocol';

/** An account, as far as rights are concerned. */
export interface Account {
  readonly id: number;
  readonly name: string;
  readonly isAdmin: boolean;
  /** Whether it moderates the registry without administering it. */
  readonly isModerator?: boolean;
}

/** The sender of a request. */
export interface Caller {
  readonly via: 'anonymous' | 'session' | 'token' | 'system';
  readonly account: Account | undefined;
  /** Rights of the token; a session has all rights of its account. */
  readonly scopes: ReadonlySet<Scope>;
  /** The only namespace the token is for. */
  readonly limitedTo: number | undefined;
  /** The only skill of that namespace the token is for. */
  readonly onlySkill?: string | undefined;
  /** Roles by the id of the namespace. */
  readonly roles: ReadonlyMap<number, ReadonlySet<Role>>;
  /** Where a CI job runs, proved by its identity token. */
  readonly provenance: Provenance | undefined;
  /** The account that started the CI job, if the registry knows it. */
  readonly startedBy?: number | undefined;
  readonly tokenId: string | undefined;
  readonly sessionId?: string | undefined;
}

export const anonymous: Caller = {
  via: 'anonymous',
  account: undefined,
  scopes: new Set(['read']),
  limitedTo: undefined,
  roles: new Map(),
  provenance: undefined,
  tokenId: undefined,
};
