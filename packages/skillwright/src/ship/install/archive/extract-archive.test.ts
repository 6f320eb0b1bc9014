import { existsSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  makeTar,
  makeTarGz,
  makeZip,
  paxHeader,
  type TarEntry,
  tarEntry,
  type ZipEntry,
} from '../../../../test/make-archive.ts';
import { makeDirectory } from '../../../../test/make-directory.ts';
import { listTree, skillText } from '../../../../test/make-world.ts';
import { SkillwrightError } from '../../../base/diagnostics/skillwright-error.ts';
import type { ArchiveLimits } from './entry-guard.ts';
import { extractArchive } from './extract-archive.ts';

const limits: ArchiveLimits = { maxEntries: 10_000, maxBytes: 100 * 1024 * 1024, maxRatio: 100 };

/** The unpacked tree, or the refusal and the files left behind. */
interface Outcome {
  readonly root?: string;
  readonly entries?: number;
  readonly bytes?: number;
  readonly files?: Record<string, string>;
  readonly refused?: string;
  readonly left?: Record<string, string>;
}

/** Unpacks bytes in a new directory and lists the result. */
async function unpack(
  bytes: Uint8Array,
  options: Partial<ArchiveLimits> & { signal?: AbortSignal } = {},
): Promise<Outcome> {
  const base = makeDirectory({ archive: bytes });
  const { signal, ...own } = options;
  try {
    const dir = join(base, 'out');
    const { root, ...counts } = await extractArchive(join(base, 'archive'), dir, {
      limits: { ...limits, ...own },
      signal,
    });
    return { root: root.slice(dir.length).replaceAll('\\', '/'), ...counts, files: listTree(dir) };
  } catch (error) {
    const { archive: _, ...left } = listTree(base);
    if (!(error instanceof SkillwrightError)) throw error;
    return { refused: `${error.code} ${error.message}`, left };
  }
}

const refused = (why: string) => ({ refused: `E205 unsafe archive: '${why}'`, left: {} });
const skill = skillText('demo');

describe('unpacked content', () => {
  const tree = { 'SKILL.md': skill, 'references/a.md': 'A\n', 'scripts/run.sh': 'true\n' };
  const files = {
    'SKILL.md': skill,
    references: '/',
    'references/a.md': 'A\n',
    scripts: '/',
    'scripts/run.sh': 'true\n',
  };
  const expected = { root: '', entries: 5, bytes: skill.length + 7, files };

  test.each([
    ['tar', makeTar(tree)],
    ['tar.gz', makeTarGz(tree)],
    [
      'tar.gz with two members',
      Buffer.concat([gzipSync(makeTar(tree).subarray(0, 1024)), gzipSync(makeTar(tree).subarray(1024))]),
    ],
    ['zip', makeZip(tree)],
    ['zip, stored', makeZip(Object.entries(tree).map(([name, body]) => ({ name, body, stored: true })))],
    [
      'zip with data descriptors',
      makeZip(Object.entries(tree).map(([name, body]) => ({ name, body, descriptor: true }))),
    ],
    ['zip64', makeZip(Object.entries(tree).map(([name, body]) => ({ name, body, zip64: true })))],
    [
      'tar with ./ before every name',
      makeTar(Object.entries(tree).map(([name, body]) => ({ name: `./${name}`, body }))),
    ],
    [
      'tar with a root entry',
      makeTar([{ name: './', type: '5' }, ...Object.entries(tree).map(([name, body]) => ({ name, body }))]),
    ],
    [
      'directories listed, more than once',
      makeTar([
        { name: 'references/', type: '5' },
        { name: 'SKILL.md', body: skill },
        { name: 'references', type: '5' },
        { name: 'references/a.md', body: 'A\n' },
        { name: 'scripts/run.sh', body: 'true\n' },
      ]),
    ],
  ])('%s', async (_, bytes) => {
    expect(await unpack(bytes)).toEqual(expected);
  });

  test('long names in both conventions', async () => {
    const long = `references/${'n'.repeat(150)}.md`;
    const other = `references/${'m'.repeat(150)}.md`;
    const bytes = makeTar([
      { name: 'SKILL.md', body: skill },
      paxHeader({ path: long, mtime: '1.5' }),
      { name: 'short', body: 'pax' },
      { name: '././@LongLink', type: 'L', body: `${other}\0` },
      { name: 'short', body: 'gnu' },
    ]);
    expect((await unpack(bytes)).files).toEqual({
      'SKILL.md': skill,
      references: '/',
      [long]: 'pax',
      [other]: 'gnu',
    });
  });

  test('executable files stay executable, and no other mode bits are kept', async () => {
    const entries = [
      { name: 'a', mode: 0o600 },
      { name: 'b', mode: 0o4755 },
      { name: 'c', mode: 0o010 },
      { name: 'd', mode: 0o666 },
    ];
    const zipped = entries.map(({ name, mode }) => ({ name, mode: mode | 0o100000 }));
    for (const bytes of [makeTar(entries), makeZip(zipped)]) {
      const base = makeDirectory({ archive: bytes });
      await extractArchive(join(base, 'archive'), join(base, 'out'), { limits });
      const modes = entries.map(({ name }) => statSync(join(base, 'out', name)).mode.toString(8));
      expect(modes).toEqual(['100644', '100755', '100755', '100644']);
    }
  });

  test('a link that stays inside is created, in any entry order', async () => {
    const entries: TarEntry[] = [
      { name: 'references/same.md', type: '2', link: '../SKILL.md' },
      { name: 'copy', type: '2', link: 'references' },
      { name: 'SKILL.md', body: skill },
      { name: 'references/b.md', body: 'B' },
    ];
    const files = {
      'SKILL.md': skill,
      copy: '-> references',
      references: '/',
      'references/b.md': 'B',
      'references/same.md': '-> ../SKILL.md',
    };
    expect((await unpack(makeTar(entries))).files).toEqual(files);
    const zipped = entries.map(({ name, link, body }) =>
      link === undefined ? { name, body: body ?? '' } : { name, body: link, mode: 0o120777 },
    );
    expect((await unpack(makeZip(zipped))).files).toEqual(files);
  });

  test.each([
    ['one folder holds the content', { 'demo/SKILL.md': skill, 'demo/a.md': '' }, '/demo'],
    [
      'one folder next to files that systems add',
      { 'demo/SKILL.md': skill, '__MACOSX/demo/._SKILL.md': '', '.DS_Store': '' },
      '/demo',
    ],
    ['a folder of many skills', { 'repo-main/skills/a/SKILL.md': skill }, '/repo-main'],
    ['a skill at the top', { 'SKILL.md': skill, 'references/a.md': '' }, ''],
    ['a layout at the top', { 'skills/demo/SKILL.md': skill }, ''],
    ['two folders', { 'a/SKILL.md': skill, 'b/SKILL.md': skill }, ''],
    ['one folder in one folder', { 'a/b/SKILL.md': skill }, '/a'],
  ])('root of the content: %s', async (_, tree, root) => {
    expect((await unpack(makeZip(tree))).root).toBe(root);
    expect((await unpack(makeTarGz(tree))).root).toBe(root);
  });
});

describe('refused names, in both formats', () => {
  const names: [string, string][] = [
    ['/etc/x', "entry '/etc/x' is an absolute path"],
    ['../x', "entry '../x' escapes with '..'"],
    ['a/../../x', "entry 'a/../../x' escapes with '..'"],
    ['a/..', "entry 'a/..' escapes with '..'"],
    ['C:/x', "entry 'C:/x' starts with a drive letter"],
    ['c:x', "entry 'c:x' starts with a drive letter"],
    ['a\\..\\x', "entry 'a\\..\\x' contains a backslash"],
    ['\\\\server\\x', "entry '\\\\server\\x' contains a backslash"],
    ['a/SKILL.md:x', "entry 'a/SKILL.md:x' contains a colon, which names an alternate stream on Windows"],
    ['a\ufffd', "entry 'a\ufffd' is not valid Unicode"],
    ['a\nb', "entry 'a\\nb' contains a control character"],
    ['a/NUL', "entry 'a/NUL' is a device name on Windows"],
    ['con.md', "entry 'con.md' is a device name on Windows"],
    ['a./x', "entry 'a./x' ends with a dot or a space, which Windows drops"],
    ['a ', "entry 'a ' ends with a dot or a space, which Windows drops"],
    [`${'d/'.repeat(33)}x`, `entry '${'d/'.repeat(33)}x' is nested too deeply`],
  ];
  test.each(names)('%j', async (name, why) => {
    expect(await unpack(makeTar([{ name, body: 'x' }]))).toEqual(refused(why));
    expect(await unpack(makeZip([{ name, body: 'x' }]))).toEqual(refused(why));
  });

  test('a NUL in a name', async () => {
    const why = "entry 'a\\u0000/../../x' contains a control character";
    expect(await unpack(makeZip([{ name: 'a\0/../../x', body: 'x' }]))).toEqual(refused(why));
    const pax = [paxHeader({ path: 'a\0/../../x' }), { name: 'x', body: 'x' }];
    expect(await unpack(makeTar(pax))).toEqual(refused('a name contains a control character'));
  });

  test('names that escape only in a long-name header', async () => {
    const why = "entry '../../x' escapes with '..'";
    expect(await unpack(makeTar([paxHeader({ path: '../../x' }), { name: 'x', body: 'x' }]))).toEqual(
      refused(why),
    );
    const gnu: TarEntry[] = [
      { name: 'l', type: 'L', body: '../../x\0' },
      { name: 'x', body: 'x' },
    ];
    expect(await unpack(makeTar(gnu))).toEqual(refused(why));
  });

  const pairs: [string, readonly string[], string][] = [
    ['twice', ['a.md', 'a.md'], "'a.md' appears twice"],
    ['twice with another spelling', ['a.md', './a.md'], "'a.md' appears twice"],
    [
      'other case',
      ['README.md', 'readme.md'],
      "'README.md' and 'readme.md' are the same name on some systems",
    ],
    [
      'other case of a directory',
      ['Docs/a', 'docs/b'],
      "'Docs' and 'docs' are the same name on some systems",
    ],
    [
      'other normalisation',
      ['\u00e9.md', 'e\u0301.md'],
      "'\u00e9.md' and 'e\u0301.md' are the same name on some systems",
    ],
    [
      'letters that fold together',
      ['stra\u00dfe', 'STRASSE'],
      "'stra\u00dfe' and 'STRASSE' are the same name on some systems",
    ],
    [
      'invisible characters',
      ['a.md', 'a\u200d.md'],
      "'a.md' and 'a\u200d.md' are the same name on some systems",
    ],
    ['below a file', ['a', 'a/b'], "'a' is a file, but other entries are inside it"],
    ['a directory first', ['a/b', 'a'], "'a' is a file and a directory"],
  ];
  test.each(pairs)('%s', async (_, list, why) => {
    const entries = list.map((name) => ({ name, body: 'x' }));
    expect(await unpack(makeTar(entries))).toEqual(refused(why));
    expect(await unpack(makeZip(entries))).toEqual(refused(why));
  });
});

describe('refused kinds of entries', () => {
  const inside: TarEntry = { name: 'SKILL.md', body: skill };
  const tars: [string, TarEntry[], string][] = [
    [
      'a hard link',
      [inside, { name: 'x', type: '1', link: 'SKILL.md' }],
      "entry 'x' is a hard link to 'SKILL.md'",
    ],
    [
      'a hard link to the outside',
      [{ name: 'x', type: '1', link: '/etc/passwd' }],
      "entry 'x' is a hard link to '/etc/passwd'",
    ],
    [
      'a character device',
      [{ name: 'x', type: '3' }],
      "entry 'x' is neither a file nor a directory (CharacterDevice)",
    ],
    [
      'a block device',
      [{ name: 'x', type: '4' }],
      "entry 'x' is neither a file nor a directory (BlockDevice)",
    ],
    ['a pipe', [{ name: 'x', type: '6' }], "entry 'x' is neither a file nor a directory (FIFO)"],
    [
      'a sparse file',
      [{ name: 'x', type: 'S', body: 'x' }],
      "entry 'x' is neither a file nor a directory (SparseFile)",
    ],
    [
      'a sparse file in PAX',
      [paxHeader({ 'GNU.sparse.major': '1' }), { name: 'x', body: 'x' }],
      'sparse files are not supported',
    ],
    [
      'a dump directory',
      [{ name: 'x', type: 'D', body: 'x' }],
      "entry 'x' is neither a file nor a directory (GNUDumpDir)",
    ],
    [
      'an absolute link',
      [{ name: 'x', type: '2', link: '/etc/passwd' }],
      "link 'x' points outside: '/etc/passwd'",
    ],
    [
      'a link to the outside',
      [{ name: 'a/x', type: '2', link: '../../y' }],
      "link 'a/x' points outside: '../../y'",
    ],
    ['a link to a drive', [{ name: 'x', type: '2', link: 'C:\\x' }], "link 'x' points outside: 'C:\\x'"],
    [
      'a broken link',
      [inside, { name: 'x', type: '2', link: 'y' }],
      "link 'x' points to a missing file: 'y'",
    ],
    ['a link to itself', [inside, { name: 'x', type: '2', link: 'x' }], "link 'x' is circular"],
    [
      'a link upward',
      [inside, { name: 'a/x', type: '2', link: '..' }],
      "link 'a/x' points to a directory that contains it",
    ],
    [
      'a link to the outside through another',
      [
        { name: 'd/e/f', body: '' },
        { name: 'l', type: '2', link: 'd/e' },
        { name: 'x', type: '2', link: 'l/../../..' },
      ],
      "link 'x' points outside: 'l/../../..'",
    ],
    [
      'a file written through a link',
      [
        { name: 'l', type: '2', link: 'd' },
        { name: 'l/x', body: 'x' },
      ],
      "'l' is a file, but other entries are inside it",
    ],
  ];
  test.each(tars)('tar: %s', async (_, entries, why) => {
    expect(await unpack(makeTar(entries))).toEqual(refused(why));
    expect(await unpack(makeTarGz(entries))).toEqual(refused(why));
  });

  const zips: [string, ZipEntry[], string][] = [
    [
      'a link to the outside',
      [{ name: 'x', body: '../y', mode: 0o120777 }],
      "link 'x' points outside: '../y'",
    ],
    ['a long link', [{ name: 'x', body: 'y'.repeat(5000), mode: 0o120777 }], "link 'x' is too long"],
    ['a device', [{ name: 'x', mode: 0o020644 }], "entry 'x' is neither a file nor a directory"],
    ['a pipe', [{ name: 'x', mode: 0o010644 }], "entry 'x' is neither a file nor a directory"],
    ['encrypted', [{ name: 'x', body: 'x', flags: 1 }], "entry 'x' is encrypted"],
    ['a directory with content', [{ name: 'x/', body: 'x' }], "directory 'x/' has content"],
    [
      'another name in the local header',
      [{ name: 'x', body: 'x', localName: 'y' }],
      "entry 'x' has two different headers",
    ],
    [
      'another size in the local header',
      [{ name: 'x', body: 'x', localSize: 9 }],
      "entry 'x' has two different headers",
    ],
    [
      'entries that share their content',
      [
        { name: 'x', body: 'x' },
        { name: 'y', body: 'x', sharedWith: 0 },
      ],
      "entry 'y' overlaps another",
    ],
    ['a wrong checksum', [{ name: 'x', body: 'x', crc: 1 }], "entry 'x' is damaged"],
  ];
  test.each(zips)('zip: %s', async (_, entries, why) => {
    expect(await unpack(makeZip(entries))).toEqual(refused(why));
  });
});

describe('damaged archives', () => {
  const tar = makeTar({ 'SKILL.md': skill, 'a.md': 'a'.repeat(2000) });
  const gz = gzipSync(tar);
  const zip = makeZip({ 'SKILL.md': skill, 'a.md': 'a'.repeat(2000) });
  const broken = Buffer.from(gz);
  broken[40] = broken[40]! ^ 0xff;
  const negative = Buffer.alloc(12, 0xff);
  const cases: [string, Buffer, RegExp][] = [
    ['nothing', Buffer.alloc(0), /neither zip nor tar/],
    ['a page', Buffer.from('<!doctype html><title>Sign in</title>'), /neither zip nor tar/],
    ['gzip of a page', gzipSync('<!doctype html>'), /damaged/],
    ['gzip cut short', gz.subarray(0, gz.length - 20), /damaged: unexpected end of file/],
    ['gzip with a flipped bit', broken, /damaged/],
    ['gzip with trailing data', Buffer.concat([gz, Buffer.from('trailing')]), /damaged/],
    ['tar cut in a file', tar.subarray(0, 1800), /damaged/],
    ['tar with trailing data', Buffer.concat([tar, tarEntry({ name: 'x', body: 'x' })]), /data follows/],
    ['tar with a wrong checksum', makeTar([{ name: 'x', damaged: true }]), /damaged/],
    ['tar with a negative size', makeTar([{ name: 'x', size: negative }]), /an impossible size/],
    ['tar with an endless size', makeTar([{ name: 'x', size: '77777777777\0' }]), /damaged/],
    ['tar without entries', Buffer.concat([gzipSync(Buffer.alloc(1024))]), /empty|damaged/],
    ['zip cut short', zip.subarray(0, zip.length - 30), /damaged/],
    ['zip with trailing data', makeZip({ x: 'x' }, { trailing: 'trailing' }), /damaged/],
    ['zip without entries', makeZip({}), /empty/],
    ['zip with a wrong count', makeZip({ x: 'x' }, { count: 5 }), /damaged/],
    [
      'zip that declares a smaller size',
      makeZip([{ name: 'x', body: 'x'.repeat(50), size: 5, localSize: 5 }]),
      /damaged/,
    ],
  ];
  test.each(cases)('%s', async (_, bytes, why) => {
    const result = await unpack(bytes);
    expect(result).toEqual({ refused: expect.stringMatching(/^E205 unsafe archive: /), left: {} });
    expect(result.refused).toMatch(why);
  });

  test('a small archive cut at any byte is refused or complete', async () => {
    for (const whole of [gz, zip])
      for (let length = 0; length < whole.length; length += 7) {
        const result = await unpack(whole.subarray(0, length));
        expect(result).toEqual({ refused: expect.stringMatching(/^E205 /), left: {} });
      }
  });
});

describe('limits', () => {
  test('entries', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `f${n}` }));
    expect(await unpack(makeTarGz(many(100_000)))).toEqual(refused('more than 10000 entries'));
    expect(await unpack(makeZip(many(12_000)))).toEqual(refused('more than 10000 entries'));
    expect(await unpack(makeZip(many(5), { count: 3 }))).toEqual(
      refused('its directory has more entries than its count'),
    );
    expect((await unpack(makeTar(many(5)), { maxEntries: 5 })).entries).toBe(5);
  });

  test('implied directories count too', async () => {
    const entries = Array.from({ length: 4 }, (_, n) => ({ name: `d${n}/e/f` }));
    expect(await unpack(makeTar(entries), { maxEntries: 10 })).toEqual(refused('more than 10 entries'));
  });

  test('bytes', async () => {
    const noise = Buffer.from(Array.from({ length: 3000 }, (_, n) => (n * 7919) % 251));
    const entries = [
      { name: 'a', body: noise },
      { name: 'b', body: noise },
    ];
    const why = 'more than 4.9 KiB unpacked';
    expect(await unpack(makeTar(entries), { maxBytes: 5000 })).toEqual(refused(why));
    expect(await unpack(makeZip(entries), { maxBytes: 5000 })).toEqual(refused(why));
    expect((await unpack(makeZip(entries), { maxBytes: 6000 })).bytes).toBe(6000);
  });

  test('ratio, but not for small texts', async () => {
    const why = 'it unpacks to more than 100 times its own size';
    const small = 'a'.repeat(1000 * 1000);
    const large = [
      { name: 'SKILL.md', body: skill },
      { name: 'x', body: 'a'.repeat(3 * 1024 * 1024) },
    ];
    expect((await unpack(makeZip({ x: small }))).bytes).toBe(small.length);
    expect((await unpack(makeTarGz({ x: small }))).bytes).toBe(small.length);
    expect(await unpack(makeZip(large))).toEqual(refused(why));
    expect(await unpack(makeTarGz(large))).toEqual(refused(why));
  });

  test('ten gigabytes of zeros', async () => {
    const base = makeDirectory();
    const file = join(base, 'bomb.tar.gz');
    await writeBomb(file, 10 * 1024 ** 3);
    const work = extractArchive(file, join(base, 'out'), { limits });
    await expect(work).rejects.toThrow('more than 100 times its own size');
    expect(existsSync(join(base, 'out'))).toBe(false);
  });

  test('an archive with data after its end', async () => {
    const bytes = Buffer.concat([
      gzipSync(makeTar({ 'SKILL.md': skill })),
      gzipSync(Buffer.alloc(60 * 1024 * 1024)),
    ]);
    expect(await unpack(bytes, { maxRatio: 1e9, maxBytes: 1024 * 1024 })).toEqual(
      refused('data follows its last entry'),
    );
  });
});

describe('target directory', () => {
  test('a directory with content is left alone', async () => {
    const base = makeDirectory({ archive: makeTar({ x: 'x' }), 'out/mine': 'mine' });
    const work = extractArchive(join(base, 'archive'), join(base, 'out'), { limits });
    await expect(work).rejects.toThrow('refusing to overwrite');
    expect(listTree(join(base, 'out'))).toEqual({ mine: 'mine' });
  });

  test('a missing file is E015', async () => {
    const base = makeDirectory();
    const work = extractArchive(join(base, 'none'), join(base, 'out'), { limits });
    await expect(work).rejects.toMatchObject({ code: 'E015' });
  });

  test('an interrupted extraction leaves nothing', async () => {
    const base = makeDirectory({ archive: makeTarGz({ x: 'x' }) });
    const signal = AbortSignal.abort(new Error('enough'));
    const work = extractArchive(join(base, 'archive'), join(base, 'out'), { limits, signal });
    await expect(work).rejects.toThrow('enough');
    expect(existsSync(join(base, 'out'))).toBe(false);
  });
});

/** A gzip of one tar entry full of zeros. It repeats one packed piece, because gzip members concatenate. */
async function writeBomb(file: string, size: number): Promise<void> {
  const octal = `${size.toString(8).padStart(12, '0').slice(-12)}`;
  const head = gzipSync(tarEntry({ name: 'zeros', size: octal }).subarray(0, 512));
  const piece = gzipSync(Buffer.alloc(64 * 1024 * 1024), { level: 1 });
  const target = await open(file, 'w');
  await target.write(head);
  for (let written = 0; written < size; written += 64 * 1024 * 1024) await target.write(piece);
  await target.close();
}
