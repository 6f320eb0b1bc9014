// Opens a version for reading: rights first, then the files.

import type { CallToolResult } from '@modelcontextprotocol/server';
import type { DeskCall, DeskResult, DeskSkill, ServedSource } from 'skillwright/mcp';
import type { Caller } from '../access/caller.ts';
import type { Registry } from '../registry.ts';
import { findVersion, type ReadableVersion, type WantedVersion } from './find-version.ts';
import { unpackVersion } from './version-cache.ts';
import { versionDesk } from './version-desk.ts';

/** An open version. */
export interface OpenVersion {
  readonly found: ReadableVersion;
  readonly skill: DeskSkill;
  /** Runs a reading tool as skc does. */
  run(call: DeskCall): Promise<DeskResult>;
  /** The same with the answer a model gets. */
  call(call: DeskCall): Promise<CallToolResult>;
  source(): ServedSource;
}

/** Opens a version. Fails when the caller may not read it. Costs the same for any number of skills. */
export async function openVersion(
  registry: Registry,
  caller: Caller,
  wanted: WantedVersion,
): Promise<OpenVersion> {
  const found = await findVersion(registry, caller, wanted);
  const skill = await unpackVersion(registry, found);
  const { desk } = versionDesk(registry);
  return {
    found,
    skill,
    run: (call) => desk.run(skill, call),
    call: (call) => desk.call(skill, call),
    source: () => desk.source(skill),
  };
}
