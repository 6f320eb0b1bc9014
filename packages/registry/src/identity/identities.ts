// Identity providers of people and CI jobs, as this process knows them.

import type { Configuration } from 'openid-client';
import type { Store } from '../store/index.ts';
import type { IssuerKeys } from './issuer-keys.ts';

/** Endpoints and keys that were fetched. */
export interface Identities {
  /** Identity providers of people, by name. */
  readonly providers: Map<string, Promise<Configuration>>;
  /** Keys of CI systems, by issuer. */
  readonly issuers: Map<string, Promise<IssuerKeys>>;
  /** When an issuer or a provider did not answer, by address or name. */
  readonly unreachable: Map<string, number>;
}

/** A registry, as far as it checks who somebody is. */
export type Identifying = Pick<Store, 'settings' | 'now'> & {
  readonly identities: Identities;
  readonly publicUrl: string;
};
