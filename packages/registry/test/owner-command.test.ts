// skc owner against a real server: owners that exist, trusted publishers, invitations.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeWorld } from '../../skillwright/test/make-world.ts';
import { copyEmptyData } from './copy-empty-data.ts';
import { acceptInvitation } from './journey-machine.ts';
import { startServer } from './server-process.ts';

test('owners, publishers and invitations', async () => {
  const data = mkdtempSync(join(tmpdir(), 'skw-owner-'));
  await copyEmptyData(data);
  const server = await startServer({ data });
  onTestFinished(async () => {
    await server.stop();
    rmSync(data, { recursive: true, force: true });
  });
  const { url } = server;
  const token = /^Admin token, shown once: (skwr_\w+)$/m.exec(server.lines.join('\n'))![1]!;
  const world = makeWorld({ '~/.skillc/config.toml': `[registry]\nurl = "${url}"\n` });
  const as = (secret: string) => {
    const run = (words: readonly string[]) =>
      world.run(words, { env: { SKC_TOKEN: secret, SKC_NETWORK_ALLOW_PRIVATE: '127.0.0.1' } });
    return {
      run,
      does: async (...words: string[]) => (await run(words)).stdout,
      fails: async (...words: string[]) => {
        const { status, stderr } = await run(words);
        return status === 1 ? stderr : `status ${status}`;
      },
    };
  };
  const admin = as(token);
  // Like the token of a login: without the scope admin.
  const ada = as((await admin.does('token', 'create', 'ada', '--scope', 'owner', '--scope', 'read')).trim());

  // Creating an owner again changes nothing, and says so.
  expect(await ada.does('owner', 'create', '@acme', '--title', 'Acme')).toBe(`created @acme at ${url}/\n`);
  expect(await ada.fails('owner', 'create', '@acme', '--title', 'Other')).toBe(
    "error[E252]: not possible now: '@acme': @acme exists already, and you manage it\nhelp: look at the current state, then choose another name or try again\n",
  );
  expect(await ada.does('owner', 'show', '@acme')).toContain('@acme (Acme): 0 skills');

  // A publisher is added, listed and removed.
  const repository = ['--repository', 'acme/skills', '--repository-owner-id', '4711'];
  const flags = ['--skill', 'pdf', ...repository, '--workflow', 'release.yml'];
  const added = await ada.run(['owner', 'add-publisher', '@acme', ...flags]);
  const [, removing, id] = /^to remove it: skc (owner remove-publisher @acme --id (\S+))\n$/.exec(
    added.stderr,
  )!;
  const publisher =
    'acme/skills at https://token.actions.githubusercontent.com may publish @acme/pdf (not published yet), only workflow release.yml';
  expect(added.stdout).toBe(`${publisher}\n`);
  expect(await ada.does('owner', 'publishers', '@acme')).toBe(`${id}  ${publisher}, last used never\n`);
  expect(await ada.does(...removing!.split(' '))).toBe(
    `removed publisher ${id} from @acme, and revoked the tokens of its jobs\n`,
  );
  expect(await ada.fails(...removing!.split(' '))).toContain(`error[E201]: not found: 'publisher ${id}'\n`);
  expect(
    await ada.fails('owner', 'add-publisher', '@acme', ...flags, '--issuer', 'https://ci.example'),
  ).toContain("error[E218]: refused by the registry: '@acme/pdf': this registry does not trust the issuer\n");

  // Admins of an owner apply for a skill; a moderator who does not belong to the owner decides.
  expect(await ada.fails('verification', 'apply', '@acme/pdf', '--statement', 'Acme Ltd')).toContain(
    'error[E201]',
  );
  expect(await ada.does('verification')).toBe('no applications\n');

  // Only administrators invite, and the token of a login is not enough for that.
  const invite = ['owner', 'invite', '@acme', 'bob', '--role', 'publisher'];
  expect(await ada.fails(...invite)).toBe(
    `error[E251]: not allowed: 'bob': only administrators of the registry may do this\nhelp: 'skc owner add @acme bob' offers the role to an account that exists; to invite somebody new as an administrator, create a token with scope admin at ${url}/settings/tokens, and put it into SKC_TOKEN\n`,
  );
  const invited = await admin.run(invite);
  expect(invited.stderr).toMatch(
    /^bob becomes publisher of @acme with this link, which works once, until \d{4}-\d\d-\d\d:\n$/,
  );
  expect(invited.stdout).toMatch(new RegExp(`^${url}/invite/\\S+\\n$`));
  const bob = as(await acceptInvitation(invited.stdout.trim()));
  expect(await bob.does('whoami')).toContain('@acme: publisher\n');
  // A name that belongs to somebody else.
  expect(await bob.fails('owner', 'create', '@acme')).toContain(
    "error[E252]: not possible now: '@acme': this name is taken, reserved, or looks like another one\n",
  );
});
