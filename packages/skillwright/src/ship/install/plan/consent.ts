// The request to change installed skills, and reasons to stop it, or one of its skills: nobody agrees, edits would be
// lost, or it fails.

import { diagnosticOf, SkillwrightError } from '../../../base/diagnostics/index.ts';
import type { StoreScope } from '../../../skill/workspace/index.ts';
import type { Failure } from '../../results/index.ts';
import type { Consent } from '../gate/gate.ts';
import type { InstallContext } from '../place/install-place.ts';

/** A request to change installed skills. Each operation adds what it alone needs. */
export interface ChangeRequest extends Consent {
  /** Names; none for every skill. */
  readonly skills: readonly string[];
  /** Without one the project's inside a project, else the user's. */
  readonly scope?: StoreScope | undefined;
  /** Replaces what is in the way, edits included, and keeps a backup. */
  readonly force: boolean;
  readonly yes: boolean;
  /** Accepts the new content of a moved tag or version. */
  readonly acceptMoved: boolean;
  readonly dryRun: boolean;
  readonly offline: boolean;
}

/** Flags that a command repeated by hand needs again. */
const repeatedFlags = [
  'copy',
  'pin',
  'unpin',
  'force',
  'offline',
  'yes',
  'acceptMoved',
  'trustLock',
] as const;

/** A command with the flags that were given, to repeat it by hand. */
export function spellCommand(
  words: readonly string[],
  flags: { readonly [Flag in (typeof repeatedFlags)[number]]?: boolean | undefined },
): string {
  const given = repeatedFlags.filter((flag) => flags[flag] === true);
  const spelled = given.map((flag) => `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  return [...words, ...spelled].join(' ');
}

/** The user's confirmation. E100 when there is nobody to ask and no --yes; false when the user declined. */
export async function askToGoOn(
  question: string,
  consent: { readonly yes: boolean },
  context: InstallContext,
): Promise<boolean> {
  if (consent.yes) return true;
  if (context.ask !== undefined) return context.ask.confirm(question);
  throw SkillwrightError.of(
    'E100',
    { why: 'this needs your confirmation, and there is no terminal to ask on' },
    { help: 'pass --yes to confirm, or --dry-run to preview' },
  );
}

/** E212 with the files that were edited. */
export function editedError(skill: string, files: readonly string[], help: string): SkillwrightError {
  const detail = files.map((path) => `  ${path}`).join('\n');
  return SkillwrightError.of(
    'E212',
    { skill },
    { help, ...(detail === '' ? {} : { detail }), data: { files } },
  );
}

/** The failure of one skill, which is reported and does not stop the rest. Anything but a coded error is a bug and is rethrown. */
export function failureOf(name: string, error: unknown, { report }: Pick<InstallContext, 'report'>): Failure {
  if (!(error instanceof SkillwrightError)) throw error;
  const diagnostic = diagnosticOf(error);
  report(diagnostic);
  const { code, message, help = null, data = null } = diagnostic;
  return { name, code, message, help, data };
}
