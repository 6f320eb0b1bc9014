// skc report: everything about a set of skills, to decide whether to use them.

import { resolve } from 'node:path';
import { invalidOption } from '../../base/diagnostics/index.ts';
import { displayPath } from '../../base/files/index.ts';
import {
  buildReport,
  formatOf,
  renderReportText,
  reportDocuments,
  requireReportPlace,
  SkillReport,
  writeReport,
} from '../report/index.ts';
import { pathsOf } from './ci-report.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand, type View } from './define-command.ts';
import { author, choice, flag, own, text, texts } from './fields.ts';

const scopes = ['all', 'project', 'user'] as const;
type Scope = (typeof scopes)[number];

/** Reports on skills. */
export const report = defineCommand({
  fields: {
    skills: texts('Skills by name or path, or directories of skills; without any, those of --scope'),
    output: own(text('Write the report to this file: HTML, Markdown or JSON, by its name or --format')),
    scope: choice(
      scopes,
      'Without skills: all that agents see here, those of the project, or yours (default all)',
    ),
    fail_on: choice(
      ['caution', 'danger', 'licence'],
      'Exit with 1 if a skill has this verdict or worse and nobody accepted it, or if report.licences refuses its licence',
    ),
    baseline: text(
      'An earlier state, such as .skillc/report-baseline.json: says what is new, and what was accepted',
    ),
    write_baseline: own(flag('Write the state of these skills to the baseline')),
    why: text('With --write-baseline: accept all findings of these skills, for this reason', { min: 1 }),
    trust_lock: own(flag("Count the findings that the project's lock accepts")),
    author,
  },
  positionals: ['skills'],
  output: SkillReport,
  effect: 'write',
  writes: ['cache', 'named directory'],
  belongsTo: { why: ['write_baseline'] },
  touches: { skills: 'inspect' },
  about:
    'Scans and lints each skill, and shows what it can do: network, programs, secrets, files it writes, tools of the agent, each as declared in the frontmatter and as found in scripts and commands. Adds licence, source, trust score, size, and who accepted what. Without --output, prints a summary; `--format html`, `markdown`, `comment`, `cyclonedx` or `json` prints a document. `comment` is for pull requests, `cyclonedx` is a bill of materials. The HTML file needs no other file and makes no request. No network is used.\nA baseline lists the skills of an earlier report. A finding accepted there counts as decided until its file changes. The baseline counts only if you name it. Without --fail-on, the exit code is 0 whatever the report says.',
  examples: {
    'skc report --output report.html': 'all skills that agents see here, for a browser',
    'skc report pdf --format markdown': 'one skill, printed as Markdown',
    'skc report --baseline .skillc/report-baseline.json --write-baseline --why "reviewed by the team"':
      'accept all findings',
    'skc report --baseline .skillc/report-baseline.json --fail-on caution --format comment':
      'in CI: what is new, as a comment',
  },
  async run(input, context) {
    const { cwd } = context.workspace;
    if (input.write_baseline && input.baseline === undefined)
      throw invalidOption('--write-baseline needs --baseline <file>');
    const output = input.output === undefined ? undefined : resolve(cwd, input.output);
    const format = output === undefined ? undefined : formatOf(output, context.format);
    // Before the work, not after it.
    if (output !== undefined) requireReportPlace(output);
    const built = await buildReport(
      {
        words: await wordsFor(input, context),
        failOn: input.fail_on ?? null,
        baseline: input.baseline === undefined ? undefined : resolve(cwd, input.baseline),
        writeBaseline: input.write_baseline,
        why: input.why,
        trustLock: input.trust_lock,
        author: input.author,
      },
      context,
    );
    if (output === undefined || format === undefined) return built;
    writeReport(output, built, format);
    return { ...built, output: displayPath(cwd, output) };
  },
  text: renderSummary,
  formats: Object.fromEntries(
    Object.entries(reportDocuments).map(([format, render]) => [
      format,
      // A document that went into a file is not printed as well.
      (built: SkillReport, view: View) =>
        built.output === null ? render(built) : renderSummary(built, view),
    ]),
  ),
  failed: ({ failed }) => failed,
});

/** The named skills, else those of the scope. A model reports on the project. */
async function wordsFor(
  { skills, scope }: { readonly skills: readonly string[]; readonly scope?: Scope | undefined },
  context: CommandContext,
): Promise<readonly string[]> {
  if (skills.length > 0) {
    if (scope !== undefined) throw invalidOption('--scope chooses skills: name none beside it');
    return skills;
  }
  const chosen = scope ?? (context.by === 'user' ? 'all' : 'project');
  const project = chosen === 'user' ? [] : pathsOf([], context);
  if (chosen === 'project') return project;
  const { access } = context;
  const { visible } = await access.view(await access.catalog());
  const yours = visible.skills.filter((skill) => skill.scope === 'user').map(({ dir }) => dir);
  return [...project, ...yours];
}

function renderSummary(built: SkillReport, { paint }: View): string {
  return renderReportText(built, paint);
}
