// Work a command does by itself, or has the running server do.

import { createAdminToken } from '../accounts/first-start.ts';
import { writeBackup } from '../backup/write-backup.ts';
import { examine } from '../doctor/examine.ts';
import type { Registry } from '../registry.ts';

type Work = (registry: Registry, write: (bytes: Uint8Array) => Promise<void>) => Promise<void>;

export const controlWork = {
  async backup(registry, write) {
    await writeBackup(registry, write);
  },
  async 'admin-token'(registry, write) {
    await write(Buffer.from(await createAdminToken(registry)));
  },
  async doctor(registry, write) {
    await write(Buffer.from(JSON.stringify(await examine(registry, { isThorough: false }))));
  },
  async 'doctor-all'(registry, write) {
    await write(Buffer.from(JSON.stringify(await examine(registry, { isThorough: true }))));
  },
} as const satisfies Record<string, Work>;

/** A piece of work by name. */
export type ControlName = keyof typeof controlWork;
