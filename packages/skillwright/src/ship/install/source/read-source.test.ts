import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { makeSharedDirectory } from '../../../../test/make-directory.ts';
import { skillText } from '../../../../test/make-world.ts';
import { SkillwrightError } from '../../../base/diagnostics/skillwright-error.ts';
import { defaultConfig } from '../../../skill/config/default-config.ts';
import { spellForLock, spellSource } from './locked-source.ts';
import { readSource, type SourceContext } from './read-source.ts';

const root = makeSharedDirectory({
  'project/demo/SKILL.md': skillText('demo'),
  'project/owner/repo/SKILL.md': skillText('repo'),
  'project/demo.skill': 'PK',
  'project/bundle.tar.gz': '',
  'project/notes.txt': '',
  'project/bare.git/HEAD': 'ref: refs/heads/main\n',
  'project/bare.git/objects': { directory: true },
  'project/bare.git/refs': { directory: true },
  'project/odd#100%/.git/HEAD': 'ref: refs/heads/main\n',
  'home/mine/SKILL.md': skillText('mine'),
});
const context: SourceContext = {
  cwd: join(root, 'project'),
  home: join(root, 'home'),
  config: defaultConfig,
};
/** The root as an address, with what follows the scheme. */
const address = pathToFileURL(root).pathname;
/** A source with its places below the root, spelled alike on every system. */
const read = (text: string, own: Partial<SourceContext> = {}) => {
  try {
    const source: Record<string, unknown> = { ...readSource(text, { ...context, ...own }) };
    for (const [key, value] of Object.entries(source))
      if (typeof value === 'string')
        source[key] = value.startsWith(root)
          ? value.slice(root.length).replaceAll('\\', '/')
          : value.replace(address, '');
    return source;
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    expect(error.code).toBe('E210');
    return error.message.slice(error.message.lastIndexOf("': ") + 3);
  }
};
const git = (url: string, ref?: string, subpath?: string) => ({
  kind: 'git',
  url,
  ...(ref === undefined ? {} : { ref }),
  ...(subpath === undefined ? {} : { subpath }),
});
const path = (place: string) => ({ kind: 'path', path: place });
const archive = (location: string) => ({ kind: 'archive', location });
const github = 'https://github.com/owner/tools.git';

/** Spellings of sources and their meaning. */
const meanings: [string, unknown][] = [
  // Paths on this machine
  ['./demo', path('/project/demo')],
  ['.', path('/project')],
  ['..', path('')],
  ['../home/mine', path('/home/mine')],
  ['~/mine', path('/home/mine')],
  ['~', path('/home')],
  ['./demo/SKILL.md', path('/project/demo')],
  ['./demo.skill', archive('/project/demo.skill')],
  ['./bare.git', git('file:///project/bare.git')],
  ['bare.git', git('file:///project/bare.git')],
  [`file://${address}/project/bare.git`, git('file:///project/bare.git')],
  [`file://localhost${address}/project/bare.git#main:x/y`, git('file:///project/bare.git', 'main', 'x/y')],
  [`file://${address}/project/odd%23100%25`, git('file:///project/odd%23100%25')],
  [`file://${address}/project/demo`, path('/project/demo')],
  [`file://${address}/project/demo.skill`, archive('/project/demo.skill')],
  [`git+file://${address}/project/bare.git#v1`, git('file:///project/bare.git', 'v1')],
  ['git+./bare.git#:x', git('file:///project/bare.git', undefined, 'x')],
  ['git+./odd%23100%25', git('file:///project/odd%23100%25')],
  ['./odd#100%', path('/project/odd#100%')],
  // Existing files come before names and repositories
  ['demo', path('/project/demo')],
  ['owner/repo', path('/project/owner/repo')],
  ['bundle.tar.gz', archive('/project/bundle.tar.gz')],
  // Repositories by owner
  ['owner/tools', git(github)],
  ['owner/tools.git', git(github)],
  ['owner/tools/', git(github)],
  ['owner/tools@v1.2', git(github, 'v1.2')],
  ['owner/tools/skills/pdf', git(github, undefined, 'skills/pdf')],
  ['owner/tools/skills/pdf@feature/x', git(github, 'feature/x', 'skills/pdf')],
  ['owner/tools/skills/pdf/SKILL.md', git(github, undefined, 'skills/pdf')],
  ['owner/tools#main', git(github, 'main')],
  ['owner/tools#main:skills/pdf', git(github, 'main', 'skills/pdf')],
  // Repositories by URL
  [github, git(github)],
  [`${github}#v1`, git(github, 'v1')],
  [`${github}#v1:skills/pdf`, git(github, 'v1', 'skills/pdf')],
  [`${github}#:skills/pdf`, git(github, undefined, 'skills/pdf')],
  ['git+https://git.example.com/x/y', git('https://git.example.com/x/y')],
  ['ssh://git@git.example.com:2222/x/y.git', git('ssh://git@git.example.com:2222/x/y.git')],
  ['git+ssh://git@git.example.com/x/y', git('ssh://git@git.example.com/x/y')],
  ['git@github.com:owner/tools.git', git('git@github.com:owner/tools.git')],
  ['git@github.com:owner/tools.git#v2:a/b', git('git@github.com:owner/tools.git', 'v2', 'a/b')],
  ['http://127.0.0.1:9418/x.git', git('http://127.0.0.1:9418/x.git')],
  // Pages of repositories
  ['https://github.com/owner/tools', git(github)],
  ['https://www.github.com/owner/tools/', git(github)],
  ['github.com/owner/tools', git(github)],
  ['https://github.com/owner/tools/tree/main', git(github, 'main')],
  ['https://github.com/owner/tools/tree/main/skills/pdf', git(github, 'main', 'skills/pdf')],
  ['https://github.com/owner/tools/blob/main/skills/pdf/SKILL.md', git(github, 'main', 'skills/pdf')],
  ['https://gitlab.com/a/b/c/-/tree/main/skills', git('https://gitlab.com/a/b/c.git', 'main', 'skills')],
  ['https://codeberg.org/o/r/src/branch/main/x', git('https://codeberg.org/o/r.git', 'main', 'x')],
  // Packages
  ['npm:pdf-tools', { kind: 'npm', name: 'pdf-tools' }],
  ['npm:@scope/pdf', { kind: 'npm', name: '@scope/pdf' }],
  ['npm:@scope/pdf@^1.2', { kind: 'npm', name: '@scope/pdf', range: '^1.2' }],
  ['npm:pdf@next', { kind: 'npm', name: 'pdf', range: 'next' }],
  ['npm:pdf@>=1 <3', { kind: 'npm', name: 'pdf', range: '>=1 <3' }],
  // Archives
  ['https://example.com/a/demo.tar.gz', archive('https://example.com/a/demo.tar.gz')],
  ['https://example.com/demo.skill?ref=1#y', archive('https://example.com/demo.skill?ref=1')],
  [
    'https://github.com/owner/tools/archive/refs/heads/main.zip',
    archive('https://github.com/owner/tools/archive/refs/heads/main.zip'),
  ],
  ['example.com/demo.tgz', archive('https://example.com/demo.tgz')],
  // Domains
  ['example.com', { kind: 'well-known', url: 'https://example.com' }],
  ['https://example.com/', { kind: 'well-known', url: 'https://example.com' }],
  ['example.com/docs', { kind: 'well-known', url: 'https://example.com/docs' }],
  ['localhost:8080', { kind: 'well-known', url: 'http://localhost:8080' }],
  ['https://github.com', { kind: 'well-known', url: 'https://github.com' }],
  // Names in the registry
  ['@acme/pdf', { kind: 'registry', owner: 'acme', name: 'pdf' }],
  [' @acme/pdf ', { kind: 'registry', owner: 'acme', name: 'pdf' }],
  ['@acme/pdf@1.2.3', { kind: 'registry', owner: 'acme', name: 'pdf', range: '1.2.3' }],
  ['@acme/pdf@^1', { kind: 'registry', owner: 'acme', name: 'pdf', range: '^1' }],
  ['registry:@acme/demo', { kind: 'registry', owner: 'acme', name: 'demo' }],
  ['registry:@acme/demo@2', { kind: 'registry', owner: 'acme', name: 'demo', range: '2' }],
  [
    'registry+https://r.example#@acme/demo',
    { kind: 'registry', owner: 'acme', name: 'demo', url: 'https://r.example/' },
  ],
  [
    'registry+https://r.example/team/#@acme/demo@^1',
    { kind: 'registry', owner: 'acme', name: 'demo', url: 'https://r.example/team/', range: '^1' },
  ],
];

describe('meaning of a source', () => {
  test.each(meanings)('%s', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test.each(meanings)('%s reads back as the same source', (text) => {
    const source = readSource(text, context);
    expect(readSource(spellSource(source), { ...context, cwd: '/' })).toEqual(source);
  });

  test('owner/repo uses the configured host', () => {
    const network = { ...defaultConfig.network, git_url: 'https://git.example.com/mirror/' };
    const own = { config: { ...defaultConfig, network } };
    expect(read('owner/tools/a@b', own)).toEqual(
      git('https://git.example.com/mirror/owner/tools.git', 'b', 'a'),
    );
  });

  test.each([
    ['./bare.git', 'git+./bare.git'],
    ['git+./odd%23100%25#main:a', 'git+./odd%23100%25#main:a'],
    [`file://${address}/project/bare.git`, 'git+./bare.git'],
  ])('the lock spells the repository %s relative to the project', (text, spelled) => {
    const source = readSource(text, context);
    expect(spellForLock(source, { base: context.cwd, home: context.home })).toBe(spelled);
    expect(readSource(spelled, context)).toEqual(source);
    expect(spellForLock(source, { base: join(root, 'other'), home: join(root, 'home') })).toBe(
      spelled.replace('./', '../project/'),
    );
  });
});

describe('refused sources', () => {
  const dash = 'it starts with a dash, like an option';
  const noPath = 'no such file or directory';
  const notAnAddress = 'it is not @owner/name of a skill, and npm packages need the prefix npm:';
  const secretParameter = (name: string) => `the parameter '${name}' would be written to the lock`;
  test.each([
    ['', 'it is empty'],
    ['  ', 'it is empty'],
    ['x'.repeat(5000), 'it is too long'],
    ['--upload-pack=touch x', dash],
    ['-x', dash],
    ['git+--upload-pack=x', dash],
    ['a\nb', 'it contains control characters'],
    ['owner/tools\0', 'it contains control characters'],
    ['./none', noPath],
    ['/none', noPath],
    ['none.skill', 'no such file'],
    ['none/none.tar.gz', 'no such file'],
    ['./notes.txt', 'it is neither a directory nor an archive'],
    ['ext::sh -c touch% x', 'a transport that runs a program is not allowed'],
    ['git+ext::sh -c x', 'a transport that runs a program is not allowed'],
    ['fd::17', 'a transport that runs a program is not allowed'],
    [`file://${address}/none`, noPath],
    ['file://host/share', 'it is not a path on this machine'],
    ['file:///etc%2fpasswd', 'it is not a path on this machine'],
    ['file:///etc?x', 'it is not a path on this machine'],
    [`file://${address}/project/notes.txt`, 'it is neither a directory nor an archive'],
    [`file://${address}/home#main`, 'there is no repository there'],
    [`git+file://${address}/home`, 'there is no repository there'],
    ['git+./demo', 'there is no repository there'],
    ['git://example.com/x.git', 'git over git is not allowed'],
    ['ftp://example.com/x.git', 'git over ftp is not allowed'],
    ['javascript://x', 'git over javascript is not allowed'],
    ['http://example.com/x.git', 'git over http is not encrypted'],
    ['https://user:secret@example.com/x.git', 'a password would be written to the lock'],
    ['https://token@github.com/owner/tools', 'a user name would be written to the lock'],
    ['https://user:secret@example.com/x.zip', 'a password would be written to the lock'],
    ['ssh://git:secret@example.com/x.git', 'a password would be written to the lock'],
    ['https://example.com/x.tgz?token=a&X-Amz-Signature=b', secretParameter('token')],
    ['https://example.com/x.tgz?X-Goog-Signature=b', secretParameter('X-Goog-Signature')],
    ['https://example.com/x?sig=a', secretParameter('sig')],
    ['example.com/x?key=a', secretParameter('key')],
    ['https://example.com/x.git?private_token=a', secretParameter('private_token')],
    ['git+https://example.com/x?access_token=a', secretParameter('access_token')],
    ['https://github.com/owner/tools?token=a', secretParameter('token')],
    ['https://example.com/x.tgz#access_token=a', 'the part after the # would be written to the lock'],
    ['registry+https://example.com/?token=a#@acme/demo', secretParameter('token')],
    ['registry+https://me:a@example.com/#@acme/demo', 'a password would be written to the lock'],
    ['registry+ftp://example.com/#@acme/demo', 'it is not a registry URL'],
    ['registry+https://example.com/#demo', 'it does not end with #@owner/name'],
    ['registry+https://example.com/#@acme/../x', notAnAddress],
    ['ssh://-oProxyCommand=x/y', dash],
    ['ssh://-oProxyCommand=touch@x/y', dash],
    ['-oProxyCommand=x@host:y', dash],
    ['git@-host:y', 'it is not user@host:path'],
    ['git@host:-y', 'it is not user@host:path'],
    ['ssh://example.com', 'it names a host, but no repository'],
    ['https://$(touch x)/y', 'it is not a URL'],
    ['owner/$(touch x)', 'it is neither a directory nor owner/repo'],
    ['nobody/..', 'it is neither a directory nor owner/repo'],
    ['owner/tools@', 'there is nothing after the @'],
    ['owner/tools@-x', "'-x' is not a branch, tag or commit"],
    ['owner/tools@--upload-pack=x', "'--upload-pack=x' is not a branch, tag or commit"],
    ['owner/tools@a..b', "'a..b' is not a branch, tag or commit"],
    ['owner/tools@a b', "'a b' is not a branch, tag or commit"],
    ['owner/tools@a:refs/heads/b', "'a:refs/heads/b' is not a branch, tag or commit"],
    ['owner/tools@@{-1}', "'@{-1}' is not a branch, tag or commit"],
    ['owner/tools/../x', "'../x' is not a path inside a repository"],
    ['owner/tools/a/../../x', "'a/../../x' is not a path inside a repository"],
    ['owner/tools/a\\b', "'a\\b' is not a path inside a repository"],
    [`${github}#main:../x`, "'../x' is not a path inside a repository"],
    [`${github}#main:/etc`, "'/etc' is not a path inside a repository"],
    ['@scope/pdf.js', notAnAddress],
    ['@Scope/pdf', notAnAddress],
    ['@acme', notAnAddress],
    ['@acme/pdf@../x', "'../x' is not a version range"],
    ['npm:', 'it is not a package name'],
    ['npm:../x', 'it is not a package name'],
    ['npm:UPPER', 'it is not a package name'],
    ['npm:pdf@../x', "'../x' is not a version range"],
    ['npm:pdf@', "'' is not a version range"],
    ['PDF', 'it is neither a path, a URL nor a skill name'],
    ['a--b', 'it is neither a path, a URL nor a skill name'],
    ['registry:../x', 'it is neither a path, a URL nor a skill name'],
    ['@acme/pdf@$(x)', "'$(x)' is not a version range"],
    ['$(touch x)', 'it is neither a path, a URL nor a skill name'],
  ])('%j', (text, why) => {
    expect(read(text)).toEqual(why);
  });

  test.each([
    ['https://user:se@cret@example.com/x.git', 'https://***@example.com/x.git'],
    ['git+https://token@example.com/x', 'git+https://***@example.com/x'],
    ['https://token@github.com/owner/tools', 'https://***@github.com/owner/tools'],
    ['ssh://git:secret@example.com/x.git', 'ssh://git:***@example.com/x.git'],
    ['https://e.com/x.tgz?token=secret&ref=1', 'https://e.com/x.tgz?token=***&ref=1'],
  ])('%j, without printing the secret', (text, shown) => {
    expect(() => readSource(text, context)).toThrow(`cannot understand source '${shown}': `);
  });
});
