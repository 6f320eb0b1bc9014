// A journey through skc for a machine with another operating system. The rig runs it with the Node of Windows and with the
// Node of this machine, and compares what both left in `out`.
//   journey.ts <place> <other drive> <program> [words]…
// <place> gets all files. <other drive> is a directory on a second drive. It has `team/`, the lock of a team mate.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

const [place, otherDrive, program, ...firstWords] = process.argv.slice(2) as [string, string, string];
const isWindows = process.platform === 'win32';
const [home, project, out] = ['home', 'project', 'out'].map((name) => join(place, name)) as [
  string,
  string,
  string,
];
const skills = join(project, '.skillc', 'skills');
const noInput = join(place, 'no-input');

interface Answer {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let commands = 0;
const problems: string[] = [];
const slow: string[] = [];

const environment = (more: Record<string, string> = {}) => ({
  ...process.env,
  SKC_HOME: home,
  SKC_TOKEN: undefined,
  NO_COLOR: '1',
  ...more,
});

/** Runs `skc <words>` to its end. Under Wine, standard input must be a file. */
function skcIn(cwd: string, words: readonly string[], more: Record<string, string> = {}): Answer {
  commands++;
  const input = openSync(noInput, 'r');
  const began = Date.now();
  try {
    const { status, stdout, stderr } = spawnSync(program, [...firstWords, ...words], {
      cwd,
      env: environment(more),
      encoding: 'utf8',
      stdio: [input, 'pipe', 'pipe'],
      timeout: 120_000,
    });
    const [text, messages] = [stdout ?? '', stderr ?? ''];
    if (status !== 0 && status !== 1) problem(words, `ended with status ${status}\n${text}${messages}`);
    if (/\[E999\]|internal error|ExperimentalWarning/.test(messages)) problem(words, messages);
    return { status, stdout: text.replaceAll('\r\n', '\n'), stderr: messages.replaceAll('\r\n', '\n') };
  } finally {
    closeSync(input);
    if (Date.now() - began > 5000) slow.push(`${words.join(' ')}: ${Date.now() - began} ms`);
  }
}

function problem(words: readonly string[], why: string): void {
  problems.push(`skc ${words.join(' ')}: ${why}`);
  const shown = why.trimEnd().split('\n').slice(0, 25).join('\n').slice(0, 3000);
  console.log(`not ok  skc ${words.join(' ')}\n${shown.replace(/^/gm, '        ')}`);
}

/** Runs a command that must succeed. */
function ok(...words: string[]): Answer {
  const answer = skcIn(project, words);
  if (answer.status !== 0) problem(words, `${answer.stdout}${answer.stderr}`);
  return answer;
}

/** Runs a command that must succeed and print this. */
function says(expected: string | RegExp, ...words: string[]): Answer {
  const answer = ok(...words);
  const isSaid =
    typeof expected === 'string' ? answer.stdout.includes(expected) : expected.test(answer.stdout);
  if (!isSaid) problem(words, `does not print ${expected}:\n${answer.stdout}`);
  return answer;
}

/** Runs a command that must fail with this code. */
function fails(code: string, ...words: string[]): Answer {
  const answer = skcIn(project, words);
  if (answer.status === 0 || !answer.stderr.includes(`[${code}]`))
    problem(words, `should fail with ${code}:\n${answer.stdout}${answer.stderr}`);
  return answer;
}

function holds(what: string, isTrue: boolean, more = ''): void {
  if (!isTrue) problem([], `${what}${more && `:\n${more}`}`);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Files that the other machine must have too. */
function keep(name: string, from: string): void {
  mkdirSync(dirname(join(out, name)), { recursive: true });
  cpSync(from, join(out, name), { recursive: true });
}

const lines = (count: number, what: string) =>
  Array.from({ length: count }, (_, index) => `${what} number ${index} has words of its own.`).join('\n\n');

const toolySkill = (step: string) => ({
  'SKILL.md': `---\nname: tooly\ndescription: Use when testing tools on several machines.\n---\n
# Tooly\n\nRun [it](scripts/go.sh), read [more](references/more.md).\n\n## Steps\n\n${step}\n\n## Background\n\n${lines(80, 'Paragraph')}\n`,
  'references/more.md': '# More\n\nWords about marmalade.\n',
  'scripts/go.sh': '#!/bin/sh\necho hi\n',
  'scripts/go.js': 'console.log("from javascript", process.argv.slice(2).join(","));\n',
});

const source = join(place, 'source', 'tooly');
const writeSource = (step: string, to = source) => {
  for (const [path, text] of Object.entries(toolySkill(step))) write(join(to, path), text);
  // Says nothing on Windows, where the first line of the script has to.
  chmodSync(join(to, 'scripts', 'go.sh'), 0o755);
};

/** Steps that every machine takes; a name says in the output where the journey is. */
const steps: [name: string, work: () => void | Promise<void>][] = [
  ['first look', firstLook],
  ['author', author],
  ['read', read],
  ['paths as people type them', typedPaths],
  ['install', install],
  ['team', team],
  ['another drive', secondDrive],
  ['readers and writers at once', readersAndWriters],
  ['a crash, and on', crash],
  ['servers', servers],
  ['library', library],
  ['check and clean', clean],
];

function firstLook(): void {
  says('skc ', '--version');
  says('Usage: skc', '--help');
  says(`${process.platform}-`, 'version');
  says('claude', 'agents');
  says('E002', 'explain', 'E002');
  says('Register-ArgumentCompleter', 'completion', 'powershell');
  fails('E100', 'nonsense');
  fails('E001', 'show', 'nobody', '--section', 'x');
}

function author(): void {
  ok('init', 'alpha');
  write(
    join(skills, 'alpha', 'SKILL.md'),
    `---\nname: alpha\ndescription: Says what Alpha does. Use when the user asks for alphabets.\n---\n
# Alpha\n\nSee [rules](references/rules.md).\n\n## Steps\n\n1. Look.\n2. Work.\n\n## Items\n\n${lines(60, 'Item')}\n`,
  );
  write(join(skills, 'alpha', 'references', 'rules.md'), '# Rules\n\n## Colours\n\nBlue is for marmalade.\n');
  ok('lint', 'alpha');
  ok('lint', join('.skillc', 'skills', 'alpha'));
  ok('validate', 'alpha');
  says('alpha', 'build', 'alpha', '--target', 'claude');
  says('alpha', 'build', 'alpha', '--target', 'claude');
  says('alpha', 'list');
  says('alpha', 'info', 'alpha');
  ok('scan', 'alpha');
  ok('test', 'alpha', '--write');
  acceptProposals(join(skills, 'alpha'));
  says('1 passed', 'test', 'alpha');
  ok('config', 'gateway.auto_build', 'true');
  says('true', 'config', 'gateway.auto_build');
  ok('config', '--show-origin');
  // Names are asked for as they stand in the directory, on every machine.
  write(
    join(skills, 'loose', 'SKILL.md'),
    '---\nname: loose\ndescription: Use when links are loose.\n---\n\n# Loose\n\n[a](refs\\x.md) [b](REFS/X.md)\n',
  );
  write(join(skills, 'loose', 'refs', 'x.md'), '# X\n');
  const loose = skcIn(project, ['lint', 'loose', '--json']);
  keep('lint.json', writeText('lint.json', (loose.stdout.match(/the link [^"]*/g) ?? []).join('\n')));
  const forGithub = skcIn(project, ['lint', 'loose', '--format', 'github']).stdout;
  holds('GitHub gets its own slashes', forGithub.includes('file=.skillc/skills/loose/SKILL.md,'), forGithub);
  rmSync(join(skills, 'loose'), { recursive: true });
  writeSource('First.');
  ok('publish', source, '--static', join(place, 'static'));
  keep('static', join(place, 'static'));
}

/** Accepts proposed cases, as an author does who finds them right: without the mark they count. */
function acceptProposals(skill: string): void {
  for (const name of readdirSync(skill, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.json')) continue;
    const path = join(skill, name);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/,\s*"proposed": true/g, ''));
  }
}

function writeText(name: string, text: string): string {
  write(join(place, name), text);
  return join(place, name);
}

function read(): void {
  says('## Steps', 'outline', 'alpha', '--level', '2');
  says('1. Look.', 'show', 'alpha', '--section', 'Steps');
  says('marmalade', 'show', 'alpha', '--section', 'Colours', '--fresh');
  says('rules.md', 'search', 'alpha', 'marmalade');
  says('Blue', 'open', 'alpha', 'references/rules.md');
  says('rules.md', 'sources', 'alpha');
  says('references/rules.md', 'sources', 'alpha', '--json');
  says('# Alpha', 'load', 'alpha');
  says('alpha', 'find', 'alphabets');
  says('alpha', 'skills', 'alpha');
  says('1 skill', 'roots');
  says('alpha', 'stats', '--all');
  says('Steps', 'stats', 'alpha', '--group-by', 'sections');
  ok('sync');
  ok('report', 'alpha', '--format', 'json');
}

function typedPaths(): void {
  const file = `references${sep}rules.md`;
  says('Blue', 'open', 'alpha', file);
  const { data } = JSON.parse(ok('stats', 'alpha', '--group-by', 'files', '--json').stdout);
  const counted = data.map((row: { file: string }) => row.file).join();
  holds('one file is counted once', !counted.includes('\\'), counted);
  ok('lint', `.${sep}.skillc${sep}skills${sep}alpha`);
  for (const target of [`.${sep}here`, join(place, 'there'), `~${sep}house`]) {
    ok('build', 'alpha', '--target', target);
    const to = target.startsWith('~') ? join(home, 'house') : join(project, target);
    const found = [to, target].some((directory) => existsSync(join(directory, 'alpha', 'SKILL.md')));
    holds(`build --target ${target} writes there`, found);
  }
  ok('build', 'alpha', '--target', 'claude');
  cpSync(join(skills, 'alpha'), join(home, 'alpha-at-home'), { recursive: true });
  if (isWindows) ok('lint', '~\\alpha-at-home');
  rmSync(join(home, 'alpha-at-home'), { recursive: true });
}

const accepted = ['--yes'];
const lockPath = join(project, '.skillc', 'lock.json');
const readLock = () => readFileSync(lockPath, 'utf8').replace(/"\d{4}-[\d-]+T[^"]*"/g, '"now"');

function install(): void {
  says('tooly: installed', 'install', join('..', 'source', 'tooly'), '--target', 'claude', ...accepted);
  says('tooly: ok', 'verify', '--offline');
  keep('lock-installed.json', writeText('lock-installed.json', readLock()));
  says('First.', 'show', 'tooly', '--section', 'Steps');
  says('marmalade', 'open', 'tooly', `references${sep}more.md`);
  says('go.js', 'scripts', 'tooly');
  says('from javascript a,b', 'run', 'tooly', `scripts${sep}go.js`, '--unsandboxed', '--', 'a', 'b');
  if (isWindows) {
    const refused = fails('E074', 'run', 'tooly', 'go.js');
    holds('what to do without a sandbox', refused.stderr.includes('--unsandboxed'), refused.stderr);
  }
  const archive = readdirSync(join(place, 'static'), { recursive: true, encoding: 'utf8' }).find((path) =>
    path.endsWith('.tar.gz'),
  )!;
  copyFileSync(join(place, 'static', archive), join(place, 'tooly.tar.gz'));
  says('tooly: would be uninstalled', 'uninstall', 'tooly', '--dry-run');
  says('tooly', 'uninstall', 'tooly');
  says('tooly: installed', 'install', join('..', 'tooly.tar.gz'), '--target', 'claude', ...accepted);
  keep('lock-archive.json', writeText('lock-archive.json', readLock()));
  says('tooly: ok', 'verify', '--offline');
  ok('uninstall', 'tooly');
  ok('install', join('..', 'source', 'tooly'), '--target', 'claude', '--copy', ...accepted);
  says('tooly: ok', 'verify', '--offline');
  says('First.', 'show', 'tooly', '--section', 'Steps');
  ok('uninstall', 'tooly');
  holds('uninstall removes the store', !existsSync(join(skills, 'tooly')));
  ok('cache');
}

/** The lock of a team mate with another operating system: restored, updated, and given back. */
function team(): void {
  // Only the lock knows that this one is not executable.
  write(join(source, 'scripts', 'included.sh'), '#!/bin/sh\necho included\n');
  const given = join(otherDrive, 'team', 'lock.json');
  if (!existsSync(given)) {
    // This is the machine that begins.
    ok('install', join('..', 'source', 'tooly'), '--target', 'claude', ...accepted);
    keep('team/lock.json', lockPath);
  } else {
    copyFileSync(given, lockPath);
    says('tooly: restored', 'install', '--trust-lock', '--yes');
    holds('the lock stays as the team mate wrote it', readLock() === normal(given), readLock());
  }
  says('tooly: ok', 'verify', '--offline', '--scope', 'project');
  ok('update', ...accepted);
  keep('lock-unchanged.json', writeText('lock-unchanged.json', readLock()));
  writeSource('Second.');
  ok('outdated');
  ok('update', ...accepted);
  says('Second.', 'show', 'tooly', '--section', 'Steps', '--fresh');
  keep('lock-updated.json', writeText('lock-updated.json', readLock()));
  const edited = join(skills, 'tooly', 'references', 'more.md');
  writeFileSync(edited, `${readFileSync(edited, 'utf8')}\nAnd honey.\n`);
  says('+And honey.', 'diff', 'tooly');
  writeSource('Third.');
  ok('update', ...accepted);
  keep('lock-edited.json', writeText('lock-edited.json', readLock()));
  keep('edits', join(project, '.skillc', 'edits'));
  says('tooly: ', 'verify', '--offline', '--scope', 'project');
  ok('uninstall', 'tooly', '--force');
  rmSync(join(source, 'scripts', 'included.sh'));
}

const normal = (path: string) => readFileSync(path, 'utf8').replace(/"\d{4}-[\d-]+T[^"]*"/g, '"now"');

function secondDrive(): void {
  const far = join(otherDrive, `far-${process.pid}`, 'tooly');
  writeSource('Far.', far);
  ok('install', far, '--target', 'claude', ...accepted);
  says('tooly: ok', 'verify', '--offline');
  ok('uninstall', 'tooly');
  says('tooly', 'build', far, '--target', 'claude');
  says('Far.', 'show', far, '--section', 'Steps');
  ok('clean', far);
  holds('clean leaves no deployment', !existsSync(join(home, '.claude', 'skills', 'tooly')));
  rmSync(dirname(far), { recursive: true });
}

/** An index that another process has open for a moment is replaced all the same. */
async function readersAndWriters(): Promise<void> {
  ok('build', 'alpha');
  const runtime = join(project, '.skillc', 'runtime', 'alpha', '.skillc');
  const indexes = () => readdirSync(runtime).filter((name) => name.startsWith('search-'));
  const text = join(skills, 'alpha', 'SKILL.md');
  writeFileSync(text, readFileSync(text, 'utf8').replace('1. Look.', '1. Look twice.'));
  // Another program reads the index for a moment.
  const opened = indexes().map((name) => openSync(join(runtime, name), 'r'));
  const building = start(['build', 'alpha']);
  await new Promise((resolve) => setTimeout(resolve, 900));
  for (const index of opened) closeSync(index);
  const built = await building.ended;
  holds('a build waits for a reader', built.status === 0, built.stderr);
  says('1. Look twice.', 'show', 'alpha', '--section', 'Steps');
  writeFileSync(text, readFileSync(text, 'utf8').replace('1. Look twice.', '1. Look again.'));
  says('1. Look again.', 'show', 'alpha', '--section', 'Steps', '--fresh');
  ok('clean', 'alpha');
  ok('build', 'alpha', '--target', 'claude');
  says('1. Look again.', 'show', 'alpha', '--section', 'Steps');
  holds('one index is left', indexes().length === 1, readdirSync(runtime).join('\n'));
  // Three writers of one configuration and a reader of it: nobody fails.
  const writers = Array.from({ length: 4 }, (_, index) =>
    index === 0 ? start(['config', '--show-origin']) : start(['config', `lint.rules.SKL10${index}`, 'off']),
  );
  for (const writer of writers) {
    const { status, stderr } = await writer.ended;
    holds('writers at once', status === 0, stderr);
  }
  const settings = ok('config').stdout;
  for (const index of [1, 2, 3]) holds('no write is lost', settings.includes(`SKL10${index}`), settings);
}

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Answer>;
  printed(): string;
}

function start(words: readonly string[]): Started {
  commands++;
  const input = openSync(noInput, 'r');
  const child = spawn(program, [...firstWords, ...words], {
    cwd: project,
    env: environment(),
    stdio: [input, 'pipe', 'pipe'],
  });
  closeSync(input);
  let [stdout, stderr] = ['', ''];
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Answer>((resolve) => {
    child.on('close', (status) => resolve({ status, stdout, stderr }));
  });
  return { child, ended, printed: () => stdout + stderr };
}

/** Waits until a server has printed its address. */
async function addressOf(server: Started): Promise<string> {
  for (let tried = 0; tried < 600; tried++) {
    const address = /http:\/\/127\.0\.0\.1:\d+\S*/.exec(server.printed())?.[0];
    if (address !== undefined) return address;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no address: ${server.printed()}`);
}

/** One request. Under Wine, `fetch` cannot connect. */
function ask(address: string, message?: object): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const method = message === undefined ? 'GET' : 'POST';
    const outgoing = request(address, { method, headers, agent: false }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      incoming.on('end', () => resolve({ status: incoming.statusCode!, text }));
    });
    outgoing.on('error', reject).end(message && JSON.stringify(message));
  });
}

async function crash(): Promise<void> {
  const installing = start(['install', join('..', 'source', 'tooly'), '--target', 'claude', ...accepted]);
  await new Promise((resolve) => setTimeout(resolve, 700));
  installing.child.kill('SIGKILL');
  await installing.ended;
  ok('install', join('..', 'source', 'tooly'), '--target', 'claude', '--force', ...accepted);
  says('tooly: ok', 'verify', '--offline');
  ok('uninstall', 'tooly');
}

async function servers(): Promise<void> {
  const studio = start(['studio', '--no-open']);
  const page = await ask(await addressOf(studio));
  holds('studio answers', page.status < 400, String(page.status));
  const mcp = start(['mcp', '--http', '0']);
  const address = await addressOf(mcp);
  const call = async (section: string) => {
    const params = { name: 'skc_show', arguments: { skill: 'alpha', section: [section] } };
    return (await ask(address, { jsonrpc: '2.0', id: 1, method: 'tools/call', params })).text;
  };
  const first = await call('Steps');
  holds('a server reads', first.includes('Look again'), first);
  const text = join(skills, 'alpha', 'SKILL.md');
  writeFileSync(text, readFileSync(text, 'utf8').replace('1. Look again.', '1. Look at last.'));
  ok('build', 'alpha');
  says('1. Look at last.', 'show', 'alpha', '--section', 'Steps');
  const second = await call('Steps');
  holds('the server reads the new index', second.includes('Look at last'), second);
  ok('clean', 'alpha');
  ok('build', 'alpha', '--target', 'claude');
  ok('stats', 'alpha', '--prune', '--before', '2020-01-01');
  for (const server of [studio, mcp]) {
    server.child.kill();
    await server.ended;
  }
  ok('studio', '--export', join(place, 'pages'));
  holds('pages are written', existsSync(join(place, 'pages', 'index.html')));
  says('skc', 'mcp', '--print-config', 'claude');
}

/** A host reads a skill through the library, and the skill is removed while its process goes on. */
async function library(): Promise<void> {
  const entry = pathToFileURL(process.env.SKILLWRIGHT_HOST!).href;
  const { createSession } = (await import(
    entry
  )) as typeof import('../../packages/skillwright/src/host/index.ts');
  const session = await createSession({ cwd: project, home, trust: true, log: true, sessionId: 'journey' });
  const loaded = JSON.stringify(await session.load({ name: 'alpha' }));
  holds('a session loads', loaded.includes('Look at last'), loaded);
  await session.close();
}

function clean(): void {
  ok('doctor');
  ok('ci', '--author');
  ok('clean', 'alpha', '--logs');
  holds('no build is left', !existsSync(join(home, '.claude', 'skills', 'alpha')));
  says('alpha', 'build', 'alpha', '--copy', '--whole', '--target', 'claude');
  says('Look at last', 'show', 'alpha', '--section', 'Steps');
  ok('build', 'alpha', '--copy', '--stub', '--target', 'claude');
  ok('clean', '--all');
  says('E016', 'explain', 'E016');
  const left = [project, home].flatMap((directory) =>
    readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tmp$/.test(path)),
  );
  holds('nothing half done is left', left.length === 0, left.join('\n'));
}

rmSync(place, { recursive: true, force: true });
for (const directory of [home, join(project, '.skillc'), out]) mkdirSync(directory, { recursive: true });
writeFileSync(noInput, '');
const only = process.env.JOURNEY_STEPS || undefined;
for (const [name, work] of steps) {
  if (only !== undefined && !only.split(',').includes(name)) continue;
  const began = Date.now();
  try {
    await work();
  } catch (error) {
    problem([], `${name}: ${error instanceof Error ? error.stack : String(error)}`);
  }
  console.log(`${name}: ${((Date.now() - began) / 1000).toFixed(1)} s`);
}
for (const line of slow) console.log(`slow: ${line}`);
console.log(`${commands} commands, ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
