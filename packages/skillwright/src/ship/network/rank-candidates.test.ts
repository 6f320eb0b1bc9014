import { describe, expect, test } from 'vitest';
import { matchesQuery, mergeResults, rankCandidate, type TrawlCandidate } from './rank-candidates.ts';

const base: TrawlCandidate = { name: 'x', description: '', from: 'registry', source: 'x' };
const rank = (query: string, candidate: Partial<TrawlCandidate>) => {
  const { score, reasons } = rankCandidate(query, { ...base, ...candidate });
  return [score, reasons];
};

describe('the score and its reasons', () => {
  test.each<[string, Partial<TrawlCandidate>, number, string[]]>([
    ['pdf forms', { name: 'pdf-forms' }, 0.5, ['the name matches the query']],
    ['PDF form', { name: 'pdf-forms' }, 0.5, ['the name matches the query']],
    ['pdf', { name: 'pdf-forms' }, 0.35, ['the name contains pdf']],
    ['pdf tables', { name: 'pdf-forms' }, 0.175, ['the name contains pdf']],
    ['pdf', { description: 'Reads PDFs.' }, 0.25, ['the description contains pdf']],
    ['pdf', { tags: ['pdf', 'office'] }, 0.05, ['tagged pdf']],
    ['pdf', {}, 0, []],
    ['', { name: 'pdf' }, 0, []],
    ['été', { description: 'E\u0301te\u0301 2026' }, 0.25, ['the description contains été']],
    ['pdf', { stars: 99_999 }, 0.1, ['99,999 stars']],
    ['pdf', { downloads: 1, level: 'official' }, 0.106, ['official by the registry', '1 download']],
    ['pdf', { level: 'verified', rating: 4.5 }, 0.1, ['verified by the registry', 'rated 4.5']],
    ['pdf', { rating: 3.4, level: 'community', stars: 0 }, 0, []],
    ['pdf', { digest: 'sha256:ab' }, 0.02, ['has a digest']],
    [
      'pdf',
      { name: 'pdf', deprecated: 'use forms' },
      0.1,
      ['the name matches the query', 'deprecated: use forms'],
    ],
    ['pdf', { deprecated: 'old' }, 0, ['deprecated: old']],
    [
      'pdf',
      {
        name: 'pdf',
        description: 'pdf',
        tags: ['pdf'],
        stars: 1e9,
        downloads: 1e9,
        level: 'official',
        rating: 5,
      },
      1,
      [
        'the name matches the query',
        'the description contains pdf',
        'official by the registry',
        '1,000,000,000 stars',
        '1,000,000,000 downloads',
        'tagged pdf',
        'rated 5.0',
      ],
    ],
  ])('%j on %j', (query, candidate, score, reasons) => {
    expect(rank(query, candidate)).toEqual([score, reasons]);
  });

  test('matching', () => {
    expect(matchesQuery('pdf', { ...base, description: 'a PDF' })).toBe(true);
    expect(matchesQuery('pdf', { ...base, stars: 7 })).toBe(false);
  });
});

describe('the same skill is shown once', () => {
  const result = (candidate: Partial<TrawlCandidate>, score: number) => ({
    ...rankCandidate('', { ...base, ...candidate }),
    score,
  });
  const merged = (...results: ReturnType<typeof result>[]) =>
    mergeResults(results).map(({ source, score, also }) => [source, score, also]);
  const repository = 'https://github.com/Acme/Skills';

  test('a repository is merged into the skill it contains', () => {
    expect(
      merged(
        result({ from: 'github', source: 'acme/skills', repository }, 0.9),
        result({ source: 'pdf', name: 'pdf', repository: `${repository}.git` }, 0.5),
        result({ from: 'npm', source: 'npm:pdf', repository: 'git+https://github.com/acme/skills.git' }, 0.2),
      ),
    ).toEqual([['pdf', 0.9, ['acme/skills', 'npm:pdf']]]);
  });

  test('two skills of one repository stay separate', () => {
    expect(
      merged(
        result({ source: 'pdf', name: 'pdf', repository }, 0.5),
        result({ source: 'doc', name: 'doc', repository }, 0.6),
        result({ from: 'github', source: 'acme/skills/skills/doc', skill: 'doc', repository }, 0.1),
      ),
    ).toEqual([
      ['doc', 0.6, ['acme/skills/skills/doc']],
      ['pdf', 0.5, []],
    ]);
  });

  test('by digest, and by install source', () => {
    const digest = `sha256:${'0'.repeat(64)}`;
    expect(
      merged(
        result({ from: 'well-known', source: 'a.example', skill: 'pdf', digest }, 0.3),
        result({ from: 'well-known', source: 'b.example', skill: 'pdf', digest }, 0.4),
        result({ from: 'github', source: 'a/b', repository: 'https://github.com/a/b' }, 0.2),
        result({ from: 'github', source: 'a/b', repository: 'https://github.com/a/b' }, 0.2),
      ),
    ).toEqual([
      ['b.example', 0.4, ['a.example']],
      ['a/b', 0.2, []],
    ]);
  });

  test('ties have a fixed order, and odd repositories do not count as an origin', () => {
    const odd = { repository: 'nonsense' };
    const [a, b] = [
      result({ ...odd, name: 'a', source: 'a' }, 0.1),
      result({ ...odd, name: 'b', source: 'b' }, 0.1),
    ];
    expect(merged(b, a)).toEqual(merged(a, b));
    expect(merged(a, b)).toHaveLength(2);
  });
});
