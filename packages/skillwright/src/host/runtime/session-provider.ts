// The provider of a session.

import { SKILL_FILE } from '../../skill/skill/index.ts';
import { stubOf } from './load-skill.ts';
import { logCall } from './log-session.ts';
import { openFor, type SessionState } from './session-state.ts';
import type { SkillContextProvider } from './skill-context-provider.ts';

export const provider = {
  recorded: 'provider',
  async run(
    state: SessionState,
    { stubs = false }: { readonly stubs?: boolean } = {},
  ): Promise<SkillContextProvider> {
    const { SkillContextProvider } = await import('./skill-context-provider.ts');
    const whole = await state.catalog();
    const { estimateTokens, searchHint: hint } = state.options;
    return new SkillContextProvider({
      visible: () => state.viewOf(whole).visible.skills,
      access: (path) => openFor(state, { path }, {}),
      logged: ({ name, path, dir }, run) =>
        logCall(state, {
          command: 'load',
          reference: { path },
          args: { name },
          run,
          served: (text) => ({ text: text ?? '', dir, parts: text === null ? [] : [{ file: SKILL_FILE }] }),
        }),
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
