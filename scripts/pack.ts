// Packs what is published: `skillwright`, one package per platform with the executable, and the registry.
//   pack.ts           writes the tarballs for this machine into `out/`
//   pack.ts --all     compiles and packs for every platform
//   pack.ts --check   installs the tarballs as users do and runs them

import { fileURLToPath } from 'node:url';
import { checkPacked } from './check-packed.ts';
import { packAll } from './pack-all.ts';
import { ownPlatform, platforms } from './platforms.ts';

const out = fileURLToPath(new URL('../out', import.meta.url));
const wanted = process.argv.includes('--all') ? platforms : platforms.filter((one) => one === ownPlatform);
const tarballs = packAll(wanted, { out });
if (process.argv.includes('--check')) checkPacked(tarballs);
