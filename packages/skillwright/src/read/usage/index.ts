// Usage of skills: the access log, its statistics, and merging local logs.

export { closeLogs } from './access-log.ts';
export type { AccessRow, LoggedAccess } from './access-row.ts';
export { type CountedUpTo, countAccesses, type DayCount } from './count-accesses.ts';
export { lastUse } from './last-use.ts';
export { type ListedSkill, listUsedSkills } from './list-used-skills.ts';
export { listLocalLogs, localLogDirectory, oldestLocalRow } from './local-log.ts';
export { type LogContext, logAccess, recordAccess } from './log-access.ts';
export { logPath } from './log-file.ts';
export { measureSkill } from './measure-skill.ts';
export { pruneLog } from './prune-log.ts';
export { type ReadAccess, readAccesses } from './read-accesses.ts';
export { type LoggedSearch, readSearches } from './read-searches.ts';
export { readTogether } from './read-together.ts';
export { readUsage, type Usage, type UsageQuestion, type UsedSkill } from './read-usage.ts';
export { type SyncOptions, syncLog } from './sync-log.ts';
export { readTime, readUsageFilter, type UsageFilter } from './usage-filter.ts';
export {
  readUsageGroup,
  type UsageData,
  type UsageGroup,
  type UsageRow,
  usageGroups,
  usageRows,
} from './usage-group.ts';
export { type AccessPlace, writeAccess } from './write-access.ts';
