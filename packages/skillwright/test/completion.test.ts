import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { currentNames } from '../src/front/cli/cli-table.ts';
import { topicNames } from '../src/front/cli/help-topics.ts';
import { makeDirectory, type Tree } from './make-directory.ts';
import { makeWorld } from './make-world.ts';
import { requireProgram } from './required-program.ts';
import { skc } from './run-in-process.ts';

const skillOf = (name: string, body: string) =>
  `---\nname: ${JSON.stringify(name)}\ndescription: Does things. Use when asked.\n---\n\n${body}`;

const hostile = '$(touch pwned) ; touch pwned & "$HOME"';

const skills: Tree = {
  '.skillc/skills/demo/SKILL.md': skillOf(
    'demo',
    `# Demo\n\n## First steps\n\nGo.\n\n## Don't panic\n\nNo.\n\n## ${hostile}\n\nBad.\n\n## :files\n\nNo.\n`,
  ),
  '.skillc/skills/demo/references/api.md': '# API\n\nText.\n',
  '.skillc/skills/demo/scripts/fill.sh': '#!/bin/sh\n# Fills a form.\n',
  [`.claude/skills/${hostile}/SKILL.md`]: skillOf(hostile, '# Hostile\n'),
};

/** The words that a shell is given for a line; the last one is completed. */
const offered = async (words: string[], run = makeWorld(skills).run) => {
  const { status, stdout, stderr } = await run(['--complete', ...words]);
  expect([status, stderr]).toEqual([0, '']);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t')[0]!);
};

describe('what is offered', () => {
  test.each<[string[], string[]]>([
    [['va'], ['validate']],
    [['--json', 'va'], ['validate']],
    [['help', 'sa'], ['sandbox']],
    [['help', 'sandbox', ''], []],
    [['frobnicate', ''], []],
    [
      ['lint', '--f'],
      ['--fix', '--force', '--format'],
    ],
    [
      ['lint', '--profile', 's'],
      ['spec', 'strict'],
    ],
    [
      ['lint', '--profile=s'],
      ['--profile=spec', '--profile=strict'],
    ],
    // As bash splits it.
    [
      ['lint', '--profile', '=', 's'],
      ['spec', 'strict'],
    ],
    [['lint', '-p', 'u'], ['upload']],
    [['lint', '--format', 's'], ['sarif']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish', 'powershell'],
    ],
    [
      ['show', 'd'],
      ['demo', ':files'],
    ],
    [
      ['show', 'demo', '--section', ''],
      ['Demo', 'First steps', "Don't panic", hostile, 'API'],
    ],
    [['show', 'demo', '-s', 'First\\ s'], ['First steps']],
    [['show', 'demo', '-s', "'First s"], ['First steps']],
    [
      ['show', 'demo', '-s', '"'],
      ['Demo', 'First steps', 'API'],
    ],
    [['show', 'nothing', '--section', ''], []],
    [['show', 'demo', '--file', 'r'], ['references/api.md']],
    [['open', 'demo', 'r'], ['references/api.md']],
    [['run', 'demo', 'f'], ['fill.sh']],
    [['build', '--target', 'claude,curs'], ['claude,cursor']],
    [['build', '--agent', 'curs'], ['cursor']],
    [['find', '--agents', 'al'], ['all']],
    [['stats', '-b', 'ru'], ['run']],
    [['config', 'gateway.b'], ['gateway.budget']],
    [
      ['explain', 'SKL30'],
      ['SKL301', 'SKL302', 'SKL303'],
    ],
    [['lint', '--', '--f'], [':files']],
    [['scan', '--baseline', ''], [':files']],
    [['report', '--output', ''], [':files']],
    [['report', '--baseline', ''], [':files']],
  ])('skc %j', async (words, expected) => {
    expect(await offered(words)).toEqual(expected);
  });

  test('commands and topics', async () => {
    expect(await offered([''])).toEqual([...currentNames, 'help', '--help', '--version', '--json']);
    expect(await offered(['help', ''])).toEqual([...topicNames, ...currentNames]);
  });

  test('no line, no configuration and no damage make it complain', async () => {
    for (const words of [[], ['show'], ['show', '', '', ''], ['\u0000', ''], ['show', '--section', "'"]])
      await offered(words);
    const broken = makeWorld({ '.skillc/config.toml': 'not toml [' });
    expect(await offered(['show', ''], broken.run)).toEqual([]);
  });

  test('leaves no row in the access log', async () => {
    const world = makeWorld(skills);
    const env = { SKC_NO_LOG: '' };
    await world.run(['build', 'demo', '--target', 'none']);
    await world.run(['--complete', 'show', 'demo', '--section', ''], { env });
    const { data } = (await world.run(['stats', 'demo', '--json'])).json() as {
      data: { total_accesses: number };
    };
    expect(data.total_accesses).toBe(0);
  });
});

describe('is judged as everything else', () => {
  const quiz = `quiz:
  - gate: true
    questions:
      - question: Ready?
        options:
          - label: Yes
            correct: true
          - label: No
`;
  const closed: Tree = {
    '.skillc/skills/closed/SKILL.md': `---\nname: closed\ndescription: Does things. Use when asked.\n${quiz}---\n\n# Closed\n\n## Secret heading\n\nText.\n`,
    '.skillc/skills/denied/SKILL.md': skillOf('denied', '# Denied\n\n## Secret heading\n\nText.\n'),
    '.skillc/skills/off/SKILL.md': skillOf('off', '# Off\n\n## Secret heading\n\nText.\n'),
    '.skillc/skills/asks/SKILL.md': skillOf('asks', '# Asks\n\n## Secret heading\n\nText.\n'),
    '.skillc/config.toml':
      '[[permissions.deny]]\ntool = "skill_load"\nskill_name = "denied"\n[[permissions.confirm]]\ntool = "skill_load"\nskill_name = "asks"\n',
    '.skillc/state.json': JSON.stringify({ disabled: ['off'] }),
  };

  test.each(['closed', 'denied', 'off', 'asks'])('headings of a skill that is %s', async (name) => {
    const world = makeWorld(closed);
    if (name === 'off') await world.run(['skills', '--disable', 'off']);
    expect((await offered(['show', name, '--section', ''], world.run)).join('\n')).not.toContain('Secret');
  });
});

/** A directory with the completion script, skc, skills, and two files to complete. */
async function setUp(shell: string): Promise<string> {
  const { stdout } = await skc(['completion', shell]);
  const main = fileURLToPath(new URL('../dist/skc/main.js', import.meta.url));
  const directory = makeDirectory({
    ...skills,
    script: stdout,
    'my skill/SKILL.md': '',
    'my-file': '',
    'bin/skc': `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`,
  });
  chmodSync(join(directory, 'bin/skc'), 0o755);
  return directory;
}

const run = (program: string, args: string[], cwd: string) =>
  execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: {
      PATH: [join(cwd, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
      HOME: cwd,
      SKC_HOME: join(cwd, 'home'),
      TERM: 'xterm',
    },
  });

/** Offers that every shell must make after these lines; words in bytewise order. */
const common: Record<string, string[]> = {
  'skc va': ['validate'],
  'skc lint --p': ['--profile'],
  'skc lint --profile ': ['claude-code', 'registry', 'spec', 'strict', 'upload'],
  'skc lint -p u': ['upload'],
  'skc completion ': ['bash', 'fish', 'powershell', 'zsh'],
  'skc show de': ['demo'],
  'skc build --target claude,curs': ['claude,cursor'],
  'skc lint m': ['my skill', 'my-file'],
};

const sections = ["Don't panic", 'First steps', hostile, 'API', 'Demo'].toSorted();

describe('bash', () => {
  /** The offers as the shell would insert them, for several lines in one shell. */
  const complete = async (lines: string[]): Promise<Record<string, string[]>> => {
    const directory = await setUp('bash');
    const script = `source ./script
      compopt() { [ "$FILES" = 1 ]; }
      for line; do
        eval "set -- $line"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _skc
        printf '<line>%s\\n' "$line"; printf '%s\\n' "\${COMPREPLY[@]}"
      done; [ ! -e pwned ]`;
    const printed = run('bash', ['-c', script, 'bash', ...lines], directory);
    const blocks = printed.split('<line>').slice(1);
    return Object.fromEntries(
      blocks.map((block) => {
        const [line, ...rows] = block.split('\n');
        return [line!, rows.filter(Boolean).toSorted()];
      }),
    );
  };

  test('offers the same, quoted', async () => {
    const ended = (line: string) => (line.endsWith(' ') ? `${line}''` : line);
    const expected = {
      ...common,
      'skc lint m': ['my-file', 'my\\ skill'],
      'skc lint --profile = st': ['strict'],
    };
    const lines = Object.entries(expected).map(([line, words]) => [ended(line), words] as const);
    expect(await complete(lines.map(([line]) => line))).toEqual(Object.fromEntries(lines));
  });

  test('quotes a section that would run something', async () => {
    const line = "skc show demo --section ''";
    const { [line]: words } = await complete([line]);
    const read = run(
      'bash',
      ['-c', `for word in ${words!.join(' ')}; do printf '%s\\n' "$word"; done`],
      makeDirectory(),
    );
    expect(read.split('\n').filter(Boolean).toSorted()).toEqual(sections);
  });

  test('loads in a strict shell', async () => {
    expect(run('bash', ['--norc', '-euc', 'source ./script; complete -p skc'], await setUp('bash'))).toBe(
      'complete -F _skc skc\n',
    );
  });
});

test('zsh', async (context) => {
  requireProgram(context, 'zsh');
  const directory = await setUp('zsh');
  const expected = {
    ...common,
    'skc lint --profile=s': ['--profile=spec', '--profile=strict'],
    'skc show demo --section ': sections,
    'skc show demo --section First\\ s': ['First steps'],
  };
  const helper = fileURLToPath(new URL('complete.zsh', import.meta.url));
  const printed = run('zsh', ['-f', helper, join(directory, 'script'), ...Object.keys(expected)], directory);
  const blocks = printed.split('<line>').slice(1);
  const found = blocks.map((block) => {
    const words = [...block.matchAll(/<offer>(.*?)<\/offer>/g)].map(([, word]) => word!);
    return [block.slice(0, block.indexOf('</line>')), [...new Set(words)].toSorted()];
  });
  expect(Object.fromEntries(found)).toEqual(expected);
});

test('fish', async (context) => {
  requireProgram(context, 'fish');
  const directory = await setUp('fish');
  const expected = {
    ...common,
    'skc lint --profile=st': ['--profile=strict'],
    'skc lint m': ['my skill/', 'my-file'],
    'skc show demo --section ': sections,
    'skc show demo --section First\\ s': ['First steps'],
  };
  const lines = Object.keys(expected);
  const script = `source ./script; for line in $argv; echo "<line>$line"; complete -C $line; end`;
  const printed = run('fish', ['--no-config', '-c', script, ...lines], directory);
  const found = printed
    .split('<line>')
    .slice(1)
    .map((block) => {
      const [line, ...rows] = block.split('\n');
      const words = rows.filter(Boolean).map((row) => row.split('\t')[0]!.replaceAll('\\ ', ' '));
      return [line!, words.toSorted()];
    });
  expect(Object.fromEntries(found)).toEqual(expected);
});

test('PowerShell gets a script of its own, which asks the same', async () => {
  const { stdout } = await skc(['completion', 'powershell']);
  expect(stdout).toContain('Register-ArgumentCompleter -Native -CommandName skc');
  expect(stdout).toContain('& skc --complete @words $current');
});
