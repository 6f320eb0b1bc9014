// A model that follows a script, so that the example runs without a key. Ask one of a provider instead.

/** One message of a conversation. */
export interface Message {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly content: string;
}

/** A tool that the model wants called. */
export interface Call {
  readonly tool: string;
  readonly input: Record<string, unknown>;
}

/** Replies with a call, or with a text that ends the turn. */
export type Model = (system: string, messages: readonly Message[]) => Promise<Call | string>;

const right = new Set([
  'Add the new column and let the program write both',
  'A restore of the backup has been tried, not only the backup',
  'The statements wait for locks for a limited time',
]);

/** Reads the questions that the last message holds, and answers them by what the options say. */
function takeQuiz(messages: readonly Message[]): Call {
  const questions = (messages.at(-1)?.content ?? '').matchAll(/^(\d+)\. .*\n((?: {3}.*\n?)+)/gm);
  const answers = [...questions].map(([, question, options = '']) => {
    const chosen = [...options.matchAll(/(\d+)\) (.*)/g)].filter(([, , text = '']) => right.has(text));
    return `${question}=${chosen.map(([, option]) => option).join(',')}`;
  });
  return { tool: 'skill_quiz', input: { name: 'schema-change', answers } };
}

const bash = (command: string): Call => ({ tool: 'bash', input: { command } });
const load = (name: string): Call => ({ tool: 'skill_load', input: { name } });
const csv = { name: 'csv-report' };

/** A new model at the beginning of its script. */
export function createModel(): Model {
  const script = [
    { tool: 'skill_search', input: { query: 'what is in a CSV file', limit: 1 } },
    load('csv-report'),
    { tool: 'skill_read', input: { ...csv, file: 'references/reading-a-profile.md', limit: 20 } },
    {
      tool: 'skill_run',
      input: { ...csv, script: 'profile.py', stdin: 'region,amount\nnorth,3\nsouth,5\n' },
    },
    load('schema-change'),
    takeQuiz,
    load('schema-change'),
    bash('rm -r old'),
    bash('echo moved'),
    load('schema-change'),
    load('text-statistics'),
    'The figures are complete, and the column may be renamed in steps.',
    {
      tool: 'skill_tool',
      input: { skill: 'text-statistics', tool: 'count', input: { text: 'Short words help.' } },
    },
    bash('rm -r old'),
    'The summary has three words.',
  ];
  return async (_, messages) => {
    const reply = script.shift() ?? 'I have nothing more to say.';
    return typeof reply === 'function' ? reply(messages) : reply;
  };
}
