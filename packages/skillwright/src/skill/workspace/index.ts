// The workspace: project, stores, configuration, rules and switches, looked up once.

export { checkInside, leadsOut } from './check-inside.ts';
export { createPermissions } from './create-permissions.ts';
export { ignoresInstalled, writeIgnoreLines } from './ignore-lines.ts';
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
  isInRuntime,
  LOCAL_LOGS,
  OWN_DIRECTORY,
  ownRootOf,
  PROJECT_VARIABLE,
  type Project,
  type Surroundings,
} from './project.ts';
export { readState, updateState } from './state-file.ts';
export { type Store, type StoreScope, storeAt } from './store.ts';
export {
  changeSwitchedOff,
  entryOfPlace,
  noneOff,
  readSwitchedOff,
  type SwitchedEntries,
  type SwitchedOff,
  type SwitchedSkills,
  switchSkills,
} from './switched-off.ts';
export { keepWorkspace, openWorkspace, type Workspace } from './workspace.ts';
