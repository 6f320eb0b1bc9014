import { createHash } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { expect, onTestFinished, test } from 'vitest';
import { createReader } from './create-reader.ts';
import { insertSkill, type TestSkill } from './insert-skill.ts';
import { onBothDatabases, type TestRegistry } from './open-test-registry.ts';

const guide: TestSkill = {
  name: 'pdf-forms',
  description: 'Fills forms in PDF files.',
  body: '\n# PDF forms\n\n## Filling\n\nCall fill() with a mapping.\n',
  files: { 'references/fields.md': '# Fields\n\n## Checkboxes\n\nUse the value Yes.\n' },
};

const eras = ['2025-11-25', '2026-07-28'] as const;

async function connect(
  { app }: TestRegistry,
  {
    headers = {},
    era = '2026-07-28',
  }: { headers?: Record<string, string>; era?: (typeof eras)[number] } = {},
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: era === '2025-11-25' ? 'legacy' : 'auto' } },
  );
  onTestFinished(() => client.close());
  const transport = new StreamableHTTPClientTransport(new URL('http://registry.test/mcp'), {
    fetch: async (url, init) => app.fetch(new Request(url, init)),
    requestInit: { headers },
  });
  await client.connect(transport);
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: args });
  const [content] = result.content as { text: string }[];
  return { text: content!.text, isError: result.isError === true, structure: result.structuredContent };
}

const entry = (uri: string, text: string) => ({
  uri,
  digest: `sha256:${createHash('sha256').update(text).digest('hex')}`,
  size: Buffer.byteLength(text),
});

onBothDatabases('the MCP server', (open) => {
  for (const era of eras)
    test(`finds and reads skills section by section (${era})`, async (context) => {
      const made = await open(context);
      await insertSkill(made.registry, guide);
      const client = await connect(made, { era });
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual([
        'skc_find',
        'skc_outline',
        'skc_show',
        'skc_search',
        'skc_open',
        'skc_sources',
      ]);
      expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
      expect((await call(client, 'skc_find', { query: 'fill a form' })).text).toBe(
        '@acme/pdf-forms  1.0.0, community\n  Fills forms in PDF files.\n',
      );
      const skill = '@acme/pdf-forms';
      expect((await call(client, 'skc_outline', { skill })).text).toContain('## Filling');
      expect((await call(client, 'skc_show', { skill, section: ['Filling'] })).text).toBe(
        '## Filling\n\nCall fill() with a mapping.\n',
      );
      const found = await call(client, 'skc_search', { skill, query: ['value yes'] });
      expect(found.text).toContain('skc_show {"skill":"@acme/pdf-forms","section":["Checkboxes"]}');
      expect((await call(client, 'skc_open', { skill, path: 'references/fields.md', lines: '3' })).text).toBe(
        '## Checkboxes\n',
      );
      expect(JSON.stringify(await call(client, 'skc_sources', { skill }))).not.toContain(made.data);
    });

  test('serves the skills extension, and files with the digests it lists', async (context) => {
    const made = await open(context);
    await insertSkill(made.registry, guide);
    await insertSkill(made.registry, { name: 'hidden', visibility: 'private' });
    const client = await connect(made);
    const skills = new SkillsClient(client);
    const listed = await skills.list();
    const text = `---\nname: pdf-forms\ndescription: "Fills forms in PDF files."\n---\n${guide.body}`;
    const expected = {
      uri: 'skill://acme/pdf-forms/SKILL.md',
      frontmatter: { name: 'pdf-forms', description: 'Fills forms in PDF files.' },
      resources: [
        entry('skill://acme/pdf-forms/SKILL.md', text),
        entry('skill://acme/pdf-forms/references/fields.md', guide.files!['references/fields.md']!),
      ],
    };
    expect(listed).toMatchObject({ skills: [expected] });
    expect(await skills.get(expected.uri)).toMatchObject({ skill: expected });
    const read = async (uri: string) =>
      ((await client.readResource({ uri })).contents[0] as { text: string }).text;
    expect(await read(expected.uri)).toBe(text);
    expect(await read('skill://acme/@1.0.0/pdf-forms/SKILL.md')).toBe(text);
    expect(await read('skill://acme/pdf-forms/references/fields.md#checkboxes')).toBe(
      '## Checkboxes\n\nUse the value Yes.\n',
    );
    for (const uri of [
      'skill://acme/hidden/SKILL.md',
      'skill://acme/pdf-forms/..%2f..%2fready',
      'skill://acme/pdf-forms/missing.md',
      'skill://nobody/nothing/SKILL.md',
    ])
      await expect(client.readResource({ uri })).rejects.toThrow();
    await expect(skills.get('skill://acme/hidden/SKILL.md')).rejects.toThrow();
  });

  test('shows each caller what the caller may see', async (context) => {
    const made = await open(context);
    const { registry } = made;
    const { ownerId } = await insertSkill(registry, { ...guide, visibility: 'private' });
    await insertSkill(registry, { name: 'open-guide', owner: 'zed' });
    const reader = await createReader(registry, { account: 'rita', ownerId });
    const stranger = await connect(made);
    const member = await connect(made, { headers: reader });
    const names = async (client: Client) => {
      const { skills } = await new SkillsClient(client).list();
      return skills.map(({ uri }) => uri);
    };
    expect(await names(stranger)).toEqual(['skill://zed/open-guide/SKILL.md']);
    expect(await names(member)).toEqual([
      'skill://acme/pdf-forms/SKILL.md',
      'skill://zed/open-guide/SKILL.md',
    ]);
    const refused = await call(stranger, 'skc_outline', { skill: '@acme/pdf-forms' });
    expect(refused).toEqual(await call(stranger, 'skc_outline', { skill: '@acme/nothing' }));
    expect(refused.isError).toBe(true);
    expect((await call(stranger, 'skc_find', { query: 'pdf-forms' })).text).toBe(
      'no skill matches "pdf-forms"\n',
    );
    expect((await call(member, 'skc_outline', { skill: '@acme/pdf-forms' })).isError).toBe(false);
  });

  test('keeps a quiz closed', async (context) => {
    const made = await open(context);
    await insertSkill(made.registry, {
      name: 'guarded',
      frontmatter:
        'quiz:\n  - gate: true\n    questions:\n      - question: Which colour?\n        options:\n          - label: Vermilion\n            correct: true\n          - label: Cyan\n',
      body: '\n# Secret steps\n\nThe hidden sentence.\n',
    });
    const client = await connect(made);
    const skill = '@acme/guarded';
    const answers = [
      await call(client, 'skc_outline', { skill }),
      await call(client, 'skc_show', { skill, section: ['Secret steps'] }),
      await call(client, 'skc_show', { skill, section: ['Secret steps'], author: true }),
      await call(client, 'skc_search', { skill, query: ['hidden'] }),
      await call(client, 'skc_open', { skill, path: 'SKILL.md' }),
      await new SkillsClient(client).list(),
      await client.readResource({ uri: 'skill://acme/guarded/SKILL.md' }).catch(String),
    ];
    expect(JSON.stringify(answers)).not.toMatch(/Vermilion|hidden sentence|skc_quiz|skc quiz|correct/);
    expect(answers[1]).toMatchObject({ isError: true });
    expect((answers[0] as { text: string }).text).toContain('install the skill to take its quiz');
  });

  test('asks callers to sign in when there is nothing for strangers, and says where', async (context) => {
    const made = await open(context);
    const { registry, app } = made;
    const post = (headers: Record<string, string> = {}) =>
      app.request('/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
    const challenge = 'Bearer resource_metadata="http://registry.test/.well-known/oauth-protected-resource"';
    const look = async (response: Response | Promise<Response>) => {
      const { status, headers } = await response;
      return [status, headers.get('www-authenticate')];
    };
    const { ownerId } = await insertSkill(registry, { ...guide, visibility: 'private' });
    expect(await look(post())).toEqual([401, challenge]);
    expect(await look(post({ authorization: 'Bearer skwr_wrong' }))).toEqual([401, challenge]);
    const reader = await createReader(registry, { account: 'rita', ownerId });
    expect(await look(post(reader))).toEqual([200, null]);
    expect(await (await app.request('/.well-known/oauth-protected-resource')).json()).toEqual({
      resource: 'http://registry.test/mcp',
      authorization_servers: ['http://registry.test'],
      bearer_methods_supported: ['header'],
      scopes_supported: ['read'],
      resource_name: 'Skillwright registry',
    });
    await insertSkill(registry, { name: 'open-guide' });
    expect(await look(post())).toEqual([200, null]);
    expect((await post({ origin: 'http://evil.test' })).status).toBe(403);
    expect((await post({ origin: 'http://registry.test' })).status).toBe(200);
  });

  test('a setting closes it for strangers', async (context) => {
    const made = await open(context, { anonymousMcp: false });
    await insertSkill(made.registry, guide);
    await expect(connect(made)).rejects.toThrow();
  });
});
