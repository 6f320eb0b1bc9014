// Usage of skills: the access log, its statistics, and merging local logs.

export { type AccessRow, closeLogs, type LoggedAccess, logPath, moveLog } from './access-log.ts';
export { createFileMeasure, measureSkill } from './measure-skill.ts';
export { pruneLog } from './prune-log.ts';
export {
  type LoggedSearch,
  lastUse,
  type ReadAccess,
  readAccesses,
  readAfterSimilar,
  readSearches,
} from './read-accesses.ts';
export {
  type HourCount,
  type ListedSkill,
  listUsedSkills,
  readHours,
  readUsage,
  type Usage,
  type UsageQuestion,
  type UsedSkill,
} from './read-usage.ts';
export { type SyncOptions, syncLog } from './sync-log.ts';
export { readTime, readUsageFilter, type UsageFilter } from './usage-filter.ts';
export {
  readUsageGroup,
  TOKENS_SAVED,
  type UsageData,
  type UsageGroup,
  type UsageRow,
  usageGroups,
  usageRows,
} from './usage-group.ts';
export {
  type AccessPlace,
  type FinishedAccess,
  type LogContext,
  listLocalLogs,
  localLogDirectory,
  logAccess,
  newRunId,
  recordAccess,
  type Served,
  writeAccess,
} from './write-access.ts';
