// Asks the user for confirmation.

import { SkillwrightError } from '../../../base/diagnostics/index.ts';
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
