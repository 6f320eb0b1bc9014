// Creates a session, the one way every front end finds, loads and reads skills.

import { recordsNamed } from '../../read/access/index.ts';
import { decide } from '../../skill/judge/index.ts';
import type { PermissionDecision } from '../../skill/workspace/index.ts';
import { loadSkill, stubOf } from './load-skill.ts';
import { logSession } from './log-session.ts';
import { planSkill } from './plan-invocation.ts';
import { listResources, readResource } from './read-resource.ts';
import { compactSession, resumeSession, saveSession } from './saved-session.ts';
import type { Session, SessionMethods, SessionOptions } from './session.ts';
import {
  findMentioned,
  inspectSession,
  listCatalog,
  renderPrompt,
  searchCatalog,
  suggestFor,
} from './session-catalog.ts';
import { decideHooks } from './session-hooks.ts';
import { answerQuiz, viewQuiz } from './session-quiz.ts';
import { listScripts, runScript } from './session-scripts.ts';
import { findInSkill, outlineSkill, readSection } from './session-sections.ts';
import { accessTo, openFor, openState, type SessionState, viewOf } from './session-state.ts';
import { activate, closeSession, deactivate, listTools, runHooks } from './session-toolsets.ts';

/** Every method, as a function of the session's state. */
const methods: SessionMethods = {
  catalog: listCatalog,
  prompt: renderPrompt,
  search: searchCatalog,
  mentions: findMentioned,
  triggers: suggestFor,
  inspect: inspectSession,
  load: loadSkill,
  plan: planSkill,
  readResource,
  listResources,
  outline: outlineSkill,
  section: readSection,
  findIn: findInSkill,
  listScripts,
  runScript,
  activate,
  deactivate,
  tools: listTools,
  hooks: runHooks,
  decideHooks,
  close: closeSession,
  quiz: viewQuiz,
  answerQuiz,
  compacted: compactSession,
  save: saveSession,
  resume: resumeSession,
  async provider(state, { stubs = false } = {}) {
    const { SkillContextProvider } = await import('./skill-context-provider.ts');
    const whole = await state.catalog();
    const { estimateTokens, searchHint: hint } = state.options;
    return new SkillContextProvider({
      visible: () => state.viewOf(whole).visible.skills,
      access: (path) => openFor(state, { path }, {}),
      stub: stubs ? (skill) => stubOf(state, skill) : undefined,
      resources: state.session!,
      budget: state.settings.budget,
      incomplete: whole.truncated,
      quizMemory: state.quizMemory,
      estimateTokens,
      hint,
    });
  },
};

/** Opens a session. E100 for an invalid limit; E110 when the configuration or a permission rule is broken. */
export async function createSession(options: SessionOptions): Promise<Session> {
  const state = await openState(options);
  const bound = Object.entries(methods).map(([name, run]) => [
    name,
    // Each function takes the parameters of its method; the table cannot tell which belong together.
    (...given: never[]) => (run as (...all: unknown[]) => unknown)(state, ...given),
  ]);
  const session: Session = {
    ...(Object.fromEntries(bound) as Omit<Session, 'id' | 'quizMemory' | 'permissions'>),
    // Resuming a saved session changes the id.
    get id() {
      return state.id;
    },
    quizMemory: state.quizMemory,
    permissions: permissionsOf(state),
  };
  state.session = options.log ? logSession(session, state) : session;
  return state.session;
}

/** The permissions of a session. */
const permissionsOf = (state: SessionState): Session['permissions'] => ({
  async check({ tool, name, path }) {
    const { permissions } = state.settings;
    if (path !== undefined && path !== '') {
      const { record } = await (await accessTo(state)).find({ path });
      return decide(record, permissions, tool);
    }
    if (name === undefined || name === '') return permissions.check({ tool });
    const { catalog } = await viewOf(state);
    const decisions = recordsNamed(catalog, name).map((skill) => decide(skill, permissions, tool));
    return strictest(decisions) ?? permissions.check({ tool, skill_name: name });
  },
  async remember(reference, { persist = true, tool = 'skill_load' } = {}) {
    const access = await accessTo(state);
    // The user confirms for both, so either may be allowed to use it.
    const { record } = await access.find(reference, { operation: 'read', by: 'model' }).catch((refused) =>
      access.find(reference, { operation: 'invoke', by: 'user' }).catch(() => {
        throw refused;
      }),
    );
    if (persist) return state.confirmations.remember(record, tool);
    state.confirmations.add(record, tool);
    return false;
  },
});

/** If several skills share a name: the decision that holds for all of them. */
function strictest(decisions: readonly PermissionDecision[]): PermissionDecision | undefined {
  const order = ['allow', 'confirm', 'deny'];
  return decisions.toSorted((a, b) => order.indexOf(b.effect) - order.indexOf(a.effect))[0];
}
