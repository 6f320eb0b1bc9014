// Reads skills that belong to no project on this machine, such as those of a registry: each is in a directory of its
// own, is judged as for a model, and its quiz is never passed.

import { join } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Skill } from '@modelcontextprotocol/server/ext/skills';
import { plainPaint, SkillwrightError } from '../../base/diagnostics/index.ts';
import { canonicalPath } from '../../base/files/index.ts';
import { variableName } from '../../base/variables.ts';
import {
  adoptIndex,
  buildIndex,
  buildIndexBytes,
  createIndexCache,
  type Tokenizer,
} from '../../read/index/index.ts';
import { createQuizMemory } from '../../skill/quiz/index.ts';
import { buildRecord, SKILL_FILE } from '../../skill/skill/index.ts';
import { keepWorkspace, OWN_DIRECTORY, storeAt, type Workspace } from '../../skill/workspace/index.ts';
import { type FrontContext, optionsOf, parseInput, runCommand } from '../commands/index.ts';
import { callTool } from './call-tool.ts';
import type { ServedTool } from './load-tools.ts';
import { createSkillReader, type SkillReader } from './skill-reader.ts';
import { createSkillSource, type ServedSource } from './skill-source.ts';

/** A skill in a directory of its own. */
export interface DeskEntry {
  /** Contains the skill and nothing else; its index is built here too. */
  readonly room: string;
  /** The skill's directory in the room. */
  readonly dir: string;
  readonly name: string;
  /** The caller's name for it: a path from the room that leads to the skill. */
  readonly word: string;
  /** Root URI of its files. */
  readonly root: string;
}

/** A call of a reading tool. */
export interface DeskCall {
  readonly tool: ServedTool;
  readonly tools: ReadonlyMap<string, ServedTool>;
  readonly args: unknown;
  readonly signal: AbortSignal;
}

/** A result with its text. */
export interface DeskResult {
  readonly output: unknown;
  readonly text: string;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** Reads skills. */
export interface ReadingDesk {
  /** Builds the index of a skill, or takes over one that was built elsewhere. Returns the path of its file. */
  prepare(skill: Pick<DeskEntry, 'room' | 'dir' | 'name'>, index?: Uint8Array): string;
  /** Bytes of a new index of a skill, for another desk to prepare it with. */
  index(skill: Pick<DeskEntry, 'room' | 'dir' | 'name'>): Uint8Array;
  /** The result of a tool as a model gets it. Never throws because of the caller. */
  call(skill: DeskEntry, call: DeskCall): Promise<CallToolResult>;
  /** The whole result. Throws a SkillwrightError. */
  run(skill: DeskEntry, call: DeskCall): Promise<DeskResult>;
  /** The entry of the skill in the skills extension; undefined when it breaks the standard or may not be read. */
  describe(skill: DeskEntry): Promise<Skill | undefined>;
  /** The skill and its files as resources. */
  source(skill: DeskEntry): ServedSource;
  close(): void;
}

const tokenizer: Tokenizer = 'porter';

/** Opens a desk. `home` holds its records; nothing else may write there. */
export function openReadingDesk({ home, now }: { readonly home: string; now(): Date }): ReadingDesk {
  const indexes = createIndexCache();
  const reader = createSkillReader();
  let kept: { readonly room: string; readonly open: () => Promise<Workspace> } | undefined;
  /** The workspace of the room that was used last stays open. */
  const workspaceOf = (room: string): Promise<Workspace> => {
    if (kept?.room !== room)
      kept = { room, open: keepWorkspace({ cwd: room, home, env: environmentOf(room) }) };
    return kept.open();
  };
  const frontOf = ({ room }: DeskEntry, signal = new AbortController().signal): FrontContext => ({
    ...{ cwd: room, home, env: environmentOf(room), by: 'model', isBudgeted: true, now, signal },
    report() {},
    note() {},
    progress() {},
    quizMemory: createQuizMemory(),
    indexes,
    workspace: workspaceOf,
  });
  const sourceOf = (skill: DeskEntry, from: SkillReader): ServedSource => {
    const { dir, name, root, word } = skill;
    const source = createSkillSource({
      async list() {
        const manifest = from.manifest(dir);
        return manifest === undefined ? [] : [{ ...manifest, dir, name, root, label: word }];
      },
      reader: from,
      front: async () => frontOf(skill),
    });
    return {
      ...source,
      read: (uri) =>
        source.read(uri).catch((error: unknown) => {
          if (error instanceof Error) error.message = withoutPlace(error.message, skill);
          throw error;
        }),
    };
  };
  const buildOptions = ({ room, dir, name }: Pick<DeskEntry, 'room' | 'dir' | 'name'>) => ({
    sourceDir: canonicalPath(dir),
    indexDir: join(storeAt('project', room).runtime, name, OWN_DIRECTORY),
    tokenizer,
    now: now(),
    record: buildRecord(home),
  });
  return {
    prepare(skill, index) {
      const options = buildOptions(skill);
      if (index !== undefined) adoptIndex(index, options);
      return buildIndex(options).path;
    },
    index: (skill) => buildIndexBytes(buildOptions(skill)),
    async call(skill, { tool, tools, args, signal }) {
      const given = { ...(args as object), skill: skill.word };
      return withoutPlace(await callTool({ tool, tools }, given, frontOf(skill, signal)), skill);
    },
    async run(skill, { tool, args, signal }) {
      const { command, row, commandName } = tool;
      const warnings: DeskResult['warnings'][number][] = [];
      const context: FrontContext = {
        ...frontOf(skill, signal),
        report: ({ code, message }) => void warnings.push({ code, message }),
      };
      const given = { ...(args as object), skill: skill.word };
      const input = { ...parseInput(tool.input, given), ...command.usersOwn, ...row.fixed };
      try {
        const output = await runCommand(commandName, command, { input, context });
        const text = command.text(output, { paint: plainPaint, columns: 80, by: 'model' });
        return withoutPlace({ output, text, warnings }, skill);
      } catch (error) {
        if (!(error instanceof SkillwrightError)) throw error;
        throw withoutPlaceIn(error, skill);
      }
    },
    // Every skill is described once, so nothing is kept for a second time.
    describe: (skill) => sourceOf(skill, createSkillReader()).get(`${skill.root}/${SKILL_FILE}`),
    source: (skill) => sourceOf(skill, reader),
    close: () => indexes.close(),
  };
}

const environmentOf = (room: string) => ({
  [variableName('AGENTS_ROOT')]: room,
  [variableName('NO_LOG')]: '1',
});

/** Arguments of a tool from the parameters of an address, with the types of its input. */
export function readParameters({ command, input }: ServedTool, parameters: URLSearchParams): unknown {
  const { positionals, flags } = optionsOf(command);
  const args: Record<string, unknown> = {};
  for (const name of new Set(parameters.keys())) {
    const field = name.replaceAll('-', '_');
    const option = [...positionals, ...flags].find((known) => known.field === field);
    // An unknown field fails when the input is checked.
    const values = parameters.getAll(name).map((value) => typed(value, option?.kind));
    args[field] = option?.multiple ? values : values.at(-1);
    if (!(field in input.shape)) args[field] = values.at(-1);
  }
  return args;
}

function typed(value: string, kind: 'boolean' | 'string' | 'number' | undefined): unknown {
  if (kind === 'number') return value.trim() === '' ? value : Number(value);
  return kind === 'boolean' ? value !== 'false' : value;
}

/** Ways to take a quiz, as results and messages spell them. A reader has to install the skill first. */
const QUIZ = [
  /take it with: skc_quiz \{[^}]*\}/g,
  /take the quiz first: (?:ask the user to run )?'?skc[ _]quiz [^\n]*/g,
];
const INSTALL = 'install the skill to take its quiz';

/** Results and messages never say where the skill is on this machine, and offer only what a reader can do. */
function withoutPlace<Result>(result: Result, skill: DeskEntry): Result {
  const { room, dir, word } = skill;
  if (typeof result === 'string') {
    const placeless = result.replaceAll(dir, word).replaceAll(room, word);
    return QUIZ.reduce((text, way) => text.replace(way, INSTALL), placeless as string) as Result;
  }
  if (Array.isArray(result)) return result.map((item) => withoutPlace(item, skill)) as Result;
  if (typeof result !== 'object' || result === null) return result;
  return Object.fromEntries(
    Object.entries(result).map(([field, value]) => [field, withoutPlace(value, skill)]),
  ) as Result;
}

function withoutPlaceIn(error: SkillwrightError, skill: DeskEntry): SkillwrightError {
  const { message, detail, help } = error;
  return Object.assign(error, withoutPlace({ message, detail, help }, skill));
}
