import { execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DriverTask } from '../../../../test/install-driver.ts';
import { demoSkill, installRequest, makeContext, updateRequest } from '../../../../test/install-world.ts';
import { makeDirectory, makeSharedDirectory, writeTree } from '../../../../test/make-directory.ts';
import { listTree } from '../../../../test/make-world.ts';
import { noConsent } from '../gate/gate.ts';
import { installSkills } from '../install-skills.ts';
import { restoreSkills } from '../restore-skills.ts';
import { updateSkills } from '../update-skills.ts';
import { verifySkills } from '../verify-skills.ts';

/** Hundreds of processes start here: their code is bundled and compiled once. */
const compiled = makeSharedDirectory({});
const driver = join(compiled, 'install-driver.js');

beforeAll(() => {
  const source = fileURLToPath(new URL('../../../../test/install-driver.ts', import.meta.url));
  const bun = fileURLToPath(new URL('../../../../../../node_modules/.bin/bun', import.meta.url));
  writeFileSync(join(compiled, 'package.json'), '{"type":"module"}');
  execFileSync(bun, ['build', source, '--target', 'node', '--splitting', '--outdir', compiled]);
});

/** Temporary files of killed processes are removed with the scene. */
const envOf = ({ root }: Scene) => ({ ...process.env, NODE_COMPILE_CACHE: compiled, TMPDIR: root });

interface Scene {
  readonly root: string;
  readonly project: string;
  readonly home: string;
  /** A link to one of two versions of the skill. */
  readonly source: string;
}

function makeScene(): Scene {
  const root = makeDirectory({
    'project/.skillc': { directory: true },
    home: { directory: true },
    ...demoSkill(1, 'versions/one'),
    ...demoSkill(2, 'versions/two'),
    'versions/current': { link: 'one' },
  });
  return {
    root,
    project: join(root, 'project'),
    home: join(root, 'home'),
    source: join(root, 'versions', 'current'),
  };
}

function pointAt(scene: Scene, version: 'one' | 'two'): void {
  const link = join(scene.root, 'versions', 'current');
  rmSync(link, { force: true });
  symlinkSync(version, link);
}

interface DriverResult {
  readonly killed: boolean;
  readonly steps: string[];
  readonly outcome: string;
}

async function drive(scene: Scene, task: Pick<DriverTask, 'work' | 'dieAt'>): Promise<DriverResult> {
  const { project, home, source } = scene;
  const child = spawn(process.execPath, [driver, JSON.stringify({ project, home, source, ...task })], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: envOf(scene),
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  const [, signal] = await once(child, 'close');
  return signal === 'SIGKILL'
    ? { killed: true, steps: [], outcome: '' }
    : { killed: false, ...JSON.parse(text) };
}

/** The allowed states of the skill: missing, or whole in one version. */
function stateOf({ project, root }: Scene): 'none' | 'one' | 'two' | 'mixed' {
  const store = join(project, '.skillc', 'skills', 'demo');
  if (!existsSync(store)) return 'none';
  const there = JSON.stringify(listTree(store));
  const version = (['one', 'two'] as const).find(
    (name) => JSON.stringify(listTree(join(root, 'versions', name))) === there,
  );
  return version ?? 'mixed';
}

/** Checks that the next command finds one whole state, the lock agrees, and nothing is left over. */
async function checkWhole(scene: Scene): Promise<'none' | 'one' | 'two'> {
  expect(stateOf(scene), 'before anything is recovered').not.toBe('mixed');
  const context = makeContext(scene);
  const verified = await verifySkills({ skills: [] }, context);
  const state = stateOf(scene);
  expect(context.said).toEqual([]);
  expect(state).not.toBe('mixed');
  expect(verified.map(({ name, ok, runtime }) => ({ name, ok, runtime }))).toEqual(
    state === 'none' ? [] : [{ name: 'demo', ok: true, runtime: 'ok' }],
  );
  const deployed = ['.claude/skills', '.goose/skills'].flatMap((dir) =>
    existsSync(join(scene.project, dir)) ? readdirSync(join(scene.project, dir)) : [],
  );
  const visible = deployed.filter((name) => !name.startsWith('.'));
  expect(visible).toEqual(state === 'none' ? [] : ['demo', 'demo']);
  if (state !== 'none') {
    const stub = readFileSync(join(scene.project, '.claude/skills/demo/SKILL.md'), 'utf8');
    expect(stub).toContain(`trying demo ${state === 'one' ? 1 : 2}`);
  } else expect(existsSync(join(scene.project, '.skillc/runtime/demo'))).toBe(false);
  return state as 'none' | 'one' | 'two';
}

const install = (scene: Scene) =>
  installSkills({ ...installRequest, source: scene.source }, makeContext(scene));

const scenarios = [
  {
    name: 'install',
    work: 'install',
    before: 'none',
    after: 'one',
    prepare: async () => {},
  },
  {
    name: 'update',
    work: 'update',
    before: 'one',
    after: 'two',
    prepare: async (scene: Scene) => {
      await install(scene);
      pointAt(scene, 'two');
    },
  },
  {
    name: 'uninstall',
    work: 'uninstall',
    before: 'one',
    after: 'none',
    prepare: install,
  },
] as const;

describe.each(scenarios)('$name, killed before each of its steps', ({ work, before, after, prepare }) => {
  test('leaves the old state or the new one', async () => {
    const whole = makeScene();
    await prepare(whole);
    const { steps } = await drive(whole, { work, dieAt: 0 });
    expect(steps.map((step) => step.replace(/ demo$/, ''))).toMatchSnapshot();
    expect(await checkWhole(whole)).toBe(after);
    // The transaction is committed once the journal is written.
    const written = steps.indexOf('journal');
    const states = await Promise.all(
      steps.map(async (_, index) => {
        const scene = makeScene();
        await prepare(scene);
        expect((await drive(scene, { work, dieAt: index + 1 })).killed, steps[index]).toBe(true);
        return [steps[index], await checkWhole(scene)];
      }),
    );
    expect(states).toEqual(steps.map((_, index) => [steps[index], index <= written ? before : after]));
  });
});

const restore = (scene: Scene) =>
  restoreSkills({ offline: true, force: false, ...noConsent, dryRun: false }, makeContext(scene));

describe.each([
  ['a newer version', 'two'],
  ['no skill', 'none'],
] as const)('a pulled lock that names %s', (_, after) => {
  /** Version one in the store, and a lock that someone else wrote for it. */
  async function pulled(): Promise<Scene> {
    const scene = makeScene();
    const lock = join(scene.project, '.skillc/lock.json');
    await install(scene);
    const before = readFileSync(lock, 'utf8');
    pointAt(scene, 'two');
    await updateSkills(updateRequest, makeContext(scene));
    const newer = readFileSync(lock, 'utf8');
    writeFileSync(lock, before);
    await restore(scene);
    expect(stateOf(scene)).toBe('one');
    writeFileSync(lock, after === 'two' ? newer : '{ "version": 1, "skills": {} }\n');
    return scene;
  }

  test('is restored by the next command, at whatever step the last one was killed', async () => {
    const whole = await pulled();
    const { steps } = await drive(whole, { work: 'restore', dieAt: 0 });
    expect(await checkWhole(whole)).toBe(after);
    for (const index of steps.keys()) {
      const scene = await pulled();
      expect((await drive(scene, { work: 'restore', dieAt: index + 1 })).killed, steps[index]).toBe(true);
      expect(stateOf(scene)).not.toBe('mixed');
      expect((await restore(scene)).failed).toEqual([]);
      expect(await checkWhole(scene), steps[index]).toBe(after);
    }
  });
});

test('a recovery that is killed is recovered by the next', async () => {
  const prepare = async () => {
    const scene = makeScene();
    await install(scene);
    pointAt(scene, 'two');
    const { killed } = await drive(scene, { work: 'update', dieAt: 4 });
    expect(killed).toBe(true);
    return scene;
  };
  const { steps } = await drive(await prepare(), { work: 'verify', dieAt: 0 });
  expect(steps.length).toBeGreaterThan(2);
  const states = await Promise.all(
    steps.map(async (_, index) => {
      const scene = await prepare();
      expect((await drive(scene, { work: 'verify', dieAt: index + 1 })).killed).toBe(true);
      return checkWhole(scene);
    }),
  );
  expect(states).toEqual(steps.map(() => 'two'));
});

test('a failed deployment is rolled back, even if killed meanwhile', async () => {
  const prepare = async () => {
    const scene = makeScene();
    await install(scene);
    pointAt(scene, 'two');
    // A copy that cannot be made: the agent's directory is a file.
    const lock = join(scene.project, '.skillc/lock.json');
    const text = readFileSync(lock, 'utf8').replace('"goose"', '"kiro"');
    writeFileSync(lock, text);
    writeTree(scene.project, { '.kiro': 'a file' });
    return { scene, text };
  };
  const { scene, text } = await prepare();
  const { steps } = await drive(scene, { work: 'update', dieAt: 0 });
  const pathsIn = (of: Scene) =>
    Object.keys(listTree(of.project)).map((path) => path.replace(/search-[0-9a-f]{16}/, 'search'));
  expect(stateOf(scene)).toBe('one');
  expect(readFileSync(join(scene.project, '.skillc/lock.json'), 'utf8')).toBe(text);
  const expected = pathsIn(scene);
  const turned = steps.findIndex((step) => step.startsWith('unplace'));
  expect(turned).toBeGreaterThan(0);
  for (let index = turned; index < steps.length; index++) {
    const dieAt = index + 1;
    const again = await prepare();
    expect((await drive(again.scene, { work: 'update', dieAt })).killed).toBe(true);
    await verifySkills({ skills: [] }, makeContext(again.scene));
    expect(stateOf(again.scene)).toBe('one');
    expect(readFileSync(join(again.scene.project, '.skillc/lock.json'), 'utf8')).toBe(again.text);
    expect(pathsIn(again.scene)).toEqual(expected);
  }
});

const kills = 100;

test(`killed at any moment, ${kills} times`, async () => {
  const rounds = Array.from({ length: kills }, (_, index) => index);
  const scenes = [makeScene(), makeScene()];
  // Each of two scenes is used repeatedly, so that each run starts with the leftovers of the last.
  const seen = new Set<string>();
  await Promise.all(
    scenes.map(async (scene, lane) => {
      for (const round of rounds.filter((index) => index % scenes.length === lane)) {
        const { project, home, source } = scene;
        const task: DriverTask = { project, home, source, work: 'loop', dieAt: 0 };
        const child = fork(driver, [JSON.stringify(task)], {
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
          env: envOf(scene),
        });
        const closed = once(child, 'close');
        // This many operations pass; it dies in the next one.
        for (let done = 0; done <= round % 3; done++) await once(child, 'message');
        // Any moment will do, as long as they all differ.
        await delay((round * 7919) % 97);
        child.kill('SIGKILL');
        await closed;
        seen.add(await checkWhole(scene));
      }
    }),
  );
  expect([...seen].sort()).toEqual(['none', 'one', 'two']);
});

test('two processes at once end in one whole state', async () => {
  const scene = makeScene();
  const results = await Promise.all([
    drive(scene, { work: 'install', dieAt: 0 }),
    drive(scene, { work: 'install', dieAt: 0 }),
    drive(scene, { work: 'install', dieAt: 0 }),
  ]);
  expect(results.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done']);
  expect(await checkWhole(scene)).toBe('one');
});

test('two updates in one process run one after the other', async () => {
  const scene = makeScene();
  await install(scene);
  pointAt(scene, 'two');
  const outcomes = await Promise.all([
    updateSkills(updateRequest, makeContext(scene)),
    updateSkills(updateRequest, makeContext(scene)),
  ]);
  expect(
    outcomes.flatMap(({ updated }) => updated).filter(({ status }) => status === 'updated').length,
  ).toBeGreaterThan(0);
  expect(await checkWhole(scene)).toBe('two');
});
