// Does a command's work here, or in the server that has the data directory.

import { openRegistry } from '../registry.ts';
import type { Settings } from '../settings/index.ts';
import { DirectoryInUse } from '../store/index.ts';
import { askControl } from './control.ts';
import { type ControlName, controlWork, type WorkOrder } from './control-work.ts';

/** Runs the work and passes on the bytes it writes. */
export async function doWork(
  settings: Settings,
  { name, ...order }: WorkOrder & { readonly name: ControlName },
): Promise<void> {
  let registry: Awaited<ReturnType<typeof openRegistry>>;
  try {
    registry = await openRegistry(settings);
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    return askControl({ data: settings.data, name, inUse: error }, order);
  }
  try {
    await controlWork[name](registry, order);
  } finally {
    await registry.close();
  }
}

/** The same, with the result as text. */
export async function doWorkForText(
  settings: Settings,
  { name, input = {} }: { readonly name: ControlName; readonly input?: WorkOrder['input'] },
): Promise<string> {
  const parts: Uint8Array[] = [];
  await doWork(settings, {
    name,
    input,
    write: async (bytes) => {
      parts.push(bytes);
    },
  });
  return Buffer.concat(parts).toString('utf8');
}
