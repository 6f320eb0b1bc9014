// Writes standard input to a file in reports/ of the skill; the user has to grant write(reports) first.
//
// Usage: save.js NAME

import { readFileSync, writeFileSync } from 'node:fs';

const [name = ''] = process.argv.slice(2);
if (!/^[a-z0-9][a-z0-9._-]*$/i.test(name)) {
  console.error('give a name of letters, digits, dots and hyphens');
  process.exit(64);
}
const text = `${readFileSync(0, 'utf8').trimEnd()}\n`;
try {
  writeFileSync(`reports/${name}`, text);
} catch (error) {
  console.error(`cannot write reports/${name}: ${error.code}`);
  process.exit(1);
}
console.log(JSON.stringify({ path: `reports/${name}`, bytes: Buffer.byteLength(text) }));
