// Handles one tool call: runs the command as usual, and puts all its messages into the result.

import type { CallToolResult } from '@modelcontextprotocol/server';
import {
  type Code,
  type Diagnostic,
  diagnosticOf,
  failureJson,
  internalError,
  plainPaint,
  renderDiagnostic,
  SkillwrightError,
} from '../../base/diagnostics/index.ts';
import {
  answerCommand,
  type FrontContext,
  parseInput,
  refusedInput,
  refuseUsersOwn,
  renameFields,
} from '../commands/index.ts';
import type { Said } from './backend.ts';
import { type Cut, capOutput, cutText, describeCuts, MAX_CHARACTERS } from './cap-output.ts';
import { type ServedTool, warningsField } from './load-tools.ts';
import { nameTools } from './name-tools.ts';

/** Most warnings and notes shown; the rest are counted. */
const MAX_REMARKS = 50;

/** A tool, and all tools that messages may refer to. */
interface CalledTool {
  readonly tool: ServedTool;
  readonly tools: ReadonlyMap<string, ServedTool>;
  /** Receives messages before the result is complete. */
  readonly hears?: ((said: Said) => void) | undefined;
}

/** Runs a tool. Never throws: a failure is a result with `isError` and the code. */
export async function callTool(
  { tool, tools, hears }: CalledTool,
  args: unknown,
  surroundings: FrontContext,
): Promise<CallToolResult> {
  const { row, command } = tool;
  const remarks: string[] = [];
  const warnings: Warning[] = [];
  const context: FrontContext = {
    ...surroundings,
    report(reported) {
      const diagnostic = inTools(reported, tools);
      remarks.push(renderDiagnostic(diagnostic));
      warnings.push(warningOf(diagnostic));
      hears?.({ kind: 'log', level: 'warning', text: `${diagnostic.code}: ${diagnostic.message}` });
    },
    note(text) {
      remarks.push(`${text}\n`);
      // Third-party code may print secrets: its output goes to the caller only, never to a log.
      if (row.openWorld !== true) hears?.({ kind: 'log', level: 'info', text });
    },
    progress: (text) => hears?.({ kind: 'progress', text }),
  };
  const said = () =>
    warnings.length === 0 ? {} : { [warningsField(command)]: warnings.slice(0, MAX_REMARKS) };
  try {
    const named = renameFields(args ?? {}, command.aliases);
    refuseUsersOwn(command, named);
    if (surroundings.ask !== undefined) refusePersons(row, named);
    const input = { ...parseInput(tool.input, named), ...command.usersOwn, ...row.fixed };
    const answered = await answerCommand(tool.commandName, command, { input, context });
    const result = answered.output;
    const say = (output: unknown, text: string) => ({
      text: row.isOurs ? nameTools(text, tools) : text,
      structure: omitFields(output, row.inText ?? []) as object,
    });
    const whole = say(result, answered.text());
    const isShort = Math.max(whole.text.length, JSON.stringify(whole.structure).length) <= MAX_CHARACTERS;
    const { output, cuts } = isShort ? { output: result, cuts: [] } : capOutput(result);
    const { text, structure } = isShort
      ? whole
      : say(output, command.text(output, { paint: plainPaint, columns: 80, by: 'model' }));
    return {
      content: [{ type: 'text', text: toolText(text, { cuts, remarks, rest: row.rest }) }],
      structuredContent: { ...structure, ...said() },
    };
  } catch (error) {
    const failed = failedCall(error, { remarks, rest: row.rest, tools });
    return { ...failed, structuredContent: { ...(failed.structuredContent as object), ...said() } };
  }
}

/** E018 for a field that the user answers when the client can ask them. */
function refusePersons({ persons = [] }: ServedTool['row'], sent: unknown): void {
  if (typeof sent !== 'object' || sent === null) return;
  const field = persons.find((name) => Object.hasOwn(sent, name));
  if (field !== undefined) throw refusedInput(field, 'leave it out: the user answers it');
}

/** Context of a failed call. */
interface FailedCall {
  readonly remarks?: readonly string[];
  readonly rest?: string;
  readonly tools: ReadonlyMap<string, ServedTool>;
}

/** Turns a failure into the result of a call. */
export function failedCall(
  error: unknown,
  { remarks = [], rest = 'request less', tools }: FailedCall,
): CallToolResult {
  const known = diagnosticOf(error instanceof SkillwrightError ? error : internalError(error));
  const diagnostic = inTools(known, tools);
  const text = toolText(renderDiagnostic(diagnostic), { cuts: [], remarks, rest });
  return {
    content: [{ type: 'text', text }],
    structuredContent: { ...capOutput(failureJson(diagnostic)).output },
    isError: true,
  };
}

/** A warning next to a result. */
interface Warning {
  readonly code: string;
  readonly message: string;
  readonly help?: string;
}

const warningOf = ({ code, message, help }: Diagnostic): Warning => ({
  code,
  message,
  ...(help === undefined ? {} : { help }),
});

/** Codes whose own message names a command. Other messages may quote one from a file, which stays unchanged. */
const withCommand: ReadonlySet<Code> = new Set(['E002', 'W003']);

/** The same diagnostic for a model, which has tools and no shell. */
function inTools(diagnostic: Diagnostic, tools: ReadonlyMap<string, ServedTool>): Diagnostic {
  const { code, message, help } = diagnostic;
  return {
    ...diagnostic,
    ...(withCommand.has(code) ? { message: nameTools(message, tools) } : {}),
    ...(help === undefined ? {} : { help: nameTools(help, tools) }),
  };
}

function toolText(
  text: string,
  { cuts, remarks, rest }: { cuts: readonly Cut[]; remarks: readonly string[]; rest: string },
): string {
  const shown = cutText(text, MAX_CHARACTERS);
  const longer: Cut[] =
    shown === text ? [] : [{ field: 'text', kept: shown.length, total: text.length, unit: 'characters' }];
  const left = [...cuts, ...longer];
  const more = remarks.length - MAX_REMARKS;
  return [
    shown,
    ...(left.length === 0 ? [] : [`${/(?:^|\n)$/.test(shown) ? '' : '\n'}${describeCuts(left, rest)}\n`]),
    ...remarks.slice(0, MAX_REMARKS),
    ...(more > 0 ? [`... (${more} more)\n`] : []),
  ].join('');
}

// Removes fields from a result.

/** The value without these fields; `sections.content` also matches that field in every entry of a list. */
export function omitFields(value: unknown, paths: readonly string[]): unknown {
  if (paths.length === 0) return value;
  if (Array.isArray(value)) return value.map((item) => omitFields(item, paths));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field]) => !paths.includes(field))
      .map(([field, item]) => {
        const below = paths.flatMap((path) =>
          path.startsWith(`${field}.`) ? [path.slice(field.length + 1)] : [],
        );
        return [field, omitFields(item, below)];
      }),
  );
}
