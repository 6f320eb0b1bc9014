import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { readFrontmatter } from '../../skill/format/frontmatter.ts';
import { readManifest } from '../../skill/format/manifest.ts';
import { scanSkill } from './scan-skill.ts';
import { scoreTrust, type TrustFacts, trustFactsOf } from './score-trust.ts';

const nothing: TrustFacts = { verified: false };

const everything: TrustFacts = {
  registry: { level: 'official', rating: 4.5, downloads: 5000 },
  repository: 'https://github.com/a/b',
  license: 'MIT',
  version: '1.0.0',
  author: 'Ada',
  scan: 'clean',
  bytes: 10_000,
  verified: true,
};

const pointsOf = (facts: TrustFacts) =>
  Object.fromEntries(scoreTrust(facts).factors.map(({ factor, points }) => [factor, points]));

test('without facts the score is 0, and every factor gives a reason', () => {
  expect(scoreTrust(nothing)).toEqual({
    score: 0,
    factors: [
      { factor: 'level', points: 0, max: 20, reason: 'no registry vouches for it' },
      { factor: 'repository', points: 0, max: 10, reason: 'no public repository is known' },
      { factor: 'licence', points: 0, max: 10, reason: 'it names no licence' },
      { factor: 'version', points: 0, max: 5, reason: 'it names no version' },
      { factor: 'author', points: 0, max: 5, reason: 'it names no author' },
      { factor: 'rating', points: 0, max: 15, reason: 'no registry rates it' },
      { factor: 'downloads', points: 0, max: 10, reason: 'no registry counts its downloads' },
      { factor: 'scan', points: 0, max: 20, reason: 'it was not scanned' },
      { factor: 'size', points: 0, max: 15, reason: 'its size was not measured' },
      { factor: 'integrity', points: 0, max: 10, reason: 'its source provides no digest to check' },
    ],
  });
});

test('the maximum is 100', () => {
  expect(scoreTrust(everything).score).toBe(100);
  expect(pointsOf(everything)).toEqual({
    level: 20,
    repository: 10,
    licence: 10,
    version: 5,
    author: 5,
    rating: 15,
    downloads: 10,
    scan: 20,
    size: 15,
    integrity: 10,
  });
});

describe('thresholds', () => {
  const registry = (facts: object): TrustFacts => ({
    ...nothing,
    registry: { level: 'community', ...facts },
  });
  test.each<[string, TrustFacts, string, number]>([
    ['verified', { ...nothing, registry: { level: 'verified' } }, 'level', 15],
    ['community', registry({}), 'level', 0],
    ['a good rating', registry({ rating: 3.5 }), 'rating', 15],
    ['a poor rating', registry({ rating: 3.4 }), 'rating', 0],
    ['a rating out of range', registry({ rating: 99 }), 'rating', 0],
    ['not a number', registry({ rating: Number.NaN }), 'rating', 0],
    ['99 downloads', registry({ downloads: 99 }), 'downloads', 0],
    ['100 downloads', registry({ downloads: 100 }), 'downloads', 5],
    ['1000 downloads', registry({ downloads: 1000 }), 'downloads', 10],
    ['a claimed repository', { ...nothing, claimedRepository: 'https://github.com/a/b' }, 'repository', 0],
    ['a repository the registry names', registry({ repository: 'https://github.com/a/b' }), 'repository', 10],
    ['caution', { ...nothing, scan: 'caution' }, 'scan', 5],
    ['1 MiB', { ...nothing, bytes: 1024 * 1024 }, 'size', 15],
    ['more than 1 MiB', { ...nothing, bytes: 1024 * 1024 + 1 }, 'size', 10],
    ['more than 10 MiB', { ...nothing, bytes: 10 * 1024 * 1024 + 1 }, 'size', 5],
    ['more than 50 MiB', { ...nothing, bytes: 50 * 1024 * 1024 + 1 }, 'size', 0],
    ['an empty licence', { ...nothing, license: ' ' }, 'licence', 0],
  ])('%s', (_, facts, factor, points) => {
    expect(pointsOf(facts)[factor]).toBe(points);
  });
});

test('danger caps the score, whatever else is known', () => {
  const { score, cap } = scoreTrust({ ...everything, scan: 'danger' });
  expect({ score, cap }).toEqual({
    score: 10,
    cap: { at: 10, reason: 'the scan found danger, and nothing outweighs that' },
  });
});

describe('facts of a skill', () => {
  const factsOf = (fields: string, files: Record<string, string> = {}) => {
    const text = `---\nname: demo\ndescription: Makes tables.\n${fields}---\n\n# Demo\n`;
    const dir = join(makeDirectory({ 'demo/SKILL.md': text, ...files }), 'demo');
    const { manifest } = readManifest(readFrontmatter(text).data!);
    return trustFactsOf(dir, manifest, { verified: false, scan: scanSkill(dir) });
  };

  test('a skill cannot raise its own score', () => {
    const plain = scoreTrust(factsOf(''));
    for (const fields of [
      'trust-level: official\n',
      'metadata:\n  trust-level: official\n',
      'trust-level: verified\nregistry: {level: official, rating: 5, downloads: 9999}\n',
    ])
      expect(scoreTrust(factsOf(fields))).toEqual({
        ...plain,
        factors: plain.factors.map((factor) =>
          factor.factor === 'size' ? { ...factor, reason: expect.any(String) } : factor,
        ),
      });
  });

  test('licence, version, author and repository are read from the top or the metadata', () => {
    expect(
      factsOf(
        'license: MIT\nmetadata:\n  version: "1.2"\n  author: Ada\nrepository: https://github.com/a/b\n',
      ),
    ).toMatchObject({
      license: 'MIT',
      version: '1.2',
      author: 'Ada',
      claimedRepository: 'https://github.com/a/b',
      repository: undefined,
      scan: 'clean',
    });
  });

  test('a licence file counts', () => {
    expect(factsOf('', { 'demo/LICENSE.txt': 'x' }).license).toBe('LICENSE.txt');
  });
});
