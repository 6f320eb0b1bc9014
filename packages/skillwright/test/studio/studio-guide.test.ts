// The commands of docs/guide/studio.md.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { makeWorld, skillText } from '../make-world.ts';
import { processEnvironment } from '../process-environment.ts';
import { skcStart } from '../skc-program.ts';

const guide = readFileSync(new URL('../../../../docs/guide/studio.md', import.meta.url), 'utf8');

test('the commands of the guide start the studio and write an export', async () => {
  const [start, write] = [...guide.matchAll(/^```sh\nskc (.*)\n```$/gm)].map(([, words]) =>
    words!.split(' '),
  );
  const world = makeWorld({
    '.agents/skills/pdf-forms/SKILL.md': skillText('pdf-forms', '# PDF\n\n## Fill\n\nFill it.\n'),
  });
  const started = spawn(...skcStart(start!), {
    cwd: world.project,
    env: { ...processEnvironment, HOME: world.home, SKC_HOME: world.home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(started, 'exit');
  onTestFinished(async () => {
    started.kill();
    await ended;
  });
  let address = '';
  for await (const line of createInterface({ input: started.stderr })) {
    address = /http:\/\/127\.0\.0\.1:\d+\/\?token=\S+/.exec(line)?.[0] ?? '';
    if (address !== '') break;
  }
  const opened = await fetch(address, { redirect: 'manual' });
  const cookie = opened.headers.getSetCookie()[0]!.split(';')[0]!;
  const page = await (await fetch(new URL('/', address), { headers: { cookie } })).text();
  expect([opened.status, page.includes('pdf-forms')]).toEqual([303, true]);

  const exported = await world.run(write!);
  expect(exported.status).toBe(0);
  const index = readFileSync(join(world.project, write!.at(-1)!, 'index.html'), 'utf8');
  expect([index.includes('pdf-forms'), index.includes('<form')]).toEqual([true, false]);
});
