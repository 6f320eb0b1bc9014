import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { broken, built, editLock, project, type Row, testRows } from '../../../../test/doctor-rows.ts';
import { must, remove } from '../../../../test/doctor-world.ts';
import { writeTree } from '../../../../test/make-directory.ts';
import { makeWorld, skillText } from '../../../../test/make-world.ts';

const CLAUDE = './.claude/skills/pdf';

const links: Row[] = [
  {
    name: 'a link of an installed skill is gone',
    make: broken((world) => remove(world, '.claude/skills/pdf')),
    told: [['deployment', 'error', CLAUDE, "'pdf' is not there for claude", 'fixable']],
  },
  {
    name: 'a link of an installed skill leads nowhere',
    make: broken((world) => {
      remove(world, '.claude/skills/pdf');
      world.write({ '.claude/skills/pdf': { link: 'pdf' } });
    }),
    told: [['deployment', 'error', CLAUDE, "the link of 'pdf' leads nowhere", 'fixable']],
  },
  {
    name: 'a copy stands where a link should be',
    make: broken((world) => {
      editLock(world, (skill) => {
        skill.targets = [
          { agent: 'claude', method: 'copy' },
          { agent: 'codex', method: 'link' },
        ];
      });
    }),
    told: [['deployment', 'warning', CLAUDE, "the copy of 'pdf' is not as skc made it", 'fixable']],
  },
  {
    name: 'a copy was edited',
    make: broken((world) => world.write({ '.claude/skills/pdf/SKILL.md': skillText('pdf', 'mine') }), {
      copy: true,
    }),
    told: [['deployment', 'warning', CLAUDE, "the copy of 'pdf' is not as skc made it"]],
  },
  {
    name: 'a directory of somebody else stands where an installed skill should be',
    make: broken((world) => {
      remove(world, '.claude/skills/pdf');
      world.write({ '.claude/skills/pdf/notes.txt': 'mine' });
    }),
    told: [['deployment', 'warning', CLAUDE, "something else stands where 'pdf' should be"]],
  },
  {
    name: 'a link of somebody else stands where an installed skill should be',
    make: broken((world) => {
      remove(world, '.claude/skills/pdf');
      world.write({ 'mine/notes.txt': '', '.claude/skills/pdf': { link: '../../mine' } });
    }),
    told: [['deployment', 'warning', CLAUDE, "something else stands where 'pdf' should be"]],
  },
  {
    name: 'one target is foreign, another is gone: only that is repaired',
    make: broken((world) => {
      remove(world, '.claude/skills/pdf');
      remove(world, '.agents/skills/pdf');
      world.write({ '.claude/skills/pdf/notes.txt': 'mine' });
    }),
    told: [
      ['deployment', 'warning', CLAUDE, "something else stands where 'pdf' should be"],
      ['deployment', 'error', './.agents/skills/pdf', "'pdf' is not there for codex", 'fixable'],
    ],
    left: [['deployment', 'warning', CLAUDE, "something else stands where 'pdf' should be"]],
  },
  {
    name: 'an agent that nobody knows',
    make: broken((world) => {
      editLock(world, (skill) => {
        skill.targets = [
          { agent: 'claude', method: 'link' },
          { agent: 'codex', method: 'link' },
          { agent: 'nobody', method: 'link' },
        ];
      });
    }),
    told: [['deployment', 'warning', 'nobody', "'pdf' cannot be deployed to nobody"]],
  },
  {
    name: 'a link of skc to a project that is gone',
    make: project({ '~/.claude/skills/gone': { link: '/no/such/.skillc/runtime/gone' } }),
    told: [
      [
        'broken-link',
        'warning',
        '~/.claude/skills/gone',
        'the link leads nowhere: /no/such/.skillc/runtime/gone is gone',
        'fixable',
      ],
    ],
  },
  {
    name: 'a link that skc would have called differently is not its own',
    make: project({ '~/.claude/skills/alias': { link: '/no/such/.skillc/runtime/gone' } }),
    told: [
      [
        'broken-link',
        'warning',
        '~/.claude/skills/alias',
        'the link leads nowhere: /no/such/.skillc/runtime/gone is gone',
      ],
    ],
  },
  {
    name: 'a link of somebody else that leads nowhere',
    make: project({ '.cursor/skills/mine': { link: '../nowhere' } }),
    told: [
      [
        'broken-link',
        'warning',
        './.cursor/skills/mine',
        'the link leads nowhere: ./.cursor/nowhere is gone',
      ],
    ],
  },
  {
    name: 'a link to another project whose skill is not compiled',
    make: () => {
      const world = makeWorld({ '~/.claude/skills/far': { link: '../../../other/.skillc/runtime/far' } });
      writeTree(world.root, { 'other/.skillc/skills/far/SKILL.md': skillText('far') });
      return world;
    },
    told: [
      [
        'broken-link',
        'warning',
        '~/.claude/skills/far',
        'the link leads nowhere: ../other/.skillc/runtime/far is gone',
      ],
    ],
  },
  {
    name: 'the links of a skill whose runtime directory is gone',
    make: built((world) => remove(world, '.skillc/runtime/own')),
    told: [
      ['stale-build', 'error', './.skillc/runtime/own', "the compiled form of 'own' is missing", 'fixable'],
    ],
  },
  {
    name: 'a directory of somebody else where a build would deploy',
    make: project({
      '.skillc/skills/own/SKILL.md': skillText('own'),
      '~/.claude/skills/own/notes.txt': 'mine',
    }),
    told: [
      ['not-deployed', 'info', './.skillc/skills/own', "no agent sees 'own'"],
      [
        'foreign-place',
        'warning',
        '~/.claude/skills/own',
        "something that skc did not make stands where 'own' is deployed to",
      ],
    ],
  },
  {
    name: 'a link of somebody else where a skill was deployed',
    make: built((world) => {
      renameSync(join(world.home, '.claude/skills/own'), join(world.root, 'aside'));
      world.write({ '~/mine/notes.txt': '', '~/.claude/skills/own': { link: '../../mine' } });
    }),
    told: [
      [
        'foreign-place',
        'warning',
        '~/.claude/skills/own',
        "a link to something else stands where 'own' is deployed to",
      ],
    ],
  },
  {
    name: 'a copy is older than the skill',
    make: built(
      async (world) => {
        world.write({ '.skillc/skills/own/SKILL.md': skillText('own', '# New\n') });
        await must(world, ['build', 'own', '--target', 'none']);
      },
      ['--copy'],
    ),
    told: [
      [
        'stale-copy',
        'warning',
        '~/.claude/skills/own',
        "this copy of 'own' is older than the skill",
        'fixable',
      ],
    ],
  },
  {
    name: 'a copy and the skill both are old: one after the other is repaired',
    make: built(
      (world) => world.write({ '.skillc/skills/own/SKILL.md': skillText('own', '# New\n') }),
      ['--copy'],
    ),
    told: [
      [
        'stale-build',
        'warning',
        './.skillc/runtime/own',
        "the compiled form of 'own' is older than its source",
        'fixable',
      ],
    ],
  },
  {
    name: 'a copy that somebody has changed',
    make: built((world) => world.write({ '~/.claude/skills/own/notes.txt': 'mine' }), ['--copy']),
    told: [['stale-copy', 'warning', '~/.claude/skills/own', "somebody has changed this copy of 'own'"]],
  },
];

/** A second project with a compiled skill. */
const withNeighbour = async () => {
  const world = makeWorld();
  const neighbour = join(world.root, 'neighbour');
  writeTree(neighbour, { '.skillc/skills/far/SKILL.md': skillText('far') });
  return { world, neighbour };
};

const neighbours: Row[] = [
  {
    name: 'a skill that another project deployed for the user',
    make: async () => {
      const { world, neighbour } = await withNeighbour();
      await world.run(['build', 'far'], { cwd: neighbour });
      return world;
    },
    told: [['other-project', 'info', '~/.claude/skills/far', "'far' is a skill of the project ../neighbour"]],
  },
  {
    name: 'a link of this project to a skill of another one',
    make: async () => {
      const { world, neighbour } = await withNeighbour();
      await world.run(['build', 'far', '--target', 'none'], { cwd: neighbour });
      world.write({ '.claude/skills/far': { link: join(neighbour, '.skillc/runtime/far') } });
      return world;
    },
    told: [
      [
        'other-project',
        'warning',
        './.claude/skills/far',
        "'far' here is a skill of another project, ../neighbour",
      ],
    ],
  },
];

testRows([links, neighbours].flat());
