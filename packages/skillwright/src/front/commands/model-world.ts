// A skill as a model meets it: the stub with tools to read on, or the whole text. Its evals are left out, so that no model
// finds the answers.

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { quoteWord } from '../../base/diagnostics/index.ts';
import {
  hasExecuteBit,
  isEvalFile,
  listFiles,
  makePrivateDirectory,
  readInside,
  writeNewFile,
} from '../../base/files/index.ts';
import { absolutePath, type CommandPlace, type RunnableTool } from '../../host/models/index.ts';
import type { CommandContext, Launch } from './command-context.ts';
import { type OpenStubWorld, openStubWorld } from './stub-world.ts';

/** Such a world. */
export interface ModelWorld {
  readonly stub: string;
  readonly whole: string;
  /** Tools that read the skill through the gateway. */
  readonly tools: readonly RunnableTool[];
  /** The tool that reads other files of a skill whose text the model has; none when there are no others. */
  readonly fileTools: readonly RunnableTool[];
  /** Directories for a command: always empty, with skc on the PATH for the stub. */
  readonly places: {
    readonly without: CommandPlace;
    readonly stub: CommandPlace | undefined;
    readonly whole: CommandPlace;
    /** Where a command finds the other files of the skill; undefined when there are none. */
    readonly files: string | undefined;
  };
  readonly textOf: OpenStubWorld['textOf'];
  remove(): void;
}

/** Builds a copy of the skill in a home of its own. */
export async function openModelWorld(
  { dir, name, isGated }: { readonly dir: string; readonly name: string; readonly isGated: boolean },
  context: CommandContext,
): Promise<ModelWorld> {
  const { path: root, remove } = makePrivateDirectory();
  try {
    const [home, copy, empty] = ['home', `source/${name}`, 'empty'].map((part) => join(root, part)) as [
      string,
      string,
      string,
    ];
    for (const place of [home, empty]) mkdirSync(place, { recursive: true });
    const files = copyContent(dir, copy);
    const world = await openStubWorld({ dir: copy, name, home }, context);
    // The judge has allowed a model to read it; in this home, nobody has passed its quiz.
    const by = isGated ? ('user' as const) : ('model' as const);
    const tools = gatewayTools(name, (command, input) => world.textOfCommand(command, input, by));
    return {
      stub: world.world.stub,
      whole: await world.textOfCommand('load', {}, by),
      tools,
      fileTools: files.length > 1 ? tools.filter((tool) => tool.name === 'skc_open') : [],
      places: {
        without: { cwd: empty },
        stub: isGated ? undefined : placeWithSkc({ directory: root, home, launch: context.launch, context }),
        whole: { cwd: empty },
        files: files.length > 1 ? copy : undefined,
      },
      textOf: world.textOf,
      remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

const MAX_FILE_BYTES = 100 * 1024 * 1024;

/** Copies the regular files of a skill, except its evals. */
function copyContent(dir: string, to: string): string[] {
  const files = listFiles(dir).filter((path) => !isEvalFile(path));
  for (const path of files) {
    const bytes = readInside(dir, path, { maxBytes: MAX_FILE_BYTES });
    if (bytes === undefined) continue;
    writeNewFile(join(to, path), bytes);
    if (hasExecuteBit(join(dir, path))) chmodSync(join(to, path), 0o755);
  }
  return files;
}

/** An empty directory, and an skc on the PATH that knows this skill alone. */
function placeWithSkc({
  directory,
  home,
  launch,
  context,
}: {
  readonly directory: string;
  readonly home: string;
  readonly launch: Launch | undefined;
  readonly context: CommandContext;
}): CommandPlace | undefined {
  if (launch === undefined || process.platform === 'win32') return undefined;
  const [cwd, bin] = [join(directory, 'work'), join(directory, 'bin')];
  for (const place of [cwd, bin]) mkdirSync(place);
  const words = [launch.command, ...launch.args].map(quoteWord).join(' ');
  writeFileSync(join(bin, 'skc'), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  const PATH = [bin, absolutePath(context.workspace.env.PATH)].join(delimiter);
  return { cwd, env: { PATH, SKC_HOME: home, SKC_NO_LOG: '1' } };
}

type Gateway = (
  command: 'outline' | 'show' | 'search' | 'open',
  input: Record<string, unknown>,
) => Promise<string>;

const text = (description: string) => ({ type: 'string', description });

/** The tools of the MCP server that read a skill, for one skill. */
function gatewayTools(name: string, read: Gateway): RunnableTool[] {
  const tool = (
    command: Parameters<Gateway>[0],
    description: string,
    { required, fields }: { required: readonly string[]; fields: Record<string, object> },
    inputOf: (given: Record<string, string>) => Record<string, unknown>,
  ): RunnableTool => ({
    name: `skc_${command}`,
    description,
    parameters: {
      type: 'object',
      properties: { skill: text('The skill'), ...fields },
      required: ['skill', ...required],
    },
    async run(input) {
      const { skill = name, ...given } = textsIn(input);
      if (skill !== name) return `There is no skill '${skill}' here.`;
      const missing = required.find((field) => given[field] === undefined);
      return missing === undefined ? read(command, inputOf(given)) : `The input needs '${missing}'.`;
    },
  });
  return [
    tool('outline', 'List the headings of a skill', { required: [], fields: {} }, () => ({})),
    tool(
      'show',
      'Show a section of a skill',
      {
        required: ['section'],
        fields: { section: text('Its heading'), file: text('Only in this file') },
      },
      ({ section, file }) => ({ section: [section], ...(file === undefined ? {} : { file }) }),
    ),
    tool(
      'search',
      'Search in a skill',
      { required: ['query'], fields: { query: text('A few words') } },
      ({ query }) => ({ query: [query] }),
    ),
    tool(
      'open',
      'Read a file of a skill',
      {
        required: ['path'],
        fields: { path: text('Its path in the skill'), lines: text('Lines, such as 1-40') },
      },
      ({ path, lines }) => ({ path, ...(lines === undefined ? {} : { lines }) }),
    ),
  ];
}

/** The texts of an input; a list of one counts as its text. */
function textsIn(input: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(input).flatMap(([field, value]) => {
      const [one] = Array.isArray(value) ? value : [value];
      return typeof one === 'string' && one !== '' ? [[field, one]] : [];
    }),
  );
}
