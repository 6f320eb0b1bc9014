import { expect, test } from 'vitest';
import { makeContext, outcomeOf } from '../../../../test/install-world.ts';
import { checkRisk } from './consent.ts';
import type { Review } from './preview.ts';

const places = { project: '/project', home: '/home' };
const reviewed = (score: number, verdict: Review['verdict'] = 'caution') => [
  { name: 'demo', review: { files: 1, bytes: 1, verdict, findings: [], trust: { score, factors: [] } } },
];

const asking = (answer: boolean) => ({
  ask: { choose: async () => undefined, confirm: async () => answer },
});

test.each([
  ['a score that is enough', reviewed(50), {}, {}, { outcome: undefined, said: [] }],
  [
    'a low one warns',
    reviewed(49),
    {},
    {},
    { outcome: undefined, said: ['warning: trust score below 50: demo (49)'] },
  ],
  [
    '30 is not yet too low',
    reviewed(30),
    {},
    {},
    { outcome: undefined, said: ['warning: trust score below 50: demo (30)'] },
  ],
  ['nobody to ask', reviewed(29), {}, {}, { outcome: "E213 risk not accepted: 'demo'", said: [] }],
  [
    '--yes is not enough',
    reviewed(29),
    { yes: true },
    {},
    { outcome: "E213 risk not accepted: 'demo'", said: [] },
  ],
  [
    'a person says no',
    reviewed(0),
    {},
    asking(false),
    { outcome: "E213 risk not accepted: 'demo'", said: [] },
  ],
  ['a person says yes', reviewed(0), {}, asking(true), { outcome: undefined, said: [] }],
  ['the risk is accepted', reviewed(0), { acceptRisk: true }, {}, { outcome: undefined, said: [] }],
  [
    'danger is not asked about',
    reviewed(20, 'danger'),
    { yes: true },
    asking(true),
    { outcome: "E208 refused by scan: 'demo'", said: [] },
  ],
  [
    'danger and the risk accepted',
    reviewed(20, 'danger'),
    { acceptRisk: true },
    {},
    { outcome: undefined, said: [] },
  ],
] as const)('%s', async (_, skills, consent, overrides, expected) => {
  const context = makeContext(places, overrides);
  const outcome = await outcomeOf(checkRisk(skills, { yes: false, acceptRisk: false, ...consent }, context));
  expect({ outcome, said: context.said }).toEqual(expected);
});
