import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeContext } from '../../../../test/install-world.ts';
import { makeDirectory } from '../../../../test/make-directory.ts';
import { SkillwrightError } from '../../../base/diagnostics/skillwright-error.ts';
import { openSkill } from '../../../skill/skill/open-skill.ts';
import type { Acceptance } from '../lock/lock.ts';
import { describeFiles } from '../place/stored-files.ts';
import type { Review } from '../plan/preview.ts';
import { type Candidate, type Consent, noConsent, openGate } from './gate.ts';

const files = new Map([['SKILL.md', { bytes: Buffer.from('text'), executable: false }]]);
const { digest } = describeFiles(files);
const fileDigest = `sha256:${'1'.repeat(64)}`;

const findingOf = (number: number, rule = 'SCN201') => ({
  id: String(number).padStart(12, '0'),
  rule,
  name: 'download-and-run',
  category: 'download-and-run' as const,
  severity: 'high' as const,
  confidence: 'high' as const,
  file: 'SKILL.md',
  digest: fileDigest,
  line: number % 2 === 0 ? null : number,
  message: 'found',
  reason: '',
  help: '',
  excerpt: null,
});

const acceptanceOf = (number: number, more: Partial<Acceptance> = {}): Acceptance => ({
  finding: String(number).padStart(12, '0'),
  rule: 'SCN201',
  file: 'SKILL.md',
  digest: fileDigest,
  by: 'Ada',
  reason: 'our own server',
  at: '2026-01-01T00:00:00.000Z',
  ...more,
});

/** A candidate with a score and, if findings are given, danger. */
function candidateOf(
  name: string,
  {
    score = 60,
    findings = [],
    ...more
  }: { score?: number; findings?: Review['findings'] } & Partial<Candidate>,
): Candidate {
  const verdict: Review['verdict'] = findings.length > 0 ? 'danger' : 'clean';
  const review = { digest, files: 1, bytes: 4, verdict, findings, trust: { score, factors: [], cap: null } };
  return { name, review, files: () => files, accepted: [], isScored: true, ...more };
}

/** Sends candidates through a gate: the acceptances by skill or the error, what was asked and what was said. */
async function pass(
  candidates: readonly Candidate[],
  {
    consent = {},
    answer,
    scope = 'project',
  }: { consent?: Partial<Consent>; answer?: boolean; scope?: 'project' | 'user' } = {},
) {
  const asked: string[] = [];
  const confirm = async (question: string) => {
    asked.push(question);
    return answer!;
  };
  const context = makeContext(
    { project: '/project', home: makeDirectory() },
    answer === undefined ? {} : { ask: { choose: async () => undefined, confirm } },
    { USER: 'grace' },
  );
  const gate = openGate({ ...noConsent, ...consent }, context);
  const accepted: Record<string, readonly Acceptance[]> = {};
  let error: Pick<SkillwrightError, 'code' | 'message' | 'help' | 'detail' | 'data'> | undefined;
  try {
    const cleared = await gate.clear(candidates, { place: { scope }, command: 'skc install x' });
    for (const [name, content] of cleared) accepted[name] = content.accepted;
    gate.close();
  } catch (thrown) {
    if (!(thrown instanceof SkillwrightError)) throw thrown;
    const { code, message, help, detail, data } = thrown;
    error = { code, message, help, detail, data };
  }
  return { accepted, error, asked, said: context.said };
}

const signed = { by: 'grace', reason: 'checked', at: '2026-01-02T03:04:05.000Z' };

describe('a refusal', () => {
  test('names every skill, every finding, and the command that accepts them', async () => {
    const { error } = await pass([
      candidateOf('one', { findings: [findingOf(1), findingOf(2)] }),
      candidateOf('two', { findings: [findingOf(3)] }),
      candidateOf('three', { score: 10 }),
    ]);
    const lowTrust = (error!.data as { findings: { id: string }[] }).findings[3]!.id;
    const told = { rule: 'SCN201', file: 'SKILL.md', severity: 'high', message: 'found' };
    expect(error).toEqual({
      code: 'E208',
      message: "refused by scan: 'one, two'",
      help: `read them; to accept them: skc install x --accept 000000000001,000000000002,000000000003,${lowTrust} --reason "why it is safe"`,
      detail: [
        '  one: high: SKILL.md:1: found (SCN201, 000000000001)',
        '  one: high: SKILL.md: found (SCN201, 000000000002)',
        '  two: high: SKILL.md:3: found (SCN201, 000000000003)',
      ].join('\n'),
      data: {
        findings: [
          { skill: 'one', id: '000000000001', line: 1, ...told },
          { skill: 'one', id: '000000000002', line: null, ...told },
          { skill: 'two', id: '000000000003', line: 3, ...told },
          {
            skill: 'three',
            id: lowTrust,
            rule: 'low-trust',
            file: '.',
            line: null,
            severity: 'low',
            message: 'trust score 10 of 100',
          },
        ],
      },
    });
    expect(lowTrust).toMatch(/^[0-9a-f]{12}$/);
  });

  test('of a low score names the score', async () => {
    const { error } = await pass([candidateOf('demo', { score: 29 })]);
    const id = (error!.data as { findings: { id: string }[] }).findings[0]!.id;
    expect(error).toMatchObject({
      code: 'E213',
      message: "risk not accepted: 'demo'",
      help: `read it; to accept it: skc install x --accept ${id} --reason "why it is safe"`,
      detail: `  demo: low: .: trust score 29 of 100 (low-trust, ${id})`,
    });
  });

  test.each<[number, string, string]>([
    [
      20,
      Array.from({ length: 20 }, (_, index) => String(index + 1).padStart(12, '0')).join(','),
      '(SCN201, 000000000020)',
    ],
    [21, 'SCN201', '  … and 1 more'],
    [25, 'SCN201', '  … and 5 more'],
  ])('of %d findings', async (count, words, last) => {
    const findings = Array.from({ length: count }, (_, index) => findingOf(index + 1));
    const { error } = await pass([candidateOf('demo', { findings })]);
    expect(error!.help).toContain(`--accept ${words} --reason`);
    const lines = error!.detail!.split('\n');
    expect([lines.length, lines.at(-1)!.endsWith(last)]).toEqual([Math.min(count, 21), true]);
  });
});

describe('words of --accept', () => {
  const [danger] = [candidateOf('demo', { findings: [findingOf(1), findingOf(3, 'SCN101')] })];
  test.each<[string, Partial<Consent>, readonly number[] | string, readonly string[]]>([
    [
      'both, in one list with blanks',
      { accept: [' SCN201 ,, 000000000003'], reason: ' checked ' },
      [1, 3],
      [],
    ],
    ['both, in two lists', { accept: ['SCN201', 'SCN101'], reason: 'checked' }, [1, 3], []],
    ['only one', { accept: ['SCN201'], reason: 'checked' }, 'E208', []],
    ['only blanks need no reason', { accept: [' , '] }, 'E208', []],
    ['no reason', { accept: ['SCN201'] }, 'E100', []],
    [
      'one too many',
      { accept: ['SCN201,SCN101,SCN999'], reason: 'checked' },
      [1, 3],
      ["W216 '--accept' matches no finding: SCN999"],
    ],
  ])('%s', async (_, consent, expected, said) => {
    const attempt = pass([danger!], { consent }).catch((error: SkillwrightError) => error);
    const result = await attempt;
    if (result instanceof SkillwrightError) {
      expect({ code: result.code, help: result.help }).toEqual({
        code: expected,
        help: 'say why with --reason "…"; it is written to the lock',
      });
      return;
    }
    expect(result.error?.code ?? result.accepted.demo!.map(({ finding }) => Number(finding))).toEqual(
      expected,
    );
    expect(result.said).toEqual(said);
  });

  test('a low score is accepted by its rule, which is known even where the score is not', async () => {
    const consent = { accept: ['low-trust'], reason: 'x'.repeat(1100) };
    const low = await pass([candidateOf('demo', { score: 10 })], { consent });
    expect(low).toMatchObject({ asked: [], said: [], error: undefined });
    expect(low.accepted.demo).toEqual([
      {
        ...signed,
        finding: expect.stringMatching(/^[0-9a-f]{12}$/),
        rule: 'low-trust',
        file: '.',
        digest,
        reason: 'x'.repeat(1000),
      },
    ]);
    const unknown = await pass([candidateOf('demo', { score: 10, isScored: false })], { consent });
    expect(unknown).toEqual({ accepted: { demo: [] }, error: undefined, asked: [], said: [] });
    const enough = await pass([candidateOf('demo', {})], { consent });
    expect(enough.said).toEqual(["W216 '--accept' matches no finding: low-trust"]);
  });

  test('a word is recorded instead of the acceptance in the lock', async () => {
    const candidate = candidateOf('demo', {
      findings: [findingOf(1), findingOf(3)],
      accepted: [acceptanceOf(1), acceptanceOf(3)],
    });
    const consent = { accept: ['000000000003'], reason: 'checked', trustLock: true };
    expect((await pass([candidate], { consent })).accepted.demo).toEqual([
      acceptanceOf(1),
      acceptanceOf(3, signed),
    ]);
  });
});

describe('acceptances in a lock', () => {
  const candidates = [
    candidateOf('one', { findings: [findingOf(1)], accepted: [acceptanceOf(1)] }),
    candidateOf('two', { findings: [findingOf(3)], accepted: [acceptanceOf(3, { reason: ' a\n b ' })] }),
  ];
  const told = [
    '  one: SCN201 in SKILL.md [000000000001], accepted by Ada: our own server',
    '  two: SCN201 in SKILL.md [000000000003], accepted by Ada: a b',
  ];

  test('are refused without a person to ask', async () => {
    expect((await pass(candidates)).error).toEqual({
      code: 'E219',
      message: "accepted by somebody else: 'one, two'",
      help: 'if you trust the people who accepted them: skc install x --trust-lock',
      detail: told.join('\n'),
      data: {
        accepted: [
          { skill: 'one', ...acceptanceOf(1) },
          { skill: 'two', ...acceptanceOf(3, { reason: ' a\n b ' }) },
        ],
      },
    });
  });

  test.each<[number, boolean, string]>([
    [1, true, 'The lock accepts a dangerous finding for you. Do you agree?'],
    [2, true, 'The lock accepts 2 dangerous findings for you. Do you agree?'],
    [2, false, 'The lock accepts 2 dangerous findings for you. Do you agree?'],
  ])('%d, the answer is %s', async (count, answer, question) => {
    const result = await pass(candidates.slice(0, count), { answer });
    expect(result).toMatchObject({
      asked: [question],
      said: [['accepted in the lock:', ...told.slice(0, count)].join('\n')],
    });
    expect(result.error?.code).toBe(answer ? undefined : 'E219');
  });

  test.each<[string, Parameters<typeof pass>[1]]>([
    ['--trust-lock', { consent: { trustLock: true }, answer: false }],
    ["the user's own lock", { scope: 'user', answer: false }],
  ])('%s: nobody is asked', async (_, how) => {
    expect(await pass(candidates, how)).toMatchObject({ error: undefined, asked: [] });
  });

  test('that no finding needs now stay while the finding or the whole content is the same', async () => {
    const kept = [
      acceptanceOf(9, { file: '.', digest, rule: 'low-trust' }),
      acceptanceOf(8, { file: '.', rule: 'low-trust' }),
      acceptanceOf(7, { digest }),
    ];
    const result = await pass([candidateOf('demo', { accepted: kept })]);
    expect(result).toEqual({ accepted: { demo: [kept[0]] }, error: undefined, asked: [], said: [] });
  });
});

describe('a score', () => {
  const scored = (count: number, score = 40) =>
    Array.from({ length: count }, (_, index) => candidateOf(`s${index + 1}`, { score }));
  test.each<[string, readonly Candidate[], readonly string[]]>([
    ['30', scored(1, 30), ['warning: trust score below 50: s1 (30)']],
    ['49', scored(1, 49), ['warning: trust score below 50: s1 (49)']],
    ['50', scored(1, 50), []],
    ['unknown', [candidateOf('s', { score: 40, isScored: false })], []],
    [
      'of ten skills',
      scored(10),
      [
        `warning: trust score below 50: ${scored(10)
          .map(({ name }) => `${name} (40)`)
          .join(', ')}`,
      ],
    ],
    [
      'of twelve skills',
      scored(12),
      [
        `warning: trust score below 50: ${scored(10)
          .map(({ name }) => `${name} (40)`)
          .join(', ')}, and 2 more`,
      ],
    ],
  ])('%s', async (_, candidates, said) => {
    expect((await pass(candidates)).said).toEqual(said);
  });

  test('is asked about once, and the answer is recorded for each skill', async () => {
    const result = await pass(
      [candidateOf('one', { score: 10 }), candidateOf('two', { score: 20 }), candidateOf('fine', {})],
      {
        answer: true,
      },
    );
    expect(result.asked).toEqual(['The trust score of one, two is below 30. Accept the risk?']);
    expect(
      Object.entries(result.accepted).map(([name, given]) => [
        name,
        given.map(({ rule, reason }) => `${rule}: ${reason}`),
      ]),
    ).toEqual([
      ['one', ['low-trust: accepted at the prompt']],
      ['two', ['low-trust: accepted at the prompt']],
      ['fine', []],
    ]);
  });

  test('is not asked about beside danger', async () => {
    const candidates = [candidateOf('one', { score: 10 }), candidateOf('two', { findings: [findingOf(1)] })];
    expect(await pass(candidates, { answer: true })).toMatchObject({ asked: [], error: { code: 'E208' } });
  });
});

describe('cleared content', () => {
  const clear = async (given: Partial<Candidate>) => {
    const gate = openGate(noConsent, makeContext({ project: '/project', home: makeDirectory() }));
    const candidate = candidateOf('demo', given);
    return (await gate.clear([candidate], { place: { scope: 'user' }, command: '' })).get('demo')!;
  };

  test('is written, or moved from its private directory', async () => {
    const root = makeDirectory({ 'staged/SKILL.md': 'text' });
    const [written, moved] = [join(root, 'written'), join(root, 'moved')];
    expect([...(await clear({})).placeAt(written).keys()]).toEqual(['SKILL.md']);
    const staged = openSkill(join(root, 'staged'));
    expect([...(await clear({ staged })).placeAt(moved).keys()]).toEqual(['SKILL.md']);
    expect([written, moved].map((dir) => readFileSync(join(dir, 'SKILL.md'), 'utf8'))).toEqual([
      'text',
      'text',
    ]);
    expect(existsSync(join(root, 'staged'))).toBe(false);
  });

  test('that changed is refused wherever it is read', async () => {
    const root = makeDirectory({ 'staged/SKILL.md': 'swapped' });
    const swapped = new Map([['SKILL.md', { bytes: Buffer.from('swapped'), executable: false }]]);
    const refused = expect.objectContaining({ code: 'E204', message: "integrity mismatch: 'demo'" });
    const [changed, staged] = [
      await clear({ files: () => swapped }),
      await clear({ staged: openSkill(join(root, 'staged')) }),
    ];
    expect(() => changed.files()).toThrow(refused);
    expect(() => changed.placeAt(join(root, 'written'))).toThrow(refused);
    expect(() => staged.placeAt(join(root, 'moved'))).toThrow(refused);
    expect(existsSync(join(root, 'written'))).toBe(false);
  });
});
