import { describe, expect, test } from 'vitest';
import { growTree, readUniform } from '../../../test/grow-tree.ts';
import {
  checkProof,
  consistencyProof,
  cosign,
  decodeEntries,
  encodeEntries,
  generateLogKey,
  hashLeaf,
  inclusionProof,
  leafOf,
  openCheckpoint,
  openNote,
  parseCheckpoint,
  parseProof,
  parseSigner,
  parseTilePath,
  parseVerifierKey,
  proveSubject,
  readTiles,
  rootOf,
  signNote,
  spellCheckpoint,
  spellOpening,
  spellProof,
  subjectsOf,
  verifyConsistency,
  verifyInclusion,
} from './index.ts';

/** The bytes with each bit turned in turn. */
function* bitFlips(bytes: Uint8Array): Generator<Uint8Array> {
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    yield flipped;
  }
}

const codeOf = (run: () => unknown): unknown => {
  try {
    run();
    return 'accepted';
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
};

const log = generateLogKey('registry.example/log');
const witness = generateLogKey('witness.example', { kind: 'cosignature' });
const stranger = generateLogKey('registry.example/log');
const key = parseVerifierKey(log.verifier);
const witnesses = [parseVerifierKey(witness.verifier)];

const tree = await growTree(21);
const claim = {
  leaf: hashLeaf(tree.leaves[5]!),
  index: 5,
  size: 21,
  proof: await inclusionProof({ index: 5, size: 21 }, tree.read),
  root: await rootOf(21, tree.read),
};
const growth = {
  oldSize: 6,
  oldRoot: await rootOf(6, tree.read),
  size: 21,
  root: claim.root,
  proof: await consistencyProof({ oldSize: 6, size: 21 }, tree.read),
};

describe('an inclusion proof', () => {
  test('holds for its leaf at its place alone', () => {
    expect(verifyInclusion(claim)).toBe(true);
    for (let index = 0; index < 40; index += 1) {
      expect(verifyInclusion({ ...claim, index }), String(index)).toBe(index === 5);
    }
  });

  test('fails with any bit turned in it, in the leaf or in the root', () => {
    for (const [at, hash] of claim.proof.entries()) {
      for (const flip of bitFlips(hash)) {
        expect(verifyInclusion({ ...claim, proof: claim.proof.with(at, flip) })).toBe(false);
      }
    }
    for (const flip of bitFlips(claim.leaf)) expect(verifyInclusion({ ...claim, leaf: flip })).toBe(false);
    for (const flip of bitFlips(claim.root)) expect(verifyInclusion({ ...claim, root: flip })).toBe(false);
  });

  test('fails with hostile lengths and numbers', () => {
    const short = new Uint8Array(31);
    for (const change of [
      { proof: [] },
      { proof: claim.proof.slice(1) },
      { proof: claim.proof.slice(0, -1) },
      { proof: [...claim.proof, claim.root] },
      { proof: Array(10_000).fill(claim.root) },
      { proof: claim.proof.with(0, short) },
      { proof: claim.proof.with(0, new Uint8Array(33)) },
      { leaf: short },
      { root: short },
      { root: new Uint8Array() },
      { size: 0 },
      { size: 5 },
      { size: -1 },
      { size: 21.5 },
      { size: Number.NaN },
      { size: Number.POSITIVE_INFINITY },
      { size: 2 ** 53 },
      { index: -1 },
      { index: 0.5 },
      { index: 5 + 2 ** 32, size: 21 + 2 ** 32 },
    ]) {
      expect(verifyInclusion({ ...claim, ...change }), JSON.stringify(Object.keys(change))).toBe(false);
    }
  });

  test('of a leaf beyond 2^32 does not hold for the index modulo 2^32', async () => {
    const size = 2 ** 40 + 3;
    const index = 2 ** 40 + 1;
    const proof = await inclusionProof({ index, size }, readUniform);
    const big = {
      leaf: hashLeaf(Buffer.from('same')),
      index,
      size,
      proof,
      root: await rootOf(size, readUniform),
    };
    expect(verifyInclusion(big)).toBe(true);
    expect(verifyInclusion({ ...big, index: 1 })).toBe(false);
    expect(verifyInclusion({ ...big, size: 3, index: 1 })).toBe(false);
  });
});

describe('a consistency proof', () => {
  test('fails with any bit turned in it or in a root', () => {
    expect(verifyConsistency(growth)).toBe(true);
    for (const [at, hash] of growth.proof.entries()) {
      for (const flip of bitFlips(hash)) {
        expect(verifyConsistency({ ...growth, proof: growth.proof.with(at, flip) })).toBe(false);
      }
    }
    for (const flip of bitFlips(growth.root)) {
      expect(verifyConsistency({ ...growth, root: flip })).toBe(false);
      expect(verifyConsistency({ ...growth, oldRoot: flip })).toBe(false);
    }
  });

  test('fails with hostile lengths and numbers', () => {
    for (const change of [
      { proof: [] },
      { proof: growth.proof.slice(1) },
      { proof: [...growth.proof, growth.root] },
      { proof: Array(10_000).fill(growth.root) },
      { proof: growth.proof.with(0, new Uint8Array(31)) },
      { oldSize: 0 },
      { oldSize: 7 },
      { oldSize: 8 },
      { oldSize: 21 },
      { oldSize: 22 },
      { oldSize: -6 },
      { oldSize: 6.5 },
      { size: 33 },
      { size: 2 ** 53 },
      { oldSize: 0, proof: [] },
      { oldSize: 21, proof: [] },
      { oldRoot: new Uint8Array() },
    ]) {
      expect(verifyConsistency({ ...growth, ...change }), JSON.stringify(change)).toBe(false);
    }
  });
});

const text = spellCheckpoint({ origin: 'registry.example/log', size: 21, root: claim.root });
const note = signNote(text, [log.signer]);

describe('a signed note', () => {
  test('fails with any bit turned in its text or in the signature of a known key', () => {
    const bytes = Buffer.from(cosign(note, witness.signer, { time: 1_700_000_000 }));
    const keys = [key, ...witnesses];
    expect(openNote(bytes.toString(), keys).verified.map((signature) => signature.time)).toEqual([
      null,
      1_700_000_000,
    ]);
    for (const flip of bitFlips(bytes)) {
      const flipped = Buffer.from(flip).toString();
      const opened = (() => {
        try {
          return openNote(flipped, keys);
        } catch {
          return undefined;
        }
      })();
      // A flip in the name or id of a key makes its signature one of a stranger. The other one still counts.
      if (opened !== undefined) expect([opened.text, opened.verified.length]).toEqual([text, 1]);
    }
  });

  test.each([
    ['another key of the same name', signNote(text, [stranger.signer]), 'E230'],
    ['a witness alone', cosign(signNote(text, [stranger.signer]), witness.signer, { time: 1 }), 'E230'],
    ['the origin of another log', signNote(text.replace('example/', 'elsewhere/'), [log.signer]), 'E230'],
    ['an origin that only starts the same', signNote(text.replace('/log', '/log/x'), [log.signer]), 'E230'],
    ['no signature', `${text}\n`, 'E233'],
    ['no empty line', note.replace('\n\n', '\n'), 'E233'],
    ['a control character', note.replace('21', '21\r'), 'E233'],
    ['a line that is not a signature', `${note}hello\n`, 'E233'],
    ['no newline at the end', note.slice(0, -1), 'E233'],
    ['a signature without bytes', `${note}— x AAAAAA==\n`, 'E233'],
    ['Base64 with spare bits set', note.replace(/(.)=\n$/, 'B=\n'), 'E233'],
    ['101 signatures', note + note.slice(text.length + 1).repeat(100), 'E233'],
    ['a note of 1 MB', `${'a'.repeat(1_000_000)}\n\n${note}`, 'E233'],
    ['a size with a zero in front', signNote(text.replace('\n21', '\n021'), [log.signer]), 'E233'],
    ['a size beyond counting', signNote(text.replace('\n21', '\n9007199254740993'), [log.signer]), 'E233'],
    ['a negative size', signNote(text.replace('\n21', '\n-1'), [log.signer]), 'E233'],
    ['a root that is too short', signNote('registry.example/log\n1\nAAAA\n', [log.signer]), 'E233'],
    ['two lines', signNote('registry.example/log\n1\n', [log.signer]), 'E233'],
    ['an empty extension line', signNote(`${text}\nmore\n`, [log.signer]), 'E233'],
  ])('is refused with %s', (_, hostile, code) => {
    expect(codeOf(() => openCheckpoint(hostile, { key, witnesses }))).toBe(code);
  });

  test('may have extension lines and unknown signatures', () => {
    const extended = signNote(`${text}more\n`, [stranger.signer, log.signer]);
    expect(openCheckpoint(extended, { key }).size).toBe(21);
    expect(parseCheckpoint(`${text}more\n`).size).toBe(21);
  });

  test('is signed by the right kind of key', () => {
    expect(codeOf(() => signNote(text, [witness.signer]))).toBe('E233');
    expect(codeOf(() => cosign(note, log.signer, { time: 1 }))).toBe('E233');
    expect(codeOf(() => signNote('no newline', [log.signer]))).toBe('E233');
  });
});

test.each([
  '',
  'name',
  log.verifier.slice(0, -1),
  log.verifier.replace('registry', 'Registry'),
  log.verifier.replace(/\+[0-9a-f]{8}\+/, '+00000000+'),
  `registry.example/log+00000000+${Buffer.from([2, 3]).toString('base64')}`,
  log.secret,
])('a damaged verifier key is refused: %s', (damaged) => {
  expect(codeOf(() => parseVerifierKey(damaged))).toBe('E233');
});

test('a key survives being written down, and a damaged secret is refused', () => {
  for (const { secret, verifier, signer } of [log, witness]) {
    expect(parseSigner(`${secret}\n`).id).toBe(signer.id);
    expect(parseVerifierKey(`${verifier}\n`).publicKey).toEqual(signer.publicKey);
    expect(codeOf(() => parseSigner(verifier))).toBe('E233');
    expect(codeOf(() => parseSigner(secret.replace('+KEY+', '+KEY+x')))).toBe('E233');
  }
  expect(codeOf(() => generateLogKey('two words'))).toBe('E233');
});

test.each([
  '',
  '0',
  '0/0',
  '0/00',
  '0/0000',
  '0/001/002',
  '0/x000/001',
  '0/x001',
  '00/001',
  '64/001',
  '-1/001',
  '0/001.p/0',
  '0/001.p/256',
  '0/001.p/01',
  '0/001.p/',
  '0/001.p',
  '0/../001',
  'data/001',
  '0/x999/x999/x999/x999/x999/x999/999',
  '0/x999/x999/x999/x999/x999/999',
  '0/001\n',
])('not the path of a tile: %j', (path) => {
  expect(parseTilePath(path)).toBeUndefined();
});

test('a tile of another length, or a hash beyond the tree, is refused', async () => {
  const wrong = readTiles(async () => new Uint8Array(31), 300);
  await expect(wrong(0, 0)).rejects.toMatchObject({ code: 'E233' });
  await expect(wrong(0, 300)).rejects.toMatchObject({ code: 'E233' });
  await expect(wrong(9, 0)).rejects.toMatchObject({ code: 'E233' });
  await expect(wrong(0, 2 ** 40)).rejects.toMatchObject({ code: 'E233' });
});

test('a bundle of entries is read whole or refused', () => {
  const entries = [Buffer.from('one'), Buffer.alloc(0), Buffer.alloc(65_535, 7)];
  const bundle = encodeEntries(entries);
  expect(decodeEntries(bundle, 3)).toEqual(entries);
  for (const width of [0, 2, 4]) expect(codeOf(() => decodeEntries(bundle, width))).toBe('E233');
  for (const cut of [1, 4, bundle.length - 1]) {
    expect(codeOf(() => decodeEntries(bundle.subarray(0, cut), 3))).toBe('E233');
  }
  expect(codeOf(() => encodeEntries([Buffer.alloc(65_536)]))).toBe('E233');
});

describe('a proof file', async () => {
  const entry = {
    kind: 'version',
    name: '@team/demo',
    version: '1.0.0',
    document: `sha256:${'a'.repeat(64)}`,
    archive: `sha256:${'b'.repeat(64)}`,
  } as const;
  const subject = subjectsOf(entry.name, log.signer)(entry.version);
  const opening = {
    entry,
    salt: Buffer.alloc(32, 9),
    subject,
    proof: proveSubject(entry.name, log.signer),
  };
  const secret = Buffer.from(leafOf(opening)).toString();
  const logged = await growTree(9, (index) => (index === 4 ? secret : `leaf ${index}`));
  const checkpoint = signNote(
    spellCheckpoint({ origin: 'registry.example/log', size: 9, root: await rootOf(9, logged.read) }),
    [log.signer],
  );
  const hashes = await inclusionProof({ index: 4, size: 9 }, logged.read);
  const proof = { index: 4, hashes, checkpoint, extra: spellOpening(opening) };

  test('proves its entry', () => {
    const proved = checkProof(spellProof(proof), { key });
    expect(proved).toEqual({
      entry,
      index: 4,
      isPrivate: true,
      checkpoint: openCheckpoint(checkpoint, { key }),
    });
  });

  test.each([
    ['another entry', { extra: spellOpening({ ...opening, entry: { ...entry, version: '1.0.1' } }) }, 'E232'],
    ['another salt', { extra: spellOpening({ ...opening, salt: Buffer.alloc(32, 8) }) }, 'E232'],
    ['no salt', { extra: spellOpening({ entry, salt: null }) }, 'E232'],
    ['another index', { index: 5 }, 'E232'],
    ['an index beyond the tree', { index: 2 ** 40 }, 'E232'],
    ['a hash too few', { hashes: hashes.slice(1) }, 'E232'],
    ['65 hashes', { hashes: Array(65).fill(hashes[0]) }, 'E233'],
    ['no extra data', { extra: undefined }, 'E233'],
    ['extra data that is not JSON', { extra: Buffer.from([0xff]) }, 'E233'],
    ['extra data that is not an entry', { extra: Buffer.from('{"entry":{"kind":"x"}}') }, 'E233'],
    ['a salt of 31 bytes', { extra: Buffer.from(JSON.stringify({ entry, salt: 'AAAA' })) }, 'E233'],
    ['a checkpoint of a stranger', { checkpoint: signNote(text, [stranger.signer]) }, 'E230'],
    ['the checkpoint of another tree', { checkpoint: note }, 'E232'],
  ])('is refused with %s', (_, change, code) => {
    expect(codeOf(() => checkProof(spellProof({ ...proof, ...change }), { key }))).toBe(code);
  });

  test('is refused with any line changed', () => {
    const lines = spellProof(proof).split('\n');
    for (const at of lines.keys()) {
      for (const line of [`${lines[at]} `, `${lines[at]}A`, 'index 07', 'extra =']) {
        expect(
          codeOf(() => checkProof(lines.with(at, line).join('\n'), { key })),
          `${at}: ${line}`,
        ).not.toBe('accepted');
      }
    }
    expect(codeOf(() => parseProof(''))).toBe('E233');
  });
});
