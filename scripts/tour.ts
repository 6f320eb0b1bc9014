// `npm start`: the main job on the example skills, in a temporary home, so that nothing of the user's is touched.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const skc = join(root, 'packages/skillwright/bin/skc');
const place = mkdtempSync(join(tmpdir(), 'skillwright-tour-'));
const home = join(place, 'home');

function title(text: string): void {
  console.log(`\n\u2500\u2500 ${text}\n`);
}

/** Paths are shown as they would be if the temporary place were the home directory. */
function print(line: string, output: string): void {
  console.log(line);
  process.stdout.write(output.replaceAll(home, '~').replaceAll(place, '~/demo'));
}

/** `skc` with these words, as it would be typed. */
const typed = (words: readonly string[]) =>
  `$ skc ${words.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ')}`;

function start(words: readonly string[]): { status: number | null; printed: string } {
  // The old name of the variable would only be warned about.
  const env = { ...process.env, SKILLC_HOME: undefined, SKC_HOME: home };
  const { status, stdout, stderr } = spawnSync(skc, words, { cwd: place, env, encoding: 'utf8' });
  return { status, printed: stdout + stderr };
}

/** Runs skc and shows what it prints. */
function run(...words: string[]): void {
  const { status, printed } = start(words);
  print(typed(words), printed);
  if (status !== 0) throw new Error(`skc ${words.join(' ')} ended with status ${status}`);
}

/** The same for what needs a sandbox, which a machine may lack. */
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
  const store = join(place, '.skillc/skills');
  cpSync(join(root, 'examples/skills'), store, { recursive: true });
  cpSync(join(root, 'skills'), store, { recursive: true });

  title('Judge the example skills');
  run('lint', '.skillc/skills');
  title('Compile them, and give them to an agent');
  run('build', '--all');
  title('What the agent gets instead of the whole skill');
  print(
    '$ cat ~/.claude/skills/release-notes/SKILL.md',
    readFileSync(join(home, '.claude/skills/release-notes/SKILL.md'), 'utf8'),
  );
  title('The stub points at an outline');
  run('outline', 'release-notes', '--level', '2');
  title('One section, not the whole file');
  run('show', 'release-notes', '--section', 'Reverts');
  title('Or a question');
  run('search', 'release-notes', 'what happens to a commit that was reverted?', '--limit', '2');
  title('What there is');
  run('list');
  title('What the agent has read so far, and what never');
  run('stats', 'release-notes', '--group-by', 'sections');
  title('And what that saved');
  run('stats', '--all');
  title('Is there harm in any of them?');
  run('scan', '.skillc/skills');
  title('A skill that stays closed until its quiz is passed');
  run('quiz', 'schema-change');
  title('A script of a skill, in a sandbox');
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
Try next, in a directory of your own:

  export PATH="${join(root, 'packages/skillwright/bin')}:$PATH"
  skc init my-skill        make a skill
  skc lint my-skill        judge it
  skc build my-skill       compile it and link it into ~/.claude/skills
  skc show my-skill --section Steps
  skc install owner/repo   install third-party skills: docs/guide/install.md
  skc --help               everything else
`);
} finally {
  rmSync(place, { recursive: true, force: true });
}
