import { Problem } from '../base/index.ts';
import type { Command } from './command.ts';
import { doWorkForText } from './control.ts';

/** Also while the server runs. */
export const admin: Command = {
  name: 'admin',
  usage: 'token',
  words: [1, 1],
  summary: 'Make a new token of the account admin, if the first one is lost',
  async run({ settings, words, out }) {
    if (words[0] !== 'token') throw new Problem('use: skillwright-registry admin token');
    out(await doWorkForText(settings, { name: 'admin-token' }));
    return 0;
  },
};
