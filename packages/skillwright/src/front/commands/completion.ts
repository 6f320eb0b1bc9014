// skc completion: a script that makes a shell complete commands, flags, skills, sections and values.

import * as z from 'zod';
import { defineCommand } from './define-command.ts';

/** Prints the completion script of one shell. */
export const completion = defineCommand({
  input: z.strictObject({
    shell: z.enum(['bash', 'zsh', 'fish', 'powershell']).describe('Your shell'),
  }),
  positionals: ['shell'],
  output: z.object({ shell: z.string(), script: z.string() }),
  effect: 'read',
  writes: [],
  touches: 'nothing',
  about:
    'The script asks skc itself for every word, so it knows your skills, their sections and your agents.',
  examples: [
    { line: 'source <(skc completion bash)', note: 'in ~/.bashrc' },
    { line: 'source <(skc completion zsh)', note: 'in ~/.zshrc' },
    { line: 'skc completion fish | source', note: 'in config.fish' },
    { line: 'skc completion powershell | Out-String | Invoke-Expression', note: 'in $PROFILE' },
  ],
  async run({ shell }) {
    const { completionScripts } = await import('./completion-script.ts');
    return { shell, script: completionScripts[shell] };
  },
  text: (output) => output.script,
});
