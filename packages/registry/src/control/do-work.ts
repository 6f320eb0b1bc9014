// Does a command's work here, or in the server that has the data directory.

import { openRegistry } from '../registry.ts';
import type { Settings } from '../settings/settings.ts';
import { DirectoryInUse } from '../store/data-lock.ts';
import { askControl } from './control.ts';
import { type ControlName, controlWork } from './control-work.ts';

/** Runs the work and passes on the bytes it writes. */
export async function doWork(
  settings: Settings,
  { name, write }: { readonly name: ControlName; readonly write: (bytes: Uint8Array) => Promise<void> },
): Promise<void> {
  let registry: Awaited<ReturnType<typeof openRegistry>>;
  try {
    registry = await openRegistry(settings);
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    return askControl({ data: settings.data, name }, { write, inUse: error });
  }
  try {
    await controlWork[name](registry, write);
  } finally {
    await registry.close();
  }
}

/** The same, with the result as text. */
export async function doWorkForText(settings: Settings, name: ControlName): Promise<string> {
  const parts: Uint8Array[] = [];
  await doWork(settings, {
    name,
    write: async (bytes) => {
      parts.push(bytes);
    },
  });
  return Buffer.concat(parts).toString('utf8');
}
