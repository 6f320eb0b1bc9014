// Messages between a registry of skills and its clients, explained in docs/registry-protocol.md.

export {
  AccountChange,
  AccountInfo,
  AccountName,
  AuditPage,
  AuditQuery,
  Invitation,
  InvitationRequest,
  InvitedRoles,
  OpenInvitation,
  Publisher,
  SessionInfo,
} from './accounts.ts';
export { asked, wordsOfField } from './asked-field.ts';
export { LogEntry } from './log-entry.ts';
export {
  Mirror,
  MirrorRequest,
  MirrorRun,
  Webhook,
  WebhookRequest,
} from './mirrors-and-webhooks.ts';
export {
  PendingVersion,
  Report,
  Verification,
  VerificationDecision,
  VerificationRequest,
} from './moderation.ts';
export {
  type OperationAnswer,
  type OperationBody,
  type OperationId,
  type OperationInput,
  type OperationQuery,
  type PathPart,
  partsOf,
  pathParts,
  type RegistryOperation,
  registryOperations,
} from './operations.ts';
export {
  CreatedToken,
  DIGEST_HEADER,
  MemberRequest,
  Owner,
  OwnerRequest,
  PublisherRequest,
  PurgeRequest,
  QuarantineRequest,
  RatingRequest,
  ReportRequest,
  ReviewRequest,
  SkillChange,
  TokenInfo,
  TokenList,
  TokenRequest,
  Transfer,
  TransferRequest,
  Whoami,
  YankRequest,
} from './requests.ts';
export { FoundSkills, SearchHit, SearchPage, SearchQuery } from './search-page.ts';
export {
  IndexVersion,
  Installable,
  InstallReason,
  MAX_STATES,
  RegistryAdvisory,
  SkillIndex,
  SkillSummary,
  StatesRequest,
  StatesResponse,
  VersionState,
} from './skill-index.ts';
export {
  Address,
  Count,
  Digest,
  MAX_NAME,
  OwnerName,
  parseAddress,
  Reason,
  type RegistryErrorCode,
  RegistryFailure,
  RegistryLevel,
  Role,
  registryErrors,
  Scope,
  type SkillAddress,
  spellAddress,
  Time,
  Version,
  WebAddress,
} from './values.ts';
export { Provenance, ScanFlag, ScanResult, VersionDocument, VersionFile } from './version-document.ts';
