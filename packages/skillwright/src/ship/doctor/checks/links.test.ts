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
    told: [['deployment', 'error', CLAUDE, "'pdf' is missing for claude", 'fixable']],
  },
  {
    name: 'a link of an installed skill is broken',
    make: broken((world) => {
      remove(world, '.claude/skills/pdf');
      world.write({ '.claude/skills/pdf': { link: 'pdf' } });
    }),
    told: [['deployment', 'error', CLAUDE, "the link of 'pdf' is broken", 'fixable']],
  },
  {
    name: 'a copy is where a link should be',
    make: broken((world) => {
      editLock(world, (skill) => {
        skill.targets = [
          { agent: 'claude', method: 'copy' },
          { agent: 'codex', method: 'link' },
        ];
      });
    }),
    told: [['deployment', 'warning', CLAUDE, "the copy of 'pdf' has changed since skc made it", 'fixable']],
  },
  {
    name: 'a copy was edited',
    make: broken((world) => world.write({ '.claude/skills/pdf/SKILL.md': skillText('pdf', 'mine') }), {
      copy: true,
    }),
    told: [['deployment', 'warning', CLAUDE, "the copy of 'pdf' has changed since skc made it"]],
  },
  {
    name: 'a foreign directory is where an installed skill should be',
    make: broken((world) => {
      remove(world, '.claude/skills/pdf');
      world.write({ '.claude/skills/pdf/notes.txt': 'mine' });
    }),
    told: [['deployment', 'warning', CLAUDE, "something else is where 'pdf' should be"]],
  },
  {
    name: 'a foreign link is where an installed skill should be',
    make: broken((world) => {
      remove(world, '.claude/skills/pdf');
      world.write({ 'mine/notes.txt': '', '.claude/skills/pdf': { link: '../../mine' } });
    }),
    told: [['deployment', 'warning', CLAUDE, "something else is where 'pdf' should be"]],
  },
  {
    name: 'one target is foreign, another is missing: only the missing one is repaired',
    make: broken((world) => {
      remove(world, '.claude/skills/pdf');
      remove(world, '.agents/skills/pdf');
      world.write({ '.claude/skills/pdf/notes.txt': 'mine' });
    }),
    told: [
      ['deployment', 'warning', CLAUDE, "something else is where 'pdf' should be"],
      ['deployment', 'error', './.agents/skills/pdf', "'pdf' is missing for codex", 'fixable'],
    ],
    left: [['deployment', 'warning', CLAUDE, "something else is where 'pdf' should be"]],
  },
  {
    name: 'an unknown agent',
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
    name: "skc's link to a project that is gone",
    make: project({ '~/.claude/skills/gone': { link: '/no/such/.skillc/runtime/gone' } }),
    told: [
      [
        'broken-link',
        'warning',
        '~/.claude/skills/gone',
        'the link is broken: /no/such/.skillc/runtime/gone is gone',
        'fixable',
      ],
    ],
  },
  {
    name: 'a link with a name that skc would not use is foreign',
    make: project({ '~/.claude/skills/alias': { link: '/no/such/.skillc/runtime/gone' } }),
    told: [
      [
        'broken-link',
        'warning',
        '~/.claude/skills/alias',
        'the link is broken: /no/such/.skillc/runtime/gone is gone',
      ],
    ],
  },
  {
    name: 'a broken foreign link',
    make: project({ '.cursor/skills/mine': { link: '../nowhere' } }),
    told: [
      ['broken-link', 'warning', './.cursor/skills/mine', 'the link is broken: ./.cursor/nowhere is gone'],
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
        'the link is broken: ../other/.skillc/runtime/far is gone',
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
    name: 'a foreign directory where a build would deploy',
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
        "something that skc did not make is where 'own' should be deployed",
      ],
    ],
  },
  {
    name: 'a foreign link where a skill was deployed',
    make: built((world) => {
      renameSync(join(world.home, '.claude/skills/own'), join(world.root, 'aside'));
      world.write({ '~/mine/notes.txt': '', '~/.claude/skills/own': { link: '../../mine' } });
    }),
    told: [
      [
        'foreign-place',
        'warning',
        '~/.claude/skills/own',
        "a link to something else is where 'own' should be deployed",
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
    name: 'both the copy and the build are old: both are repaired in turn',
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
    name: 'an edited copy',
    make: built((world) => world.write({ '~/.claude/skills/own/notes.txt': 'mine' }), ['--copy']),
    told: [['stale-copy', 'warning', '~/.claude/skills/own', "this copy of 'own' was edited"]],
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
    name: 'a skill that another project deployed to the home directory',
    make: async () => {
      const { world, neighbour } = await withNeighbour();
      await world.run(['build', 'far'], { cwd: neighbour });
      return world;
    },
    told: [['other-project', 'info', '~/.claude/skills/far', "'far' belongs to the project ../neighbour"]],
  },
  {
    name: 'a link in this project to a skill of another',
    make: async () => {
      const { world, neighbour } = await withNeighbour();
      await world.run(['build', 'far', '--target', 'none'], { cwd: neighbour });
      world.write({ '.claude/skills/far': { link: join(neighbour, '.skillc/runtime/far') } });
      return world;
    },
    told: [
      ['other-project', 'warning', './.claude/skills/far', "'far' belongs to another project, ../neighbour"],
    ],
  },
];

testRows([links, neighbours].flat());
