import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../src/base/tokens/estimate-tokens.ts';
import { omitFields } from '../src/front/mcp/call-tool.ts';
import { loadTools } from '../src/front/mcp/load-tools.ts';
import { connect, eras, makePlace } from './mcp-client.ts';
import { requireProgram } from './required-program.ts';
import { skc } from './run-in-process.ts';

const manifest = (name: string, body: string) =>
  `---\nname: ${name}\ndescription: Fills in ${name}. Use when there are ${name}.\n---\n\n# ${name}\n\n${body}`;

const forms = {
  '.skillc/skills/forms/SKILL.md': manifest('forms', '## Steps\n\nRead the form.\n\n## Limits\n\nNone.\n'),
  '.skillc/skills/forms/references/fields.md':
    '# Fields\n\n## Checkbox\n\nTick it once.\n\n## Steps\n\nTwice.\n',
};

const textOf = (result: CallToolResult) => (result.content[0] as { text: string }).text;

describe('the list of tools', () => {
  test('is pinned', async () => {
    const tools = [...(await loadTools()).values()].map(({ definition }) => definition);
    await expect(`${JSON.stringify(tools, null, 2)}\n`).toMatchFileSnapshot('__snapshots__/mcp-tools.snap');
  });

  test('costs a model little', async () => {
    const tools = [...(await loadTools()).values()].map(({ definition }) => definition);
    const seen = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    expect(estimateTokens(JSON.stringify(seen))).toBeLessThan(2200);
    expect(estimateTokens(JSON.stringify(tools))).toBeLessThan(3800);
  });

  test('says what each does to the world', async () => {
    const tools = [...(await loadTools()).values()].map(({ definition }) => definition);
    const write = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };
    const annotations = Object.fromEntries(tools.map(({ name, annotations: hints }) => [name, hints]));
    expect(annotations.skc_show).toEqual({ readOnlyHint: true, openWorldHint: false });
    expect(annotations.skc_build).toEqual(write);
    expect(annotations.skc_init).toEqual(write);
    expect(annotations.skc_lint).toEqual({ readOnlyHint: true, openWorldHint: false });
    expect(annotations.skc_run).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    });
  });
});

describe.each(eras)('a client of %s', (era) => {
  test('finds, outlines and reads a skill that was never built', async () => {
    const { client } = await connect(makePlace(forms), { era });
    expect(client.getServerVersion()).toEqual({ name: 'skc', title: 'Skillwright', version: '0.1.0' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...(await loadTools()).keys()]);
    const call = async (name: string, args: Record<string, unknown>) => {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
      return { content, structuredContent, isError };
    };

    expect(await call('skc_search', { skill: 'forms', query: ['checkbox'] })).toEqual({
      content: [
        {
          type: 'text',
          text: '**Checkbox**  references/fields.md:3-6\n  Tick it once.\n  skc_show {"skill":"forms","section":["Checkbox"]}\n',
        },
      ],
      structuredContent: {
        query: 'checkbox',
        results: [{ file: 'references/fields.md', section: 'Checkbox', start_line: 3, end_line: 6 }],
      },
      isError: undefined,
    });
    expect(await call('skc_show', { skill: 'forms', section: ['Limits'] })).toEqual({
      content: [{ type: 'text', text: '## Limits\n\nNone.\n' }],
      structuredContent: {
        skill: 'forms',
        sections: [
          {
            file: 'SKILL.md',
            section: 'Limits',
            anchor: 'limits',
            level: 2,
            start_line: 12,
            end_line: 14,
            more_lines: 0,
          },
        ],
      },
      isError: undefined,
    });
    const outline = await call('skc_outline', { skill: 'forms', level: 1 });
    expect(textOf(outline as CallToolResult)).toBe('SKILL.md\n  # forms\nreferences/fields.md\n  # Fields\n');
  });

  test('is told of failures with their code', async () => {
    const { client } = await connect(makePlace(forms), { era });
    const call = async (name: string, args: Record<string, unknown>) => {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
      return { content, structuredContent, isError };
    };
    const failure = (
      code: string,
      message: string,
      rest: { help?: string; data?: unknown; text?: string } = {},
    ) => ({
      content: [{ type: 'text', text: `error[${code}]: ${message}\n${rest.text ?? ''}` }],
      structuredContent: { error: { code, message, help: rest.help ?? null, data: rest.data ?? null } },
      isError: true,
    });
    expect(await call('skc_show', { skill: 'forms', section: ['Limit'] })).toEqual(
      failure('E020', "section not found: 'Limit'", {
        data: { suggestions: [{ section: 'Limits', file: 'SKILL.md' }] },
        text: '\nDid you mean one of these?\n  - Limits (SKILL.md)\n',
      }),
    );
    expect(await call('skc_open', { skill: 'forms', path: '../../x' })).toEqual(
      failure('E012', "path escapes skill root: '../../x'"),
    );
    expect(await call('skc_show', { skill: 'forms' })).toMatchObject({
      structuredContent: { error: { code: 'E100' } },
      isError: true,
    });
    // Fields the server sets itself cannot be passed.
    expect(await call('skc_search', { skill: 'forms', query: ['x'], fresh: true })).toMatchObject({
      structuredContent: { error: { code: 'E100' } },
      isError: true,
    });
    await expect(client.callTool({ name: 'skc_clean', arguments: { skill: 'forms' } })).rejects.toMatchObject(
      {
        code: -32602,
        message: expect.stringContaining('skc_clean'),
      },
    );
  });
});

test('results and failures keep to the output schemas', async (context) => {
  requireProgram(context, 'bwrap');
  const files = { ...forms, '.skillc/skills/forms/scripts/hello.sh': 'echo hello\n' };
  const { client } = await connect(makePlace(files));
  const skill = 'forms';
  const calls: Record<string, Record<string, unknown>> = {
    skc_list: {},
    skc_find: { query: ['forms'] },
    skc_load: { skill },
    skc_quiz: { skill },
    skc_outline: { skill },
    skc_search: { skill, query: ['tick'] },
    skc_show: { skill, section: ['Limits'] },
    skc_open: { skill, path: 'SKILL.md' },
    skc_sources: { skill },
    skc_scripts: { skill },
    skc_run: { skill, script: 'hello.sh' },
    skc_tools: { skill },
    skc_lint: { paths: [skill] },
    skc_build: { skills: [skill] },
    skc_init: { name: 'fresh-one' },
    skc_stats: { skill },
  };
  const validator = new AjvJsonSchemaValidator();
  for (const { definition } of (await loadTools()).values()) {
    const isValid = validator.getValidator(definition.outputSchema as never);
    const given = calls[definition.name];
    expect(given, definition.name).toBeDefined();
    const good = await client.callTool({ name: definition.name, arguments: given });
    expect([definition.name, good.isError, isValid(good.structuredContent).valid]).toEqual([
      definition.name,
      undefined,
      true,
    ]);
    const bad = await client.callTool({ name: definition.name, arguments: { nonsense: 1 } });
    expect([definition.name, bad.isError, isValid(bad.structuredContent).valid]).toEqual([
      definition.name,
      true,
      true,
    ]);
    expect(isValid({}).valid, definition.name).toBe(false);
  }
});

test('a tool says what the command line says, and says it once', async () => {
  const { client } = await connect(makePlace(forms));
  const skill = 'forms';
  const table: [string, Record<string, unknown>, string[]][] = [
    ['skc_outline', { skill }, ['outline', skill]],
    ['skc_sources', { skill, pattern: '*.md' }, ['sources', skill, '--pattern', '*.md']],
    ['skc_open', { skill, path: 'SKILL.md', lines: '6-8' }, ['open', skill, 'SKILL.md', '--lines', '6-8']],
    ['skc_show', { skill, section: ['Checkbox'] }, ['show', skill, '--section', 'Checkbox', '--fresh']],
  ];
  const tools = await loadTools();
  for (const [name, args, words] of table) {
    const result = (await client.callTool({ name, arguments: args })) as CallToolResult;
    const printed = await skc(words, { files: forms });
    const json = await skc([...words, '--json'], { files: forms });
    const structure = omitFields(json.json(), tools.get(name)!.row.inText!);
    expect([name, textOf(result), result.structuredContent]).toEqual([name, printed.stdout, structure]);
  }
});

test('warnings follow the text, and are part of the structure', async () => {
  const { client } = await connect(makePlace(forms));
  const result = (await client.callTool({
    name: 'skc_show',
    arguments: { skill: 'forms', section: ['steps'] },
  })) as CallToolResult;
  expect(textOf(result)).toMatch(
    /^## Steps\n\nRead the form.\n\nwarning: multiple matches for "steps"; showing first\n/,
  );
  expect(result.structuredContent).toMatchObject({
    warnings: [{ code: 'W001', message: 'multiple matches for "steps"; showing first' }],
  });
});

test('a long file comes page by page', async () => {
  const line = (number: number) => `line ${number} ${'x'.repeat(90)}`;
  const long = Array.from({ length: 5000 }, (_, index) => `${line(index + 1)}\n`).join('');
  const { client } = await connect(makePlace({ ...forms, '.skillc/skills/forms/long.txt': long }));
  let read = '';
  let args: Record<string, unknown> | undefined = { skill: 'forms', path: 'long.txt' };
  while (args !== undefined) {
    const result = (await client.callTool({ name: 'skc_open', arguments: args })) as CallToolResult;
    const text = textOf(result);
    expect(estimateTokens(text)).toBeLessThan(8200);
    const { next } = result.structuredContent as { next?: string };
    read += text.replace(/\.\.\. \(\d+ more lines\)\nnext: .*\n$/, '');
    args = next === undefined ? undefined : JSON.parse(next.replace(/^skc_open /, ''));
    if (next !== undefined) expect(text.endsWith(`next: ${next}\n`)).toBe(true);
  }
  expect(read).toBe(long);
});

/** Follows the calls that results name for what comes next, and gives all texts. */
async function readOn(
  client: Awaited<ReturnType<typeof connect>>['client'],
  first: string,
): Promise<string[]> {
  const texts: string[] = [];
  for (let call: string | undefined = first; call !== undefined; ) {
    const [, name = '', args = ''] = /^(\w+) (.*)$/.exec(call) ?? [];
    const result = (await client.callTool({ name, arguments: JSON.parse(args) })) as CallToolResult;
    const text = textOf(result);
    expect([result.isError ?? false, text.length < 100_000, texts.length < 50]).toEqual([false, true, true]);
    call = /^next: (.*)$/m.exec(text)?.[1] ?? /Continue with (.*)\.\]/.exec(text)?.[1];
    texts.push(text.replace(/\.\.\. \(\d+ more lines\)\nnext: .*\n$/, '').replace(/\nnext: .*\n$/, ''));
  }
  return texts;
}

describe('what is too long for one result can be read to its end', () => {
  const lines = Array.from({ length: 5000 }, (_, number) => `line ${number} ${'x'.repeat(90)}\n`).join('');
  const long = 'ä'.repeat(200_000);

  test('a section', async () => {
    const files = { '.skillc/skills/forms/SKILL.md': manifest('forms', `## Long\n\n${lines}`) };
    const { client } = await connect(makePlace(files));
    const texts = await readOn(client, 'skc_show {"skill":"forms","section":["Long"]}');
    expect(texts.join('')).toBe(`## Long\n\n${lines}`);
  });

  test('a line', async () => {
    const files = { '.skillc/skills/forms/SKILL.md': manifest('forms', `## Long\n\n${long}\n`) };
    const { client } = await connect(makePlace({ ...files, '.skillc/skills/forms/long.txt': long }));
    const join = (texts: readonly string[]) => texts.map((text) => text.replace(/\n$/, '')).join('');
    const opened = await readOn(client, 'skc_open {"skill":"forms","path":"long.txt"}');
    expect(join(opened)).toBe(long);
    const shown = await readOn(client, 'skc_show {"skill":"forms","section":["Long"]}');
    expect(shown.join('').replaceAll('\n', '')).toBe(`## Long${long}`);
  });

  test('a skill', async () => {
    const files = { '.agents/skills/forms/SKILL.md': manifest('forms', lines) };
    const { client } = await connect(makePlace(files));
    const texts = await readOn(client, 'skc_load {"skill":"forms"}');
    const found = texts.join('\n').match(/^line \d+ x{90}$/gm);
    expect(`${found?.join('\n')}\n`).toBe(lines);
  });
});

test('edits are seen by the very next call', async () => {
  const place = makePlace(forms);
  const { client } = await connect(place);
  const skill = join(place.cwd, '.skillc/skills/forms');
  const show = async (section: string) => {
    const result = await client.callTool({
      name: 'skc_show',
      arguments: { skill: 'forms', section: [section] },
    });
    return textOf(result as CallToolResult);
  };
  expect(await show('Limits')).toBe('## Limits\n\nNone.\n');
  for (let round = 0; round < 20; round++) {
    const limits = `## Limits\n\n${`Round ${round}.\n`.repeat(round + 1)}`;
    writeFileSync(
      join(skill, 'SKILL.md'),
      manifest('forms', `${'Some text.\n\n'.repeat(round % 3)}${limits}`),
    );
    expect(await show('Limits')).toBe(limits);
  }
  writeFileSync(join(skill, 'new.md'), '# New\n\nHere.\n');
  expect(await show('New')).toBe('# New\n\nHere.\n');
  rmSync(join(skill, 'new.md'));
  expect(await show('New')).toMatch(/^error\[E020\]/);
  rmSync(skill, { recursive: true });
  expect(await show('Limits')).toMatch(/^error\[E023\]/);
  mkdirSync(skill);
  writeFileSync(join(skill, 'SKILL.md'), manifest('forms', '## Limits\n\nBack.\n'));
  expect(await show('Limits')).toBe('## Limits\n\nBack.\n');
});

test('many calls at once are answered each with its own', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `skill-${index}`);
  const files = names.map((name) => [
    `.skillc/skills/${name}/SKILL.md`,
    manifest(name, `## Steps\n\nOf ${name}.\n`),
  ]);
  const { client } = await connect(makePlace(Object.fromEntries(files)));
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const skill = names[index % names.length]!;
      const result = await client.callTool({ name: 'skc_show', arguments: { skill, section: ['Steps'] } });
      return textOf(result as CallToolResult);
    }),
  );
  expect(answers).toEqual(answers.map((_, index) => `## Steps\n\nOf ${names[index % names.length]}.\n`));
});

test('a cancelled call leaves the server as it was', async () => {
  const { client } = await connect(makePlace(forms));
  const cancelled = Array.from({ length: 20 }, () => {
    const controller = new AbortController();
    const call = client.callTool(
      { name: 'skc_lint', arguments: { paths: ['forms'] } },
      { signal: controller.signal },
    );
    controller.abort();
    return call;
  });
  for (const outcome of await Promise.allSettled(cancelled)) expect(outcome.status).toBe('rejected');
  const after = await client.callTool({
    name: 'skc_show',
    arguments: { skill: 'forms', section: ['Limits'] },
  });
  expect(textOf(after as CallToolResult)).toBe('## Limits\n\nNone.\n');
});
