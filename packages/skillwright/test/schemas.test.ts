// The published JSON Schemas, held against a validator that is not ours and against what skc itself accepts.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { load } from 'js-yaml';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { defaultConfig } from '../src/skill/config/default-config.ts';
import { makeWorld, skillText } from './make-world.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

function validator(name: string): (value: unknown) => string[] {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  formats.default(ajv);
  const text = readFileSync(join(repository, 'packages/skillwright/schemas', `${name}.json`), 'utf8');
  const validate = ajv.compile(JSON.parse(text) as object);
  return (value) =>
    validate(value) ? [] : validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe('frontmatter', () => {
  const check = validator('frontmatter');
  const skills = ['examples/skills', 'skills'].flatMap((folder) =>
    readdirSync(join(repository, folder)).map((name) => join(folder, name, 'SKILL.md')),
  );

  test.each(skills)('%s', (path) => {
    const [, text] = readFileSync(join(repository, path), 'utf8').split(/^---$/m);
    expect(check(load(text!))).toEqual([]);
  });

  test.each([
    ['lists as one text', { 'allowed-tools': 'Read Bash(git:*)', tags: 'a, b', paths: ['*.ts'] }, []],
    ['a version that YAML takes for a number', { version: 1.2 }, []],
    ['words for flags', { 'user-invocable': 'no', background: true }, []],
    [
      'one quiz without a list around it',
      {
        quiz: {
          questions: [{ question: 'Which?', options: [{ label: 'a', correct: true }, { label: 'b' }] }],
        },
      },
      [],
    ],
    ['triggers as a list', { triggers: ['make a chart'] }, []],
    ['fields nobody knows', { mine: { deep: [1] } }, []],
    ['a name with capitals', { name: 'Bad Name' }, ['/name must match pattern "^[a-z0-9]+(?:-[a-z0-9]+)*$"']],
    ['an effort there is not', { effort: 'huge' }, ['/effort must be equal to one of the allowed values']],
    [
      'a description that is empty',
      { description: '' },
      ['/description must NOT have fewer than 1 characters'],
    ],
  ])('%s', (_, fields, faults) => {
    expect(check({ name: 'demo', description: 'Use for demos.', ...fields })).toEqual(faults);
  });

  test('a name and a description are required', () => {
    expect(check({})).toEqual([
      " must have required property 'name'",
      " must have required property 'description'",
    ]);
  });
});

describe('configuration', () => {
  const check = validator('configuration');

  test('the defaults, and every key that skc sets', () => {
    const { url: _, ...registry } = defaultConfig.registry;
    expect(check(JSON.parse(JSON.stringify({ ...defaultConfig, registry })))).toEqual([]);
    expect(check({})).toEqual([]);
  });

  test.each([
    [
      'a rule as a severity and as a table',
      '[lint.rules]\nSKL103 = "off"\nSKL104 = { severity = "error", max = 3 }\n',
      [],
    ],
    ['permission rules', '[[permissions.deny]]\ntool = "skill_run"\nskill_name = "x"\n', []],
    ['a key there is not', '[build]\ntarget = ["claude"]\n', ['/build must NOT have additional properties']],
    ['a value of the wrong type', '[gateway]\nbudget = "many"\n', ['/gateway/budget must be integer']],
    [
      'a word there is not',
      '[build]\ndeploy = "half"\n',
      ['/build/deploy must be equal to one of the allowed values'],
    ],
  ])('%s', (_, text, faults) => {
    expect(check(parse(text))).toEqual(faults);
  });
});

describe('lock', () => {
  const check = validator('lock');

  test('the lock that an install writes, and not one with a wrong hash', async () => {
    const world = makeWorld({ '~/source/demo/SKILL.md': skillText('demo') });
    const { stderr, status } = await world.run(['install', join(world.home, 'source/demo'), '--yes']);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const lock = JSON.parse(world.read('.skillc/lock.json'));
    expect(check(lock)).toEqual([]);
    lock.skills.demo.digest = 'sha256:1';
    expect(check(lock)).toEqual(['/skills/demo/digest must match pattern "^sha256:[0-9a-f]{64}$"']);
    expect(check({ version: 2, skills: {} })).toEqual(['/version must be equal to constant']);
  });
});

describe('evals', () => {
  const queries = validator('eval-queries');
  const questions = validator('eval-questions');
  const folders = ['skills', 'examples/skills'].flatMap((folder) =>
    readdirSync(join(repository, folder)).map((name) => join(repository, folder, name, 'evals')),
  );

  test('the evals of our own skills', () => {
    const faults = folders.flatMap((folder) =>
      readdirSync(folder).flatMap((file) => {
        const cases: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'));
        return file === 'questions.json' ? questions(cases) : queries(cases);
      }),
    );
    expect(faults).toEqual([]);
  });

  test('a case without its fields', () => {
    expect([queries([{ query: 'x' }]), questions([{ section: 'x' }]), queries({})]).toEqual([
      ["/0 must have required property 'should_trigger'"],
      ["/0 must have required property 'question'"],
      [' must be array'],
    ]);
  });
});
