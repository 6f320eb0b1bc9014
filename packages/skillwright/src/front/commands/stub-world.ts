// A skill as an agent with a shell meets it: built as a stub in a home of its own, read with skc's own commands.

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { plainPaint, SkillwrightError } from '../../base/diagnostics/index.ts';
import { makePrivateDirectory } from '../../base/files/index.ts';
import type { QuestionWorld } from '../../make/evals/index.ts';
import type { Actor } from '../../skill/judge/index.ts';
import type { CommandContext, FrontContext } from './command-context.ts';
import type { AnyCommand } from './define-command.ts';
import { runCommand } from './run-command.ts';
import { commandTable } from './table.ts';

type StubCommand = 'build' | 'show' | 'search' | 'outline' | 'open' | 'load';

/** Such a world. */
export interface OpenStubWorld extends QuestionWorld {
  /** Text that a command prints, for the user or for a model; a failure is text, too. */
  textOfCommand(command: StubCommand, input: Record<string, unknown>, by: Actor): Promise<string>;
}

interface FoundResult {
  file: string;
  section: string;
  start_line: number;
  end_line: number;
}

/** Runs `work` with such a world, which is removed afterwards. */
export async function withStubWorld<Result>(
  { dir, name }: { readonly dir: string; readonly name: string },
  context: CommandContext,
  work: (world: QuestionWorld) => Promise<Result>,
): Promise<Result> {
  const { path: home, remove } = makePrivateDirectory();
  try {
    return await work(await openStubWorld({ dir, name, home }, context));
  } finally {
    remove();
  }
}

/** Builds a copy of the skill in `dir` in an empty home: a build of the skill itself would change what agents see of it. */
export async function openStubWorld(
  { dir, name, home }: { readonly dir: string; readonly name: string; readonly home: string },
  context: CommandContext,
): Promise<OpenStubWorld> {
  const front: FrontContext = {
    cwd: home,
    home,
    env: { PATH: context.workspace.env.PATH, SKC_HOME: home, SKC_NO_LOG: '1' },
    by: 'user',
    isBudgeted: true,
    now: () => context.now(),
    report: () => {},
    note: () => {},
    progress: () => {},
    signal: context.signal,
  };
  const run = async (command: StubCommand, input: Record<string, unknown>, by: Actor = 'user') => {
    const definition: AnyCommand = await commandTable[command].load();
    const output = await runCommand(command, definition, {
      input: definition.input.parse(input) as Record<string, unknown>,
      context: { ...front, by },
    });
    const view = { paint: plainPaint, columns: 80, by };
    return { output, text: definition.text(output, view) };
  };
  /** A failure is text, too: an agent reads the message. */
  const textOf: OpenStubWorld['textOfCommand'] = async (command, input, by) => {
    try {
      return (await run(command, input, by)).text;
    } catch (error) {
      if (error instanceof SkillwrightError) return error.message;
      throw error;
    }
  };
  const { archiveLimits, copySkill } = await import('../../ship/install/index.ts');
  const copy = join(home, 'source', basename(dir));
  copySkill(dir, copy, archiveLimits((await context.workspace.config()).network));
  const { output } = await run('build', { skills: [copy], import: true, stub: true });
  const [built] = (output as { built: { runtime_path: string }[] }).built;
  const own = { skill: name, author: true };
  const show = (input: Record<string, unknown>) => textOf('show', { ...own, ...input }, 'user');
  const search = async (question: string) => {
    const { text, output } = await run('search', { ...own, query: [question] });
    return { text, results: (output as { results: FoundResult[] }).results };
  };
  return {
    textOfCommand: (command, input, by) =>
      textOf(command, by === 'user' ? { ...own, ...input } : { skill: name, ...input }, by),
    world: {
      stub: readFileSync(join(built!.runtime_path, 'SKILL.md'), 'utf8'),
      show: (section) => show({ section: [section] }),
      outline: () => textOf('outline', own, 'user'),
      async search(question) {
        const { text, results } = await search(question);
        return {
          text,
          reads: results.map(
            ({ file, section, start_line: start, end_line: end }) =>
              () =>
                section === ''
                  ? textOf('open', { ...own, path: file, lines: `${start}-${end}` }, 'user')
                  : show({ section: [section], file }),
          ),
        };
      },
    },
    find: async (question) => (await search(question)).results,
    async textOf(section, file) {
      try {
        const shown = await run('show', {
          ...own,
          section: [section],
          ...(file === undefined ? {} : { file }),
        });
        const [first] = (shown.output as { sections: { file: string; section: string; content: string }[] })
          .sections;
        return first && { file: first.file, section: first.section, text: first.content };
      } catch (error) {
        if (error instanceof SkillwrightError && (error.code === 'E020' || error.code === 'E021'))
          return undefined;
        throw error;
      }
    },
  };
}
