// skc doctor: finds and repairs problems with skills, links and settings.

import * as z from 'zod';
import { formatCount, makeVisible, type Paint } from '../../base/diagnostics/index.ts';
import { groups } from '../../ship/doctor/index.ts';
import { DoctorReport } from '../../ship/results/index.ts';
import { defineCommand, type Line, linesOf } from './define-command.ts';
import { flag, scopeField } from './fields.ts';
import { Root, rootLines, rootsOf } from './roots.ts';

type Finding = DoctorReport['findings'][number];

/** Finds problems, and repairs them on request. */
export const doctor = defineCommand({
  fields: {
    fix: flag('Repair what can be repaired'),
    scope: scopeField('Only the project, or only yours; without it, both'),
  },
  positionals: [],
  output: DoctorReport.extend({ paths: z.array(Root).describe('The search paths') }),
  effect: 'write',
  writes: ['stores', 'runtime directories', 'agent directories'],
  touches: { skills: 'inspect' },
  about:
    'Checks the configuration, the lock, builds, links and copies, and what each agent will see. It changes nothing unless you pass --fix, which never deletes files skc did not make, nor your edits. The exit code is 1 if errors remain.',
  examples: {
    'skc doctor': 'see what is wrong and how to fix it',
    'skc doctor --fix': 'repair it',
    'skc doctor --scope project --json': 'check the project only, for a program',
  },
  async run({ fix, scope }, context) {
    const { runDoctor } = await import('../../ship/doctor/run-doctor.ts');
    const { roots, ...report } = await runDoctor({ fix, scope }, context);
    return { ...report, paths: rootsOf(roots) };
  },
  text({ findings, machine, skills, agents, forms, paths }, { paint }) {
    const searched = paths.flatMap((root) => rootLines(root, paint));
    const git = machine.git === null ? 'no git' : `git ${machine.git.version}`;
    const sandbox = machine.sandbox.name === null ? 'no sandbox' : `sandbox ${machine.sandbox.name}`;
    const seen = agents.length === 0 ? 'no agents' : agents.join(', ');
    return [
      groups.map((group) => {
        const members = findings.filter((finding) => finding.group === group);
        const shown = members.map((finding) => problemLines(finding, paint));
        return members.length > 0 && [paint.strong(group), shown, ''];
      }),
      searched.length > 0 && [paint.strong('search paths'), searched, ''],
      describeForms(forms).map(paint.faint),
      paint.faint(`${formatCount(skills, 'skill')}; ${seen}; ${git}; ${sandbox}`),
      conclude(findings),
    ];
  },
  failed: ({ findings }) => findings.some(({ severity, fixed }) => severity === 'error' && !fixed),
});

const MAX_FORMS = 10;
const formNames = { stub: 'a stub', files: 'a stub with files', whole: 'whole' } as const;

/** Skills that are not plain stubs. */
function describeForms(
  forms: readonly { skill: string; form: keyof typeof formNames; why: string }[],
): string[] {
  const told = forms.filter(({ form }) => form !== 'stub');
  const more = told.length - MAX_FORMS;
  return [
    ...told
      .slice(0, MAX_FORMS)
      .map(({ skill, form, why }) => `${makeVisible(skill)}: ${formNames[form]} (${makeVisible(why)})`),
    ...(more > 0 ? [`... (${more} more; see 'skc list')`] : []),
  ];
}

const INDENT = ' '.repeat(11);

function problemLines({ severity, subject, message, why, fix, fixed }: Finding, paint: Paint): Line {
  const label = fixed ? paint.info('fixed'.padEnd(7)) : paint[severity](severity.padEnd(7));
  return [
    `  ${label}  ${makeVisible(message)}`,
    // Most messages name their subject.
    !message.includes(subject) && `${INDENT}${makeVisible(subject)}`,
    !fixed && [`${INDENT}${paint.faint(makeVisible(why))}`, `${INDENT}fix: ${makeVisible(fix)}`],
  ];
}

function conclude(findings: readonly Finding[]): string {
  const left = findings.filter(({ fixed }) => !fixed);
  const repaired = findings.length - left.length;
  const done = repaired > 0 && `repaired ${formatCount(repaired, 'problem')}`;
  if (left.length === 0)
    return linesOf([done, repaired === 0 ? 'no problems found' : 'no problems left']).join('; ');
  const names = { error: 'error', warning: 'warning', info: 'note' } as const;
  const counts = (['error', 'warning', 'info'] as const).map((severity) => {
    const count = left.filter((finding) => finding.severity === severity).length;
    return count > 0 && formatCount(count, names[severity]);
  });
  const fixable = left.filter((finding) => finding.fixable).length;
  const hint = fixable > 0 && repaired === 0 && `'skc doctor --fix' repairs ${fixable}`;
  return linesOf([done, linesOf(counts).join(', '), hint]).join('; ');
}
