import { expect, test } from 'vitest';
import { skc } from '../../../test/run-in-process.ts';

const place = '.agents/skills/demo/SKILL.md';
const skill = (body: string, more = '') =>
  `---\nname: demo\ndescription: Use when testing.\n${more}---\n${body}`;

test.each([
  ['empty', '', 'E011'],
  ['binary', Buffer.from([0, 1, 2, 255]), 'E015'],
  ['without a description', '---\nname: demo\n---\n', 'E011'],
])('a skill that is %s says why it cannot be loaded', async (_, text, code) => {
  const files = { '.git': { directory: true }, [place]: text } as const;
  const loaded = await skc(['load', './.agents/skills/demo'], { files });
  const built = await skc(['build', './.agents/skills/demo'], { files });
  expect([loaded.status, loaded.stderr.includes(`[${code}]`)]).toEqual([1, true]);
  expect(built.stderr.includes(`[${code}]`)).toBe(true);
});

test('a long body names the command for its next part, and the command works', async () => {
  const body = `${'x'.repeat(99)}\n`.repeat(3000);
  const files = { '.git': { directory: true }, [place]: skill(body) } as const;
  const first = await skc(['load', 'demo'], { files });
  const [, offset = ''] = /Continue with skc load demo --offset (\d+)\.\]/.exec(first.stdout) ?? [];
  expect(first.stdout).toContain(`these are bytes 0 to ${offset} of 299999`);
  const second = await skc(['load', 'demo', '--offset', offset], { files });
  const count = (text: string) => text.match(/^x{99}$/gm)?.length ?? 0;
  expect([count(first.stdout) + count(second.stdout), second.stdout.includes('Continue with')]).toEqual([
    3000,
    false,
  ]);
});

test('a repaired frontmatter and a broken hook are reported with the text', async () => {
  const hooks = 'hooks: {PreTolUse: [{hooks: [{type: command}]}]}\nargument-hint: [a] [b]\n';
  const files = { '.git': { directory: true }, [place]: skill('Body.', hooks) } as const;
  const { status, stdout, stderr } = await skc(['load', 'demo'], { files });
  expect([status, stdout.includes('\nBody.\n')]).toEqual([0, true]);
  expect(stderr.match(/W\d{3}/g)).toEqual(['W016', 'W017', 'W019']);
  expect(stderr).toContain("left out of skill 'demo': hooks.PreTolUse[0].hooks[0]: missing 'command'");
});

test('a heading of a megabyte is listed by its beginning, and can be shown', async () => {
  const files = {
    '.git': { directory: true },
    [place]: skill(`# ${'word '.repeat(200_000)}\n\nText.\n`),
  } as const;
  const { stdout } = await skc(['outline', 'demo'], { files });
  expect(stdout.length).toBeLessThan(1200);
  const section = stdout.split('\n')[1]!.trim();
  const shown = await skc(['show', 'demo', '--section', section, '--fresh', '--max-lines', '3'], { files });
  expect([shown.status, shown.stdout.endsWith('\n\nText.\n')]).toEqual([0, true]);
});

test('without skills nothing is loaded, and the error names the setting', async () => {
  const files = {
    '.git': { directory: true },
    [place]: skill('Body.'),
    '~/.skillc/config.toml': '[skills]\nenabled = false\n',
  } as const;
  const { status, stdout, stderr } = await skc(['load', 'demo'], { files });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /^warning\[W111\]: skills are switched off: skills\.enabled is false in .*config\.toml\n[\s\S]*error\[E060\]/,
  );
});

test('a directory that agents do not see yet names the build that changes this', async () => {
  const files = { 'my skill/SKILL.md': '---\nname: mine\ndescription: Use when mine.\n---\n# Mine\n' };
  const { dir, home, stderr } = await skc(['load', './my skill'], { files });
  expect(stderr).toBe(
    "error[E001]: skill '<cwd>/my skill' not found\nhelp: agents do not see it yet; run 'skc build './my skill'' first\n",
  );
  await skc(['build', './my skill'], { cwd: dir, home });
  expect((await skc(['load', './my skill'], { cwd: dir, home })).status).toBe(0);
});
