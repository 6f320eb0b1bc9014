// Code of a skill as a reader: it sees what the reach of its skill lists, however it is started and however large the skill is.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { limitsOf, openSandbox, runDynamicIn } from '../src/guard/execute/index.ts';
import { createSession } from '../src/host/runtime/index.ts';
import { defaultConfig } from '../src/skill/config/index.ts';
import { makeWorld, skillText } from './make-world.ts';
import { requireProgram } from './required-program.ts';
import { skcStart } from './skc-program.ts';

beforeEach((context) => requireProgram(context, 'bwrap'));

const { PATH = '', HOME = '' } = process.env;
const outer = '.skillc/skills/outer';
const quiz = `quiz:
  - title: Entrance
    gate: true
    questions:
      - question: Which?
        options:
          - label: Red
          - label: Blue
            correct: true
        explanation: qx-answer.
`;
/** It prints the names and the texts it can read. */
const look = 'find . | sort; grep -rhso "qx-[a-z]*" . ; cat scripts/link scripts/env scripts/door/data.txt\n';
const open = ['qx-free', 'qx-module'];

const nested = (name: string, fields = '') => ({
  [`${outer}/inner/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Use for ${name}.\n${fields}---\n\nqx-${name}\n`,
  [`${outer}/inner/${name}/data.txt`]: `qx-${name}\n`,
});
const rule = (effect: string, name: string) =>
  `[[permissions.${effect}]]\ntool = "skill_load"\nskill_name = "${name}"\n`;

const makeReaders = ({ isLarge = false, frontmatter = '' } = {}) =>
  makeWorld({
    [`${outer}/SKILL.md`]: `---\nname: outer\ndescription: Use outside.\n${frontmatter}---\n\n# Outer\n\n!\`${look.trim()}; true\`\n`,
    [`${outer}/scripts/look.sh`]: look,
    [`${outer}/scripts/link`]: { link: '../inner/denied/data.txt' },
    [`${outer}/scripts/env`]: { link: '../.env' },
    [`${outer}/scripts/door`]: { link: '../inner/denied' },
    ...nested('free'),
    ...nested('denied'),
    ...nested('asked'),
    ...nested('off'),
    ...nested('locked', quiz),
    [`${outer}/.env`]: 'qx-env\n',
    [`${outer}/inner/.hidden/x`]: 'qx-hidden\n',
    [`${outer}/lib/.git/config`]: 'qx-git\n',
    [`${outer}/node_modules/m/index.js`]: '// qx-module\n',
    [`${outer}/evals/evals.json`]: JSON.stringify([
      { id: 1, prompt: 'x', check: { command: ['sh', '-c', `{ ${look.trim()}; } >&2; exit 1`] } },
    ]),
    ...(isLarge ? { [`${outer}/large`]: 'x'.repeat(9 * 1024 * 1024) } : {}),
    '~/.skillc/config.toml': `${rule('deny', 'denied')}${rule('confirm', 'asked')}[models.echo]\nkind = "command"\ncommand = ["cat"]\n`,
    '.skillc/state.json': JSON.stringify({ disabled: ['off'] }),
  });

const seen = (text: string) => [...new Set(text.match(/qx-[a-z]+/g) ?? [])].sort();
const closedNames = /\.env|\.hidden|\.git|inner\/(?:asked|denied|locked|off)\/./;

describe.each([
  ['copied', false],
  ['run in its place', true],
])('a skill that is %s', (_, isLarge) => {
  const files = { isLarge };

  test('hands nothing closed to its script', async () => {
    const { stdout, stderr } = await makeReaders(files).run(['run', 'outer', 'look.sh'], { env: { PATH } });
    expect(seen(stdout + stderr)).toEqual(open);
    const names = stdout.split('\n').filter((line) => closedNames.test(line));
    // Where it cannot be left out, something empty is in its place.
    expect(names.filter((name) => !isLarge || name.split('/').length > 3)).toEqual([]);
  });

  test('hands nothing closed to a script that a model runs', async () => {
    const { project: cwd, home } = makeReaders(files);
    const session = await createSession({ cwd, home, env: { PATH }, trust: true });
    const { stdout, stderr } = await session.runScript({ name: 'outer' }, 'look.sh');
    expect(seen(stdout + stderr)).toEqual(open);
  });

  test('hands nothing closed to a check of its evals', async () => {
    const world = makeReaders(files);
    // A skill with closed parts is not sent to a model at all.
    for (const name of ['denied', 'asked', 'off', 'locked'])
      rmSync(join(world.project, outer, 'inner', name), { recursive: true });
    const words = ['test', 'outer', '--model', 'echo', '--runs', '1', '--condition', 'without'];
    const { stdout } = await world.run([...words, '--json'], { env: { PATH } });
    // The result keeps the start of its output.
    expect(seen(stdout)).toContain('qx-free');
    expect(seen(stdout).filter((word) => !open.includes(word))).toEqual([]);
  });

  test('hands nothing closed to commands in its text', async () => {
    const { project: cwd, home } = makeReaders(files);
    const env = { PATH };
    const limits = limitsOf(defaultConfig);
    const runDynamic = runDynamicIn(await openSandbox({ env }), { home, env, limits });
    const session = await createSession({ cwd, home, env, trust: true, runDynamic });
    const { body } = await session.plan({ name: 'outer' });
    // Nobody is asked about nested skills here, so none is seen.
    expect(seen(body)).toEqual(['qx-module']);
  });
});

test('a hook and a toolset see no more than a script', async () => {
  const text = "import { execSync } from 'node:child_process';\n";
  const tool = `export const T = { tools: { look: { description: 'x', run: () => execSync(${JSON.stringify(`${look.trim()}; true`)}, { shell: '/bin/sh' }).toString() } } };\n`;
  const hooks = `hooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: ${JSON.stringify(`{ ${look.trim()}; } >&2; exit 2`)}\n`;
  const world = makeReaders({ frontmatter: `toolsets: ["toolsets/t:T"]\n${hooks}` });
  world.write({ [`${outer}/toolsets/t.js`]: text + tool });
  const { project: cwd, home } = world;
  const session = await createSession({ cwd, home, env: { PATH }, trust: true, trustsSkill: () => true });
  onTestFinished(() => session.close());
  await session.load({ name: 'outer' });
  const { tools } = await session.activate({ name: 'outer' });
  expect(seen(String(await tools[0]!.call({})))).toEqual(open);
  const { reasons } = await session.hooks('Stop', {});
  expect(seen(reasons.join('\n'))).toEqual(open);
});

test('without a judge, no nested skill is handed over', async () => {
  const { runScript } = await import('../src/guard/execute/index.ts');
  const { project, home } = makeReaders();
  const sandbox = await openSandbox({ env: { PATH } });
  const how = { home, env: { PATH }, sandbox, limits: limitsOf(defaultConfig) };
  const { stdout } = await runScript(join(project, outer), 'look.sh', how);
  expect(seen(stdout)).toEqual(['qx-module']);
});

test('a skill with more hidden files than can be masked does not run in its place', async () => {
  const world = makeReaders({ isLarge: true });
  world.write(Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`${outer}/deep/.x${at}`, ''])));
  const { stderr } = await world.run(['run', 'outer', 'look.sh'], { env: { PATH } });
  expect(stderr).toMatch(/^error\[E015\]: .*it has 50\d hidden files and closed skills/);
});

test.each([
  ['in a shared directory', ['--read', '.'], 'project'],
  ['in a skill that runs in its place', [], outer],
])('nobody listens to it on a socket %s', async (_, flags, place) => {
  const world = makeReaders({ isLarge: true });
  const connect = [
    'import socket, sys',
    'path = sys.argv[1]',
    'def attempt(name, work):',
    '  try:',
    '    work(); print("can", name)',
    '  except OSError as error: print("cannot", name)',
    'attempt("connect", lambda: socket.socket(socket.AF_UNIX).connect(path))',
    'for kind in (socket.SOCK_DGRAM, socket.SOCK_RAW):',
    '  attempt("send", lambda: socket.socketpair(socket.AF_UNIX, kind)[0].sendto(b"x", path + "d"))',
    'attempt("pair", lambda: socket.socketpair())',
    '',
  ].join('\n');
  world.write({ [`${outer}/scripts/connect.py`]: connect });
  const directory = place === 'project' ? world.project : join(world.project, place);
  const path = join(directory, 's');
  const server = createServer().listen(path);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const listener = `import socket\ns = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)\ns.bind(${JSON.stringify(`${path}d`)})\nprint("ready", flush=True)\nprint(s.recv(9))\n`;
  const datagrams = spawn('python3', ['-c', listener], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void datagrams.kill());
  await once(datagrams.stdout, 'data');
  const words = ['run', 'outer', 'connect.py', ...flags, '--', path];
  const { stdout } = await world.run(words, { env: { PATH, HOME } });
  expect(stdout).toBe('cannot connect\ncannot send\ncannot send\ncan pair\n');
});

test('root does not run a script as root', async (context) => {
  if (process.getuid?.() !== 0) return context.skip('not root');
  const world = makeWorld({
    '.skillc/skills/slow/SKILL.md': skillText('slow'),
    '.skillc/skills/slow/scripts/slow.sh': 'exec sleep 61\n',
  });
  const run = spawn(...skcStart(['run', 'slow', 'slow.sh']), {
    cwd: world.project,
    env: { PATH, HOME, SKC_HOME: world.home, SKC_NO_LOG: '1' },
    stdio: 'ignore',
  });
  onTestFinished(() => void run.kill());
  const owners = () =>
    readdirSync('/proc').flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        const [, user = ''] = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
        return line === 'sleep\0' + '61\0' ? [Number(user)] : [];
      } catch {
        return [];
      }
    });
  await expect.poll(owners, { timeout: 20_000 }).toEqual([65534]);
});
