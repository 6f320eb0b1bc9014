// The provider of a session, whose code is loaded when a host asks for one.

import type { SessionState } from './session-state.ts';
import type { SkillContextProvider } from './skill-context-provider.ts';

export const provider = {
  recorded: 'provider',
  async run(
    state: SessionState,
    { stubs = false }: { readonly stubs?: boolean } = {},
  ): Promise<SkillContextProvider> {
    const { SkillContextProvider } = await import('./skill-context-provider.ts');
    return new SkillContextProvider(state, await state.catalog(), stubs);
  },
};
