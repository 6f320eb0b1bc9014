// Carries out docs/guide/registry.md with real processes, and compares the output. `vitest -u` rewrites the page.

import { spawn } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { isCutFrom } from '../../skillwright/test/guide-steps.ts';
import { browserAt, Machine, signedIn } from './journey-machine.ts';
import type { TestBrowser } from './test-client.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const file = join(repository, 'docs/guide/registry.md');
/** The address on the page. */
const SHOWN = 'http://127.0.0.1:4873';

/** Starts the server with the command of the page, on a port of its own. Returns what it prints. */
async function startAsShown(line: string, home: string): Promise<string[]> {
  const words = line.replace('4873', '0').replace('~', home).split(' ').slice(1);
  const child = spawn('npm', ['--silent', ...words], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'ignore'],
    // npm passes no signal on, so the whole group is ended.
    detached: true,
  });
  onTestFinished(async () => {
    const ended = new Promise((resolve) => child.once('close', resolve));
    process.kill(-child.pid!, 'SIGTERM');
    await ended;
  });
  const lines: string[] = [];
  for await (const printed of createInterface(child.stdout)) {
    if (printed.startsWith('Skillwright registry:') || lines.length > 0) lines.push(printed);
    if (lines.length === 3) return lines;
  }
  throw new Error(`the server ended: ${lines.join('\n')}`);
}

/** The pages that the guide names, and what it says about them. */
async function checkPages(page: string, { url, tokens }: { url: string; tokens: readonly string[] }) {
  const named = [...new Set(page.match(/http:\/\/127\.0\.0\.1:4873[^\s`'"…)]*/g))].map((address) =>
    address.slice(SHOWN.length),
  );
  // Addresses for programs, and beginnings of addresses with a code, are checked by the commands.
  expect(named.toSorted()).toEqual(['', '/', '/#@acme/csv-report', '/device?code=', '/invite/', '/mcp']);
  const [admin, bob] = await Promise.all(tokens.map((token) => signedIn(url, token)));
  const stranger = browserAt(url);
  const titles = async (browser: TestBrowser, path: string) =>
    (await (await browser.get(path)).text()).includes('csv-report');
  // 'Open http://127.0.0.1:4873 in your browser and search for it there': members alone find it.
  for (const path of ['/', '/search?q=csv+report', '/@acme']) {
    expect([
      path,
      await titles(admin!, path),
      await titles(bob!, path),
      await titles(stranger, path),
    ]).toEqual([path, true, true, false]);
  }
  const versions = await (await bob!.get('/@acme/csv-report/versions')).text();
  expect(versions).toContain('it loses the last column');
  expect(await (await bob!.get('/@acme/csv-report')).text()).toContain('5.0');
  // Without a browser session the page of a login asks to sign in.
  expect((await stranger.get('/device?code=X')).headers.get('location')).toMatch(/^\/signin\?return=/);
}

test('registry: the commands print what the guide says', async () => {
  const page = readFileSync(file, 'utf8');
  const [ada, bob] = [new Machine(), new Machine()];
  for (const { home } of [ada, bob]) symlinkSync(repository, join(home, 'skillwright'));
  let url = '';
  /** Tokens to sign in with: the administrator's, then that of the invited account. */
  const tokens: string[] = [];
  let agent = '';
  let invitation = '';

  const runStep = async (line: string, machine: Machine): Promise<string> => {
    if (line.startsWith('npm run registry')) {
      const lines = await startAsShown(line, machine.home);
      url = lines[0]!.slice('Skillwright registry: '.length);
      tokens.push(/skwr_\w+/.exec(lines[1]!)![0]);
      return `${lines.join('\n')}\n`;
    }
    const typed = line.replace(`${SHOWN}/invite/…`, invitation).replaceAll(SHOWN, url);
    const said = await machine.shell(typed, {
      signIn: tokens.at(-1)!,
      env: { ADMIN_TOKEN: tokens[0]! },
    });
    invitation = /http:\S+\/invite\/[\w-]+/.exec(said)?.[0] ?? invitation;
    if (line.startsWith('skc owner accept')) {
      const { logins } = JSON.parse(readFileSync(join(machine.home, '.skillc/credentials.json'), 'utf8'));
      tokens.push(logins[0].token);
    }
    // A prompt starts on a line of its own.
    const whole = said === '' || said.endsWith('\n') ? said : `${said}\n`;
    if (line.startsWith('skc token create')) agent = /skwr_\w+/.exec(said)![0];
    return whole;
  };

  let transcript = '';
  for (const section of page.split(/(?=^## )/m)) {
    const machine = /^## .*other machine/.test(section) ? bob : ada;
    for (const part of section.split(/(?<=^```console\n)|(?=^```$)/m)) {
      const isConsole = transcript.endsWith('```console\n');
      if (!isConsole) transcript += part;
      else
        for (const step of part.split(/^\$ /m).slice(1)) {
          const [line, shown] = [step.slice(0, step.indexOf('\n')), step.slice(step.indexOf('\n') + 1)];
          const said = (await runStep(line, machine)).replaceAll(url, SHOWN).replaceAll(machine.home, '~');
          transcript += `$ ${line}\n${isCutFrom(said, shown) ? shown : said}`;
        }
    }
  }
  await expect(transcript).toMatchFileSnapshot(file);
  await checkPages(page, { url, tokens });

  // The client's configuration leads to the section.
  const { mcpServers } = JSON.parse(/^```json\n([\s\S]*?)^```$/m.exec(page)![1]!);
  const { url: shownAddress, headers } = mcpServers.registry as {
    url: string;
    headers: { Authorization: string };
  };
  const client = new Client({ name: 'guide', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(shownAddress.replace(SHOWN, url)), {
      requestInit: { headers: { authorization: headers.Authorization.replace('<token>', agent) } },
    }),
  );
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(page.match(/skc_\w+/g));
  const { content } = await client.callTool({
    name: 'skc_show',
    arguments: { skill: '@acme/csv-report', section: ['Steps'] },
  });
  await client.close();
  expect((content as { text: string }[])[0]!.text).toMatch(/^## Steps\n/);
}, 300_000);
