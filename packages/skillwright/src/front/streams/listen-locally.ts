// Listens on this machine only.

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { describeSystemError, systemErrorCode } from '../../base/files/index.ts';

/** The address other machines cannot reach. */
export const LOCAL_HOST = '127.0.0.1';

/** Starts to listen, on any free port for 0, and returns the origin. E100 naming the option when the port is not available. */
export async function listenLocally(
  http: Server,
  { port, option }: { readonly port: number; readonly option: string },
): Promise<string> {
  try {
    await new Promise<void>((resolve, reject) => {
      http.once('error', reject).listen(port, LOCAL_HOST, () => {
        http.off('error', reject);
        resolve();
      });
    });
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    const isUsed = systemErrorCode(error) === 'EADDRINUSE';
    const why = `${option} ${port}: ${isUsed ? 'the port is in use' : describeSystemError(error)}`;
    throw SkillwrightError.of('E100', { why }, { help: `name another port: ${option} 0 picks a free one` });
  }
  return `http://${LOCAL_HOST}:${(http.address() as AddressInfo).port}`;
}
