import { expect, test } from 'vitest';
import { hashTree, sha256 } from './hash.ts';

test('sha256 of text and of its bytes', () => {
  const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(sha256('abc')).toBe(abc);
  expect(sha256(Buffer.from('abc'))).toBe(abc);
  expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});

test('hashTree hashes the pairs in bytewise order, each part ended by NUL', () => {
  const a = { path: 'a', sha256: sha256('1') };
  const b = { path: 'b', sha256: sha256('2') };
  expect(hashTree([])).toBe(sha256(''));
  expect(hashTree([b, a])).toBe(sha256(`a\0${a.sha256}\0b\0${b.sha256}\0`));
  expect(hashTree([a, b])).toBe(hashTree([b, a]));
});

test('hashTree notices every difference', () => {
  const hashes = [
    hashTree([{ path: 'a', sha256: '1' }]),
    hashTree([{ path: 'a1', sha256: '' }]),
    hashTree([{ path: '', sha256: 'a1' }]),
    hashTree([{ path: 'b', sha256: '1' }]),
    hashTree([
      { path: 'a', sha256: '1' },
      { path: 'a', sha256: '1' },
    ]),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
});

test('hashTree leaves its argument alone', () => {
  const files = [
    { path: 'b', sha256: '1' },
    { path: 'a', sha256: '2' },
  ];
  hashTree(files);
  expect(files.map(({ path }) => path)).toEqual(['b', 'a']);
});
