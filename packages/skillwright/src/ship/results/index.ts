// Results of the commands about installed skills, as schemas: what a function returns is what a command prints.

export {
  DiffOutcome,
  DoctorReport,
  Failure,
  InstallFacts,
  InstallOutcome,
  Notice,
  Origin,
  OutdatedOutcome,
  Resolved,
  ReviewSummary,
  Settled,
  showOrigin,
  UninstallOutcome,
  UpdateOutcome,
  VerifyOutcome,
  versionLabel,
} from './results.ts';
