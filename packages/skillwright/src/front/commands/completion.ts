// skc completion: a script that makes a shell complete commands, flags and values.

import * as z from 'zod';
import { defineCommand } from './define-command.ts';
import { type CommandEntry, commandTable } from './table.ts';

/** The command that prints the completion script of one shell, for the words of a table. */
export const completionOf = (table: Readonly<Record<string, CommandEntry>>) =>
  defineCommand({
    input: z.strictObject({ shell: z.enum(['bash', 'zsh', 'fish']).describe('The shell to complete in') }),
    positionals: ['shell'],
    output: z.object({ shell: z.string(), script: z.string() }),
    effect: 'read',
    writes: [],
    touches: 'nothing',
    examples: [
      { line: 'source <(skc completion bash)', note: 'in ~/.bashrc' },
      { line: 'source <(skc completion zsh)', note: 'in ~/.zshrc' },
      { line: 'skc completion fish | source', note: 'in config.fish' },
    ],
    async run({ shell }) {
      const { completionScript } = await import('./completion-script.ts');
      return { shell, script: await completionScript(shell, table) };
    },
    text: (output) => output.script,
  });

/** Completes the commands of the library. */
export const completion = completionOf(commandTable);
