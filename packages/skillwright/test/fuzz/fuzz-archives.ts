// Archives of strangers: nothing leaves the directory, and the scanner reads what the installer writes.

import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { SkillwrightError } from '../../src/base/diagnostics/index.ts';
import { archiveEntries } from '../../src/guard/scan/read-scanned-files.ts';
import { extractArchive } from '../../src/ship/install/archive/extract-archive.ts';
import { makeTar, makeZip, paxHeader, type TarEntry } from '../make-archive.ts';
import { fuzzTarget, inTime, requireSame } from './fuzz-target.ts';

const limits = { maxEntries: 50, maxBytes: 256 * 1024, maxRatio: 100 };

const names = fc.oneof(
  fc.constantFrom(
    ...[
      'SKILL.md',
      'a/b.md',
      './a',
      'a/../b',
      '../x',
      '/abs',
      'a\\b',
      'A/b.md',
      'a',
      'a/',
      'C:x',
      'con',
      'nul.txt',
      'a.',
    ],
    ...['é', 'e\u0301', '.git/config', '\u202egnp.exe', 'a\0b', `${'d/'.repeat(40)}x`, 'x'.repeat(99)],
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const members = fc.array(
  fc.record({
    name: names,
    body: fc.string({ maxLength: 20 }),
    type: fc.constantFrom('0', '0', '0', '1', '2', '3', '5', '6', '7', 'L', 'x', 'g', 'S', '\0'),
    link: fc.constantFrom('', '../x', '/etc/passwd', 'SKILL.md'),
    pax: fc.boolean(),
  }),
  { maxLength: 6 },
);

interface Packed {
  readonly kind: 'tar' | 'tar.gz' | 'zip';
  readonly members: readonly { name: string; body: string; type: string; link: string; pax: boolean }[];
  readonly flips: readonly [at: number, bits: number][];
  readonly cut: number;
}

function pack({ kind, members: list, flips, cut }: Packed): Buffer {
  const entries = list.flatMap(({ pax, name, ...entry }): TarEntry[] =>
    pax
      ? [paxHeader({ path: name }), { ...entry, name: 'short' }]
      : [{ ...entry, name: Buffer.from(name).subarray(0, 100) }],
  );
  const bytes = Buffer.from(
    kind === 'zip' ? makeZip(list.map(({ name, body }) => ({ name, body }))) : makeTar(entries),
  );
  for (const [at, bits] of flips) if (bytes.length > 0) bytes[at % bytes.length]! ^= bits;
  const whole = bytes.subarray(0, bytes.length - (cut % (bytes.length + 1)));
  return kind === 'tar.gz' ? gzipSync(whole) : whole;
}

/** Files below a directory, by path; fails on anything but files and directories. */
function filesBelow(root: string): Record<string, string> {
  const found = readdirSync(root, { recursive: true, withFileTypes: true }).map((entry) =>
    join(entry.parentPath, entry.name),
  );
  const files = found.filter((path) => {
    const status = lstatSync(path);
    if (!status.isFile() && !status.isDirectory()) throw new Error(`neither a file nor a directory: ${path}`);
    return status.isFile();
  });
  return Object.fromEntries(files.map((path) => [relative(root, path), readFileSync(path, 'latin1')]).sort());
}

export const archives = fuzzTarget({
  name: 'archives',
  inputs: fc.record({
    kind: fc.constantFrom('tar', 'tar.gz', 'zip') as fc.Arbitrary<Packed['kind']>,
    members,
    flips: fc.array(fc.tuple(fc.nat(8192), fc.integer({ min: 1, max: 255 })), { maxLength: 3 }),
    cut: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(4096)),
  }),
  async check(packed: Packed) {
    const bytes = pack(packed);
    const place = mkdtempSync(join(tmpdir(), 'skc-fuzz-'));
    try {
      const [file, root] = [join(place, 'archive'), join(place, 'root')];
      mkdirSync(root);
      writeFileSync(file, bytes);
      const refusal = await extractArchive(file, root, { limits }).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof SkillwrightError) return error;
          throw error;
        },
      );
      const beside = readdirSync(place).filter((name) => name !== 'archive' && name !== 'root');
      requireSame(beside, [], 'beside the directory');
      const scanned = inTime(() => archiveEntries(bytes, limits.maxBytes));
      if (refusal !== undefined) return;
      const files = filesBelow(root);
      const read = Object.fromEntries(
        (scanned?.entries ?? []).map(({ path, bytes: content }) => [
          path.replace(/^(?:\.\/)+/, ''),
          Buffer.from(content).toString('latin1'),
        ]),
      );
      for (const [path, text] of Object.entries(files))
        if (scanned?.problem === undefined && read[path] !== text)
          throw new Error(`the scanner does not read '${path}'`);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  },
});
