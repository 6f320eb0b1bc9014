import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeContext, outcomeOf } from '../../../../test/install-world.ts';
import { makeDirectory } from '../../../../test/make-directory.ts';
import { sha256 } from '../../../base/files/hash.ts';
import type { Acceptance } from '../lock/lock.ts';
import type { InstallContext } from '../place/install-place.ts';
import { describeFiles } from '../place/stored-files.ts';
import type { Review } from '../plan/preview.ts';
import { type Candidate, type Consent, noConsent, openGate } from './gate.ts';

const files = new Map([['SKILL.md', { bytes: Buffer.from('text'), executable: false }]]);
const { digest } = describeFiles(files);
const fileDigest = `sha256:${sha256('text')}`;

const finding = {
  id: '0123456789ab',
  rule: 'SCN201',
  name: 'download-and-run',
  category: 'download-and-run',
  severity: 'critical',
  confidence: 'high',
  file: 'SKILL.md',
  digest: fileDigest,
  line: 3,
  message: 'downloads and runs',
  reason: '',
  help: '',
  excerpt: null,
} as const;

const acceptance: Acceptance = {
  finding: finding.id,
  rule: finding.rule,
  file: finding.file,
  digest: fileDigest,
  by: 'Ada',
  reason: 'our own server',
  at: '2026-01-01T00:00:00.000Z',
};

const reviewed = (score: number, verdict: Review['verdict'] = 'caution'): Review => ({
  digest,
  files: 1,
  bytes: 4,
  verdict,
  findings: verdict === 'clean' ? [] : [finding],
  trust: { score, factors: [], cap: null },
});

const asking = (answer: boolean): Partial<InstallContext> => ({
  ask: { choose: async () => undefined, confirm: async () => answer },
});

interface Attempt {
  readonly review: Review;
  readonly consent?: Partial<Consent>;
  readonly context?: Partial<InstallContext>;
  readonly accepted?: readonly Acceptance[];
  readonly scope?: 'project' | 'user';
  readonly home?: string;
  readonly isScored?: boolean;
}

async function attempt({ review, accepted = [], isScored = true, ...given }: Attempt) {
  const home = given.home ?? makeDirectory();
  const context = makeContext({ project: join(home, 'project'), home }, given.context, { USER: 'grace' });
  const work = async () => {
    const gate = openGate({ ...noConsent, ...given.consent }, context);
    const candidate = { name: 'demo', review, files: () => files, accepted, isScored };
    const entrance = { place: { scope: given.scope ?? 'project' }, command: 'skc install demo' } as const;
    const cleared = await gate.clear([candidate], entrance);
    gate.close();
    return cleared.get('demo')!.accepted;
  };
  return { outcome: await outcomeOf(work()), said: context.said };
}

const signed = { by: 'grace', reason: 'checked', at: '2026-01-02T03:04:05.000Z' };
const mine = { ...acceptance, ...signed };
const told =
  'accepted in the lock:\n  demo: SCN201 in SKILL.md [0123456789ab], accepted by Ada: our own server';

test.each<[string, Attempt, { outcome: unknown; said: string[] }]>([
  ['a sufficient score', { review: reviewed(50) }, { outcome: [], said: [] }],
  [
    'a low one warns',
    { review: reviewed(49) },
    { outcome: [], said: ['warning: trust score below 50: demo (49)'] },
  ],
  [
    'a very low one, not accepted',
    { review: reviewed(29) },
    { outcome: "E213 risk not accepted: 'demo'", said: [] },
  ],
  [
    'a very low one, declined at the prompt',
    { review: reviewed(0), context: asking(false) },
    { outcome: "E213 risk not accepted: 'demo'", said: [] },
  ],
  ['an unknown score', { review: reviewed(0), isScored: false }, { outcome: [], said: [] }],
  [
    'danger',
    { review: reviewed(10, 'danger'), context: asking(true) },
    { outcome: "E208 refused by scan: 'demo'", said: [] },
  ],
  [
    'danger without a finding',
    { review: { ...reviewed(10, 'danger'), findings: [] } },
    { outcome: "E208 refused by scan: 'demo'", said: [] },
  ],
  [
    'danger from the cache',
    { review: reviewed(10, 'danger'), isScored: false },
    { outcome: "E208 refused by scan: 'demo'", said: [] },
  ],
  [
    'danger accepted by finding id',
    { review: reviewed(10, 'danger'), consent: { accept: [finding.id], reason: 'checked' } },
    { outcome: [mine], said: [] },
  ],
  [
    'danger accepted by rule',
    { review: reviewed(10, 'danger'), consent: { accept: ['SCN201'], reason: 'checked' } },
    { outcome: [mine], said: [] },
  ],
  [
    'danger accepted without a reason',
    { review: reviewed(10, 'danger'), consent: { accept: ['SCN201'], reason: ' ' } },
    { outcome: 'E100 --accept needs a reason', said: [] },
  ],
  [
    'something else accepted',
    { review: reviewed(60, 'clean'), consent: { accept: ['ffffffffffff'], reason: 'checked' } },
    { outcome: [], said: ["W216 '--accept' matches no finding: ffffffffffff"] },
  ],
  [
    "an acceptance in a project's lock",
    { review: reviewed(10, 'danger'), accepted: [acceptance] },
    { outcome: "E219 accepted by somebody else: 'demo'", said: [] },
  ],
  [
    'an acceptance in the lock, declined at the prompt',
    { review: reviewed(10, 'danger'), accepted: [acceptance], context: asking(false) },
    { outcome: "E219 accepted by somebody else: 'demo'", said: [told] },
  ],
  [
    'an acceptance in the lock, confirmed at the prompt',
    { review: reviewed(10, 'danger'), accepted: [acceptance], context: asking(true) },
    { outcome: [acceptance], said: [told] },
  ],
  [
    'an acceptance in the lock, confirmed by --trust-lock',
    { review: reviewed(10, 'danger'), accepted: [acceptance], consent: { trustLock: true } },
    { outcome: [acceptance], said: [told] },
  ],
  [
    "an acceptance in the user's own lock",
    { review: reviewed(10, 'danger'), accepted: [acceptance], scope: 'user' },
    { outcome: [acceptance], said: [told] },
  ],
  [
    'an acceptance of other file content',
    {
      review: reviewed(10, 'danger'),
      accepted: [{ ...acceptance, digest: `sha256:${sha256('other')}` }],
      consent: { trustLock: true },
    },
    { outcome: "E208 refused by scan: 'demo'", said: [] },
  ],
  [
    'an acceptance of another finding in the same file',
    {
      review: reviewed(10, 'danger'),
      accepted: [{ ...acceptance, finding: 'ffffffffffff' }],
      consent: { trustLock: true },
    },
    { outcome: "E208 refused by scan: 'demo'", said: [] },
  ],
  [
    'an acceptance with the same id in another file of the same content',
    {
      review: reviewed(10, 'danger'),
      accepted: [{ ...acceptance, file: 'copy.md' }],
      consent: { trustLock: true },
    },
    { outcome: "E208 refused by scan: 'demo'", said: [] },
  ],
  [
    'an acceptance with the same id for another rule',
    {
      review: reviewed(10, 'danger'),
      accepted: [{ ...acceptance, rule: 'SCN101' }],
      consent: { trustLock: true },
    },
    { outcome: "E208 refused by scan: 'demo'", said: [] },
  ],
  [
    'an unused acceptance stays, one whose finding is gone does not',
    {
      review: reviewed(60),
      accepted: [acceptance, { ...acceptance, finding: 'ffffffffffff', file: 'gone.md' }],
    },
    { outcome: [acceptance], said: [] },
  ],
])('%s', async (_, given, expected) => {
  expect(await attempt(given)).toEqual(expected);
});

/** The demands of a refusal, in short: `rule file:line severity message`. */
async function demandsOn(review: Review, given: Partial<Candidate> = {}): Promise<string[]> {
  const gate = openGate(noConsent, makeContext({ project: '/project', home: makeDirectory() }));
  const candidate = { name: 'demo', review, files: () => files, accepted: [], isScored: true, ...given };
  const entrance = { place: { scope: 'user' }, command: 'skc install demo' } as const;
  try {
    await gate.clear([candidate], entrance);
    return [];
  } catch (error) {
    const { data } = error as { data: { findings: Record<string, unknown>[] } };
    return data.findings.map(
      ({ rule, file, line, severity, message }) => `${rule} ${file}:${line} ${severity} ${message}`,
    );
  }
}

describe('the acceptances a skill needs', () => {
  const of = (severity: Review['findings'][number]['severity'], id: string) => ({
    ...finding,
    severity,
    id,
    rule: `SCN-${id}`,
  });
  const [critical, high, medium, low] = [
    of('critical', '1'),
    of('high', '2'),
    of('medium', '3'),
    of('low', '4'),
  ];
  const asked = (...given: readonly (typeof critical)[]) =>
    given.map(({ rule, severity }) => `${rule} SKILL.md:3 ${severity} downloads and runs`);
  const dangerous = (...findings: Review['findings'][number][]) => ({ ...reviewed(100, 'danger'), findings });
  const careful = (score: number) => ({ ...reviewed(score), findings: [critical, high] });

  test.each<[string, Review, Partial<Candidate>, readonly string[]]>([
    [
      'danger: one for each finding above a remark',
      dangerous(critical, high, medium, low),
      {},
      asked(critical, high, medium),
    ],
    ['danger: a medium finding', dangerous(medium, low), {}, asked(medium)],
    [
      'danger: remarks, if there is nothing else',
      dangerous(low, of('low', '5')),
      {},
      asked(low, of('low', '5')),
    ],
    ['danger: the same finding once', dangerous(high, high, medium), {}, asked(high, medium)],
    [
      'danger: the whole skill, if no finding explains it',
      dangerous(),
      {},
      ['danger .:null high dangerous as a whole'],
    ],
    ['danger: from the cache too', dangerous(high), { isScored: false }, asked(high)],
    [
      'danger: findings that the lock does not accept',
      dangerous({ ...high, ...{ id: finding.id, rule: finding.rule } }, medium),
      { accepted: [acceptance] },
      asked(medium),
    ],
    ['caution: none, whatever was found', careful(30), {}, []],
    ['caution: the score below 30', careful(29), {}, ['low-trust .:null low trust score 29 of 100']],
    ['caution: not a score of the cache', careful(29), { isScored: false }, []],
    ['clean: none', reviewed(30, 'clean'), {}, []],
    ['clean: the score below 30', reviewed(0, 'clean'), {}, ['low-trust .:null low trust score 0 of 100']],
  ])('%s', async (_, review, given, expected) => {
    expect(await demandsOn(review, given)).toEqual(expected);
  });
});

test('an acceptance is confirmed once per machine, with its name and reason', async () => {
  const home = makeDirectory();
  const danger = { review: reviewed(10, 'danger'), home };
  await attempt({ ...danger, accepted: [acceptance], consent: { trustLock: true } });
  expect((await attempt({ ...danger, accepted: [acceptance] })).outcome).toEqual([acceptance]);
  const otherwise = { ...acceptance, reason: 'because' };
  expect((await attempt({ ...danger, accepted: [otherwise] })).outcome).toBe(
    "E219 accepted by somebody else: 'demo'",
  );
});

test('the lock names the person who accepts a low score', async () => {
  const { outcome } = await attempt({ review: reviewed(20), context: asking(true) });
  expect(outcome).toEqual([
    expect.objectContaining({
      rule: 'low-trust',
      file: '.',
      digest,
      by: 'grace',
      reason: 'accepted at the prompt',
    }),
  ]);
});

test('content that was not scanned is not returned', async () => {
  const gate = openGate(noConsent, makeContext({ project: '/project', home: makeDirectory() }));
  const other = new Map([['SKILL.md', { bytes: Buffer.from('swapped'), executable: false }]]);
  const candidate = {
    name: 'demo',
    review: reviewed(60, 'clean'),
    files: () => other,
    accepted: [],
    isScored: true,
  };
  const cleared = await gate.clear([candidate], { place: { scope: 'user' }, command: '' });
  expect(() => cleared.get('demo')!.files()).toThrow("integrity mismatch: 'demo'");
});

test('the refusal prints the command that accepts it', async () => {
  const gate = openGate(noConsent, makeContext({ project: '/project', home: makeDirectory() }));
  const candidate = {
    name: 'demo',
    review: reviewed(10, 'danger'),
    files: () => files,
    accepted: [],
    isScored: true,
  };
  const entrance = { place: { scope: 'project' }, command: 'skc install ./x --skill demo' } as const;
  await expect(gate.clear([candidate], entrance)).rejects.toMatchObject({
    help: 'read it; to accept it: skc install ./x --skill demo --accept 0123456789ab --reason "why it is safe"',
    detail: '  demo: critical: SKILL.md:3: downloads and runs (SCN201, 0123456789ab)',
  });
});
