// Guarded requests, skills published on domains, the registry, and the search across them.

export { whyClosed } from './address-guard.ts';
export { refuseNever, resolveHost } from './check-url.ts';
export { createFetcher, fetcherSettings } from './create-fetcher.ts';
export {
  type Extract,
  type FetchedWellKnownSkill,
  type FetchSkillOptions,
  fetchWellKnownSkill,
} from './fetch-well-known-skill.ts';
export type {
  Downloaded,
  Fetched,
  FetchedHead,
  FetchedJson,
  Fetcher,
  FetcherSettings,
  FetchOptions,
  SendOptions,
} from './fetcher.ts';
export { type OpenRegistry, openRegistry, type RegistryToken, registryToken } from './open-registry.ts';
export { archiveSkill, type PackedFile, type PackedSkill, packSkill } from './pack-skill.ts';
export { type PlannedSite, type PlannedSkill, planSite } from './plan-site.ts';
export { INDEX_SCHEMA } from './read-index.ts';
export { readWellKnown } from './read-well-known.ts';
export {
  chooseVersion,
  createRegistryClient,
  type Publication,
  type RegistryClient,
  type RegistryClientOptions,
  type ResolvedVersion,
} from './registry-client.ts';
export { registryNotices } from './registry-notices.ts';
export {
  DeprecateRequest,
  DIGEST_HEADER,
  MAX_PAGE_SIZE,
  REGISTRY_API,
  RegistryAdvisory,
  RegistryDist,
  type RegistryErrorCode,
  RegistryFailure,
  RegistryLevel,
  RegistrySearch,
  RegistrySkill,
  RegistrySummary,
  RegistryVersion,
  registryErrors,
  YankRequest,
} from './registry-protocol.ts';
export {
  confirmingCommand,
  isConfirmedRegistry,
  isUsersRegistry,
  registryAddress,
  registryFor,
  spellRegistrySource,
  unconfirmedRegistry,
} from './registry-source.ts';
export { setChecksum } from './set-checksum.ts';
export { type Trawled, type TrawlOptions, trawl } from './trawl.ts';
export {
  type TrawlCandidate,
  type TrawlResult,
  type TrawlSource,
  type TrawlStatus,
  trawlSources,
} from './trawl-result.ts';
export type { WellKnown, WellKnownSkill, WellKnownVersion } from './well-known-skill.ts';
export { type WrittenSite, writeSite } from './write-site.ts';
