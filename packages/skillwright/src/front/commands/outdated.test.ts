import { describe, expect, test } from 'vitest';
import { makeTarGz } from '../../../test/make-archive.ts';
import { makeWorld, skillText } from '../../../test/make-world.ts';
import { serve } from '../../../test/serve.ts';
import { widthOf } from './text-width.ts';

const LOCAL = '[network]\nallow_private = ["127.0.0.1"]\n';
const accept = ['--yes', '--accept', 'low-trust', '--reason', 'a test'];
const archive = (text: string) => makeTarGz({ 'SKILL.md': skillText('demo', `# ${text}\n`) });

describe('an archive on the web', () => {
  test('is downloaded to see whether it changed', async () => {
    let body = archive('One');
    const served = await serve((_, response) => void response.writeHead(200).end(body));
    const w = makeWorld({ '~/.skillc/config.toml': LOCAL });
    expect((await w.run(['install', `${served.url}/demo.tar.gz`, ...accept])).status).toBe(0);
    const ask = async () => {
      const { skills } = (await w.run(['outdated', '--json'])).json() as {
        skills: [{ status: string; wanted: string; current: string }];
      };
      const [{ status, wanted, current }] = skills;
      return [status, wanted === current];
    };
    expect(await ask()).toEqual(['current', true]);
    body = archive('Two');
    expect(await ask()).toEqual(['outdated', false]);
    expect((await w.run(['update', ...accept])).status).toBe(0);
    expect(await ask()).toEqual(['current', true]);
  });

  test('leaves nothing behind in a dry run', async () => {
    const served = await serve((_, response) => {
      response.writeHead(200, { etag: '"one"' }).end(archive('One'));
    });
    const w = makeWorld({ '~/.skillc/config.toml': LOCAL });
    const before = w.list();
    expect((await w.run(['install', `${served.url}/demo.tar.gz`, '--dry-run'])).status).toBe(0);
    expect(w.list()).toEqual(before);
  });
});

describe('tables fit the terminal', () => {
  const long = 'a-skill-with-a-name-that-is-rather-long-for-a-table';
  const source = (name: string) => ({
    [`~/somewhere/far/away/in/a/deep/place/${name}/SKILL.md`]: skillText(name),
  });

  test.each([
    ['list', 'FORM, SCOPE, SOURCE, VERSION, STATUS, TOKENS'],
    ['outdated', 'SOURCE, LATEST, CURRENT'],
  ])('%s', async (command, left) => {
    const w = makeWorld({ ...source(long), ...source('demo') });
    const words = ['--all', '--target', 'claude,cursor,goose', ...accept];
    expect((await w.run(['install', '../home/somewhere/far/away/in/a/deep/place', ...words])).status).toBe(0);
    const { stdout } = await w.run([command]);
    expect(stdout).toContain(long);
    expect(stdout.split('\n').filter((line) => widthOf(line) > 80)).toEqual([]);
    expect(stdout).toContain(`not shown: ${left}; use --json\n`);
  });
});
