// Guarded requests, skills published on domains, the registry, and the search across them.

export { whyClosed } from './address-guard.ts';
export { checkKeptProof, checkLogged, checkNewest, readLogKey } from './check-log.ts';
export { isAllowed, isThisMachine, refuseNever, resolveHost } from './check-url.ts';
export {
  chooseVersion,
  matchVersion,
  noticeLine,
  registryNotices,
  stateNotices,
  withheldByNotices,
} from './choose-version.ts';
export { ciSystemOf, exchangeIdentity } from './ci-identity.ts';
export { createFetcher, fetcherSettings } from './create-fetcher.ts';
export { awaitDeviceToken, startDeviceLogin } from './device-login.ts';
export { exportSpan, type FinishedCall } from './export-span.ts';
export { fetchWellKnownSkill } from './fetch-well-known-skill.ts';
export type {
  Downloaded,
  Fetched,
  FetchedHead,
  Fetcher,
  FetcherSettings,
  FetchOptions,
  SendOptions,
} from './fetcher.ts';
export { insertField, setChecksum } from './insert-field.ts';
export { advanceKnown } from './known-checkpoint.ts';
export { secondsToWait } from './network-error.ts';
export {
  connectRegistry,
  type OpenRegistry,
  openRegistry,
  reachRegistry,
  registryToken,
} from './open-registry.ts';
export { archiveSkill, type PackedFile, type PackedSkill, packSkill } from './pack-skill.ts';
export { parseJson } from './parse-json.ts';
export {
  type TrawlCandidate,
  type TrawlResult,
  type TrawlSource,
  type TrawlStatus,
  trawlSources,
} from './rank-candidates.ts';
export type { WellKnown, WellKnownSkill } from './read-index.ts';
export { INDEX_SCHEMA } from './read-index.ts';
export { readWellKnown } from './read-well-known.ts';
export { createRegistryAccount, type RegistryAccount } from './registry-account.ts';
export { createRegistryClient, type RegistryClient } from './registry-client.ts';
export { forgetRegistry, registryMemory, rememberedKey, rememberKey } from './registry-memory.ts';
export {
  isDefaultRegistry,
  isTrustedRegistry,
  registryAt,
  registryOf,
  unconfirmedRegistry,
} from './registry-of.ts';
export { type RegistryClientOptions, registryAddress, spellRegistrySource } from './registry-source.ts';
export { type Trawled, type TrawlOptions, trawl } from './trawl.ts';
export { type PlannedSite, planSite, writeSite } from './write-site.ts';
