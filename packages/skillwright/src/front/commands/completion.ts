// skc completion: a script that makes a shell complete commands, flags, skills, sections and values.

import * as z from 'zod';
import { defineCommand } from './define-command.ts';
import { choice } from './fields.ts';

/** Prints the completion script of one shell. */
export const completion = defineCommand({
  fields: {
    shell: choice(['bash', 'zsh', 'fish', 'powershell'], 'Your shell', { required: true }),
  },
  positionals: ['shell'],
  output: z.object({ shell: z.string(), script: z.string() }),
  effect: 'read',
  writes: [],
  touches: 'nothing',
  about:
    'The script asks skc itself for every word, so it knows your skills, their sections and your agents.',
  examples: {
    'source <(skc completion bash)': 'in ~/.bashrc',
    'source <(skc completion zsh)': 'in ~/.zshrc',
    'skc completion fish | source': 'in config.fish',
    'skc completion powershell | Out-String | Invoke-Expression': 'in $PROFILE',
  },
  async run({ shell }) {
    const { completionScripts } = await import('./completion-script.ts');
    return { shell, script: completionScripts[shell] };
  },
  text: (output) => output.script,
});
