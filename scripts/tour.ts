// `npm start`: a tour of the main features, in a temporary home, so that your files are untouched. First the idea, with a
// large skill made of the guides in docs/guide; then the rest, with the example skills.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { estimateTokens } from '../packages/skillwright/src/base/tokens/index.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const skc = join(root, 'packages/skillwright/bin/skc');
const place = mkdtempSync(join(tmpdir(), 'skillwright-tour-'));
const home = join(place, 'home');

function title(text: string): void {
  console.log(`\n\u2500\u2500 ${text}\n`);
}

/** Shows paths as if the temporary directory were the home directory. */
function print(line: string, output: string): void {
  console.log(line);
  process.stdout.write(output.replaceAll(home, '~').replaceAll(place, '~/demo'));
}

/** `skc` with these words, as typed. */
const typed = (words: readonly string[]) =>
  `$ skc ${words.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ')}`;

function start(words: readonly string[]): { status: number | null; printed: string } {
  // The old name of the variable would only cause a warning.
  const env = { ...process.env, SKILLC_HOME: undefined, SKC_HOME: home };
  const { status, stdout, stderr } = spawnSync(skc, words, { cwd: place, env, encoding: 'utf8' });
  return { status, printed: stdout + stderr };
}

/** Runs skc, shows what it prints, and returns that. */
function run(...words: string[]): string {
  const { status, printed } = start(words);
  print(typed(words), printed);
  if (status !== 0) throw new Error(`skc ${words.join(' ')} ended with status ${status}`);
  return printed;
}

const guides = ['install', 'share', 'test', 'report', 'usage', 'quiz', 'registry', 'ci'];
const description = 'Handbook of skc. Use when the user asks how to install, test, measure or share skills.';

/** A large skill: the guides in one file. */
function writeHandbook(): string {
  const pages = guides.map((name) => readFileSync(join(root, `docs/guide/${name}.md`), 'utf8'));
  const text = `---\nname: handbook\ndescription: ${description}\n---\n\n${pages.join('\n')}`;
  const dir = join(place, '.skillc/skills/handbook');
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'SKILL.md'), text);
  return text;
}

/** The same for commands that need a sandbox, which may be missing. */
function runSandboxed(...words: string[]): void {
  const { status, printed } = start(words);
  const isMissing = status !== 0 && printed.includes('[E074]');
  if (status !== 0 && !isMissing)
    throw new Error(`skc ${words.join(' ')} ended with status ${status}:\n${printed}`);
  const remedy =
    process.platform === 'linux' ? 'install bubblewrap to see it' : 'this machine has no sandbox';
  print(typed(words), isMissing ? `skipped: ${remedy}\n` : printed);
}

try {
  const handbook = writeHandbook();
  const count = (text: string) => estimateTokens(text).toLocaleString('en');
  title(`A skill of ${count(handbook)} tokens becomes a stub`);
  run('build', 'handbook');
  const stub = readFileSync(join(home, '.claude/skills/handbook/SKILL.md'), 'utf8');
  print('$ cat ~/.claude/skills/handbook/SKILL.md', stub);
  title('The agent has a question, and reads the section that answers it');
  const read = [
    run('search', 'handbook', 'update keeps edits', '--limit', '3'),
    run('show', 'handbook', '--section', 'Update'),
  ];
  title('The tokens both ways');
  console.log(`the whole skill:            ${count(handbook)}`);
  console.log(`stub, search and section:   ${count(stub + read.join(''))}`);

  // The rest of the tour is about the examples.
  start(['clean', 'handbook', '--logs']);
  const store = join(place, '.skillc/skills');
  rmSync(store, { recursive: true });
  cpSync(join(root, 'examples/skills'), store, { recursive: true });
  cpSync(join(root, 'skills'), store, { recursive: true });

  title('Check the example skills');
  run('lint', '.skillc/skills');
  title('Compile them and link them into an agent');
  run('build', '--all');
  title('An outline of a skill');
  run('outline', 'release-notes', '--level', '2');
  title('One section, not the whole file');
  run('show', 'release-notes', '--section', 'Reverts');
  title('Or search with a question');
  run('search', 'release-notes', 'what happens to a commit that was reverted?', '--limit', '2');
  title('List the skills');
  run('list');
  title('See which sections agents read, and which they never read');
  run('stats', 'release-notes', '--group-by', 'sections');
  title('See how many tokens that saved');
  run('stats', '--all');
  title('Scan them for anything dangerous');
  run('scan', '.skillc/skills');
  title('A skill locked behind a quiz');
  run('quiz', 'schema-change');
  title('Run a script of a skill in a sandbox');
  runSandboxed(
    'run',
    'csv-report',
    'chart.sh',
    '--stdin',
    'region,amount\nnorth,12.5\nsouth,30\n',
    'region',
    'amount',
  );

  console.log(`
Try these next, in your own directory:

  export PATH="${join(root, 'packages/skillwright/bin')}:$PATH"
  skc init my-skill        create a skill
  skc lint my-skill        check it
  skc build my-skill       compile it and link it into ~/.claude/skills
  skc show my-skill --section Steps
  skc install owner/repo   install third-party skills: docs/guide/install.md
  skc --help               everything else
`);
} finally {
  rmSync(place, { recursive: true, force: true });
}
