// Opens an embedded database, says so, and keeps it until the process is killed.

import { openEmbedded } from '../../src/store/open-embedded.ts';

try {
  await openEmbedded(process.argv[2]!);
  process.stdout.write('open\n');
  setInterval(() => {}, 60_000);
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`);
}
