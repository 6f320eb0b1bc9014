// Writes the generated documentation.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderDocs } from './render-docs.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = await renderDocs();
for (const [path, text] of pages) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
for (const name of readdirSync(join(root, 'docs/commands'))) {
  if (!pages.has(`docs/commands/${name}`)) rmSync(join(root, 'docs/commands', name));
}
