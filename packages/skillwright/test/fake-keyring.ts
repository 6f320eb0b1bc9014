// A stand-in for the programs of a keyring: it speaks their command lines and keeps secrets in a directory. It also records
// its own command line as the system shows it to other users.

import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from './make-directory.ts';

/** How the keyring behaves: `broken` fails, `forgetful` keeps nothing, `lying` gives back something else. */
export type Mood = 'well' | 'broken' | 'forgetful' | 'lying';

/** A keyring for one test. */
export interface FakeKeyring {
  /** With the program on the PATH, and a D-Bus session. */
  readonly env: Readonly<Record<string, string>>;
  mood(mood: Mood): void;
  /** `/proc/<pid>/cmdline` of every start. */
  commandLines(): string[];
  /** `/proc/<pid>/environ` of every start. */
  environments(): string;
  secrets(): string[];
}

const program = String.raw`
const { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { createHash } = require('node:crypto');
const { basename, dirname, join } = require('node:path');
const dir = dirname(dirname(__filename));
appendFileSync(join(dir, 'lines'), readFileSync('/proc/self/cmdline', 'utf8').replaceAll('\0', ' ') + '\n');
appendFileSync(join(dir, 'environs'), readFileSync('/proc/self/environ', 'utf8'));
const mood = readFileSync(join(dir, 'mood'), 'utf8');
if (mood === 'broken') process.exit(1);
const placeOf = (words) => join(dir, 'secrets', createHash('sha256').update(words.join(' ')).digest('hex'));
const keep = (words, secret) => mood === 'forgetful' || writeFileSync(placeOf(words), secret);
const give = (words, end) => {
  if (!existsSync(placeOf(words))) process.exit(1);
  process.stdout.write((mood === 'lying' ? 'other' : readFileSync(placeOf(words), 'utf8')) + end);
};
const input = () => readFileSync(0, 'utf8');
const words = process.argv.slice(2);
switch (basename(__filename) + ' ' + words[0]) {
  case 'secret-tool store': keep(words.slice(2), input()); break;
  case 'secret-tool lookup': give(words.slice(1), ''); break;
  case 'secret-tool clear': rmSync(placeOf(words.slice(1))); break;
  case 'security -i': {
    const [, service, account, hex] = /^add-generic-password -U -s "([^"]+)" -a (\w+) -X (\w+)\n$/.exec(input());
    keep([service, account], Buffer.from(hex, 'hex').toString());
    break;
  }
  case 'security find-generic-password': give([words[2], words[4]], '\n'); break;
  case 'security delete-generic-password': rmSync(placeOf([words[2], words[4]])); break;
  default: process.exit(2);
}
`;

/** A keyring behind a program of this name. */
export function makeKeyring(name: 'secret-tool' | 'security'): FakeKeyring {
  const root = makeDirectory({
    [`bin/${name}`]: `#!${process.execPath}\n${program}`,
    mood: 'well',
    secrets: { directory: true },
  });
  chmodSync(join(root, 'bin', name), 0o755);
  const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '');
  return {
    env: {
      PATH: `${join(root, 'bin')}:/usr/bin:/bin`,
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere',
    },
    mood: (mood) => writeFileSync(join(root, 'mood'), mood),
    commandLines: () => read('lines').split('\n').filter(Boolean),
    environments: () => read('environs'),
    secrets: () => readdirSync(join(root, 'secrets')).map((file) => read(`secrets/${file}`)),
  };
}
