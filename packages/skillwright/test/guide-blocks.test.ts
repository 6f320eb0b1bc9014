// Every code block of the README and the guides is carried out by a test. Blocks that no other test takes are tried here.

import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSession } from '../src/host/runtime/create-session.ts';
import { replay } from '../src/host/runtime/replay.ts';
import { runProcess } from './built-package.ts';
import { makeDirectory } from './make-directory.ts';
import { makeWorld, skillText } from './make-world.ts';
import { processEnvironment } from './process-environment.ts';
import { requireProgram } from './required-program.ts';
import { skcStart } from './skc-program.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const read = (page: string) => readFileSync(join(repository, page), 'utf8');
const pages = [
  'README.md',
  ...readdirSync(join(repository, 'docs/guide'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/guide/${name}`),
];

interface Block {
  readonly language: string;
  readonly code: string;
}

/** The fenced blocks of a page, in order. */
function blocksOf(page: string): Block[] {
  const fences = read(page).matchAll(/^( *)(`{3,}|~{3,})([^\n]*)\n([\s\S]*?)^\1\2$/gm);
  return [...fences].map(([, , , language, code]) => ({ language: language!.trim(), code: code! }));
}

/** The only block, or the one at an index, in a language. */
function blockOf(page: string, language: string, index = 0): string {
  return blocksOf(page).filter((block) => block.language === language)[index]!.code;
}

/** Page, language, how many blocks, and the test that carries them out: its file and its name. */
type Row = readonly [page: string, language: string, blocks: number, file: string, name: string];

const here = 'test/guide-blocks.test.ts';
const registry = '../registry/test/registry-guide.test.ts';
const running = '../registry/test/running-guide.test.ts';
const rows: readonly Row[] = [
  ['README.md', 'console', 2, 'test/readme.test.ts', 'every console block prints what the README says'],
  ['README.md', 'sh', 1, 'test/tour.test.ts', 'without bubblewrap the script is skipped, and says why'],
  ['README.md', 'sh', 1, here, 'README: skc is found on the PATH'],
  ['README.md', 'ts', 1, here, 'README: the library'],
  ['docs/guide/author.md', 'sh', 1, here, 'author: lint in CI'],
  ['docs/guide/author.md', 'toml', 1, here, 'author: rules are configured'],
  ['docs/guide/ci.md', 'sh', 1, 'test/ci-recipes.test.ts', 'the git hook'],
  ['docs/guide/ci.md', 'sh', 1, 'test/ci-recipes.test.ts', 'a reviewed finding'],
  ['docs/guide/ci.md', 'yaml', 1, 'test/ci-recipes.test.ts', 'GitHub Actions'],
  ['docs/guide/ci.md', 'sh', 1, 'test/ci-recipes.test.ts', 'a comment on pull requests'],
  ['docs/guide/ci.md', 'yaml', 1, 'test/ci-recipes.test.ts', 'GitLab'],
  ['docs/guide/ci.md', 'yaml', 1, 'test/ci-recipes.test.ts', 'a comment on pull requests'],
  ['docs/guide/ci.md', 'yaml', 2, 'test/ci-recipes.test.ts', 'the pre-commit hook %s'],
  ['docs/guide/embed.md', 'ts', 2, here, 'embed: an agent with skills, called with a model'],
  [
    'docs/guide/embed.md',
    'ts',
    1,
    'src/host/runtime/embed-guide.test.ts',
    'the user is asked as the guide says, and a permanent answer holds in later sessions',
  ],
  [
    'docs/guide/embed.md',
    'ts',
    1,
    'src/host/runtime/embed-guide.test.ts',
    'a conversation resumes as the guide says',
  ],
  ['docs/guide/embed.md', 'ts', 4, 'test/examples.test.ts', 'the guide shows the example of %s as it is'],
  ['docs/guide/embed.md', 'ts', 1, 'src/host/adapters/embed-guide.test.ts', 'runs the calls of a model'],
  ['docs/guide/embed.md', 'ts', 1, here, 'embed: a conversation is recorded and checked'],
  ['docs/guide/embed.md', 'json', 1, here, 'embed: a conversation written by hand'],
  ['docs/guide/install.md', 'console', 7, 'test/guides.test.ts', 'install'],
  ['docs/guide/mcp.md', 'sh', 1, here, 'mcp: the configuration of each client starts the server'],
  ['docs/guide/quiz.md', 'console', 5, 'test/guides.test.ts', 'quiz'],
  ['docs/guide/quiz.md', 'yaml', 1, here, 'quiz: the example keeps a skill closed until it is passed'],
  ['docs/guide/registry.md', 'console', 9, registry, 'registry: the commands print what the guide says'],
  ['docs/guide/registry.md', 'json', 1, registry, 'registry: the commands print what the guide says'],
  ['docs/guide/rpc.md', 'json', 2, here, 'rpc: the conversation, and a refusal'],
  ['docs/guide/running-a-registry.md', 'sh', 4, running, 'running: the commands do what the guide says'],
  ['docs/guide/running-a-registry.md', 'toml', 1, running, 'running: the settings file is valid'],
  ['docs/guide/scripts.md', 'console', 4, 'test/guides.test.ts', 'scripts'],
  ['docs/guide/share.md', 'console', 2, 'test/guides.test.ts', 'share'],
  ['docs/guide/share.md', 'sh', 2, here, 'share: what is served is found'],
  ['docs/guide/studio.md', 'sh', 2, 'test/studio/studio-guide.test.ts', 'the commands of the guide'],
  ['docs/guide/toolsets.md', 'console', 3, 'test/guides.test.ts', 'toolsets'],
  ['docs/guide/report.md', 'console', 5, 'test/guides.test.ts', 'report'],
  ['docs/guide/test.md', 'console', 8, 'test/guides.test.ts', 'test'],
  ['docs/guide/usage.md', 'console', 3, 'test/guides.test.ts', 'usage'],
  ['docs/guide/toolsets.md', 'ts', 2, 'test/guides.test.ts', 'toolsets'],
];

test.each(pages)('every block of %s has a test', (page) => {
  const written = Object.groupBy(blocksOf(page), ({ language }) => language);
  const tested = Object.groupBy(
    rows.filter(([of]) => of === page),
    ([, language]) => language,
  );
  expect(
    Object.fromEntries(
      Object.entries(tested).map(([language, found]) => [
        language,
        found!.reduce((sum, [, , blocks]) => sum + blocks, 0),
      ]),
    ),
  ).toEqual(
    Object.fromEntries(Object.entries(written).map(([language, found]) => [language, found!.length])),
  );
});

test('the tests that are named here exist, and read the page', () => {
  const missing = rows.filter(([page, , , file, name]) => {
    const text = read(`packages/skillwright/${file}`);
    return !text.includes(`'${name}`) || !(text.includes(basename(page)) || file === 'test/tour.test.ts');
  });
  expect(missing).toEqual([]);
});

/** A line of a page in a shell where `skc` is on the PATH. */
function shell(line: string, { cwd, home }: { cwd: string; home: string }) {
  const PATH = `${join(repository, 'packages/skillwright/bin')}:${process.env.PATH}`;
  return runProcess('sh', ['-c', line], { cwd, env: { ...processEnvironment, PATH, SKC_HOME: home } });
}

/** The blocks of a page as one module that exports all of their names, with the sources in place of the package. */
async function importBlocks(code: string, given: Readonly<Record<string, unknown>> = {}) {
  const source = (path: string) => JSON.stringify(new URL(`../src/${path}`, import.meta.url).href);
  const file = join(makeDirectory(), 'block.ts');
  vi.stubGlobal('given', given);
  onTestFinished(() => void vi.unstubAllGlobals());
  const names = Object.keys(given);
  const bound = names.length === 0 ? '' : `const { ${names.join(', ')} } = (globalThis as any).given;\n`;
  writeFileSync(
    file,
    bound +
      code
        .replaceAll("'skillwright/host'", source('host/index.ts'))
        .replaceAll("'skillwright'", source('index.ts')),
  );
  return import(/* @vite-ignore */ pathToFileURL(file).href);
}

test('README: skc is found on the PATH', () => {
  const block = blocksOf('README.md').find(({ code }) => code.startsWith('export PATH'))!;
  const { status, stdout } = runProcess(
    'sh',
    ['-e', '-c', `${block.code}command -v skc\nskc version --json`],
    {
      cwd: repository,
    },
  );
  const [place, ...version] = stdout.split('\n');
  expect([status, place]).toEqual([0, join(repository, 'packages/skillwright/bin/skc')]);
  expect(JSON.parse(version.join('\n'))).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
});

test('README: the library', async () => {
  const world = makeWorld({
    '.agents/skills/pdf-forms/SKILL.md': skillText(
      'pdf-forms',
      '# PDF forms\n\n## Steps\n\nFill the form.\n',
    ),
  });
  vi.stubEnv('SKC_HOME', world.home);
  const code = blockOf('README.md', 'ts').replace('/path/to/project', world.project);
  const { sections } = await importBlocks(`${code}export { sections };\n`);
  expect(sections).toMatchObject([{ content: expect.stringContaining('Fill the form.') }]);
});

test('author: lint in CI', () => {
  const world = makeWorld({ 'skills/good/SKILL.md': skillText('good') });
  const place = { cwd: world.project, home: world.home };
  const lines = blockOf('docs/guide/author.md', 'sh').trim().split('\n');
  expect(lines.map((line) => shell(line, place).status)).toEqual([0, 0, 0]);
  world.write({ 'skills/vague/SKILL.md': skillText('vague', '# Vague\n', 'Does things.') });
  const [strict, github, sarif] = lines.map((line) => shell(line, place));
  expect([strict!.status, github!.status, sarif!.status]).toEqual([1, 0, 0]);
  expect(github!.stdout).toMatch(/^::warning file=skills\/vague\/SKILL\.md,/m);
  const { runs } = JSON.parse(world.read('lint.sarif'));
  expect(runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId)).toContain('SKL108');
});

test('author: rules are configured', async () => {
  const body = `# Long\n\n${'A line.\n\n'.repeat(300)}\`\`\`\nplain\n\`\`\`\n`;
  const world = makeWorld({ 'skills/long/SKILL.md': skillText('long', body, 'Does long things.') });
  const rulesOf = async () => {
    const { findings } = (await world.run(['lint', 'skills', '--json'])).json() as {
      findings: { rule: string }[];
    };
    return [...new Set(findings.map(({ rule }) => rule))].sort();
  };
  expect(await rulesOf()).toEqual(['SKL108', 'SKL201']);
  world.write({ '.skillc/config.toml': blockOf('docs/guide/author.md', 'toml') });
  expect(await rulesOf()).toEqual(['SKL206']);
  expect((await world.run(['lint', 'skills'])).stdout).toContain('(claude-code)');
});

test('mcp: the configuration of each client starts the server', () => {
  const line = blockOf('docs/guide/mcp.md', 'sh').trim();
  const [, named = '', others = ''] = /--print-config (\w+) +# or (.*)$/.exec(line)!;
  const world = makeWorld();
  for (const client of [named, ...others.split(', ')]) {
    const { status, stdout } = shell(line.replace(named, client), { cwd: world.project, home: world.home });
    expect([client, status]).toEqual([client, 0]);
    expect(stdout).toMatch(/"?command"?(?::| =) "skc"[\s\S]*"?args"?(?::| =) \[\s*"mcp"\s*\]/);
  }
});

test('quiz: the example keeps a skill closed until it is passed', async () => {
  const yaml = blockOf('docs/guide/quiz.md', 'yaml');
  const { project: cwd, home } = makeWorld({
    '.agents/skills/change/SKILL.md': `---\nname: change\ndescription: Changes a live table.\n${yaml}---\n\n# Change\n\n## Before the first statement\n\nTry a restore.\n`,
    '.agents/skills/change/references/expand-and-contract.md': '# Expand\n\nFirst add, then move.\n',
  });
  const reference = { name: 'change' };
  const take = async (text: RegExp) => {
    const session = await createSession({ cwd, home, trust: true, discovery: { cache: false } });
    const closed = await session.load(reference);
    const { question, options } = closed.quiz!.quizzes[0]!.questions[0]!;
    const chosen = options.filter((option) => text.test(option.text)).map(({ option }) => option);
    const { answers, quiz } = await session.answerQuiz(reference, [{ question, options: chosen }]);
    return [
      closed.status,
      answers[0]!.correct,
      quiz.gate,
      JSON.stringify(answers),
      (await session.load(reference)).text,
    ];
  };
  const [, wrong, stillClosed, lesson, kept] = await take(/Rename/);
  expect([wrong, stillClosed]).toEqual([false, 'closed']);
  expect(lesson).toContain('First add, then move.');
  expect(lesson).toContain('Read this before you answer again.');
  expect(kept).not.toContain('Try a restore.');
  const [status, right, open, , text] = await take(/write both/);
  expect([status, right, open]).toEqual(['quiz', true, 'open']);
  expect(text).toContain('Try a restore.');
});

test('rpc: the conversation, and a refusal', () => {
  const world = makeWorld({
    '.agents/skills/release-notes/SKILL.md': skillText(
      'release-notes',
      'Be brief.\n',
      'Write release notes.',
    ),
    '.agents/skills/release-notes/references/style.md': 'Plain words.\n',
    '~/.agents/skills/deploy/SKILL.md': skillText('deploy'),
    '~/.skillc/config.toml': '[[permissions.deny]]\ntool = "skill_load"\nskill_name = "deploy"\n',
  });
  const [conversation, refusal] = [0, 1].map((index) => blockOf('docs/guide/rpc.md', 'json', index));
  const denied = { jsonrpc: '2.0', id: 6, method: 'skills.load', params: { name: 'deploy' } };
  const input = `${conversation!.replace('/home/me/project', world.project)}${JSON.stringify(denied)}\n`;
  const { stdout, status } = spawnSync(...skcStart(['rpc']), {
    cwd: world.project,
    env: { ...processEnvironment, SKC_HOME: world.home, SKC_NO_LOG: '1' },
    input,
    encoding: 'utf8',
  });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .sort((a, b) => a.id - b.id);
  expect([status, answers.map(({ id }) => id)]).toEqual([0, [1, 2, 3, 4, 5, 6]]);
  const [initialized, listed, found, loaded, file, error] = answers;
  expect(initialized.result).toMatchObject({ cwd: world.project, trusted: true });
  expect(listed.result.skills.map(({ name }: { name: string }) => name)).toEqual(['release-notes']);
  expect(found.result.results[0].skill.name).toBe('release-notes');
  expect(loaded.result).toMatchObject({ status: 'loaded', text: expect.stringContaining('Be brief.') });
  expect(file.result.content).toBe('Plain words.\n');
  expect(error.error).toEqual(JSON.parse(refusal!.replace('/home/me', world.home)));
});

test('share: what is served is found', async (context) => {
  requireProgram(context, 'python3');
  const world = makeWorld();
  const skill = join(repository, 'examples/skills/csv-report');
  expect((await world.run(['publish', '--static', 'public', skill])).status).toBe(0);
  const [server, search] = [0, 1].map((index) => blockOf('docs/guide/share.md', 'sh', index).trim());
  const started = spawn('sh', ['-c', `exec ${server!.replace('8000', '0')} --bind 127.0.0.1`], {
    cwd: world.project,
    env: { ...process.env, PYTHONUNBUFFERED: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void started.kill());
  const { value = '' } = await createInterface({ input: started.stdout })[Symbol.asyncIterator]().next();
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(value)?.[0] ?? '';
  const [trawl, config] = search!.split('\n');
  await world.run(['config', 'network.allow_private', '127.0.0.1', '--scope', 'user']);
  const place = { cwd: world.project, home: world.home };
  const asked = shell(trawl!.replace('example.com', url), place);
  expect(asked).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^csv-report {2}[\d.]+ {2}well-known/),
  });
  expect(shell(config!, place).status).toBe(0);
  expect((await world.run(['config', 'network.domains', '--json'])).stdout).toContain('example.org');
});

test('embed: an agent with skills, called with a model', async () => {
  const world = makeWorld({
    '.agents/skills/repo-review/SKILL.md': skillText('repo-review', 'Risk first.\n'),
  });
  vi.stubEnv('HOME', world.home);
  const seen: { role: string; content: string }[] = [];
  const model = async (messages: typeof seen) => {
    seen.push(...messages);
    return { text: 'done', calls: [] };
  };
  const [agent, call] = [0, 1].map((index) => blockOf('docs/guide/embed.md', 'ts', index));
  const there = call!
    .replace('process.cwd()', JSON.stringify(world.project))
    .replace('await', 'export const said = await');
  expect((await importBlocks(`${agent}\n${there}`, { model })).said).toBe('done');
  expect(seen.map(({ role }) => role)).toEqual(['system', 'user', 'user']);
  expect(seen[2]!.content).toContain('Risk first.');
});

const releaseNotes = (description: string) => ({
  '.agents/skills/release-notes/SKILL.md': skillText('release-notes', 'Be brief.\n', description),
  '.agents/skills/release-notes/references/style.md': 'Plain words.\n',
});

test('embed: a conversation is recorded and checked', async () => {
  const code = blocksOf('docs/guide/embed.md').find((block) => block.code.includes('recordSession'))!.code;
  const { recordConversation, checkConversation } = await importBlocks(code);
  const world = makeWorld(releaseNotes('Write the release notes of a version.'));
  const options = { cwd: world.project, home: world.home, trust: true };
  const file = join(world.root, 'conversation.json');
  await recordConversation(file, options);
  expect(await checkConversation(file, options)).toEqual([]);
  world.write({
    '.agents/skills/version-notes/SKILL.md': skillText(
      'version-notes',
      '',
      'Write release notes of versions.',
    ),
  });
  await expect(checkConversation(file, options)).rejects.toThrow(
    /^1\. prompt: skills \[release-notes\] → \[release-notes, version-notes\].*\n2\. message "Write the release notes of version 2": .*found \[release-notes\] → \[.*version-notes.*\]$/,
  );
  world.write({ '.agents/skills/release-notes/SKILL.md': skillText('release-notes', 'Words. '.repeat(500)) });
  await expect(checkConversation(file, options)).rejects.toThrow(/^\d+ tokens have become \d+$/);
});

test('embed: a conversation written by hand', async () => {
  const world = makeWorld(releaseNotes('Write release notes that tell users what changed.'));
  const written = JSON.parse(blockOf('docs/guide/embed.md', 'json'));
  const options = { cwd: world.project, home: world.home, trust: true };
  const { steps, changed, diagnostics, recording } = await replay(written, options);
  expect([changed, diagnostics]).toEqual([[], []]);
  const text = { digest: expect.any(String), tokens: expect.any(Number) };
  expect(steps.map(({ after }) => after)).toEqual([
    { skills: ['release-notes'], shown: 1, missing: 0, ...text },
    { mentions: [], suggested: ['release-notes'], found: ['release-notes'] },
    { found: ['release-notes'] },
    { skill: 'release-notes', status: 'loaded', ...text },
    text,
    { skills: ['release-notes'], ...text },
  ]);
  expect(
    (await replay(recording, options)).steps.every(
      ({ before, differs }) => before !== null && differs.length === 0,
    ),
  ).toBe(true);
});
