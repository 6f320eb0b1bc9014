// The yes of whoever is asked.

import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import type { InstallContext } from '../place/install-place.ts';

/** The yes of the user. E100 when it was not given; false when a person said no. */
export async function askToGoOn(
  question: string,
  consent: { readonly yes: boolean },
  context: InstallContext,
): Promise<boolean> {
  if (consent.yes) return true;
  if (context.ask !== undefined) return context.ask.confirm(question);
  throw SkillwrightError.of(
    'E100',
    { why: 'this needs a yes, and there is no terminal to ask on' },
    { help: 'pass --yes to go on, or --dry-run to look first' },
  );
}
