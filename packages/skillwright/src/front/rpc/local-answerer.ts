// Answers lines in this process, when no child process can be started.

import type { CommandContext } from '../commands/index.ts';
import { answerLine } from './answer-message.ts';
import { openConnection } from './create-connection.ts';
import type { Answerer } from './rpc.ts';
import { changedLine, watchFolder } from './watch-folder.ts';

/** Answers with one connection. */
export function createLocalAnswerer(context: CommandContext, send: (line: string) => void): Answerer {
  const connection = openConnection(context);
  let watching: Promise<() => void> | undefined;
  return {
    async answer(line) {
      const answer = await answerLine(line, connection);
      const folder = connection.folder();
      if (folder?.watch === true)
        watching ??= watchFolder(folder, {
          surroundings: connection.surroundings,
          changed: () => send(changedLine(folder)),
        });
      await watching;
      return answer;
    },
    async close() {
      (await watching)?.();
      await connection.close();
    },
  };
}
