// Resumes the active part of a saved session: toolsets and confirmations. A saved session may come from anywhere, so it
// grants no permission: everything that runs again is judged, trusted and confirmed as if requested now.

import { type Diagnostic, diagnose, diagnosticOf, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import type { Confirmations } from './confirmations.ts';
import type { ActiveSkill, ResumeReport, SavedSession } from './saved-session.ts';
import type { Activation } from './session-toolsets.ts';

/** Context for resuming a saved session. */
interface TakeUpOptions {
  readonly cwd: string;
  /** Skills that the model or the user may use. */
  readonly usable: readonly SkillRecord[];
  /** Whether the host kept the value where nobody else can write. */
  readonly vouched: boolean;
  readonly confirmations: Confirmations;
  /** Starts the toolsets of a skill, if allowed and not already running. */
  readonly activate: (path: string) => Promise<Activation>;
}

/** Resumes everything that still holds. W061 for the rest. */
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
  const help = 'skc asks you again when needed; a host that stores saved sessions safely can vouch for them';
  return diagnose('W061', { what, why: 'a saved session grants no permissions' }, { help });
}

async function activateAgain(
  before: ActiveSkill,
  { usable, activate }: TakeUpOptions,
): Promise<{ active?: ActiveSkill; diagnostics: readonly Diagnostic[] }> {
  const skill = usable.find(({ path }) => path === before.path);
  const lost = (name: string, tools: readonly string[], why: string) =>
    diagnose('W061', { what: `the tools of '${name}'`, why }, { data: { path: before.path, tools } });
  if (skill === undefined) {
    const why = 'the skill was removed, disabled or denied';
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
