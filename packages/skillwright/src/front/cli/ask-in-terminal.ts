// Asks the person at the terminal, one line at a time. Works in every terminal, and questions stay on the screen.

import { createInterface } from 'node:readline';
import { makeVisible, type Paint } from '../../base/diagnostics/index.ts';
import type { Asker, Choice } from '../commands/index.ts';

/** Where questions are written and answers are read. */
interface AskingTerminal {
  readonly input: NodeJS.ReadableStream;
  write(text: string): void;
  readonly paint: Paint;
  /** Aborted by Ctrl-C. */
  readonly signal?: AbortSignal | undefined;
}

/** Asks on a terminal. An empty answer, end of input or Ctrl-C means giving up. */
export function askInTerminal(terminal: AskingTerminal): Asker {
  const { write, paint } = terminal;
  const answer = async (prompt: string): Promise<string | undefined> => {
    write(prompt);
    return askLine(terminal);
  };
  return {
    async choose(question, choices, { many = false } = {}) {
      write(`${paint.strong(makeVisible(question))}\n${listChoices(choices, paint)}`);
      const preset = choices.flatMap(({ chosen }, at) => (chosen ? [at] : []));
      const empty = preset.length === 0 ? '' : 'Enter keeps *';
      const ways = [...(many ? ['such as 1,3-5, or all'] : []), ...(empty === '' ? [] : [empty])].join('; ');
      const prompt = ways === '' ? 'Which? ' : `Which? (${ways}) `;
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const line = await answer(prompt);
        const text = (line ?? '').trim().toLowerCase();
        if (text === '') return line === undefined || preset.length === 0 ? undefined : preset;
        const chosen = readChoice(text, { count: choices.length, many });
        if (chosen !== undefined) return chosen;
        write(`Please answer with ${many ? 'numbers' : 'one number'} from 1 to ${choices.length}.\n`);
      }
      return undefined;
    },
    async confirm(question) {
      const text = await answer(`${makeVisible(question)} [y/N] `);
      return /^y(?:es)?$/i.test((text ?? '').trim());
    },
  };
}

const MAX_TRIES = 5;

function listChoices(choices: readonly Choice[], paint: Paint): string {
  const width = String(choices.length).length;
  return choices
    .map(({ label, note, chosen }, index) => {
      const number = String(index + 1).padStart(width + 2);
      return `${number}${chosen ? '*' : ' '} ${makeVisible(label)}${note === undefined ? '' : `  ${paint.faint(makeVisible(note))}`}\n`;
    })
    .join('');
}

/** The positions an answer names; undefined for none, or for one out of range. */
export function readChoice(
  text: string,
  { count, many }: { count: number; many: boolean },
): number[] | undefined {
  if (many && text === 'all') return Array.from({ length: count }, (_, index) => index);
  const chosen = new Set<number>();
  for (const part of text.split(/[\s,]+/).filter((word) => word !== '')) {
    const range = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(part);
    if (range === null) return undefined;
    const [first, last] = [Number(range[1]), Number(range[2] ?? range[1])];
    if (first < 1 || last > count || last < first) return undefined;
    for (let number = first; number <= last; number++) chosen.add(number - 1);
  }
  if (chosen.size === 0 || (!many && chosen.size > 1)) return undefined;
  return [...chosen].sort((a, b) => a - b);
}

/** The next line; undefined at the end of input and after Ctrl-C. */
function askLine({ input, signal, write }: AskingTerminal): Promise<string | undefined> {
  if (signal?.aborted) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const lines = createInterface({ input, terminal: false });
    let text: string | undefined;
    const giveUp = () => {
      // Start the next output on a new line.
      write('\n');
      lines.close();
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    lines.once('line', (line) => {
      text = line;
      lines.close();
    });
    lines.once('close', () => {
      signal?.removeEventListener('abort', giveUp);
      resolve(text);
    });
  });
}
