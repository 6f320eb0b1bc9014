// The state of a session, in wire names.

import type { FittedCatalog } from '../../read/catalog/index.ts';
import type { LoadedSkill } from './saved-session.ts';
import type { SessionReport } from './session.ts';
import type { SessionSettings } from './session-settings.ts';
import type { SessionView } from './session-view.ts';
import { wireSkill } from './wire-skill.ts';

/** Parts of the report. */
interface InspectedSession extends Pick<SessionReport, 'session_id' | 'cwd' | 'trusted'> {
  readonly loaded: readonly LoadedSkill[];
  readonly view: SessionView;
  readonly prompt: FittedCatalog;
  readonly budget: SessionSettings['budget'];
}

/** Builds the report; with `include_skills` it lists visible and hidden skills. */
export function inspectSession(
  session: InspectedSession,
  { include_skills = false }: { readonly include_skills?: boolean },
): SessionReport {
  const { session_id, cwd, trusted, loaded, budget } = session;
  const { visible, hidden, catalog } = session.view;
  const { shown, bytes, tokens, shortened, missing } = session.prompt;
  const skills = {
    skills: visible.skills.map(wireSkill),
    hidden: hidden.map(({ skill: { path, name }, reason }) => ({ path, name, reason })),
    errors: catalog.errors,
    truncated: catalog.truncated,
  };
  return {
    session_id,
    cwd,
    trusted,
    loaded_versions: loaded,
    budget: {
      entries: { used: shown, limit: budget.entries },
      bytes: { used: bytes, limit: budget.bytes },
      tokens: { used: tokens, limit: budget.tokens ?? null },
      shortened,
      missing,
    },
    ...(include_skills ? { skills } : {}),
  };
}
