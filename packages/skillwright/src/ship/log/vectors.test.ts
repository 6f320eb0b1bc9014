import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import vectors from '../../../../../fixtures/transparency-log/vectors.json' with { type: 'json' };
import { growTree, readUniform } from '../../../test/grow-tree.ts';
import {
  consistencyProof,
  EMPTY_ROOT,
  hashLeaf,
  inclusionProof,
  openCheckpoint,
  openNote,
  parseCheckpoint,
  parseProof,
  parseSigner,
  parseTilePath,
  parseVerifierKey,
  type ReadHash,
  readTiles,
  rootOf,
  signNote,
  spellCheckpoint,
  spellProof,
  spellVerifierKey,
  tilePath,
  tileWidth,
  verifyConsistency,
  verifyInclusion,
} from './index.ts';

const spell = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const read64 = (text: string) => Buffer.from(text, 'base64');

const grown = await growTree(vectors.grown.size);
const keys = {
  log: parseVerifierKey(vectors.keys.log),
  other: parseVerifierKey(vectors.keys.other),
  witness: parseVerifierKey(vectors.keys.witness),
};

/** Bytes of a tile of the grown tree, from its definition. */
async function tileOf({ level, index, width }: { level: number; index: number; width: number }) {
  const hashes = Array.from({ length: width }, (_, at) => grown.read(level * 8, index * 256 + at));
  return Buffer.concat(await Promise.all(hashes));
}

const trees: [
  string,
  ReadHash,
  Uint8Array,
  typeof vectors.grown.inclusion,
  typeof vectors.grown.consistency,
][] = [
  ['a tree of 70,000 leaves', grown.read, Buffer.of(), vectors.grown.inclusion, vectors.grown.consistency],
  [
    'trees above 2^31, 2^40 and 2^50 leaves',
    readUniform,
    Buffer.from('same'),
    vectors.uniform.inclusion,
    vectors.uniform.consistency,
  ],
];

describe('agrees with the Go implementations', () => {
  test('roots', async () => {
    const sizes = vectors.grown.roots.map((_, size) => size);
    const roots = await Promise.all(sizes.map((size) => rootOf(size, grown.read)));
    expect(roots.map(spell)).toEqual(vectors.grown.roots);
    expect(spell(EMPTY_ROOT)).toBe(vectors.grown.roots[0]);
    expect(spell(await rootOf(grown.size, grown.read))).toBe(vectors.grown.root);
    for (const { size, root } of vectors.uniform.roots) {
      expect(spell(await rootOf(size, readUniform)), String(size)).toBe(root);
    }
  });

  test.each(trees)('inclusion proofs of %s', async (_, read, same, proofs) => {
    for (const { index, size, hashes } of proofs) {
      const proof = await inclusionProof({ index, size }, read);
      expect(proof.map(spell), `${index} of ${size}`).toEqual(hashes);
      const leaf = hashLeaf(same.length > 0 ? same : grown.leaves[index]!);
      expect(verifyInclusion({ leaf, index, size, proof, root: await rootOf(size, read) })).toBe(true);
    }
  });

  test.each(trees)('consistency proofs of %s', async (_, read, _same, _inclusion, proofs) => {
    for (const { oldSize, size, hashes } of proofs) {
      const proof = await consistencyProof({ oldSize, size }, read);
      expect(proof.map(spell), `${oldSize} to ${size}`).toEqual(hashes);
      const [oldRoot, root] = [await rootOf(oldSize, read), await rootOf(size, read)];
      expect(verifyConsistency({ oldSize, oldRoot, size, root, proof })).toBe(true);
    }
  });

  test('tiles, their paths and widths', async () => {
    for (const { path, sha256, size, ...tile } of vectors.tiles) {
      const data = await tileOf(tile);
      expect([tilePath(tile), parseTilePath(path), createHash('sha256').update(data).digest('hex')]).toEqual([
        path,
        tile,
        sha256,
      ]);
      expect(tileWidth(tile, size)).toBe(tile.width);
    }
    for (const { path, ...tile } of vectors.paths)
      expect([tilePath(tile), parseTilePath(path)]).toEqual([path, tile]);
  });

  test('hashes and proofs read from tiles', async () => {
    const fetched: string[] = [];
    const read = readTiles(async (tile) => {
      fetched.push(tilePath(tile));
      return tileOf({ ...tile, level: Number(tile.level) });
    }, grown.size);
    expect(spell(await rootOf(grown.size, read))).toBe(vectors.grown.root);
    const proof = await inclusionProof({ index: 200, size: grown.size }, read);
    expect(proof).toEqual(await inclusionProof({ index: 200, size: grown.size }, grown.read));
    expect(fetched).toEqual(['2/000.p/1', '1/001.p/17', '0/273.p/112', '0/000', '1/000']);
  });

  test('keys and notes', () => {
    expect(spellVerifierKey(keys.log)).toBe(vectors.keys.log);
    expect(spellVerifierKey(keys.witness)).toBe(vectors.keys.witness);
    const signer = parseSigner(vectors.keys.logSecret);
    expect(spellVerifierKey(signer)).toBe(vectors.keys.log);
    for (const { text, note } of vectors.notes) {
      const opened = openNote(note, [keys.log]);
      expect(opened.text).toBe(text);
      expect(opened.verified).toEqual([{ key: keys.log, time: null, line: `— ${note.split('— ').at(-1)}` }]);
      if (opened.unverified.length === 0) expect(signNote(text, [signer])).toBe(note);
      else expect(openNote(note, [keys.other, keys.log]).verified).toHaveLength(2);
    }
  });

  test('checkpoints and cosignatures', () => {
    for (const { size, root, text, note, cosigned } of vectors.checkpoints) {
      const checkpoint = { origin: 'registry.example/log', size, root: read64(root) };
      expect(spellCheckpoint(checkpoint)).toBe(text);
      expect(parseCheckpoint(text)).toEqual(checkpoint);
      expect(openCheckpoint(note, { key: keys.log })).toEqual({ ...checkpoint, note, cosignatures: [] });
      const { cosignatures } = openCheckpoint(cosigned, { key: keys.log, witnesses: [keys.witness] });
      expect(cosignatures).toEqual([
        { key: keys.witness, time: expect.any(Number), line: expect.any(String) },
      ]);
      expect(openNote(cosigned, [keys.log]).unverified).toEqual(['witness.example/w1']);
    }
  });

  test('proof files', () => {
    for (const { index, extra, text } of vectors.proofs) {
      const proof = parseProof(text);
      expect(proof.index).toBe(index);
      expect(Buffer.from(proof.extra ?? []).toString()).toBe(extra);
      expect(spellProof(proof)).toBe(text);
      const { size, root } = openCheckpoint(proof.checkpoint, { key: keys.log });
      const leaf = hashLeaf(grown.leaves[index]!);
      expect(verifyInclusion({ leaf, index, size, proof: proof.hashes, root })).toBe(true);
    }
  });
});
