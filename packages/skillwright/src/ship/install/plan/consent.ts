// Reasons to stop a command, or one of its skills: nobody agrees, edits would be lost, or it fails.

import { type Diagnostic, diagnosticOf, SkillwrightError } from '../../../base/diagnostics/index.ts';
import type { InstallContext } from '../place/install-place.ts';

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

/** A skill that could not be installed, restored or updated, and why. It does not stop the rest. */
export interface Failed {
  readonly name: string;
  readonly error: Diagnostic;
}

/** The failure of a skill. Anything but a coded error is a bug and is rethrown. */
export function failureOf(name: string, error: unknown): Failed {
  if (!(error instanceof SkillwrightError)) throw error;
  return { name, error: diagnosticOf(error) };
}
