import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { makeDirectory, type Tree } from '../../../test/make-directory.ts';
import { requireProgram } from '../../../test/required-program.ts';
import { SkillwrightError } from '../../base/diagnostics/skillwright-error.ts';
import { defaultConfig } from '../../skill/config/default-config.ts';
import { type ActiveToolsets, activateToolsets, type ToolsetOptions } from './activate-toolsets.ts';
import { distrustSkill, isTrusted, trustDigest, trustSkill } from './grant-memory.ts';
import { limitsOf } from './limits.ts';
import { openSandbox } from './open-sandbox.ts';
import { readSkillGrants } from './skill-access.ts';

beforeEach((context) => requireProgram(context, 'bwrap'));

const limits = limitsOf(defaultConfig);

interface Activation extends Partial<ToolsetOptions> {
  /** Modules of the skill. Each exports a toolset `T` unless `references` is given. */
  readonly files: Tree;
  readonly references?: readonly string[];
  readonly name?: string;
}

function makeSkill({ files, references, name = 'demo' }: Activation): string {
  const named = references ?? Object.keys(files).map((path) => `${path.replace(/\.\w+$/, '')}:T`);
  const frontmatter = `name: ${name}\ndescription: Use when testing.\ntoolsets: ${JSON.stringify(named)}`;
  return join(
    makeDirectory({ [`${name}/SKILL.md`]: `---\n${frontmatter}\n---\n`, ...under(name, files) }),
    name,
  );
}

const under = (name: string, files: Tree) =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [`${name}/${path}`, content]));

function optionsFor(more: Partial<ToolsetOptions> = {}): ToolsetOptions {
  const sandbox = () => openSandbox({ env: process.env });
  return { sandbox, limits, home: makeDirectory(), env: process.env, trusted: true, ...more };
}

async function activate(activation: Activation): Promise<ActiveToolsets & { readonly dir: string }> {
  const { files: _, references: _references, name: _name, ...more } = activation;
  const dir = makeSkill(activation);
  const active = await activateToolsets(dir, optionsFor(more));
  onTestFinished(() => active.deactivate());
  return { ...active, dir };
}

/** A module with one tool that runs `body`. */
const tool = (body: string, before = '') =>
  `${before}\nexport const T = { tools: { go: { description: 'Goes.', async run(input, context) { ${body} } } } };`;

const call = async ({ tools }: ActiveToolsets, name: string, input: unknown = {}) => {
  try {
    return await tools.find((other) => other.name === name)!.call(input);
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    return [error.code, error.message, error.detail].filter((part) => part !== undefined);
  }
};

const problems = ({ diagnostics }: ActiveToolsets) => diagnostics.map(({ code, detail }) => [code, detail]);

const fine = tool("return 'fine'");
/** Writes without end, even when nobody reads. */
const flood =
  "import { writeSync } from 'node:fs'; const flood = (fd, text) => { for (;;) try { writeSync(fd, text); } catch {} };";

describe('a toolset', () => {
  test('lists its tools with their schemas, and they can be called', async () => {
    const source = `
      import { defineToolset } from 'skillwright/guard';
      import { double } from './lib/double.js';
      console.log('printed'); process.stdout.write('written\\n');
      export const Numbers = defineToolset({ description: 'Numbers.', tools: {
        double: {
          description: 'Doubles.',
          input: { type: 'object', properties: { n: { type: 'number' }, times: { type: 'integer', default: 1 } }, required: ['n'] },
          run: ({ n, times }) => ({ result: double(n, times) }),
        },
        where: { description: 'Says where.', run: (input, { skillDir, signal }) => [skillDir, process.cwd(), signal.aborted, Object.keys(process.env).includes('HOME')] },
      } });`;
    const files = {
      'toolsets/index.js': source,
      'toolsets/lib/double.js': 'export const double = (n, times) => n * 2 ** times;',
    };
    const active = await activate({ files, references: ['toolsets/index:Numbers'] });
    expect(active.diagnostics).toEqual([]);
    expect(active.tools).toEqual([
      {
        name: 'demo__double',
        tool: 'double',
        description: 'Doubles.',
        inputSchema: {
          type: 'object',
          properties: { n: { type: 'number' }, times: { type: 'integer', default: 1 } },
          required: ['n'],
        },
        toolset: 'toolsets/index:Numbers',
        input: expect.any(z.ZodObject),
        call: expect.any(Function),
      },
      {
        name: 'demo__where',
        tool: 'where',
        description: 'Says where.',
        inputSchema: { type: 'object', properties: {}, additionalProperties: false },
        toolset: 'toolsets/index:Numbers',
        input: expect.any(z.ZodObject),
        call: expect.any(Function),
      },
    ]);
    expect(await call(active, 'demo__double', { n: 4 })).toEqual({ result: 8 });
    expect(await call(active, 'demo__double', { n: 4, times: 3 })).toEqual({ result: 32 });
    expect(await call(active, 'demo__where')).toEqual([active.dir, active.dir, false, true]);
    expect(await call(active, 'demo__double', { n: 'four' })).toEqual([
      'E075',
      'arguments refused: demo__double: n must be a number',
    ]);
  });

  test.each([
    ['index.js', 'toolsets:T'],
    ['index.mjs', 'toolsets/index:T'],
    ['index.ts', 'toolsets/index:T'],
    ['index.cjs', 'toolsets/index.cjs:T'],
  ])('%s as %s', async (file, reference) => {
    const typed = file.endsWith('.ts') ? ': { tools: object }' : '';
    const exported = file.endsWith('.cjs') ? 'exports.T' : `export const T${typed}`;
    const files = {
      [`toolsets/${file}`]: `${exported} = { tools: { go: { description: '', run: () => 1 } } };`,
    };
    const active = await activate({ files, references: [reference] });
    expect([problems(active), await call(active, 'demo__go')]).toEqual([[], 1]);
  });

  test('accepts a schema that provides its JSON Schema, and checks with it', async () => {
    const source = `
      const input = { '~standard': { version: 1, vendor: 'own',
        jsonSchema: { input: () => ({ $schema: 'x', type: 'object', properties: { n: { type: 'number' } } }) },
        validate: ({ n }) => n > 5 ? { issues: [{ message: 'too much' }] } : { value: { n: n + 1 } } } };
      export const T = { tools: { go: { description: '', input, run: ({ n }) => n } } };`;
    const active = await activate({ files: { 'a.js': source } });
    expect(active.tools[0]!.inputSchema).toEqual({ type: 'object', properties: { n: { type: 'number' } } });
    expect(await call(active, 'demo__go', { n: 1 })).toEqual(2);
    expect(await call(active, 'demo__go', { n: 9 })).toEqual([
      'E073',
      "script failed: 'demo__go'",
      'too much',
    ]);
  });

  test.each(['input', 'inputSchema', 'parameters'])('takes the schema of a tool from %s', async (field) => {
    const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    const source = `export const T = { tools: { go: { description: '', ${field}: ${JSON.stringify(schema)}, run: ({ n }) => n } } };`;
    const active = await activate({ files: { 'a.js': source } });
    expect(active.tools[0]!.inputSchema).toEqual(schema);
    expect(await call(active, 'demo__go', { n: 1 })).toBe(1);
    expect(await call(active, 'demo__go', {})).toEqual([
      'E075',
      'arguments refused: demo__go: n must be a number',
    ]);
  });

  test('calls run in parallel', async () => {
    const source = tool('return input', 'let free; const gate = new Promise((done) => { free = done; });')
      .replace("description: 'Goes.'", "description: '', input: { type: 'object' }")
      .replace('return input', 'if (input.last) free(); await gate; return input.n;');
    const active = await activate({ files: { 'a.js': source } });
    const all = [{ n: 1 }, { n: 2 }, { n: 3, last: true }].map((input) => call(active, 'demo__go', input));
    expect(await Promise.all(all)).toEqual([1, 2, 3]);
  });

  test('a cancelled tool gets the signal, and the toolset keeps running', async () => {
    const source = `
      const seen = [];
      let began;
      const begun = new Promise((done) => { began = done; });
      export const T = { tools: {
        begun: { description: '', run: () => begun },
        wait: { description: '', run: (input, { signal }) => began() ?? new Promise((done) => signal.addEventListener('abort', () => { seen.push('aborted'); done(); })) },
        seen: { description: '', run: () => seen },
      } };`;
    const active = await activate({ files: { 'a.js': source } });
    const controller = new AbortController();
    const waiting = active.tools[1]!.call({}, { signal: controller.signal });
    await call(active, 'demo__begun');
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(await call(active, 'demo__seen')).toEqual(['aborted']);
  });
});

describe('a toolset that cannot be loaded', () => {
  const cases: [string, Activation, string][] = [
    [
      'no such file',
      { files: {}, references: ['a:T'] },
      "no module 'a': add .js, .mjs, .ts, .mts, .cjs or a directory with an index",
    ],
    [
      'no such export',
      { files: { 'a.js': fine }, references: ['a:U'] },
      "it has no export 'U'; it exports T",
    ],
    [
      'a wrong shape',
      { files: { 'a.js': 'export const T = class {};' } },
      "'T' is not an object with 'tools'",
    ],
    ['a list', { files: { 'a.js': 'export const T = { tools: [] };' } }, "'T' is not an object with 'tools'"],
    [
      'a tool without run',
      { files: { 'a.js': "export const T = { tools: { x: { description: '' } } };" } },
      "tool 'x': it has no function 'run'",
    ],
    [
      'a tool without a description',
      { files: { 'a.js': 'export const T = { tools: { x: { run() {} } } };' } },
      "tool 'x': it has no 'description'",
    ],
    [
      'a throw',
      { files: { 'a.js': "throw new Error('broken\\u001b[31m');" } },
      'it cannot be imported: broken\\u001b[31m',
    ],
    [
      'a syntax error',
      { files: { 'a.js': 'export const T = {' } },
      expect.stringContaining('it cannot be imported: ') as never,
    ],
    [
      'a missing import',
      { files: { 'a.js': "import 'left-pad';" } },
      expect.stringContaining("Cannot find package 'left-pad'") as never,
    ],
    ['an exit', { files: { 'a.js': 'process.exit(0);' } }, 'it ended with status 0 before it was ready'],
    [
      'a crash',
      { files: { 'a.js': "setTimeout(() => { throw new Error('late'); }); await new Promise(() => {});" } },
      expect.stringContaining('Error: late') as never,
    ],
    ['a flood', { files: { 'a.js': `${flood} flood(1, 'x'.repeat(65536));` } }, 'it wrote too much'],
    [
      'a flood of lines',
      {
        files: { 'a.js': `${flood} flood(1, 'x\\n'.repeat(9999));` },
      },
      'it wrote too much',
    ],
    [
      'a flood of errors',
      { files: { 'a.js': `${flood} flood(2, 'x'.repeat(65536));` } },
      'it wrote too much',
    ],
    [
      'a flood of text',
      { files: { 'a.js': "for (;;) { console.log('x'.repeat(65536)); await new Promise(setImmediate); }" } },
      'it wrote too much',
    ],
    [
      'too much memory',
      {
        files: {
          'a.js':
            'const all = []; for (;;) { all.push(Buffer.alloc(2 ** 25, 1)); await new Promise(setImmediate); }',
        },
      },
      'it used too much memory',
    ],
    [
      'a binary file',
      { files: { 'a.js': new Uint8Array([0, 1, 2, 255]) } },
      expect.stringContaining('it cannot be imported: ') as never,
    ],
    ['a huge file', { files: { 'a.js': ' '.repeat(9 * 1024 * 1024) } }, undefined as never],
    ['a link out', { files: { 'a.js': { link: '/etc/passwd' } } }, undefined as never],
    ['a link to itself', { files: { 'a.js': { link: 'a.js' } } }, undefined as never],
  ];
  test.each(cases)('%s', async (_, activation, why) => {
    const { references = ['a:T'] } = activation;
    const files = { ...activation.files, 'fine.js': fine };
    const active = await activate({ files, references: [...references, 'fine:T'] });
    expect(active.diagnostics.map(({ detail }) => detail)).toEqual([why]);
    expect(await call(active, 'demo__go')).toEqual('fine');
  });

  test('one that leads out of the skill is E012', async () => {
    const files = { 'a.js': { link: '/etc/passwd' } };
    const active = await activate({ files });
    expect(active.diagnostics).toEqual([
      expect.objectContaining({ code: 'E012', message: "path escapes skill root: 'a.js'" }),
    ]);
  });

  test('one that is never ready times out', async () => {
    const files = { 'a.js': 'await new Promise(() => setInterval(() => {}, 1000));', 'fine.js': fine };
    const active = await activate({ files, startSeconds: 1 });
    expect(problems(active)).toEqual([['E080', 'it was not ready within 1 second']]);
    expect(await call(active, 'demo__go')).toEqual('fine');
  });

  test('one that blocks forever times out', async () => {
    const active = await activate({ files: { 'a.js': 'for (;;);' }, startSeconds: 1 });
    expect(problems(active)).toEqual([['E080', 'it was not ready within 1 second']]);
  });

  test('more toolsets than allowed', async () => {
    const references = Array.from({ length: 18 }, (_, index) => `none${index}:T`);
    const active = await activate({ files: {}, references });
    expect(problems(active).slice(15)).toEqual([
      ['E080', "no module 'none15': add .js, .mjs, .ts, .mts, .cjs or a directory with an index"],
      ['E080', 'a skill may have at most 16 toolsets'],
      ['E080', 'a skill may have at most 16 toolsets'],
    ]);
  });

  test('names that are already in use', async () => {
    const files = { 'a.js': fine, 'b.js': fine };
    const active = await activate({ files });
    expect([active.tools.map(({ toolset }) => toolset), problems(active)]).toEqual([
      ['a:T'],
      [['E080', "tool 'go': another tool is already called demo__go"]],
    ]);
    const taken = await activate({ files: { 'a.js': fine }, taken: new Set(['demo__go']) });
    expect([taken.tools, problems(taken)]).toEqual([
      [],
      [['E080', "tool 'go': another tool is already called demo__go"]],
    ]);
  });

  test.each([
    [{ type: 'string' }, "its input must be of the type 'object'"],
    ['text', 'its input is not a schema'],
    [
      { type: 'object', properties: { a: { pattern: '(' } } },
      expect.stringContaining('its input schema cannot be used: '),
    ],
    [
      { type: 'object', properties: { a: { pattern: '(?=x)' } } },
      expect.stringContaining('its input schema cannot be used: '),
    ],
    [
      { $ref: 'http://example.com/x' },
      "its input schema cannot be used: it refers to 'http://example.com/x', which is not one of its own definitions",
    ],
    [
      { $defs: { a: { items: { $ref: '#/$defs/a' } } }, properties: { a: { $ref: '#/$defs/a' } } },
      'its input schema cannot be used: it is nested too deeply or refers to itself',
    ],
    [
      {
        $defs: Object.fromEntries(
          [...'abcdefghijkl']
            .map((name, at) => {
              const next = { $ref: `#/$defs/${'bcdefghijklm'[at]}` };
              return [name, { allOf: [next, next] }];
            })
            .concat([['m', { type: 'string' }]] as never),
        ),
        properties: { a: { $ref: '#/$defs/a' } },
      },
      'its input schema cannot be used: it has too many parts',
    ],
    [
      { patternProperties: { '(a+)+$': {} } },
      "its input schema cannot be used: 'patternProperties' is not supported",
    ],
  ])('the input %j', async (input, why) => {
    const source = `export const T = { tools: { bad: { description: '', input: ${JSON.stringify(input)}, run() {} }, good: { description: '', run: () => 1 } } };`;
    const active = await activate({ files: { 'a.js': source } });
    expect(active.tools.map(({ name }) => name)).toEqual(['demo__good']);
    const expected = typeof why === 'string' ? `tool 'bad': ${why}` : why;
    expect(problems(active)).toEqual([['E080', expected]]);
  });
});

describe('a call that misbehaves', () => {
  const wrote = "import { writeSync } from 'node:fs';";
  const cases: [string, string, unknown][] = [
    ['throws', tool("throw new TypeError('no\\nmore')"), ['E073', "script failed: 'demo__go'", 'no\\nmore']],
    [
      'throws something odd',
      tool('throw { get message() { throw 1; }, toString() { throw 2; } }'),
      ['E073', "script failed: 'demo__go'", 'an error without a readable message'],
    ],
    [
      'returns a cycle',
      tool('const a = {}; a.a = a; return a'),
      ['E073', "script failed: 'demo__go'", expect.stringContaining('its result is not plain JSON: ')],
    ],
    [
      'returns a function',
      tool('return () => 1'),
      ['E073', "script failed: 'demo__go'", 'its result is not plain JSON'],
    ],
    ['returns nothing', tool(''), null],
    [
      'returns too much',
      tool("return 'x'.repeat(2 ** 21)"),
      ['E072', "script wrote too much output: 'demo__go'"],
    ],
    [
      'returns a deep value',
      tool("return JSON.parse('['.repeat(200) + ']'.repeat(200))"),
      ['E073', "script failed: 'demo__go'", 'its result is nested too deeply'],
    ],
    [
      'exits',
      tool('process.exit(3)'),
      ['E073', "script failed: 'demo__go'", 'its process ended with status 3'],
    ],
    [
      'aborts',
      tool('process.abort()'),
      ['E073', "script failed: 'demo__go'", expect.stringContaining('its process ended with status 134')],
    ],
    [
      'kills itself',
      tool("process.kill(process.pid, 'SIGKILL'); await new Promise(() => {});"),
      ['E073', "script failed: 'demo__go'", 'its process ended with status 137'],
    ],
    [
      'throws later',
      tool("setTimeout(() => { throw new Error('late'); }); await new Promise(() => {});"),
      ['E073', "script failed: 'demo__go'", expect.stringContaining('Error: late')],
    ],
    ['never answers', tool('await new Promise(() => {})'), ['E071', "script timed out: 'demo__go'"]],
    ['blocks forever', tool('for (;;);'), ['E071', "script timed out: 'demo__go'"]],
    [
      'floods',
      tool("flood(1, 'x'.repeat(65536))", flood),
      ['E072', "script wrote too much output: 'demo__go'"],
    ],
    [
      'floods the error stream',
      tool("flood(2, 'x'.repeat(65536))", flood),
      ['E072', "script wrote too much output: 'demo__go'"],
    ],
    [
      'uses memory',
      tool(
        'const all = []; for (;;) { all.push(Buffer.alloc(2 ** 25, 1)); await new Promise(setImmediate); }',
      ),
      ['E073', "script failed: 'demo__go'", 'it used too much memory'],
    ],
    [
      'prints garbage',
      tool('writeSync(1, \'garbage{"id":1,"result":2}\\n{"id":1}\\n\\0\\xff\'); return \'own\'', wrote),
      'own',
    ],
    ['prints without an end', tool("writeSync(1, 'no newline'); return 'own'", wrote), 'own'],
    [
      'forges answers',
      tool(
        "for (let id = 0; id < 99; id++) writeSync(1, JSON.stringify({ id, result: 'forged' }) + '\\n'); return 'own'",
        wrote,
      ),
      'own',
    ],
    [
      'replaces globals',
      tool(
        "return 'own'",
        "JSON.stringify = JSON.parse = () => 'evil'; Promise.prototype.then = () => {}; process.exit = () => {}; Object.entries = () => []; Buffer.from = () => {}; globalThis.AbortController = null; Atomics.wait = null;",
      ),
      'own',
    ],
    [
      'closes the output',
      tool("closeSync(1); return 'own'", "import { closeSync } from 'node:fs';"),
      ['E073', "script failed: 'demo__go'", 'its process ended with status 1'],
    ],
    [
      'steals the input',
      tool('return 1', "process.stdin.removeAllListeners('data'); process.stdin.resume();"),
      ['E071', "script timed out: 'demo__go'"],
    ],
  ];
  test.each(cases)('%s', async (_, source, expected) => {
    const files = { 'a.js': source, 'fine.js': fine.replace('go:', 'fine:') };
    const seconds = Array.isArray(expected) && expected[0] === 'E071' ? 2 : 60;
    const active = await activate({ files, limits: { ...limits, seconds } });
    expect(problems(active)).toEqual([]);
    const [own, other] = await Promise.all([call(active, 'demo__go'), call(active, 'demo__fine')]);
    expect([own, other]).toEqual([expected, 'fine']);
    expect(await call(active, 'demo__fine')).toEqual('fine');
  });

  test('unexpected messages are ignored, even with the right mark', async () => {
    const body = `
      const { getHeapSnapshot } = await import('node:v8');
      const chunks = [];
      for await (const chunk of getHeapSnapshot()) chunks.push(chunk);
      const marks = new Set(chunks.join('').match(/\\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b/g));
      for (const mark of marks) {
        const say = (message) => writeSync(1, '\\n' + mark + message + '\\n');
        for (const id of [-1, 0, 7, 1.5, '1', null, 2 ** 60]) say(JSON.stringify({ id, result: 'forged' }));
        for (const odd of ['{"ready":{"tools":[]}}', '{"failed":"x"}', '[[[', 'null', '{"id":1}']) say(odd);
        for (const result of ['first', 'second']) say(JSON.stringify({ id: 1, result }));
      }
      return marks.size > 0 ? 'own' : 'no mark';`;
    const files = { 'a.js': tool(body, wrote), 'fine.js': fine.replace('go:', 'fine:') };
    const active = await activate({ files });
    expect(await call(active, 'demo__go')).toEqual('first');
    expect(await call(active, 'demo__fine')).toEqual('fine');
  });

  test('a pattern prone to backtracking takes linear time', async () => {
    const source = `export const T = { tools: { go: { description: '', input: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' }, b: { type: 'array', items: { pattern: '^b' } } } }, run: () => 'own' } } };`;
    const active = await activate({ files: { 'a.js': source } });
    expect(await call(active, 'demo__go', { a: `${'a'.repeat(50_000)}!` })).toEqual([
      'E075',
      'arguments refused: demo__go: a must match ^(a+)+$',
    ]);
    expect(await call(active, 'demo__go', { b: ['b', 'c'] })).toEqual([
      'E075',
      'arguments refused: demo__go: b.1 must match ^b',
    ]);
    expect(await call(active, 'demo__go', { a: 'aaa' })).toEqual('own');
  });

  test('a call that takes too long ends parallel calls', async () => {
    const source = `
      export const T = { tools: {
        slow: { description: '', run: () => new Promise(() => {}) },
        beside: { description: '', run: () => new Promise(() => {}) },
      } };`;
    const active = await activate({ files: { 'a.js': source }, limits: { ...limits, seconds: 1 } });
    const answers = await Promise.all(['demo__slow', 'demo__beside'].map((name) => call(active, name)));
    expect(answers).toEqual([
      ['E071', "script timed out: 'demo__slow'"],
      ['E073', "script failed: 'demo__beside'", 'another call took too long, which ended the process'],
    ]);
  });

  test('an input that is too deep or too large is refused', async () => {
    const source = tool('return 1').replace('async run', "input: { type: 'object' }, async run");
    const active = await activate({ files: { 'a.js': source } });
    const deep = JSON.parse(`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`);
    const own: Record<string, unknown> = {};
    own.left = own.right = own;
    const refused = (why: string) => ['E075', `arguments refused: demo__go: ${why}`];
    expect(await call(active, 'demo__go', deep)).toEqual(refused('the input is nested too deeply'));
    expect(await call(active, 'demo__go', own)).toEqual(refused('the input is nested too deeply'));
    expect(await call(active, 'demo__go', { a: 'x'.repeat(2 ** 20) })).toEqual(
      refused('the input is larger than 1 MiB'),
    );
    expect(await call(active, 'demo__go', 'text')).toEqual(refused('the input must be a table'));
  });

  test('one that has ended is restarted a few times', async () => {
    const source = `
      let calls = 0;
      export const T = { tools: {
        count: { description: '', run: () => ++calls },
        end: { description: '', run: () => process.exit(1) },
      } };`;
    const active = await activate({ files: { 'a.js': source } });
    const ended = ['E073', "script failed: 'demo__end'", 'its process ended with status 1'];
    expect(await call(active, 'demo__count')).toEqual(1);
    expect(await call(active, 'demo__end')).toEqual(ended);
    expect(await Promise.all([call(active, 'demo__count'), call(active, 'demo__count')])).toEqual([1, 2]);
    for (let time = 0; time < 4; time++) expect(await call(active, 'demo__end')).toEqual(ended);
    const gaveUp = ['E080', "toolset refused or failed to load: 'a:T'", 'it ended 3 times in a row'];
    expect(await call(active, 'demo__end')).toEqual(gaveUp);
    expect(await call(active, 'demo__count')).toEqual(gaveUp);
  });

  test('it sees no more than a script does', async () => {
    const body = `
      const { readFileSync, writeFileSync, readdirSync } = await import('node:fs');
      const { connect } = await import('node:net');
      const attempt = (work) => { try { work(); return 'done'; } catch (error) { return error.code; } };
      const reached = await new Promise((done) => connect(input.port ?? 9, '127.0.0.1').on('connect', () => done('done')).on('error', ({ code }) => done(code)));
      return [attempt(() => readFileSync('/etc/shadow')), attempt(() => readFileSync(${JSON.stringify(import.meta.filename)})), attempt(() => writeFileSync('new.txt', 'x')), reached, process.env.SECRET ?? 'none', readdirSync('/proc').filter(Number).length < 5];`;
    const active = await activate({ files: { 'a.js': tool(body) }, env: { ...process.env, SECRET: 'x' } });
    expect(await call(active, 'demo__go')).toEqual([
      'ENOENT',
      'ENOENT',
      'EROFS',
      'ECONNREFUSED',
      'none',
      true,
    ]);
  });
});

describe('deactivation', () => {
  test('ends the process; calls fail cleanly', async () => {
    const source = tool(
      'began(); await new Promise(() => {})',
      'let began; const begun = new Promise((done) => { began = done; });',
    );
    const other = "tools: { begun: { description: '', run: () => begun }, ";
    const active = await activate({ files: { 'a.js': source.replace('tools: { ', other) } });
    const waiting = call(active, 'demo__go');
    await call(active, 'demo__begun');
    await active.deactivate();
    expect(await waiting).toEqual(['E073', "script failed: 'demo__go'", 'it was deactivated']);
    expect(await call(active, 'demo__go')).toEqual([
      'E080',
      "toolset refused or failed to load: 'a:T'",
      'it is no longer active',
    ]);
    await active.deactivate();
  });
});

describe('trust', () => {
  const untrusted = (dir: string) => [
    {
      code: 'E080',
      severity: 'error',
      message: "toolset refused or failed to load: 'a:T'",
      detail: 'you have not trusted this skill',
      help: `read its code, then trust it with 'skc tools ${dir} --trust'`,
    },
  ];

  test('only trusted skills are loaded, and only unchanged ones', async () => {
    const dir = makeSkill({ files: { 'a.js': fine } });
    const { trusted: _, ...options } = optionsFor();
    const { home } = options;
    const activation = async () => {
      const active = await activateToolsets(dir, options);
      const result = active.tools.length === 0 ? active.diagnostics : await call(active, 'demo__go');
      await active.deactivate();
      return result;
    };
    expect(await activation()).toEqual(untrusted(dir));
    const digest = trustDigest(readSkillGrants(dir, options));
    trustSkill(home, { dir, digest });
    trustSkill(home, { dir, digest });
    expect([isTrusted(home, { dir, digest }), await activation()]).toEqual([true, 'fine']);
    writeFileSync(join(dir, '.hidden.js'), '');
    expect(await activation()).toEqual(untrusted(dir));
    trustSkill(home, { dir, digest: trustDigest(readSkillGrants(dir, options)) });
    expect(await activation()).toEqual('fine');
    expect([distrustSkill(home, dir), distrustSkill(home, dir)]).toEqual([true, false]);
    expect(await activation()).toEqual(untrusted(dir));
  });

  test.each(['{', '[]', '{"trusted":[]}', '{"trusted":{"__proto__":"x"}}'])(
    'a memory that is %s',
    async (state) => {
      const home = makeDirectory({ '.skillc/state.json': state });
      const dir = makeSkill({ files: { 'a.js': fine } });
      const active = await activateToolsets(dir, { ...optionsFor(), home, trusted: false });
      expect(active.diagnostics).toEqual(untrusted(dir));
    },
  );

  describe('a skill that changes while it is loaded', () => {
    function makeImporting() {
      const source = tool('return value', "import { value } from './b.js';");
      const files = { 'a.js': source, 'b.js': "export const value = 'checked';" };
      return makeSkill({ files, references: ['a:T'] });
    }
    function swap(dir: string) {
      writeFileSync(join(dir, 'new.js'), "export const value = 'swapped';");
      renameSync(join(dir, 'new.js'), join(dir, 'b.js'));
    }

    test('is refused when it changed before it was copied', async () => {
      const dir = makeImporting();
      const options = optionsFor();
      const sandbox = async () => {
        swap(dir);
        return options.sandbox();
      };
      const active = await activateToolsets(dir, { ...options, sandbox });
      expect([active.tools, problems(active)]).toEqual([
        [],
        [['E080', 'the skill changed while it was loaded']],
      ]);
    });

    test('runs in its old form when it changes afterwards', async () => {
      const dir = makeImporting();
      const options = optionsFor();
      const inner = await options.sandbox();
      const sandbox = async () => ({
        ...inner,
        start: (command: Parameters<typeof inner.start>[0]) => {
          swap(dir);
          return inner.start(command);
        },
      });
      const active = await activateToolsets(dir, { ...options, sandbox });
      expect(await call(active, 'demo__go')).toBe('checked');
      await active.deactivate();
    });
  });

  test('code in a directory that the skill may change is refused', async () => {
    const dir = join(
      makeDirectory({
        'demo/SKILL.md':
          '---\nname: demo\ndescription: x\ntoolsets: ["out/a:T"]\nmetadata:\n  sandbox: write(out)\n---\n',
        'demo/out/a.js': fine,
      }),
      'demo',
    );
    const active = await activateToolsets(dir, optionsFor());
    expect(problems(active)).toEqual([['E080', 'out/a.js is in a directory that the skill may change']]);
  });
});
