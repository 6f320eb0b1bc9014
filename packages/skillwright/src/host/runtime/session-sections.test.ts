// A host reads a skill section by section, and a large skill comes as a stub.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Tree } from '../../../test/make-directory.ts';
import { makeWorld, skillText, type World } from '../../../test/make-world.ts';
import { rowsInCache } from '../../../test/rows-in.ts';
import { bindTools } from '../adapters/bind-tools.ts';
import { createSession } from './create-session.ts';
import type { SessionOptions } from './session.ts';

const parts = Array.from(
  { length: 40 },
  (_, number) => `## Part ${number}\n\n${`Turn row ${number} into a table. `.repeat(60)}\n`,
);
const files: Tree = {
  '.agents/skills/big/SKILL.md': skillText('big', `# Big\n\nCheck the form first.\n\n${parts.join('\n')}`),
  '.agents/skills/big/forms.md':
    '# Forms\n\n## Fields\n\nFill every field.\n\n## Part 3\n\nAnother third part.\n',
  '.agents/skills/big/fill.py': 'print("fill a form")\n',
  '.agents/skills/small/SKILL.md': skillText('small', '# Small\n\nShort.\n'),
};

async function open(options: Partial<SessionOptions> = {}, tree: Tree = files) {
  const world = makeWorld(tree);
  const { project: cwd, home } = world;
  const discovery = { cache: false as const };
  const session = await createSession({ cwd, home, env: {}, trust: true, discovery, ...options });
  const tools = await bindTools(session);
  const run = (name: string, input: unknown) => tools.find((tool) => tool.name === name)!.run(input);
  const path = join(cwd, '.agents/skills/big/SKILL.md');
  return { world, session, run, path };
}

describe('a skill over the budget', () => {
  test('is loaded as a stub with the calls for the rest', async () => {
    const { session, run, path } = await open();
    const { status, text, next_offset, truncated } = await session.load({ name: 'big' });
    expect([status, next_offset, truncated]).toEqual(['stub', 0, true]);
    expect(text.length).toBeLessThan(4000);
    expect(text).toContain(
      'It begins:\n# Big\n\nCheck the form first.\n\nSections, by file:\nSKILL.md\n  # Big\n  ## Part 0\n',
    );
    expect(text).toContain('forms.md\n  # Forms\n  ## Fields\n');
    for (const call of [
      `skill_section ${JSON.stringify({ path, section: '<heading>' })}`,
      `skill_find_in ${JSON.stringify({ path, query: '<words>' })}`,
      `the whole text, in parts: skill_load ${JSON.stringify({ path, offset: 0 })}`,
    ])
      expect(text).toContain(`- ${call}\n`);
    expect((await session.load({ name: 'big' })).status).toBe('already-loaded');
    expect(await run('skill_load', { name: 'big', offset: 0 })).toContain('Turn row 39 into a table.');
    // The model has the text now.
    expect((await session.load({ name: 'big' }, { offset: 0 })).status).toBe('already-loaded');
  });

  test('is a stub until it fits the budget of the host, and for a user it is the text', async () => {
    const whole = await open({ loadBudget: 100_000 });
    expect((await whole.session.load({ name: 'big' })).status).toBe('loaded');
    const { session } = await open({ loadBudget: 1 });
    expect((await session.load({ name: 'small' })).status).toBe('stub');
    expect((await session.load({ name: 'big' }, { by: 'user' })).status).toBe('loaded');
  });

  test('is a stub in tier 2 of a provider that asks for stubs', async () => {
    const { session } = await open({ log: true });
    const whole = await (await session.provider()).getTier2Context('big');
    const stubs = await session.provider({ stubs: true });
    expect(whole).toContain('Turn row 39 into a table.');
    expect(await stubs.getTier2Context('big')).toBe((await session.load({ name: 'big' })).text);
    expect(await stubs.getTier2Context('small')).toContain('# Small\n\nShort.');
  });

  test('stays a stub in a resumed session', async () => {
    const { session, world } = await open();
    await session.load({ name: 'big' });
    const saved = JSON.parse(JSON.stringify(await session.save()));
    const { project: cwd, home } = world;
    const next = await createSession({ cwd, home, env: {}, trust: true, discovery: { cache: false } });
    await next.resume(saved);
    expect((await next.load({ name: 'big' })).status).toBe('already-loaded');
    expect((await next.load({ name: 'big' }, { offset: 0 })).status).toBe('loaded');
  });
});

describe('section by section', () => {
  test('the outline lists headings by file, within the budget', async () => {
    const { session, run, path } = await open();
    const outline = await session.outline({ name: 'big', file: 'forms.md' });
    expect(outline.headings.map(({ section, level, start_line }) => [section, level, start_line])).toEqual([
      ['Forms', 1, 1],
      ['Fields', 2, 3],
      ['Part 3', 2, 7],
    ]);
    const little = await session.outline({ name: 'big', budget: 150 });
    expect(little.headings.length).toBeLessThan(little.total);
    expect(little.left_out[0]).toEqual({ file: 'SKILL.md', headings: expect.any(Number) });
    expect(await run('skill_outline', { path, level: 1 })).toBe('SKILL.md\n  # Big\nforms.md\n  # Forms');
  });

  test('a section is found by heading, by anchor and by file', async () => {
    const { run } = await open();
    const fields = '[forms.md, lines 3 to 6]\n## Fields\n\nFill every field.';
    for (const section of ['Fields', 'fields', '#fields', 'Fields — forms.md'])
      expect(await run('skill_section', { name: 'big', section })).toBe(fields);
    expect(await run('skill_section', { name: 'big', section: 'Part 3', file: 'forms.md' })).toContain(
      'third',
    );
  });

  test('several sections of one name are named, each with its call', async () => {
    const { run, path } = await open();
    const other = `skill_section ${JSON.stringify({ path, section: 'Part 3', file: 'forms.md' })}`;
    expect(await run('skill_section', { name: 'big', section: 'Part 3' })).toContain(
      `[Other sections of this name:]\n${other}`,
    );
  });

  test('a long section comes in parts', async () => {
    const { session } = await open();
    const parts: string[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const part = await session.section({ name: 'big', section: 'Fields', offset, limit: 12 });
      parts.push(part.content);
      offset = part.next_offset;
    }
    expect(parts).toEqual(['## Fields\n\n', 'Fill every f', 'ield.\n\n']);
  });

  test('a search finds the section and says how to read it', async () => {
    const { run, path } = await open();
    const found = await run('skill_find_in', { name: 'big', query: 'filling fields' });
    expect(found.split('\n').slice(0, 3)).toEqual([
      'Fields  forms.md:3-6',
      '  **Fill** every **field**.',
      `  skill_section ${JSON.stringify({ path, section: 'Fields' })}`,
    ]);
    expect(await run('skill_find_in', { name: 'big', query: 'print' })).toContain(
      `skill_read ${JSON.stringify({ path, file: 'fill.py', offset: 0 })}`,
    );
  });

  test('an edit is seen at once', async () => {
    const { session, world } = await open();
    await session.section({ name: 'big', section: 'Fields' });
    world.write({ '.agents/skills/big/forms.md': '# Forms\n\n## Boxes\n\nTick a box.\n' });
    expect((await session.section({ name: 'big', section: 'Boxes' })).content).toBe(
      '## Boxes\n\nTick a box.\n',
    );
    await expect(session.section({ name: 'big', section: 'Fields' })).rejects.toMatchObject({ code: 'E020' });
  });

  test.each([
    ['skill_section', { section: 'Field' }, "error[E020]: section not found: 'Field'"],
    ['skill_section', { section: 'xyzzy' }, 'help: list the headings with skill_outline'],
    ['skill_outline', { file: 'FORMS.md' }, 'help: did you mean forms.md?'],
    ['skill_read', { file: 'FORMS.md' }, 'help: did you mean forms.md?'],
    ['skill_find_in', { query: ' ' }, 'error[E004]: empty query'],
    ['skill_read', { file: 'forms.md', section: 'Fields' }, "error[E100]: unknown field 'section'"],
    ['skill_load', { whole: true }, "error[E100]: unknown field 'whole'"],
  ])('%s %j is refused: %s', async (tool, input, line) => {
    const { run } = await open();
    expect(await run(tool, { name: 'big', ...input })).toContain(line);
  });

  test('nothing is written into the project', async () => {
    const { session, world } = await open();
    const inProject = () => readdirSync(world.project, { recursive: true }).sort();
    const before = inProject();
    await session.findIn({ name: 'big', query: 'field' });
    expect(inProject()).toEqual(before);
    expect(existsSync(join(world.home, '.skillc/cache/reading'))).toBe(true);
  });

  test('each read is a row of the access log', async () => {
    const { session, world } = await open({ log: true });
    await session.outline({ name: 'big' });
    await session.section({ name: 'big', section: 'Fields' });
    await session.findIn({ name: 'big', query: 'field' });
    expect(rows(world)).toEqual([
      { command: 'outline', args: { name: 'big' } },
      {
        command: 'show',
        args: {
          name: 'big',
          section: 'Fields',
          sections: [{ file: 'forms.md', section: 'Fields' }],
          read: [{ file: 'forms.md', section: 'Fields', anchor: 'fields', lines: 4, asked: 1 }],
        },
      },
      { command: 'search', args: { name: 'big', query: 'field', results: 1 } },
    ]);
  });
});

const rows = ({ home }: World) =>
  rowsInCache(home, 'big').map(({ command, args }) => ({
    command,
    args: JSON.parse(String(args)),
  }));
