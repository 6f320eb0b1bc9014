import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { cliNames } from '../src/front/cli/cli-table.ts';
import { makeDirectory } from './make-directory.ts';
import { requireProgram } from './required-program.ts';
import { skc } from './run-in-process.ts';

/** A directory with the completion script and two files to complete. */
async function setUp(shell: string): Promise<string> {
  const { stdout } = await skc(['completion', shell]);
  return makeDirectory({ script: stdout, 'my skill/SKILL.md': '', 'my-file': '' });
}

const run = (program: string, args: string[], cwd: string) =>
  execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: cwd, TERM: 'xterm' },
  });

/** What every shell must offer after these lines; flags and words in bytewise order. */
const common: Record<string, string[]> = {
  'skc va': ['validate'],
  'skc lint --p': ['--profile'],
  'skc lint --profile ': ['claude-code', 'registry', 'spec', 'strict', 'upload'],
  'skc lint --profile s': ['spec', 'strict'],
  'skc lint -p u': ['upload'],
  'skc lint --format s': ['sarif'],
  'skc validate --format ': ['json', 'text'],
  'skc completion ': ['bash', 'fish', 'zsh'],
  'skc init --te': ['--template'],
};

describe('bash', () => {
  const complete = async (line: string): Promise<string[]> => {
    const directory = await setUp('bash');
    const script = `source ./script
      eval "set -- $1"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _skc 2>/dev/null
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const words = line.endsWith(' ') ? `${line}''` : line.replaceAll('=', ' = ');
    const printed = run(
      'bash',
      ['-c', script, 'bash', words.endsWith('= ') ? words.trimEnd() : words],
      directory,
    );
    return printed.split('\n').filter(Boolean).toSorted();
  };

  test.each(Object.entries(common))('%s', async (line, offered) => {
    expect(await complete(line)).toEqual(offered);
  });

  test('commands, files with spaces, and values after an equals sign', async () => {
    expect(await complete('skc ')).toEqual([...cliNames, '--help', '--version'].toSorted());
    expect(await complete('skc lint m')).toEqual(['my skill', 'my-file']);
    expect(await complete('skc lint --profile=')).toEqual(common['skc lint --profile ']);
    expect(await complete('skc lint --profile=st')).toEqual(['strict']);
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
    'skc ': cliNames.toSorted(),
    'skc lint --profile=s': ['spec', 'strict'],
    'skc lint m': ['my skill', 'my-file'],
  };
  const helper = fileURLToPath(new URL('complete.zsh', import.meta.url));
  const printed = run('zsh', ['-f', helper, join(directory, 'script'), ...Object.keys(expected)], directory);
  const blocks = printed.split('<line>').slice(1);
  const offered = blocks.map((block) => {
    const words = [...block.matchAll(/<offer>(.*?)<\/offer>/g)].map(([, word]) => word!);
    return [block.slice(0, block.indexOf('</line>')), [...new Set(words)].toSorted()];
  });
  expect(Object.fromEntries(offered)).toEqual(expected);
});

test('fish', async (context) => {
  requireProgram(context, 'fish');
  const directory = await setUp('fish');
  const expected = {
    ...common,
    'skc ': cliNames.toSorted(),
    'skc -': ['--help', '--version'],
    'skc lint --profile=st': ['--profile=strict'],
    'skc lint m': ['my skill/', 'my-file'],
  };
  const lines = Object.keys(expected);
  const script = `source ./script; for line in $argv; echo "<line>$line"; complete -C $line; end`;
  const printed = run('fish', ['--no-config', '-c', script, ...lines], directory);
  const offered = printed
    .split('<line>')
    .slice(1)
    .map((block) => {
      const [line, ...rows] = block.split('\n');
      return [
        line!,
        rows
          .filter(Boolean)
          .map((row) => row.split('\t')[0]!.replaceAll('\\ ', ' '))
          .toSorted(),
      ];
    });
  expect(Object.fromEntries(offered)).toEqual(expected);
});
