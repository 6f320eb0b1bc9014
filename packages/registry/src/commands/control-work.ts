// Work a command does by itself, or has the running server do.

import { createAdminToken } from '../accounts/index.ts';
import { writeBackup } from '../backup/index.ts';
import { examine, repairArchives, tidy } from '../doctor/index.ts';
import { manageMirrors } from '../mirrors/index.ts';
import type { Registry } from '../registry.ts';

/** The words and flags of a command line that the work needs, and where its result goes. */
export interface WorkOrder {
  readonly input: Readonly<Record<string, string>>;
  write(bytes: Uint8Array): Promise<void>;
}

type Work = (registry: Registry, order: WorkOrder) => Promise<void>;

export const controlWork = {
  async backup(registry, { write }) {
    await writeBackup(registry, write);
  },
  async 'admin-token'(registry, { write }) {
    await write(Buffer.from(await createAdminToken(registry)));
  },
  async doctor(registry, { input, write }) {
    const repaired = input.repair === undefined ? [] : [await repairArchives(registry, input.repair)];
    const tidied = input.tidy === 'yes' ? await tidy(registry) : [];
    const found = await examine(registry, { isThorough: input.all === 'yes' });
    await write(Buffer.from(JSON.stringify([...repaired, ...tidied, ...found])));
  },
  async mirror(registry, { input, write }) {
    await write(Buffer.from(JSON.stringify(await manageMirrors(registry, input))));
  },
} as const satisfies Record<string, Work>;

/** A piece of work by name. */
export type ControlName = keyof typeof controlWork;
