// Configuration: available keys, effective values, and who set them.

export { type HostEntry, type ModelEntry, PermissionRule, readHostEntry } from './config-entries.ts';
export { type Config, ConfigSchema, configKeys, isUserOnly, schemaOfKey } from './config-schema.ts';
export { type ConfigOverlay, defaultConfig } from './default-config.ts';
export { changeConfig, listConfig } from './edit-config.ts';
export {
  type ConfigOrigin,
  type LoadedConfig,
  loadConfig,
  variableOf,
} from './load-config.ts';
export { readValue } from './read-value.ts';
export { writeConfigValue } from './write-config.ts';
