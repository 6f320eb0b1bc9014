// Why an agent cannot use a skill.

import type { SkillCatalog, SkillRecord } from '../../../read/catalog/index.ts';
import type { Reason } from '../../../skill/judge/index.ts';
import { type CommandContext, type FrontContext, openContext, showPath } from '../../commands/index.ts';

const reasons: Readonly<Record<Reason, string>> = {
  disabled: 'It is switched off.',
  unavailable: 'Something it requires is missing.',
  denied: 'A rule of your configuration denies it.',
  'user-only': 'Only you can invoke it (disable-model-invocation).',
  'model-only': 'Only a model can invoke it (user-invocable).',
};

/** A function that says why. It asks the judge on behalf of a model. */
export async function whyUnavailable({
  context,
  catalog,
  opened,
  front,
}: {
  readonly context: CommandContext;
  readonly catalog: SkillCatalog;
  readonly opened: ReadonlySet<string>;
  readonly front: FrontContext;
}): Promise<(skill: SkillRecord) => string | undefined> {
  const { access } = await openContext({ ...front, by: 'model' });
  const { hidden } = await access.view(catalog);
  const why = new Map(
    hidden.map(({ skill, reason }) => [
      skill.path,
      reason === 'unavailable' && skill.reason !== undefined ? skill.reason : reasons[reason],
    ]),
  );
  const shadowed = new Map<string, string>();
  for (const { path, dir, shadows } of catalog.skills)
    for (const later of shadows)
      if (!shadowed.has(later) && later !== path) shadowed.set(later, showPath(dir, context.workspace));
  return ({ path, dir, gated }) => {
    const known = why.get(path);
    if (known !== undefined) return known;
    if (gated && !opened.has(dir)) return 'It is locked until its quiz is passed.';
    const by = shadowed.get(path);
    return by === undefined ? undefined : `A skill of the same name hides it: ${by}`;
  };
}
