import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asNobody } from '../../../test/as-nobody.ts';
import { makeDirectory, makeSharedDirectory, type Tree } from '../../../test/make-directory.ts';
import { workspaceAt } from '../../../test/open-workspace.ts';
import { SkillwrightError } from '../../base/diagnostics/skillwright-error.ts';
import { hasSkillFile } from '../../skill/skill/skill-file.ts';
import { loadCatalog } from '../catalog/load-catalog.ts';
import { resolveSkill } from './resolve-skill.ts';

const directory = { directory: true } as const;

const manifest = '---\nname: x\ndescription: D.\n---\n';

const tree: Tree = {
  'p/.skillc/skills/both/SKILL.md': manifest,
  'p/.skillc/skills/project-only/SKILL.md': manifest,
  'p/.skillc/skills/hollow': directory,
  'p/local/SKILL.md': manifest,
  'p/both-local/SKILL.md': manifest,
  'p/empty': directory,
  'p/hollow-here': directory,
  'p/odd/SKILL.md/x': '',
  'p/lower/skill.md': '',
  'p/to-local': { link: 'local' },
  'p/link-file/SKILL.md': { link: '../local/SKILL.md' },
  'p/dangling/SKILL.md': { link: 'none' },
  'p/loop/SKILL.md': { link: 'SKILL.md' },
  'p/agents-only/empty': '',
  'p/.claude/skills/agent-skill/SKILL.md': manifest,
  'p/.claude/skills/twice/SKILL.md': manifest,
  'home/.agents/skills/twice/SKILL.md': manifest,
  'home/.claude/skills/linked-twice/SKILL.md': manifest,
  'home/.agents/skills/linked-twice': { link: '../../.claude/skills/linked-twice' },
  'home/.skillc/skills/both/SKILL.md': manifest,
  'home/.skillc/skills/user-only/SKILL.md': manifest,
  'home/.skillc/skills/hollow-here/SKILL.md': manifest,
  'home/.skillc/skills/hollow/SKILL.md': manifest,
  'outside/SKILL.md': manifest,
};

const shared = makeSharedDirectory(tree);

function resolveIn(root: string, word: string, cwd = 'p') {
  const workspace = workspaceAt({ cwd: join(root, cwd), home: join(root, 'home') });
  return resolveSkill(word, workspace, {
    catalog: () => loadCatalog(workspace),
    mayBeOld: false,
    isHidden: () => false,
    isVisible: async () => true,
  });
}

/** The directory and scope, or the error, without the temporary directory. */
async function resolve(word: string, cwd = 'p', root = shared): Promise<unknown> {
  // Paths below the temporary directory, with the slashes of every other test.
  const shown = (text: string) => {
    const [first = '', ...others] = text.split(`${root}${sep}`);
    return first + others.map((part) => part.replace(/^[^']*/, (path) => path.replaceAll(sep, '/'))).join('');
  };
  try {
    const { dir, scope } = await resolveIn(root, word.replace('<root>', root), cwd);
    return [shown(dir), scope];
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    return [error.code, shown(error.message), error.help].filter((part) => part !== undefined);
  }
}

describe('resolveSkill', () => {
  test.each([
    ['both', 'p/.skillc/skills/both', 'project'],
    ['project-only', 'p/.skillc/skills/project-only', 'project'],
    ['user-only', 'home/.skillc/skills/user-only', 'user'],
    ['hollow-here', 'home/.skillc/skills/hollow-here', 'user'],
    ['hollow', 'home/.skillc/skills/hollow', 'user'],
    ['local', 'p/local', undefined],
    ['./local', 'p/local', undefined],
    ['local/', 'p/local', undefined],
    ['local/SKILL.md', 'p/local', undefined],
    ['empty/../local', 'p/local', undefined],
    ['to-local', 'p/to-local', undefined],
    ['link-file', 'p/link-file', undefined],
    ['../outside', 'outside', undefined],
    ['<root>/outside', 'outside', undefined],
    ['<root>/outside/SKILL.md', 'outside', undefined],
    ['.skillc/skills/both', 'p/.skillc/skills/both', 'project'],
    ['<root>/home/.skillc/skills/both', 'home/.skillc/skills/both', 'user'],
    ['agent-skill', 'p/.claude/skills/agent-skill', undefined],
    ['linked-twice', 'home/.claude/skills/linked-twice', undefined],
  ])('%s is %s (%s)', async (word, dir, scope) => {
    expect(await resolve(word)).toEqual([dir, scope]);
  });

  test('. and SKILL.md mean the working directory', async () => {
    expect(await resolve('.', 'p/local')).toEqual(['p/local', undefined]);
    expect(await resolve('SKILL.md', 'p/local')).toEqual(['p/local', undefined]);
    expect(await resolve('..', 'p/local/deeper')).toEqual(['p/local', undefined]);
  });

  test('a path wins over a name, the project over the user', async () => {
    expect(await resolve('both', 'home/.skillc/skills')).toEqual(['home/.skillc/skills/both', 'user']);
    expect(await resolve('both', 'outside')).toEqual(['home/.skillc/skills/both', 'user']);
  });

  test.each([
    ['empty', ['E010', "not a valid skill: 'p/empty' (missing SKILL.md)"]],
    ['empty/SKILL.md', ['E010', "not a valid skill: 'p/empty' (missing SKILL.md)"]],
    ['odd', ['E010', "not a valid skill: 'p/odd' (missing SKILL.md)"]],
    ['odd/SKILL.md', ['E010', "not a valid skill: 'p/odd/SKILL.md' (missing SKILL.md)"]],
    ['lower', ['E010', "not a valid skill: 'p/lower' (missing SKILL.md)", "rename 'skill.md' to SKILL.md"]],
    ['dangling', ['E010', "not a valid skill: 'p/dangling' (missing SKILL.md)"]],
    ['.', ['E010', "not a valid skill: 'p' (missing SKILL.md)"]],
    ['nothing', ['E001', "skill 'nothing' not found"]],
    ['no/such/SKILL.md', ['E001', "skill 'no/such/SKILL.md' not found"]],
    ['local/SKILL.md/x', ['E001', "skill 'local/SKILL.md/x' not found"]],
    ['', ['E001', "skill '' not found"]],
    ['a\0b', ['E001', "skill 'a\\u0000b' not found"]],
    ['boht', ['E001', "skill 'boht' not found", 'did you mean both?']],
    ['only', ['E001', "skill 'only' not found", 'did you mean project-only, user-only?']],
    ['../skills/both', ['E001', "skill '../skills/both' not found"]],
    ['..\\both', ['E001', "skill '..\\both' not found"]],
    ['n'.repeat(300), ['E001', `skill '${'n'.repeat(300)}' not found`]],
    ['loop', ['E015', "cannot read 'p/loop/SKILL.md': too many symbolic links"]],
    ['twice', ['E005', "ambiguous skill 'twice'", 'use the path of the one you mean']],
  ])('%j fails: %j', async (word, failure) => {
    expect(await resolve(word)).toEqual(failure);
  });

  test('distinguishes an empty directory in a store from a missing one', async () => {
    const root = makeDirectory({ 'p/.skillc/skills/hollow': directory, 'home/x': '' });
    expect(await resolve('hollow', 'p', root)).toEqual([
      'E010',
      "not a valid skill: 'p/.skillc/skills/hollow' (missing SKILL.md)",
    ]);
  });

  test('returns suggestions and candidates as data too', async () => {
    const root = shared;
    await expect(resolveIn(root, 'boht')).rejects.toEqual(
      expect.objectContaining({ data: { suggestions: ['both'] } }),
    );
    const candidates = [join(root, 'p/.claude/skills/twice'), join(root, 'home/.agents/skills/twice')];
    await expect(resolveIn(root, 'twice')).rejects.toEqual(
      expect.objectContaining({
        data: { candidates },
        detail: candidates.map((path) => `  ${path}`).join('\n'),
      }),
    );
  });

  test('suggests only skills', async () => {
    const root = makeDirectory({ 'p/.skillc/skills/bothx': directory, 'home/x': '' });
    expect(await resolve('both', 'p', root)).toEqual(['E001', "skill 'both' not found"]);
  });
});

describe('hasSkillFile', () => {
  test('a pipe is not a SKILL.md', () => {
    const root = makeDirectory();
    execFileSync('mkfifo', [join(root, 'SKILL.md')]);
    expect(hasSkillFile(root)).toBe(false);
  });

  test('an unreadable directory is an error, not a missing skill', (context) => {
    const root = makeDirectory({ 'closed/SKILL.md': '' });
    chmodSync(root, 0o755);
    chmodSync(join(root, 'closed'), 0);
    expect(() => asNobody(context, () => hasSkillFile(join(root, 'closed')))).toThrow(
      `cannot read '${join(root, 'closed/SKILL.md')}': permission denied`,
    );
    chmodSync(join(root, 'closed'), 0o700);
  });
});
