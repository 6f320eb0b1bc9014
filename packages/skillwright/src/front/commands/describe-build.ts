// The text of a build: the skill, its form, the files left out, and every place it was deployed to.

import { makeVisible } from '../../base/diagnostics/index.ts';

/** A built skill, as the output of `skc build` has it. */
interface Outcome {
  readonly name: string;
  readonly status: 'created' | 'updated' | 'unchanged';
  readonly indexed: number;
  readonly files: number;
  readonly form: keyof typeof forms;
  readonly why: string;
  readonly left_out: readonly { readonly path: string; readonly why: string }[];
  readonly deployments: readonly {
    readonly target: string;
    readonly path: string;
    readonly method: string;
    readonly changed: boolean;
    readonly backup: string | null;
    readonly replaced: string | null;
  }[];
  readonly backups: readonly string[];
  readonly notes: readonly string[];
}

const forms = { stub: 'a stub', files: 'a stub with files', whole: 'whole' } as const;

/** How many names of a list are spelled out. */
const MAX_NAMES = 8;

/** One line for the skill, one for its form, and one for each place it was deployed to. */
export function describeOutcome(outcome: Outcome, { dryRun = false } = {}): string[] {
  const { name, form, why, left_out, deployments, backups, notes } = outcome;
  // Agents read the source itself.
  const isSource = notes.length > 0 && deployments.length === 0;
  return [
    `${makeVisible(name)}: ${headline(outcome, dryRun)}`,
    ...(isSource ? [] : [describeForm({ form, why }), ...describeLeftOut(left_out)]),
    ...backups.map((path) => `  backup: ${path}`),
    ...deployments.map(({ target, path, method, changed, backup, replaced }) => {
      const state = changed ? (dryRun ? '; would be created' : '') : '; already there';
      const kept = backup === null ? '' : `; backup: ${backup}`;
      const before = replaced === null ? '' : `; before: ${replaced}`;
      return `  ${target}: ${path} (${method}${state}${kept}${before})`;
    }),
    ...notes.map((note) => `  ${makeVisible(note)}`),
  ];
}

/** The form a skill is deployed in, and why. */
export function describeForm({ form, why }: Pick<Outcome, 'form' | 'why'>): string {
  return `  form: ${forms[form]} (${makeVisible(why)})`;
}

function headline({ status, indexed, files, deployments }: Outcome, dryRun: boolean): string {
  const amount = `${files} ${files === 1 ? 'file' : 'files'}`;
  const isDeployed = deployments.some(({ changed }) => changed);
  if (status === 'unchanged') return `${isDeployed ? 'already compiled' : 'up to date'} (${amount})`;
  if (dryRun) return `would be ${status} (${amount})`;
  return `${status} (${indexed} of ${amount} indexed)`;
}

/** Entries left out, grouped by reason. */
function describeLeftOut(leftOut: Outcome['left_out']): string[] {
  return Array.from(
    Map.groupBy(leftOut, ({ why }) => why),
    ([why, entries]) => {
      const names = entries.slice(0, MAX_NAMES).map(({ path }) => makeVisible(path));
      const more = entries.length - names.length;
      return `  left out: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''} (${why})`;
    },
  );
}
