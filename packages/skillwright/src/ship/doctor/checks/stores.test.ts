import { expect } from 'vitest';
import { broken, project, type Row, testRows } from '../../../../test/doctor-rows.ts';
import { makeInstalledWorld, remove } from '../../../../test/doctor-world.ts';
import { skillText } from '../../../../test/make-world.ts';

const configuration: Row[] = [
  {
    name: 'configuration that cannot be read',
    make: project({ '.skillc/config.toml': '[search]\ntokenizer = 7\n' }),
    told: [
      [
        'unusable-config',
        'error',
        'config.toml',
        'invalid configuration: ./.skillc/config.toml:2: search.tokenizer: must be one of unicode, porter',
      ],
    ],
  },
  {
    name: 'a key that nobody reads',
    make: project({ '.skillc/config.toml': '[search]\ntokeniser = "porter"\n' }),
    told: [
      [
        'unusable-config',
        'warning',
        'config.toml',
        'unknown configuration key: ./.skillc/config.toml:2: search.tokeniser',
      ],
    ],
  },
  {
    name: 'a damaged state file',
    make: project({ '~/.skillc/state.json': '{"disabled": [' }),
    told: [
      ['unusable-state', 'error', '~/.skillc/state.json', "cannot read '~/.skillc/state.json': not JSON"],
    ],
  },
  {
    name: 'a lock with conflict markers',
    make: project({ '.skillc/lock.json': '<<<<<<< HEAD\n{}\n' }),
    told: [
      [
        'unusable-lock',
        'error',
        './.skillc/lock.json',
        "lock file unusable: './.skillc/lock.json': it has merge conflict markers",
      ],
    ],
  },
  {
    name: 'a damaged lock of the other tool',
    make: project({ 'skills-lock.json': 'null' }),
    told: [
      [
        'unusable-lock',
        'warning',
        './skills-lock.json',
        expect.stringContaining('lock file unusable') as never,
      ],
    ],
  },
];

const installed: Row[] = [
  { name: 'nothing is wrong', make: () => makeInstalledWorld(), told: [] },
  { name: 'nothing is wrong with copies', make: () => makeInstalledWorld({ copy: true }), told: [] },
  {
    name: 'the directory of a skill is gone',
    make: broken((world) => remove(world, '.skillc/skills/pdf')),
    told: [
      [
        'missing-skill',
        'error',
        './.skillc/skills/pdf',
        "'pdf' is installed, and its directory is gone",
        'fixable',
      ],
    ],
  },
  {
    name: 'everything but the lock is gone',
    make: broken((world) => {
      for (const path of ['.skillc/skills', '.skillc/runtime', '.claude', '.agents']) remove(world, path);
    }),
    told: ['docx', 'pdf'].map((name) => [
      'missing-skill',
      'error',
      `./.skillc/skills/${name}`,
      `'${name}' is installed, and its directory is gone`,
      'fixable',
    ]),
  },
  {
    name: 'a file was edited, and the compiled form is older: whose work it is comes first',
    make: broken((world) => {
      world.write({
        '.skillc/skills/pdf/SKILL.md': skillText('pdf', '# mine\n'),
        '.skillc/skills/pdf/new.md': '',
      });
    }),
    told: [
      ['drift', 'warning', './.skillc/skills/pdf', "'pdf' differs from the lock: 1 modified, 1 extra"],
      [
        'stale-build',
        'warning',
        './.skillc/runtime/pdf',
        "the compiled form of 'pdf' is older than its source",
      ],
    ],
  },
];

testRows([configuration, installed].flat());
