import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { readFrontmatter } from '../../skill/format/frontmatter.ts';
import { readManifest } from '../../skill/format/manifest.ts';
import { scanSkill } from './scan-skill.ts';
import { scoreTrust, type TrustFacts, trustFactsOf } from './score-trust.ts';

const nothing: TrustFacts = { verified: false };
const unlisted = 'not counted: it does not come from a registry';
const unfetched = 'not counted: it is a directory of this machine';

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
      { factor: 'level', points: 0, max: 0, reason: unlisted },
      { factor: 'repository', points: 0, max: 10, reason: 'no public repository is known' },
      { factor: 'licence', points: 0, max: 10, reason: 'no licence is declared' },
      { factor: 'version', points: 0, max: 5, reason: 'no version is declared' },
      { factor: 'author', points: 0, max: 5, reason: 'no author is declared' },
      { factor: 'rating', points: 0, max: 0, reason: unlisted },
      { factor: 'downloads', points: 0, max: 0, reason: unlisted },
      { factor: 'scan', points: 0, max: 20, reason: 'it was not scanned' },
      { factor: 'size', points: 0, max: 15, reason: 'its size was not measured' },
      { factor: 'integrity', points: 0, max: 10, reason: 'its source provides no digest to check' },
    ],
    cap: null,
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

const MIB_CLEAN = { scan: 'clean', bytes: 1000 } as const;
test.each<[source: string, TrustFacts, score: number, of: number]>([
  ['a registry', { ...nothing, ...MIB_CLEAN, registry: { level: 'community' } }, 35, 120],
  ['a registry', { ...nothing, ...MIB_CLEAN, registry: { level: 'official' }, verified: true }, 65, 120],
  [
    'a repository',
    { ...nothing, ...MIB_CLEAN, repository: 'https://github.com/a/b', verified: true },
    73,
    75,
  ],
  [
    'a repository',
    { ...nothing, scan: 'caution', bytes: 1000, repository: 'https://github.com/a/b', verified: true },
    53,
    75,
  ],
  ['an archive without a verified origin', { ...nothing, ...MIB_CLEAN }, 47, 75],
  ['a directory of this machine', { ...nothing, ...MIB_CLEAN, isLocal: true }, 64, 55],
  ['a directory of this machine', { ...nothing, ...MIB_CLEAN, license: 'MIT', isLocal: true }, 82, 55],
  ['a directory of this machine', { ...nothing, scan: 'caution', bytes: 1000, isLocal: true }, 36, 55],
  ['a directory of this machine', { ...nothing, isLocal: true }, 0, 55],
])('a skill of %s is measured by what its source can say: %j', (_, facts, score, of) => {
  const trust = scoreTrust(facts);
  expect([trust.score, trust.factors.reduce((sum, { max }) => sum + max, 0)]).toEqual([score, of]);
});

test('a factor that does not count says why', () => {
  const reasons = Object.fromEntries(
    scoreTrust({ ...nothing, isLocal: true }).factors.flatMap(({ factor, max, reason }) =>
      max === 0 ? [[factor, reason]] : [],
    ),
  );
  expect(reasons).toEqual({
    level: unlisted,
    repository: unfetched,
    rating: unlisted,
    downloads: unlisted,
    integrity: unfetched,
  });
});

describe('each factor, with its reason', () => {
  const registry = (facts: object): TrustFacts => ({
    ...nothing,
    registry: { level: 'community', ...facts },
  });
  const MIB = 1024 * 1024;
  const sized = (size: string) => `${size}; 15 points up to 1 MiB, 10 up to 10 MiB, 5 up to 50 MiB`;
  const counted = (downloads: number) =>
    `${downloads} ${downloads === 1 ? 'download' : 'downloads'}; 5 points from 100, 10 from 1000`;
  const home = 'https://github.com/a/b';
  test.each<[TrustFacts, factor: string, points: number, reason: string]>([
    [{ ...nothing, registry: { level: 'official' } }, 'level', 20, 'its level in the registry is official'],
    [{ ...nothing, registry: { level: 'verified' } }, 'level', 15, 'its level in the registry is verified'],
    [registry({}), 'level', 0, 'its level in the registry is community'],
    [registry({ level: 'trusted' }), 'level', 0, 'its level in the registry is trusted'],
    [{ ...nothing, repository: home }, 'repository', 10, `fetched from ${home}`],
    [{ ...nothing, repository: ' ' }, 'repository', 0, 'no public repository is known'],
    [registry({ repository: home }), 'repository', 10, `its registry lists ${home}`],
    [
      { ...nothing, claimedRepository: home },
      'repository',
      0,
      'the repository is known from the skill alone',
    ],
    [{ ...nothing, license: 'MIT' }, 'licence', 10, 'the licence is declared'],
    [{ ...nothing, license: ' ' }, 'licence', 0, 'no licence is declared'],
    [{ ...nothing, version: '1' }, 'version', 5, 'the version is declared'],
    [{ ...nothing, author: 'Ada' }, 'author', 5, 'the author is declared'],
    [registry({}), 'rating', 0, 'it has no rating in a registry'],
    [registry({ rating: Number.NaN }), 'rating', 0, 'it has no rating in a registry'],
    [registry({ rating: 3.4 }), 'rating', 0, 'rated 3.4; at least 3.5 of 5 is required'],
    [registry({ rating: 3.5 }), 'rating', 15, 'rated 3.5 of 5'],
    [registry({ rating: 5 }), 'rating', 15, 'rated 5 of 5'],
    [registry({ rating: 99 }), 'rating', 0, 'rated 99; at least 3.5 of 5 is required'],
    [registry({}), 'downloads', 0, 'it has no download count in a registry'],
    [registry({ downloads: Number.NaN }), 'downloads', 0, 'it has no download count in a registry'],
    [
      registry({ downloads: Number.POSITIVE_INFINITY }),
      'downloads',
      0,
      'it has no download count in a registry',
    ],
    [registry({ downloads: 99 }), 'downloads', 0, counted(99)],
    [registry({ downloads: 100 }), 'downloads', 5, counted(100)],
    [registry({ downloads: 999 }), 'downloads', 5, counted(999)],
    [registry({ downloads: 1000 }), 'downloads', 10, counted(1000)],
    [{ ...nothing, scan: 'clean' }, 'scan', 20, 'the scan found nothing to worry about'],
    [{ ...nothing, scan: 'caution' }, 'scan', 5, 'the scan found things to review first'],
    [{ ...nothing, scan: 'danger' }, 'scan', 0, 'the scan found danger'],
    [{ ...nothing, bytes: 0 }, 'size', 15, sized('0 bytes')],
    [{ ...nothing, bytes: MIB }, 'size', 15, sized('1 MiB')],
    [{ ...nothing, bytes: MIB + 1 }, 'size', 10, sized('1 MiB')],
    [{ ...nothing, bytes: 10 * MIB }, 'size', 10, sized('10 MiB')],
    [{ ...nothing, bytes: 10 * MIB + 1 }, 'size', 5, sized('10 MiB')],
    [{ ...nothing, bytes: 50 * MIB }, 'size', 5, sized('50 MiB')],
    [{ ...nothing, bytes: 50 * MIB + 1 }, 'size', 0, sized('50 MiB')],
    [{ ...nothing, verified: true }, 'integrity', 10, 'it matches the digest from its source'],
  ])('%j: %s', (facts, factor, points, reason) => {
    expect(scoreTrust(facts).factors.find((given) => given.factor === factor)).toEqual({
      factor,
      points,
      max: expect.any(Number),
      reason,
    });
  });
});

test.each([
  ['nothing else', nothing, { score: 0, cap: null }],
  [
    '10 of 75 points',
    { ...nothing, license: 'MIT' },
    { score: 10, cap: { at: 10, reason: 'the scan found danger, which caps the score' } },
  ],
  ['5 of 75 points', { ...nothing, version: '1' }, { score: 7, cap: null }],
  [
    '15 points',
    { ...nothing, license: 'MIT', version: '1' },
    { score: 10, cap: { at: 10, reason: 'the scan found danger, which caps the score' } },
  ],
])('danger beside %s', (_, facts, expected) => {
  const { factors: _factors, ...score } = scoreTrust({ ...facts, scan: 'danger' });
  expect(score).toEqual(expected);
});

test('danger caps the score, whatever else is known', () => {
  const { score, cap } = scoreTrust({ ...everything, scan: 'danger' });
  expect({ score, cap }).toEqual({
    score: 10,
    cap: { at: 10, reason: 'the scan found danger, which caps the score' },
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
