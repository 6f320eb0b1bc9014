import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorld, skillText, type World } from '../../../test/make-world.ts';
import { recordSession } from './record-session.ts';
import type { Recording } from './recording.ts';
import { replay } from './replay.ts';
import type { SessionOptions } from './session.ts';

const notes = '.agents/skills/release-notes';
const skills = {
  [`${notes}/SKILL.md`]: skillText(
    'release-notes',
    '# Notes\n\nBe brief.\n',
    'Draft release notes from commits',
  ),
  [`${notes}/style.md`]: 'Plain words.\n',
  '.agents/skills/deploy/SKILL.md': skillText('deploy', 'Deploy.\n', 'Deploy the service'),
};
const optionsOf = ({ project: cwd, home }: World): SessionOptions => ({
  cwd,
  home,
  trust: true,
  discovery: { cache: false },
});

/** A conversation as a host holds it. */
async function converse(world: World): Promise<Recording> {
  const { session, recording } = await recordSession(optionsOf(world));
  await session.prompt();
  const [mention] = await session.mentions('Write the notes of the release, $release-notes');
  await session.load({ path: mention!.skill!.path }, { by: 'user' });
  await session.search({ query: 'deploy service' });
  await session.load({ name: 'deploy' });
  await session.readResource({ name: 'release-notes', file: join(world.project, notes, 'style.md') });
  await session.load({ name: 'nothing' }).catch(() => {});
  session.compacted({ kept: [join(world.project, notes)] });
  await session.load({ name: 'release-notes' });
  return JSON.parse(JSON.stringify(recording()));
}

const text = { digest: expect.stringMatching(/^[0-9a-f]{64}$/), tokens: expect.any(Number) };

test('a recording has the questions and the answers, no text of a skill and no place', async () => {
  const world = makeWorld(skills);
  const recording = await converse(world);
  expect(recording).toEqual({
    version: 1,
    steps: [
      { do: 'prompt', got: { skills: ['deploy', 'release-notes'], shown: 2, missing: 0, ...text } },
      {
        do: 'message',
        text: 'Write the notes of the release, $release-notes',
        got: { mentions: ['release-notes'], suggested: ['release-notes'], found: ['release-notes'] },
      },
      {
        do: 'load',
        name: 'release-notes',
        by: 'user',
        got: { skill: 'release-notes', status: 'loaded', ...text },
      },
      { do: 'search', query: 'deploy service', got: { found: ['deploy'] } },
      { do: 'load', name: 'deploy', got: { skill: 'deploy', status: 'loaded', ...text } },
      { do: 'read', name: 'release-notes', file: 'style.md', got: text },
      { do: 'load', name: 'nothing', got: { error: 'E001' } },
      { do: 'compacted', kept: ['release-notes'], got: { skills: ['deploy'], ...text } },
      {
        do: 'load',
        name: 'release-notes',
        got: { skill: 'release-notes', status: 'already-loaded', ...text },
      },
    ],
  });
  expect(JSON.stringify(recording)).not.toMatch(new RegExp(`Be brief|Plain words|${world.root}`));
});

test('with the same skills in another place nothing differs, and the recording stays as it is', async () => {
  const recording = await converse(makeWorld(skills));
  const elsewhere = makeWorld({ 'a/longer & stranger/place/.keep': '' });
  const cwd = join(elsewhere.project, 'a/longer & stranger/place');
  const files = Object.entries(skills).map(([path, content]) => [
    `a/longer & stranger/place/${path}`,
    content,
  ]);
  elsewhere.write({ ...Object.fromEntries(files), 'a/longer & stranger/place/.skillc/config.toml': '' });
  const {
    changed,
    tokens,
    diagnostics,
    recording: again,
  } = await replay(recording, { ...optionsOf(elsewhere), cwd });
  expect({ changed, diagnostics, again }).toEqual({ changed: [], diagnostics: [], again: recording });
  expect(tokens.after).toBe(tokens.before);
  expect(tokens.after).toBeGreaterThan(0);
});

test('it says which steps differ when the catalog has changed', async () => {
  const world = makeWorld(skills);
  const recording = await converse(world);
  rmSync(join(world.project, '.agents/skills/deploy'), { recursive: true });
  world.write({
    [`${notes}/SKILL.md`]: skillText('release-notes', 'Other.\n', 'Draft release notes from commits'),
  });
  const { changed, steps, tokens, recording: now } = await replay(recording, optionsOf(world));
  expect(changed.map((line) => line.replace(/tokens \d+ → \d+/, 'tokens … → …'))).toEqual([
    '1. prompt: skills [deploy, release-notes] → [release-notes]; shown 2 → 1; another text; tokens … → …',
    '3. load release-notes: another text; tokens … → …',
    '4. search "deploy service": found [deploy] → []',
    '5. load deploy: found → E001',
    '8. compacted: skills [deploy] → []; another text; tokens … → …',
  ]);
  expect(steps[4]).toMatchObject({ before: { skill: 'deploy' }, after: { error: 'E001' } });
  expect(tokens.after).toBeLessThan(tokens.before);
  expect((await replay(now, optionsOf(world))).changed).toEqual([]);
});

test('a conversation written by hand has nothing to differ from', async () => {
  const written = {
    version: 1,
    steps: [
      { do: 'message', text: 'deploy the service' },
      { do: 'load', name: 'deploy' },
    ],
  };
  const { changed, steps, tokens } = await replay(written, optionsOf(makeWorld(skills)));
  expect({ changed, before: tokens.before, answers: steps.map(({ after }) => after) }).toEqual({
    changed: [],
    before: 0,
    answers: [
      { mentions: [], suggested: ['deploy'], found: ['deploy'] },
      { skill: 'deploy', status: 'loaded', ...text },
    ],
  });
});

test('a recording gives no permission', async () => {
  const own = `---\nname: own\ndescription: For the user.\ndisable-model-invocation: true\n---\n\nMine.\n`;
  const world = makeWorld({
    ...skills,
    '.agents/skills/own/SKILL.md': own,
    '~/.skillc/config.toml': '[[permissions.confirm]]\ntool = "skill_load"\nskill_name = "deploy"\n',
  });
  const load = { do: 'load', name: 'own', by: 'user' };
  const steps = [{ do: 'load', name: 'deploy' }, load, { do: 'message', text: 'Do $own' }, load];
  const asked: string[] = [];
  const replayed = await replay({ version: 1, steps }, optionsOf(world));
  expect(replayed.steps.map(({ after }) => after?.error ?? after?.status ?? 'message')).toEqual([
    'E061',
    'E060',
    'message',
    'loaded',
  ]);
  expect(replayed.diagnostics).toMatchObject([
    { code: 'W065', message: expect.stringContaining('not replayed: load own: no message before it names') },
  ]);
  const confirm = async ({ skill }: { skill: { name: string } }) => asked.push(skill.name) > 0;
  const confirmed = await replay({ version: 1, steps: steps.slice(0, 1) }, { ...optionsOf(world), confirm });
  expect([asked, confirmed.steps[0]!.after]).toMatchObject([['deploy'], { status: 'loaded' }]);
  for (const more of [{ confirmed: true }, { author: true }, { by: 'author' }])
    await expect(
      replay({ version: 1, steps: [{ do: 'load', name: 'deploy', ...more }] }, optionsOf(world)),
    ).rejects.toMatchObject({ code: 'E065' });
});

test('a locked skill is locked in a replay, and differs in nothing from session to session', async () => {
  const quiz =
    'quiz:\n  - gate: true\n    questions:\n      - question: Which?\n        options:\n          - label: This\n            correct: true\n          - label: That\n          - label: Neither\n';
  const world = makeWorld({
    '.agents/skills/locked/SKILL.md': `---\nname: locked\ndescription: D.\n${quiz}---\n\nSecret.\n`,
  });
  const { session, recording } = await recordSession(optionsOf(world));
  await session.load({ name: 'locked' });
  const { steps, changed } = await replay(recording(), optionsOf(world));
  expect([steps[0]!.after?.status, changed]).toEqual(['quiz', []]);
});

test('scripts, plans, tools and quizzes are named and left out', async () => {
  const world = makeWorld(skills);
  const { session, recording } = await recordSession(optionsOf(world));
  await session.plan({ path: join(world.project, notes, 'SKILL.md') }, 'v2');
  await session.runScript({ name: 'deploy' }, 'go.sh').catch(() => {});
  await session.activate({ name: 'deploy' });
  await session.hooks('Stop', {});
  await session.close();
  const { diagnostics, changed, recording: again } = await replay(recording(), optionsOf(world));
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual(
    [`plan './${notes}/SKILL.md'`, "runScript go.sh of 'deploy'", "activate 'deploy'", 'hooks Stop'].map(
      (call) => `W065 not replayed: ${call}: a replay only searches, loads and reads`,
    ),
  );
  expect([changed, again]).toEqual([[], recording()]);
});

test.each([
  [null, 'not a recording, or a damaged one: '],
  [{ version: 2, steps: [] }, 'version'],
  [{ version: 1 }, 'steps'],
  [{ version: 1, steps: [{ do: 'run' }] }, 'steps.0.do'],
  [{ version: 1, steps: [{ do: 'load', name: 3 }] }, 'steps.0.name'],
])('%j is not a recording', async (value, why) => {
  await expect(replay(value, optionsOf(makeWorld()))).rejects.toMatchObject({
    code: 'E065',
    message: expect.stringContaining(why),
  });
});
