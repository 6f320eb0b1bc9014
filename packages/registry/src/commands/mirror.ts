import type { Mirror, MirrorRun } from 'skillwright/registry-protocol';
import { Problem } from '../base/index.ts';
import type { Command, CommandContext } from './command.ts';
import { doWorkForText } from './control.ts';

const USAGE = 'add <address> --owner <owner> | list | sync <id> | remove <id>';

/** Also while the server runs. */
export const mirror: Command = {
  name: 'mirror',
  usage: USAGE,
  words: [1, 2],
  summary: 'Keep the skills of git repositories and sites as versions of a namespace',
  flags: {
    owner: { type: 'string', help: 'Namespace the skills go to; with list, the only one shown' },
    every: { type: 'string', help: 'Minutes between two runs, 5 to 10080 [60]' },
    json: { type: 'boolean', help: 'Print the result as JSON' },
  },
  async run(context) {
    const { settings, words, flags, out } = context;
    const [action = '', subject = ''] = words;
    const input = inputOf(action, subject, context);
    const result = JSON.parse(await doWorkForText(settings, { name: 'mirror', input })) as
      | Mirror[]
      | MirrorRun;
    if (flags.json === true) out(JSON.stringify(result, null, 2));
    else if (Array.isArray(result)) result.flatMap((one) => describeMirror(one, action)).forEach(out);
    else describeRun(result).forEach(out);
    return !Array.isArray(result) && result.failure !== null ? 1 : 0;
  },
};

function inputOf(
  action: string,
  subject: string,
  { flags }: Pick<CommandContext, 'flags'>,
): Readonly<Record<string, string>> {
  const { owner, every } = flags;
  const given = typeof owner === 'string' ? { owner: owner.replace(/^@/, '') } : {};
  if (action === 'list' && subject === '') return { action, ...given };
  if (action === 'add' && subject !== '' && typeof owner === 'string')
    return { action, source: subject, ...given, ...(typeof every === 'string' ? { every } : {}) };
  if ((action === 'sync' || action === 'remove') && subject !== '') return { action, id: subject };
  throw new Problem(`use: skillwright-registry mirror ${USAGE}`);
}

const verbs: Readonly<Record<string, string>> = { add: 'added ', remove: 'removed ' };

function describeMirror({ id, owner, source, everyMinutes, synced, failure, notes }: Mirror, action: string) {
  if (action === 'remove') return [`removed ${id}: ${source}; the skills of @${owner} stay`];
  const state =
    failure !== null ? `failing: ${failure}` : synced === null ? 'not fetched yet' : `fetched ${synced}`;
  return [
    `${verbs[action] ?? ''}${id}: ${source} -> @${owner}, every ${everyMinutes} minutes, ${state}`,
    ...notes.map((note) => `  ${note}`),
  ];
}

function describeRun({ source, published, unchanged, notes, failure }: MirrorRun): string[] {
  return [
    ...(failure === null
      ? [`${source}: ${published.length} published, ${unchanged} unchanged`]
      : [`${source}: ${failure}`]),
    ...published.map((version) => `  ${version}`),
    ...notes.map((note) => `  ${note}`),
  ];
}
