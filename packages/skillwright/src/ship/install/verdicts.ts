// The verdicts of scans, remembered in the user's cache: a skill has the one of its files as they are now, or none.

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { orUndefined } from '../../base/diagnostics/index.ts';
import { sha256, type Tree, walkTree } from '../../base/files/index.ts';
import { toolVersion } from '../../base/version.ts';
import { ScanVerdict } from '../../guard/scan/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import type { InstalledEntry } from './install-facts.ts';
import { addToTable, type RememberedTable, readTable } from './place/remembered.ts';
import { compareWithLock, isIntact } from './verify/check-installed.ts';

/** Verdicts by the directory of a skill. */
export interface Verdicts {
  /**
   * The verdict on the files as they are; undefined when nobody has scanned them. For a skill that is still as it was
   * installed, that is the verdict of the installer.
   */
  of(dir: string, installed?: InstalledEntry): ScanVerdict | undefined;
  /** `tree` is the walk that found the files, if there was one. */
  note(dir: string, verdict: ScanVerdict, tree?: Tree): void;
  /** Writes what was noted. A failed write is ignored. */
  save(): void;
}

const table: RememberedTable = { file: 'verdicts.json', field: 'scanned', max: 4000 };

/** Opens the verdicts of a user. */
export function openVerdicts({ user }: Pick<Workspace, 'user'>): Verdicts {
  const before = readTable(table, { user });
  const noted = new Map<string, { readonly stamp: string; readonly verdict: ScanVerdict }>();
  return {
    of(dir, installed) {
      const known = noted.get(dir) ?? (before(dir) as { stamp?: unknown; verdict?: unknown } | undefined);
      if (known !== undefined && known.stamp === stampOf(dir))
        return ScanVerdict.safeParse(known.verdict).data;
      const { entry, facts } = installed ?? {};
      if (entry === undefined || !facts?.verdict || !isIntact(compareWithLock(dir, entry))) return undefined;
      return facts.verdict;
    },
    note: (dir, verdict, tree) => void noted.set(dir, { stamp: stampOf(dir, tree), verdict }),
    save() {
      addToTable(table, { user }, [...noted]);
    },
  };
}

/** The state of all files, hidden ones too, for the scanner of this version. */
function stampOf(dir: string, { entries }: Tree = walkTree(dir, { ignores: () => false })): string {
  const files = entries.map(({ path }) => {
    const status = orUndefined(() => lstatSync(join(dir, path)));
    return `${path} ${status?.ino} ${status?.size} ${status?.mtimeMs} ${status?.ctimeMs}`;
  });
  return sha256([toolVersion, ...files].join('\n'));
}
