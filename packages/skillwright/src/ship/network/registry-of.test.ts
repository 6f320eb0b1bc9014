import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { workspaceAt } from '../../../test/open-workspace.ts';
import { confirmingCommand, type RegistryWish, registryAt, registryOf } from './registry-of.ts';

const [ours, theirs] = [
  `ours.example+1234abcd+${'A'.repeat(44)}`,
  `theirs.example+1234abcd+${'B'.repeat(44)}`,
];
const own = `[registry]\nurl = "https://ours.example"\nkey = "${ours}"\n`;
const scoped = '[registries.acme]\nurl = "https://acme.example"\n';

const open = (files: { user?: string; project?: string }, env: Record<string, string> = {}) => {
  const root = makeDirectory({
    'work/.skillc': { directory: true },
    home: { directory: true },
    ...(files.user === undefined ? {} : { 'home/.skillc/config.toml': files.user }),
    ...(files.project === undefined ? {} : { 'work/.skillc/config.toml': files.project }),
  });
  return workspaceAt({ cwd: join(root, 'work'), home: join(root, 'home') }, { env });
};

const users = { isUsers: true, isConfirmed: true };
const projects = { isUsers: false, isConfirmed: false };

test.each<[string, Parameters<typeof open>, unknown, unknown]>([
  ['nothing is configured', [{}], undefined, undefined],
  [
    'one registry for all',
    [{ user: own }],
    { url: 'https://ours.example/', key: ours, ...users },
    { url: 'https://ours.example/', key: ours, ...users },
  ],
  [
    "an owner's own registry, which has no key",
    [{ user: own + scoped }],
    { url: 'https://ours.example/', key: ours, ...users },
    { url: 'https://acme.example/', key: undefined, ...users },
  ],
  [
    'from the environment',
    [{ user: own }, { SKC_REGISTRIES_ACME_URL: 'https://env.example', SKC_REGISTRIES_ACME_KEY: theirs }],
    { url: 'https://ours.example/', key: ours, ...users },
    { url: 'https://env.example/', key: theirs, ...users },
  ],
  [
    'a project redirects an owner',
    [{ user: own, project: scoped }],
    { url: 'https://ours.example/', key: ours, ...users },
    { url: 'https://acme.example/', key: undefined, ...projects },
  ],
  [
    'a project redirects an owner to a registry that the user chose for others',
    [{ user: own + scoped, project: '[registries.acme]\nurl = "https://ours.example"\n' }],
    { url: 'https://ours.example/', key: ours, ...users },
    { url: 'https://ours.example/', key: ours, isUsers: true, isConfirmed: false },
  ],
  [
    'a project names a trusted registry',
    [{ user: `${own}trusted = ["https://acme.example"]\n`, project: scoped }],
    { url: 'https://ours.example/', key: ours, ...users },
    { url: 'https://acme.example/', key: undefined, isUsers: false, isConfirmed: true },
  ],
  [
    "the user's choice for an owner outranks trusted registries",
    [
      {
        user: `${own}trusted = ["https://t.example"]\n${scoped}`,
        project: '[registries.acme]\nurl = "https://t.example"\n',
      },
    ],
    { url: 'https://ours.example/', key: ours, ...users },
    { url: 'https://t.example/', key: undefined, ...projects },
  ],
  [
    "a project cannot replace the user's key, nor use it for another address",
    [
      {
        user: own,
        project: `[registry]\nkey = "${theirs}"\n[registries.acme]\nurl = "https://acme.example"\n`,
      },
    ],
    { url: 'https://ours.example/', key: ours, ...users },
    { url: 'https://acme.example/', key: undefined, ...projects },
  ],
  [
    'a project pins the key of its own registry',
    [{ user: own, project: `${scoped}key = "${theirs}"\n` }],
    { url: 'https://ours.example/', key: ours, ...users },
    { url: 'https://acme.example/', key: theirs, ...projects },
  ],
])('%s', async (_, world, byDefault, ofAcme) => {
  const workspace = open(...world);
  const facts = async (wish: RegistryWish) => {
    const { mayBeTrusted: _, ...chosen } = (await registryOf(wish, workspace)) ?? {};
    return 'url' in chosen ? chosen : undefined;
  };
  expect(await facts({})).toEqual(byDefault);
  expect(await facts({ owner: 'acme' })).toEqual(ofAcme);
});

test("in the user's scope a project does not count", async () => {
  const workspace = open({ user: own, project: scoped });
  const found = await registryOf({ owner: 'acme', scope: 'user' }, workspace);
  expect(found).toMatchObject({ url: 'https://ours.example/', key: ours, ...users });
});

test('an address from a lock', async () => {
  const workspace = open({ user: own + scoped });
  const at = (url: string, owner: string) => registryAt({ url, owner }, workspace);
  expect(await at('https://acme.example', 'acme')).toMatchObject({ url: 'https://acme.example/', ...users });
  expect(await at('https://ours.example', 'acme')).toMatchObject({
    url: 'https://ours.example/',
    key: ours,
    isUsers: true,
    isConfirmed: false,
  });
  expect(await at('https://other.example/x', 'acme')).toMatchObject({
    url: 'https://other.example/x/',
    ...projects,
  });
});

test('the command that confirms a registry', async () => {
  const workspace = open({ user: own + scoped });
  expect(await confirmingCommand({ url: 'https://x.example', owner: 'acme' }, workspace)).toBe(
    'skc config registries.acme.url https://x.example/ --scope user',
  );
  expect(await confirmingCommand({ url: 'https://x.example', owner: 'other' }, workspace)).toBe(
    "skc config registry.trusted 'https://x.example/' --scope user",
  );
});

test("a project's registry.owner does not count", async () => {
  const workspace = open({ project: '[registry]\nowner = "evil"\n' });
  expect((await workspace.config()).registry.owner).toBeUndefined();
});
