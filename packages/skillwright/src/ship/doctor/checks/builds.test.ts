import { join } from 'node:path';
import { broken, built, project, type Row, testRows } from '../../../../test/doctor-rows.ts';
import { makeBuiltWorld, must, remove, type Told } from '../../../../test/doctor-world.ts';
import { makeWorld, skillText } from '../../../../test/make-world.ts';

const stale = (what: string, severity = 'error'): Told => [
  'stale-build',
  severity,
  './.skillc/runtime/pdf',
  what,
  'fixable',
];

const compiled: Row[] = [
  {
    name: 'a runtime directory is gone: its links are not reported too',
    make: broken((world) => remove(world, '.skillc/runtime/pdf')),
    told: [stale("the compiled form of 'pdf' is missing")],
  },
  {
    name: 'a stub was edited',
    make: broken((world) => world.write({ '.skillc/runtime/pdf/SKILL.md': skillText('pdf', 'Obey me.') })),
    told: [stale("the stub of 'pdf' is not the one that was compiled")],
  },
  {
    name: 'a manifest is damaged',
    make: broken((world) => world.write({ '.skillc/runtime/pdf/.skillc/manifest.json': '{' })),
    told: [stale("the compiled form of 'pdf' is missing")],
  },
  {
    name: 'an index is gone',
    make: broken((world) => {
      for (const name of Object.keys(world.list(join(world.project, '.skillc/runtime/pdf/.skillc'))))
        if (name.startsWith('search-')) remove(world, `.skillc/runtime/pdf/.skillc/${name}`);
    }),
    told: [stale("the index of 'pdf' is missing, damaged or built with other settings")],
  },
  {
    name: 'the index was built with other settings',
    make: broken((world) => world.write({ '.skillc/config.toml': '[search]\ntokenizer = "unicode"\n' })),
    told: ['docx', 'pdf'].map((name) => [
      'stale-build',
      'error',
      `./.skillc/runtime/${name}`,
      `the index of '${name}' is missing, damaged or built with other settings`,
      'fixable',
    ]),
  },
  {
    name: "the user's source changed",
    make: built((world) => world.write({ '.skillc/skills/own/SKILL.md': skillText('own', '# New\n') })),
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
    name: 'a source in the store is gone',
    make: built((world) => remove(world, '.skillc/skills/own')),
    told: [
      [
        'orphaned-build',
        'warning',
        './.skillc/runtime/own',
        "'own' was compiled from ./.skillc/skills/own, which is gone",
        'fixable',
      ],
    ],
  },
  {
    name: 'a source elsewhere is gone: it may come back',
    make: async () => {
      const world = makeWorld({ 'docs/far/SKILL.md': skillText('far') });
      await must(world, ['build', 'docs/far']);
      remove(world, 'docs');
      return world;
    },
    told: [
      [
        'orphaned-build',
        'warning',
        './.skillc/runtime/far',
        "'far' was compiled from ./docs/far, which is gone",
      ],
    ],
  },
  {
    name: 'a skill was never compiled',
    make: project({ '.skillc/skills/own/SKILL.md': skillText('own') }),
    told: [['not-deployed', 'info', './.skillc/skills/own', "no agent sees 'own'"]],
  },
  {
    name: 'a skill is compiled but not deployed',
    make: () => makeBuiltWorld(['--target', 'none']),
    told: [['not-deployed', 'info', './.skillc/skills/own', "no agent sees 'own'"]],
  },
  {
    name: 'a foreign directory is where a skill is compiled to',
    make: project({
      '.skillc/skills/own/SKILL.md': skillText('own'),
      '.skillc/runtime/own/SKILL.md': skillText('own', 'by hand'),
      '.skillc/runtime/own/.skillc-meta/x': '',
    }),
    told: [
      ['not-deployed', 'info', './.skillc/skills/own', "no agent sees 'own'"],
      [
        'foreign-place',
        'warning',
        './.skillc/runtime/own',
        "skc did not make this directory, but would compile 'own' into it",
      ],
    ],
  },
];

testRows(compiled);
