import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, type TestContext, test, vi } from 'vitest';
import { builtSkc, hasNative } from './built-package.ts';
import { makeWorld, skillText } from './make-world.ts';
import { skcScript } from './skc-program.ts';
import { openSession, type SessionOptions } from './terminal-session.ts';

const ways = [
  ...(hasNative ? [['the executable', `'${builtSkc}'`] as const] : []),
  ['the JavaScript on Node', `'${process.execPath}' '${skcScript}'`] as const,
];

const skills = {
  '.agents/skills/release-notes/SKILL.md': skillText(
    'release-notes',
    '# Release notes\n\n## Collect\n\n## Write\n',
    'Drafts release notes from commits.',
  ),
  '.agents/skills/日本語/SKILL.md': skillText('日本語', '# 手順\n', '😀 文書を要約します。'),
  '.agents/skills/plain/SKILL.md': skillText('plain', '# Plain\n', 'Evil \u001b[31m\u202e text.'),
  '~/.claude/skills/git/SKILL.md': skillText('git', '# Git\n', 'Works with git.'),
};

/** A project with skills, and a terminal in it. `skc` is a function of its shell that keeps the process's number. */
function open(context: TestContext, command: string, more: Partial<SessionOptions> = {}) {
  const world = makeWorld(skills);
  const { env, ...size } = more;
  const terminal = openSession(context, {
    cwd: world.project,
    env: { SKC_HOME: world.home, SKC_NO_LOG: '1', ...env },
    ...size,
  });
  const pidFile = join(world.root, 'pid');
  terminal.type(
    `skc() { bash -c 'echo $$ > ${pidFile}; exec ${command.replaceAll("'", '"')} "$@"' skc "$@"; }`,
  );
  terminal.press('Enter');
  return {
    ...terminal,
    run(line: string) {
      terminal.type(`clear; stty -g > before; ${line}; echo "status=$?"; stty -g > after`);
      terminal.press('Enter');
    },
    /** Waits for the shell, and checks that it has its terminal back. */
    async ended() {
      const text = await terminal.shows(/status=\d+\n(.*\n)*READY>\n/);
      expect(terminal.modes()).toBe('1 0 1');
      expect(world.read('after')).toBe(world.read('before'));
      return text.trimEnd();
    },
    pid: () => Number(readFileSync(pidFile, 'utf8')),
    state: (at = '') => JSON.parse(world.read(`${at}.skillc/state.json`)).disabled as string[],
  };
}

describe.each(ways)('%s', (_, command) => {
  test('search, switch, print', async (context) => {
    const terminal = open(context, command);
    terminal.run('skc skills');
    const first = await terminal.shows(/> \[x\] plain[\s\S]*│ {3}Plain/);
    expect(first).toContain(
      ' 4 skills                                         [all] project  user  bundled\n',
    );
    expect(first).toContain('Evil \\u001b[31m\\u202e text.');
    expect(first).toContain('   [x] 日本語               project │');
    expect(terminal.modes()).toBe('1 1 0');

    terminal.type('release no');
    expect(await terminal.shows('│     Write')).toMatch(
      /^ 1 of 4 skills .*\n \/ release no\n\n > \[x\] release-notes /,
    );
    terminal.press('Down', 'Space');
    expect(await terminal.shows('> [ ] release-notes')).toContain('release-notes is off in this project');
    expect(terminal.state()).toEqual(['release-notes']);
    terminal.press('Space');
    await terminal.shows('> [x] release-notes');
    expect(terminal.state()).toEqual([]);

    terminal.press('C-u', 'Tab', 'Tab');
    expect(await terminal.shows('> [x] git')).toContain(' all  project [user] bundled');
    terminal.press('C-t');
    expect(await terminal.shows('> [ ] git')).toContain('git is off for all your projects');
    expect([terminal.state(), terminal.state('~/')]).toEqual([[], ['git']]);
    terminal.press('C-t');
    await terminal.shows('> [x] git');
    expect(terminal.state('~/')).toEqual([]);
    terminal.press('Enter');
    expect(await terminal.ended()).toBe('$git\nstatus=0\nREADY>');
  });

  test('prints the path', async (context) => {
    const terminal = open(context, command, { columns: 200 });
    terminal.run('skc skills git');
    await terminal.shows('> [x] git');
    terminal.press('C-o');
    expect(await terminal.ended()).toMatch(
      /^\/\S+\/home\/\.claude\/skills\/git\/SKILL\.md\nstatus=0\nREADY>$/,
    );
  });

  test('follows the window', async (context) => {
    const terminal = open(context, command);
    terminal.run('skc skills');
    await terminal.shows('> [x] plain');
    terminal.resize(40, 10);
    const small = await terminal.shows('─'.repeat(40));
    expect(small.split('\n').slice(0, 3)).toEqual([
      ' 4 skills [all] project  user  bundled',
      ' / type to search',
      ' > [x] plain                    project',
    ]);
    terminal.resize(20, 4);
    await terminal.shows(/^ \/ type to search\n > \[x\] plain\n/);
    terminal.resize(120, 30);
    await terminal.shows(/\[all\] project {2}user {2}bundled\n \/ type to search\n\n > \[x\] plain {30}/);
    terminal.press('Escape');
    expect(await terminal.ended()).toBe('status=130\nREADY>');
  });

  test('Ctrl-C leaves the terminal as it was', async (context) => {
    const terminal = open(context, command);
    terminal.run('skc skills');
    await terminal.shows('> [x] plain');
    terminal.press('C-c');
    expect(await terminal.ended()).toBe('status=130\nREADY>');
  });

  for (const [signal, status] of [
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)
    test(`so does ${signal}`, async (context) => {
      const terminal = open(context, command);
      terminal.run('skc skills');
      await terminal.shows('> [x] plain');
      process.kill(terminal.pid(), signal);
      expect(await terminal.ended()).toMatch(new RegExp(`status=${status}\\nREADY>$`));
    });

  test('a window that is closed ends it', async (context) => {
    const terminal = open(context, command);
    terminal.run('skc skills');
    await terminal.shows('> [x] plain');
    const pid = terminal.pid();
    terminal.hangUp();
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), 60_000);
  });

  test('pasted text is text', async (context) => {
    const terminal = open(context, command);
    terminal.run('skc skills');
    await terminal.shows('> [x] plain');
    terminal.paste(' notes\nfrom commits ');
    await terminal.shows(/\n \/ notes from commits\n\n > \[x\] release-notes/);
    terminal.press('C-c');
    await terminal.ended();
  });

  for (const [surroundings, line] of [
    ['a variable for its output', 'x=$(skc skills gi); echo "[$x]"'],
    ['a pipe on both sides', 'echo input | skc skills gi | sed "s/.*/[&]/"'],
    ['no input', 'skc skills gi < /dev/null | sed "s/.*/[&]/"'],
  ] as const)
    test(`with ${surroundings} it opens all the same`, async (context) => {
      const terminal = open(context, command);
      terminal.run(line);
      await terminal.shows('> [x] git');
      expect(terminal.modes()).toBe('1 1 0');
      terminal.resize(60, 12);
      await terminal.shows('─'.repeat(60));
      terminal.press('Enter');
      expect(await terminal.ended()).toBe('[$git]\nstatus=0\nREADY>');
    });

  test('Escape leaves a variable empty, with a status to ask for', async (context) => {
    const terminal = open(context, command);
    terminal.run('x=$(skc skills) || echo "left [$x]"');
    await terminal.shows('> [x] plain');
    // The job is the shell's own: a stop would hang it.
    terminal.press('C-z');
    await terminal.shows('cannot suspend here');
    terminal.press('Escape');
    expect(await terminal.ended()).toBe('left []\nstatus=0\nREADY>');
  });

  test('Enter where nothing matches is an error', async (context) => {
    const terminal = open(context, command);
    terminal.run('skc skills');
    await terminal.shows('> [x] plain');
    terminal.type('xyz');
    await terminal.shows('no skill matches');
    terminal.press('Enter');
    expect(await terminal.ended()).toMatch(
      /^error\[E101\]: no skill matches 'xyz'\n(.*\n)*status=1\nREADY>$/,
    );
  });

  test('Ctrl-Z gives the terminal to the shell, fg takes it again', async (context) => {
    const terminal = open(context, command);
    terminal.run('skc skills');
    await terminal.shows('> [x] plain');
    terminal.type('gi');
    await terminal.shows('> [x] git');
    terminal.press('C-z');
    expect(await terminal.ended()).toMatch(/Stopped[\s\S]*status=148\nREADY>$/);
    terminal.resize(60, 12);
    terminal.run('fg');
    await terminal.shows(/\n \/ gi\n > \[x\] git/);
    expect(terminal.modes()).toBe('1 1 0');
    terminal.press('BSpace', 'BSpace');
    await terminal.shows('> [x] plain');
    terminal.press('C-c');
    expect(await terminal.ended()).toMatch(/status=130\nREADY>$/);
  });

  test('so does SIGTSTP', async (context) => {
    const terminal = open(context, command);
    terminal.run('skc skills');
    await terminal.shows('> [x] plain');
    process.kill(terminal.pid(), 'SIGTSTP');
    expect(await terminal.ended()).toMatch(/Stopped[\s\S]*status=148\nREADY>$/);
    terminal.run('fg');
    await terminal.shows('> [x] plain');
    terminal.press('Enter');
    expect(await terminal.ended()).toMatch(/\n\$plain\nstatus=0\nREADY>$/);
  });

  test('of two skills with one name, the one under the cursor is meant', async (context) => {
    const terminal = open(context, command, { columns: 160 });
    terminal.run(
      'mkdir -p .claude/skills && cp -r ~+/.agents/skills/plain .claude/skills/; skc skills plain',
    );
    await terminal.shows(/> \[x\] plain \.agents[\s\S]* {3}\[x\] plain \.claude/);
    terminal.press('Down', 'Space');
    await terminal.shows(/ {3}\[x\] plain \.agents[\s\S]*> \[ \] plain \.claude/);
    expect(terminal.state()).toEqual(['./.claude/skills/plain']);
    terminal.press('Up', 'Enter');
    // skc did not put the copy there, so it says who still reads it and which command would change that.
    expect((await terminal.ended())?.replaceAll(/\/\S+\/project\//g, 'project/')).toBe(
      [
        'claude still sees plain in project/.claude/skills/plain',
        '  skc build project/.claude/skills/plain --import',
        'project/.agents/skills/plain/SKILL.md',
        'status=0',
        'READY>',
      ].join('\n'),
    );
  });

  test('NO_COLOR', async (context) => {
    const terminal = open(context, command, { env: { NO_COLOR: '1' } });
    terminal.run('skc skills');
    await terminal.shows('> [x] plain');
    expect(terminal.screen({ styled: true })).not.toContain('\u001b');
    terminal.press('C-c');
    await terminal.ended();
  });

  for (const [surroundings, line] of [
    ['a format', 'skc skills git --format text'],
    ['nobody to read its messages', 'skc skills git 2> /dev/null | cat'],
    ['a terminal that can do nothing', 'TERM=dumb skc skills git'],
  ] as const)
    test(`with ${surroundings} it prints a table`, async (context) => {
      const terminal = open(context, command);
      terminal.run(line);
      expect(await terminal.ended()).toBe(
        [
          'NAME  SCOPE  STATE  DESCRIPTION      WHERE',
          'git   user   on     Works with git.  ~/.claude/skills/git',
          'status=0',
          'READY>',
        ].join('\n'),
      );
    });
});
