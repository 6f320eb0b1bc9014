// A model that follows a script, so that the example runs without a key. Replace it with a model name, 'provider:model'.

import { AIMessage, fakeModel } from 'langchain';

export const model = fakeModel()
  .respondWithTools([{ name: 'skill_search', args: { query: 'tell users what changed' } }])
  .respondWithTools([{ name: 'skill_load', args: { name: 'release-notes' } }])
  .respondWithTools([{ name: 'skill_read', args: { name: 'release-notes', file: 'references/style.md' } }])
  .respond(new AIMessage('Exports keep their column order (4f2a91c).'));
