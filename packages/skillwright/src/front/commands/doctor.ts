// skc doctor: finds and repairs problems with skills, links and settings.

import * as z from 'zod';
import { formatCount, makeVisible, type Paint } from '../../base/diagnostics/index.ts';
import { groups } from '../../ship/doctor/index.ts';
import { DoctorReport } from '../../ship/results/index.ts';
import { defineCommand } from './define-command.ts';
import { ScopeInput } from './install-input.ts';
import { Root, rootLines, rootsOf } from './roots.ts';

type Finding = DoctorReport['findings'][number];

/** Finds problems, and repairs them on request. */
export const doctor = defineCommand({
  input: z.strictObject({
    fix: z.boolean().default(false).describe('Repair what can be repaired'),
    scope: ScopeInput.describe('Only the project, or only yours; without it, both'),
  }),
  positionals: [],
  output: DoctorReport.extend({ paths: z.array(Root).describe('The search paths') }),
  effect: 'write',
  writes: ['stores', 'runtime directories', 'agent directories'],
  touches: { skills: 'inspect' },
  about:
    'Checks the configuration, the lock, builds, links and copies, and what each agent will see. It changes nothing unless you pass --fix, which never deletes files skc did not make, nor your edits. The exit code is 1 if errors remain.',
  examples: [
    { line: 'skc doctor', note: 'see what is wrong and how to fix it' },
    { line: 'skc doctor --fix', note: 'repair it' },
    { line: 'skc doctor --scope project --json', note: 'check the project only, for a program' },
  ],
  async run({ fix, scope }, context) {
    const { runDoctor } = await import('../../ship/doctor/run-doctor.ts');
    const { roots, ...report } = await runDoctor({ fix, scope }, context);
    return { ...report, paths: rootsOf(roots) };
  },
  text({ findings, machine, skills, agents, forms, paths }, { paint }) {
    const lines: string[] = [];
    for (const group of groups) {
      const members = findings.filter((finding) => finding.group === group);
      if (members.length > 0)
        lines.push(paint.strong(group), ...members.flatMap((finding) => problemLines(finding, paint)), '');
    }
    const searched = paths.flatMap((root) => rootLines(root, paint));
    if (searched.length > 0) lines.push(paint.strong('search paths'), ...searched, '');
    lines.push(...describeForms(forms).map(paint.faint));
    const git = machine.git === null ? 'no git' : `git ${machine.git.version}`;
    const sandbox = machine.sandbox.name === null ? 'no sandbox' : `sandbox ${machine.sandbox.name}`;
    const seen = agents.length === 0 ? 'no agents' : agents.join(', ');
    lines.push(
      paint.faint(`${formatCount(skills, 'skill')}; ${seen}; ${git}; ${sandbox}`),
      conclude(findings),
    );
    return `${lines.join('\n')}\n`;
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

function problemLines({ severity, subject, message, why, fix, fixed }: Finding, paint: Paint): string[] {
  const label = fixed ? paint.info('fixed'.padEnd(7)) : paint[severity](severity.padEnd(7));
  // Most messages name their subject.
  const about = message.includes(subject) ? [] : [`${INDENT}${makeVisible(subject)}`];
  const more = fixed
    ? []
    : [`${INDENT}${paint.faint(makeVisible(why))}`, `${INDENT}fix: ${makeVisible(fix)}`];
  return [`  ${label}  ${makeVisible(message)}`, ...about, ...more];
}

function conclude(findings: readonly Finding[]): string {
  const left = findings.filter(({ fixed }) => !fixed);
  const repaired = findings.length - left.length;
  const words = repaired === 0 ? [] : [`repaired ${formatCount(repaired, 'problem')}`];
  if (left.length === 0)
    return [...words, repaired === 0 ? 'no problems found' : 'no problems left'].join('; ');
  const of = (severity: Finding['severity']) =>
    left.filter((finding) => finding.severity === severity).length;
  const counts = [
    ...(of('error') === 0 ? [] : [formatCount(of('error'), 'error')]),
    ...(of('warning') === 0 ? [] : [formatCount(of('warning'), 'warning')]),
    ...(of('info') === 0 ? [] : [formatCount(of('info'), 'note')]),
  ];
  const fixable = left.filter((finding) => finding.fixable).length;
  const hint = fixable === 0 || repaired > 0 ? [] : [`'skc doctor --fix' repairs ${fixable}`];
  return [...words, counts.join(', '), ...hint].join('; ');
}
