// The part of a saved session that acts: toolsets that ran, and what was confirmed. A saved session may come from anywhere, so
// it gives no permission: whatever runs again is judged, trusted and confirmed as if it were asked for now.

import { type Diagnostic, diagnose, diagnosticOf, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import type { Confirmations } from './confirmations.ts';
import type { ActiveSkill, ResumeReport, SavedSession } from './saved-session.ts';
import type { Activation } from './session-toolsets.ts';

/** What a saved session is taken up with. */
export interface TakeUpOptions {
  readonly cwd: string;
  /** The skills that the model or the user may use. */
  readonly usable: readonly SkillRecord[];
  /** The host has kept the value where nobody else can write. */
  readonly vouched: boolean;
  readonly confirmations: Confirmations;
  /** Starts the toolsets of a skill, if that is allowed; again unless they run already. */
  readonly activate: (path: string) => Promise<Activation>;
}

/** Takes it up as far as it still holds. W061 for the rest. */
export async function takeUpSession(
  saved: SavedSession,
  options: TakeUpOptions,
): Promise<Pick<ResumeReport, 'active' | 'diagnostics'>> {
  const { cwd, vouched, confirmations } = options;
  const diagnostics: Diagnostic[] = [];
  if (saved.cwd !== cwd)
    diagnostics.push(diagnose('W061', { what: 'the working directory', why: `it was ${saved.cwd}` }));
  if (vouched) confirmations.restore(saved.confirmed);
  else diagnostics.push(...saved.confirmed.map((entry) => askedAgain(entry, options)));
  const active: ActiveSkill[] = [];
  const wanted = new Map(saved.active.map((skill) => [skill.path, skill]));
  for (const skill of wanted.values()) {
    const restored = await activateAgain(skill, options);
    if (restored.active !== undefined) active.push(restored.active);
    diagnostics.push(...restored.diagnostics);
  }
  return { active, diagnostics };
}

function askedAgain({ tool, dir }: SavedSession['confirmed'][number], { usable }: TakeUpOptions): Diagnostic {
  const name = usable.find((skill) => skill.dir === dir)?.name ?? dir;
  const what = `your permission to use ${tool} on '${name}'`;
  const help =
    'you are asked again when it is needed; a host that keeps saved sessions safe can vouch for them';
  return diagnose('W061', { what, why: 'a saved session gives no permissions' }, { help });
}

async function activateAgain(
  before: ActiveSkill,
  { usable, activate }: TakeUpOptions,
): Promise<{ active?: ActiveSkill; diagnostics: readonly Diagnostic[] }> {
  const skill = usable.find(({ path }) => path === before.path);
  const lost = (name: string, tools: readonly string[], why: string) =>
    diagnose('W061', { what: `the tools of '${name}'`, why }, { data: { path: before.path, tools } });
  if (skill === undefined) {
    const why = 'the skill was removed, switched off or denied';
    return { diagnostics: [lost(before.path, before.tools, why)] };
  }
  const { name, path } = skill;
  try {
    const { tools, diagnostics } = await activate(path);
    const names = tools.map((tool) => tool.name);
    const missing = before.tools.filter((tool) => !names.includes(tool));
    const active = names.length === 0 ? {} : { active: { name, path, tools: names } };
    if (missing.length === 0) return { ...active, diagnostics };
    const why = diagnostics[0]?.detail ?? diagnostics[0]?.message ?? 'the skill no longer has them';
    return { ...active, diagnostics: [lost(name, missing, why), ...diagnostics] };
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    return { diagnostics: [lost(name, before.tools, error.message), diagnosticOf(error)] };
  }
}
