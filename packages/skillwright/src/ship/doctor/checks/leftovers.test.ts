import { spawnSync } from 'node:child_process';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { broken, built, editLock, type Row, testRows } from '../../../../test/doctor-rows.ts';
import { must } from '../../../../test/doctor-world.ts';
import { demoSkill } from '../../../../test/install-world.ts';
import { writeTree } from '../../../../test/make-directory.ts';
import { makeWorld, type World } from '../../../../test/make-world.ts';

const old = new Date('2020-01-01T00:00:00Z');
const age = (world: World, path: string) => utimesSync(join(world.project, path), old, old);

const leftBehind: Row[] = [
  {
    name: 'temporary files of killed commands',
    make: broken((world) => {
      const places = [
        '.skillc/.lock.json.123-abcdef01.tmp',
        '.skillc/runtime/pdf/.SKILL.md.123-abcdef01.tmp',
        '.skillc/runtime/pdf/.skillc/.search-0123456789abcdef.db.123-abcdef01.tmp-journal',
        '.skillc/state.json.lock',
        '.skillc/edits/.pdf.json.123-abcdef01.tmp',
        '.skillc/cache/reading/.index.123-abcdef01.tmp',
        // Files of a skill, which skc did not make.
        '.skillc/skills/pdf/.notes.123-abcdef01.tmp',
      ];
      for (const place of places) {
        world.write({ [place]: '' });
        age(world, place);
      }
      world.write({
        // Too recent, and foreign.
        '.skillc/.state.json.123-abcdef01.tmp': '',
        '.claude/skills/.other.123-abcdef01.tmp': '',
        '.claude/skills/.pdf.123-abcdef01.tmp/SKILL.md': '',
        '.skillc/.install/tx-0123456789abcdef/new/pdf/SKILL.md': '',
      });
      for (const place of [
        '.claude/skills/.other.123-abcdef01.tmp',
        '.claude/skills/.pdf.123-abcdef01.tmp',
        '.skillc/.install/tx-0123456789abcdef',
      ])
        age(world, place);
    }),
    told: [
      [
        'leftovers',
        'warning',
        './.skillc',
        './.skillc/.lock.json.123-abcdef01.tmp and 5 more were left behind',
        'fixable',
      ],
      [
        'leftovers',
        'warning',
        './.skillc/.install',
        './.skillc/.install/tx-0123456789abcdef was left behind',
        'fixable',
      ],
      [
        'leftovers',
        'warning',
        './.claude/skills',
        './.claude/skills/.pdf.123-abcdef01.tmp was left behind',
        'fixable',
      ],
    ],
  },
  {
    name: 'a command killed during an installation',
    make: () => {
      const world = makeWorld();
      writeTree(world.root, { ...demoSkill(1, 'versions/one'), 'versions/current': { link: 'one' } });
      const driver = fileURLToPath(new URL('../../../../test/install-driver.ts', import.meta.url));
      const source = join(world.root, 'versions/current');
      const task = { project: world.project, home: world.home, source, work: 'install', dieAt: 4 };
      const { signal } = spawnSync(process.execPath, [driver, JSON.stringify(task)]);
      expect(signal).toBe('SIGKILL');
      return world;
    },
    told: [
      [
        'interrupted',
        'warning',
        './.skillc/.install',
        'a command was interrupted while it changed installed skills',
        'fixable',
      ],
    ],
  },
];

const machine: Row[] = [
  {
    name: 'no git, and a skill from a repository',
    make: broken((world) => {
      editLock(world, (skill) => {
        skill.resolution = { commit: 'a'.repeat(40) };
      });
    }),
    told: [['missing-program', 'warning', 'git', 'git is not installed']],
  },
  {
    name: 'no sandbox, and a skill with scripts',
    make: built(async (world) => {
      world.write({ '.skillc/skills/own/scripts/run.sh': 'true\n' });
      await must(world, ['build', 'own']);
    }),
    told: [
      [
        'missing-program',
        'info',
        'sandbox',
        'there is no sandbox: no PATH was given to look for bubblewrap (bwrap)',
      ],
    ],
  },
];

testRows([leftBehind, machine].flat());
