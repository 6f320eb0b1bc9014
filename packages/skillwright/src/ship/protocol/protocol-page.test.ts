import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  RegistryFailure,
  registryErrors,
  SkillIndex,
  StatesRequest,
  StatesResponse,
  VersionDocument,
} from './index.ts';

const page = readFileSync(new URL('../../../../../docs/registry-protocol.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, code]) =>
  JSON.parse(code!.replaceAll('<64 hex digits>', '0'.repeat(64))),
);

test('the examples on the page follow the protocol', () => {
  const schemas = [SkillIndex, VersionDocument, StatesRequest, StatesResponse, RegistryFailure];
  expect(schemas.map((schema, place) => schema.parse(examples[place]))).toEqual(examples);
});

test('the page lists every error with its status', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\d{3}) \|/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]);
  expect(Object.fromEntries(rows)).toEqual(registryErrors);
});

test.each([
  ['name', '@acme/../x'],
  ['name', 'pdf'],
  ['level', 'trusted'],
  ['rating', { mean: 6, count: 1 }],
  ['downloads', -1],
  ['latest', '1.0'],
  ['repository', 'javascript:alert(1)'],
  ['updated', 'yesterday'],
])('%s may not be %j', (field, value) => {
  expect(SkillIndex.safeParse({ ...examples[0], [field]: value }).success).toBe(false);
});
