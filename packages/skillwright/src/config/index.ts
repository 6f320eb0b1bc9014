// Configuration: what can be set, what is set, and by whom.

export {
  type Config,
  ConfigSchema,
  configKeys,
  PermissionRule,
  schemaOfKey,
  userOnlyKeys,
} from './config-schema.ts';
export {
  type ConfigContext,
  type ConfigLayer,
  type ConfigOrigin,
  type LoadedConfig,
  loadConfig,
  variableOf,
} from './load-config.ts';
export { type ReadValue, readValue } from './read-value.ts';
export { writeConfigValue } from './write-config.ts';
