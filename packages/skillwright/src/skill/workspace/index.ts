// The workspace: project, stores, configuration, rules and switches, looked up once.

export { createPermissions } from './create-permissions.ts';
export {
  ignoresInstalled,
  keepOutOfGit,
  makeRuntimeDirectory,
  writeIgnoreLines,
} from './ignore-lines.ts';
export { canRemember, rememberPermission } from './permission-memory.ts';
export {
  noPermissions,
  type PermissionDecision,
  type PermissionLayers,
  type PermissionRequest,
  type PermissionRules,
  type Permissions,
  type RememberedPermission,
} from './permissions.ts';
export {
  checkInside,
  isInRuntime,
  LOCAL_LOGS,
  leadsOut,
  OWN_DIRECTORY,
  ownRootOf,
  PROJECT_VARIABLE,
  type Project,
  type Store,
  type StoreScope,
  type Surroundings,
  storeAt,
} from './project.ts';
export { readState, updateState } from './state-file.ts';
export {
  changeSwitchedOff,
  entryOfPlace,
  noneOff,
  readSwitchedOff,
  readWithdrawn,
  type SwitchedOff,
  type SwitchedSkills,
  switchSkills,
  writeWithdrawn,
} from './switched-off.ts';
export { keepWorkspace, openWorkspace, type Workspace } from './workspace.ts';
