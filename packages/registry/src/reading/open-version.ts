// Opens a version for reading: rights first, then the files.

import type { DeskCall } from 'skillwright/mcp';
import type { Caller } from '../access/index.ts';
import { findVersion, type WantedVersion } from './find-version.ts';
import { isUnpacked, openDesk, type Reading, unpackVersion } from './version-cache.ts';

/** An open version. */
export type OpenVersion = Awaited<ReturnType<typeof openVersion>>;

/** Opens a version. Fails when the caller may not read it. Costs the same for any number of skills. */
export async function openVersion(registry: Reading, caller: Caller, wanted: WantedVersion) {
  const found = await findVersion(registry, caller, wanted);
  const skill = await unpackVersion(registry, found);
  const { desk } = openDesk(registry);
  /** Runs once more when the version was removed from the cache in the middle. */
  const persist = async <Result>(work: () => Promise<Result>, failed: (result: Result) => boolean) => {
    const first = await work().catch((error: unknown) => {
      if (isUnpacked(skill)) throw error;
      return undefined;
    });
    if (first !== undefined && (!failed(first) || isUnpacked(skill))) return first;
    await unpackVersion(registry, found);
    return work();
  };
  return {
    found,
    skill,
    /** Runs a reading tool as skc does. */
    run: (call: DeskCall) =>
      persist(
        () => desk.run(skill, call),
        () => false,
      ),
    /** Runs a reading tool, and returns the answer a model gets. */
    call: (call: DeskCall) =>
      persist(
        () => desk.call(skill, call),
        ({ isError }) => isError === true,
      ),
    source: () => desk.source(skill),
  };
}
