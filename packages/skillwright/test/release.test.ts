// Releases: what the script turns into what, and what the workflows of the public host refer to.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { nameOf, platforms } from '../../../scripts/platforms.ts';
import {
  cutChangelog,
  lockWithVersion,
  nextVersion,
  notesOf,
  provenanceOf,
  renderChecksums,
  withVersion,
} from '../../../scripts/release-parts.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test.each([
  ['0.1.0', 'patch', '0.1.1'],
  ['0.1.9', 'minor', '0.2.0'],
  ['0.9.9', 'major', '1.0.0'],
  ['0.2.0-beta.1', 'patch', '0.2.1'],
  ['0.1.0', '0.3.0-rc.1', '0.3.0-rc.1'],
])('after %s, %s is %s', (current, wanted, next) => {
  expect(nextVersion(current, wanted)).toBe(next);
});

test('an invalid version is refused', () => {
  expect(() => nextVersion('0.1.0', 'big')).toThrow("'big' is not major, minor, patch or a version");
});

describe('the changelog', () => {
  const text = '# Changelog\n\n## Unreleased\n\n- New.\n\nSafety:\n\n- Safe.\n\n## 0.1.0\n\n- First.\n';
  const options = { version: '0.2.0', date: '2026-11-16' };

  test('is cut at the top, and the part is found again', () => {
    const { changelog, notes } = cutChangelog(text, options);
    expect(changelog).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-11-16)\n\n- New.\n\nSafety:\n\n- Safe.\n\n## 0.1.0\n\n- First.\n',
    );
    expect(notes).toBe('- New.\n\nSafety:\n\n- Safe.\n');
    expect(notesOf(changelog, '0.2.0')).toBe(notes);
    expect(() => cutChangelog(changelog, { ...options, version: '0.3.0' })).toThrow(
      'CHANGELOG.md has nothing under ## Unreleased',
    );
  });

  test('must have something new, and the version once', () => {
    expect(() => cutChangelog('# Changelog\n\n## 0.1.0\n', options)).toThrow('is not');
    expect(() => cutChangelog(text, { ...options, version: '0.1.0' })).toThrow('already has a section');
    expect(() => notesOf(text, '9.9.9')).toThrow('no section for 9.9.9');
  });

  test('of this repository is sections of versions', () => {
    const headings = read('CHANGELOG.md').match(/^## .*$/gm);
    expect(headings?.[0]).toBe('## Unreleased');
    for (const heading of headings!.slice(1))
      expect(heading).toMatch(/^## \d+\.\d+\.\d+(?: \(\d{4}-\d\d-\d\d\))?$/);
  });
});

test('checksums and provenance name every file', () => {
  const subjects = [{ name: 'a.tgz', sha256: 'aa' }];
  expect(renderChecksums(subjects)).toBe('aa  a.tgz\n');
  const facts = {
    version: '0.2.0',
    repository: 'https://example.com/skillwright',
    commit: 'c0ffee',
    lockfileSha256: 'bb',
    builder: 'urn:test',
    startedOn: '2026-11-16T00:00:00Z',
    tools: { node: '24' },
  };
  expect(provenanceOf(subjects, facts)).toEqual({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'a.tgz', digest: { sha256: 'aa' } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'https://example.com/skillwright/blob/c0ffee/docs/releasing.md',
        externalParameters: { version: '0.2.0' },
        internalParameters: { tools: { node: '24' } },
        resolvedDependencies: [
          { uri: 'git+https://example.com/skillwright', digest: { gitCommit: 'c0ffee' } },
          { uri: 'package-lock.json', digest: { sha256: 'bb' } },
        ],
      },
      runDetails: { builder: { id: 'urn:test' }, metadata: { startedOn: '2026-11-16T00:00:00Z' } },
    },
  });
});

test('the registry has the version of the library and needs exactly that', () => {
  const versionsIn = (manifest: string) => {
    const { version, dependencies } = JSON.parse(manifest);
    return [version, dependencies.skillwright];
  };
  const registry = read('packages/registry/package.json');
  const { version } = JSON.parse(read('packages/skillwright/package.json'));
  expect(versionsIn(registry)).toEqual([version, version]);
  expect(versionsIn(withVersion(registry, '9.8.7'))).toEqual(['9.8.7', '9.8.7']);
  const { packages } = JSON.parse(lockWithVersion(read('package-lock.json'), '9.8.7'));
  expect([
    packages['packages/skillwright'].version,
    ...versionsIn(JSON.stringify(packages['packages/registry'])),
  ]).toEqual(['9.8.7', '9.8.7', '9.8.7']);
});

test('the package and its dependencies run no install scripts', () => {
  expect(JSON.parse(read('packages/skillwright/package.json'))).not.toHaveProperty('scripts');
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { dev?: boolean; hasInstallScript?: boolean }>;
  };
  const shipped = Object.entries(packages).filter(([, { dev }]) => dev !== true);
  expect(shipped.filter(([, { hasInstallScript }]) => hasInstallScript).map(([name]) => name)).toEqual([]);
});

describe('the workflows', () => {
  interface Workflow {
    on: Record<string, unknown>;
    permissions: Record<string, string>;
    jobs: Record<
      string,
      {
        uses?: string;
        needs?: string;
        steps?: { run?: string; uses?: string }[];
        strategy?: { matrix: { include: { platform: string }[] } };
      }
    >;
  }
  const workflows = readdirSync(join(root, '.github/workflows')).map((name): [string, Workflow] => [
    name,
    load(read(`.github/workflows/${name}`)) as Workflow,
  ]);
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

  test.each(workflows)('%s runs existing scripts, with few rights', (_, { jobs, permissions }) => {
    expect(permissions).toEqual({ contents: 'read' });
    for (const { uses, needs, steps = [] } of Object.values(jobs)) {
      if (uses !== undefined) expect(existsSync(join(root, uses))).toBe(true);
      if (needs !== undefined) expect(Object.keys(jobs)).toContain(needs);
      for (const { run = '', uses: action } of steps) {
        for (const [, name] of run.matchAll(/npm run ([\w:]+)/g))
          expect(Object.keys(scripts)).toContain(name);
        if (action !== undefined) expect(action).toMatch(/^actions\/[\w-]+@v\d+$/);
      }
    }
  });

  test('the release publishes the platforms, then the library, then the registry', () => {
    const { jobs } = workflows.find(([name]) => name === 'release.yml')![1];
    const published = jobs.publish!.steps!.flatMap(
      ({ run = '' }) => run.match(/out\/skillwright-\S+\.tgz/g) ?? [],
    );
    expect(published).toEqual([
      'out/skillwright-skc-*.tgz',
      'out/skillwright-[0-9]*.tgz',
      'out/skillwright-registry-[0-9]*.tgz',
    ]);
  });

  test('the tests run on every platform that an executable is made for', () => {
    const ci = workflows.find(([name]) => name === 'ci.yml')![1];
    const tested = ci.jobs.test!.strategy!.matrix.include.map(({ platform }) => platform);
    expect(tested.toSorted()).toEqual(platforms.map(nameOf).toSorted());
  });
});

describe('decisions', () => {
  const names = readdirSync(join(root, 'docs/decisions'));

  test.each(names)('%s has the form of all', (name) => {
    const headings = read(`docs/decisions/${name}`).match(/^##? .*$/gm)!;
    expect(headings[0]).toMatch(new RegExp(`^# ${Number(name.slice(0, 4))}\\. \\S`));
    expect(headings.slice(1)).toEqual(['## Context', '## Decision', '## Consequence']);
  });

  test('are numbered without a gap', () => {
    expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1));
  });
});
