// A week of two machines that share one repository: two homes, two clones, real git. After every step the lock, what
// `verify` says and the bytes of the store agree on the machine that took it.

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeTarGz } from './make-archive.ts';
import { writeTree } from './make-directory.ts';
import { accept, bytesOf, expectSettled, makeTeam, ok, text } from './make-team.ts';
import { serveRegistry } from './registry-server.ts';
import { requireProgram } from './required-program.ts';

describe('two machines and one repository', () => {
  test('a week', async (context) => {
    requireProgram(context, 'git');
    const { ada, ben, machine, release, source } = makeTeam({
      'skills/pdf/SKILL.md': text('pdf'),
      'skills/pdf/references/more.md': '# More\n',
      'skills/csv/SKILL.md': text('csv'),
    });

    // Monday: Ada installs and writes a skill of the project; Ben has both after a pull.
    ok(await ada.run('install', source, '--skill', 'pdf,csv', '--target', 'claude', ...accept));
    ok(await ada.run('init', 'ours'));
    await expectSettled(ada);
    ada.share('Install skills');
    expect(ada.git('status', '--porcelain')).toBe('');
    expect(ada.git('ls-files').trim().split('\n')).toEqual([
      '.claude/skills/csv',
      '.claude/skills/pdf',
      '.skillc/.gitignore',
      '.skillc/lock.json',
      '.skillc/skills/ours/SKILL.md',
    ]);
    ben.pull();
    const restored = ok(await ben.run('install', '--trust-lock'));
    expect(restored.stdout).toBe('csv: restored for claude\npdf: restored for claude\n');
    await expectSettled(ben);
    expect(ben.git('status', '--porcelain')).toBe('');

    // Tuesday: the source moves on. Ada updates; Ben's copy is behind, not edited.
    release({ 'skills/pdf/SKILL.md': text('pdf', { 3: 'Three, second version.' }) });
    ok(await ada.run('update', ...accept));
    await expectSettled(ada);
    ada.share('Update skills');
    ben.pull();
    const behind = await ben.run('verify', '--scope', 'project');
    expect({ status: behind.status, stdout: behind.stdout }).toEqual({
      status: 1,
      stdout: "csv: ok\npdf: behind the lock; 'skc install' updates it\n  behind: SKILL.md\n",
    });
    expect(ok(await ben.run('install', '--trust-lock')).stdout).toBe(
      'csv: already installed\npdf: restored for claude\n',
    );
    await expectSettled(ben);

    // Wednesday: Ada edits, an update keeps the edit, and it reaches Ben.
    const edited = text('pdf', { 3: 'Three, second version.', 20: 'Twenty, as we do it.' });
    ada.write({
      '.skillc/skills/pdf/SKILL.md': edited,
      '.skillc/skills/pdf/references/house.md': '# House\n',
    });
    rmSync(join(ada.project, '.skillc/skills/pdf/references/more.md'));
    ok(await ada.run('update', 'pdf', ...accept));
    await expectSettled(ada);
    expect(ada.read('.skillc/edits/pdf/SKILL.md')).toBe(edited);
    ada.share('Edit pdf');
    ben.pull();
    ok(await ben.run('install', '--trust-lock'));
    await expectSettled(ben);
    expect(ben.read('.skillc/skills/pdf/SKILL.md')).toBe(edited);
    expect(ok(await ben.run('diff', 'pdf')).stdout).toContain('+Twenty, as we do it.\n');

    // Ben merges: his own edit, made before he pulled, and the new version that Ada took.
    ben.write({ '.skillc/skills/csv/SKILL.md': text('csv', { 25: 'Twenty-five, by Ben.' }) });
    release({ 'skills/csv/SKILL.md': text('csv', { 2: 'Two, second version.' }) });
    ok(await ada.run('update', 'csv', ...accept));
    ada.share('Update csv');
    ben.pull();
    const inTheWay = await ben.run('install', '--trust-lock');
    expect({ status: inTheWay.status, stderr: inTheWay.stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("'skc update csv' keeps them"),
    });
    ok(await ben.run('update', 'csv', ...accept, '--trust-lock'));
    const both = text('csv', { 2: 'Two, second version.', 25: 'Twenty-five, by Ben.' });
    expect(ben.read('.skillc/skills/csv/SKILL.md')).toBe(both);
    await expectSettled(ben);
    ben.share('Edit csv');
    ada.pull();
    ok(await ada.run('install', '--trust-lock'));
    expect(ada.read('.skillc/skills/csv/SKILL.md')).toBe(both);
    await expectSettled(ada);

    // Thursday: a conflict, settled by marks in the file.
    release({ 'skills/csv/SKILL.md': text('csv', { 2: 'Two, second version.', 25: 'By the source.' }) });
    const stopped = await ada.run('update', 'csv', ...accept);
    expect(stopped.status).toBe(1);
    expect(stopped.stderr).toContain('  SKILL.md: line 33\n');
    expect(stopped.stderr).toContain("'skc update csv --conflict markers'");
    await expectSettled(ada);
    const marked = await ada.run('update', 'csv', '--conflict', 'markers', ...accept);
    expect({ status: marked.status, stdout: marked.stdout }).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('  then: skc update csv --yes --scope project\n'),
    });
    expect(ada.read('.skillc/skills/csv/SKILL.md')).toContain(
      '<<<<<<< yours\nTwenty-five, by Ben.\n=======\nBy the source.\n>>>>>>> theirs\n',
    );
    expect(ada.read('.skillc/conflicts/csv/SKILL.md.theirs')).toContain('By the source.');
    expect((await ada.run('verify', '--scope', 'project')).status).toBe(1);
    const tooEarly = await ada.run('update', 'csv', ...accept);
    expect({ status: tooEarly.status, stderr: tooEarly.stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('resolve the conflicts, remove the lines with <<<<<<<'),
    });
    const settled = text('csv', { 2: 'Two, second version.', 25: 'By Ben and the source.' });
    ada.write({ '.skillc/skills/csv/SKILL.md': settled });
    ok(await ada.run('update', 'csv', ...accept));
    expect(existsSync(join(ada.project, '.skillc/conflicts/csv'))).toBe(false);
    await expectSettled(ada);
    ada.share('Settle csv');
    ben.pull();
    ok(await ben.run('install', '--trust-lock'));
    expect(ben.read('.skillc/skills/csv/SKILL.md')).toBe(settled);
    await expectSettled(ben);

    // Friday: branches. Ben uninstalls on one, pins on the other, and goes back and forth.
    ben.git('checkout', '-q', '-b', 'without');
    ok(await ben.run('uninstall', 'pdf', '--force'));
    await expectSettled(ben);
    ben.git('add', '-A');
    ben.git('commit', '-q', '-m', 'Uninstall pdf');
    ben.git('push', '-q', '-u', 'origin', 'without');
    for (const branch of ['main', 'without', 'main', 'without']) {
      ben.git('checkout', '-q', branch);
      ok(await ben.run('install', '--trust-lock', '--offline'));
      await expectSettled(ben);
      expect(existsSync(join(ben.project, '.skillc/skills/pdf'))).toBe(branch === 'main');
    }
    ada.git('fetch', '-q');
    ada.git('checkout', '-q', 'without');
    expect(ok(await ada.run('install', '--trust-lock')).stdout).toContain(
      'pdf: removed, because it is no longer in the lock\n',
    );
    await expectSettled(ada);
    ada.git('checkout', '-q', 'main');
    rmSync(join(ada.project, '.skillc/skills/csv'), { recursive: true });
    ok(await ada.run('install', '--trust-lock', '--offline'));
    await expectSettled(ada);
    ok(await ada.run('install', source, '--skill', 'pdf', '--target', 'claude', '--pin', ...accept));
    await expectSettled(ada);

    // Saturday: a version from a registry is yanked. It stays until somebody updates, and everybody hears of it.
    const archive = (line: string) => makeTarGz({ 'SKILL.md': text('forms', { 4: line }) });
    const registry = await serveRegistry(
      { '@acme/forms': { versions: { '1.0.0': archive('First.'), '1.1.0': archive('Second.') } } },
      { token: 'secret' },
    );
    const config = `[network]\nallow_private = ["127.0.0.1"]\n[registry]\nurl = "${registry.url}"\n`;
    for (const { home } of [ada, ben]) writeTree(home, { '.skillc/config.toml': config });
    ok(await ada.run('install', '@acme/forms', '--target', 'claude', ...accept));
    await expectSettled(ada);
    ada.share('Pin pdf, install forms');
    ben.git('checkout', '-q', 'main');
    ben.pull();
    ok(await ben.run('install', '--trust-lock'));
    await expectSettled(ben);
    await yank(registry.url, '@acme/forms/1.1.0', 'it loses fields');
    const warning = "warning[W224]: 'forms' is yanked: it loses fields\n";
    const heard = ok(await ben.run('outdated', 'forms'));
    expect(heard.stdout).toContain('forms: yanked: it loses fields\n');
    expect(ok(await ben.run('verify', '--scope', 'project')).stderr).toContain(warning);
    await expectSettled(ben);
    ok(await ben.run('update', 'forms', ...accept));
    expect(ben.read('.skillc/skills/forms/SKILL.md')).toBe(text('forms', { 4: 'First.' }));
    await expectSettled(ben);
    ben.share('Leave the yanked version');
    ada.pull();
    ok(await ada.run('install', '--trust-lock'));
    expect(ada.read('.skillc/skills/forms/SKILL.md')).toBe(text('forms', { 4: 'First.' }));
    await expectSettled(ada);

    // A third machine clones on Sunday and has everything, the edits included.
    const cleo = machine('cleo');
    writeTree(cleo.home, { '.skillc/config.toml': config });
    ok(await cleo.run('install', '--trust-lock'));
    await expectSettled(cleo);
    expect(bytesOf(cleo, ['csv', 'forms', 'pdf', 'ours'])).toEqual(
      bytesOf(ada, ['csv', 'forms', 'pdf', 'ours']),
    );
    expect(cleo.git('status', '--porcelain')).toBe('');
  });
});

/** Yanks a version, as its owner does. */
async function yank(url: string, version: string, why: string): Promise<void> {
  const { status } = await fetch(`${url}/api/v1/skills/${version}`, {
    method: 'PATCH',
    headers: { authorization: 'Bearer secret' },
    body: JSON.stringify({ yanked: why }),
  });
  expect(status).toBe(200);
}
