// One tool call: the command runs as it does anywhere else, and everything it has to say goes into the result.

import type { CallToolResult } from '@modelcontextprotocol/server';
import {
  diagnosticOf,
  failureJson,
  internalError,
  plainPaint,
  renderDiagnostic,
  SkillwrightError,
} from '../../base/diagnostics/index.ts';
import { type FrontContext, parseInput, refuseUsersOwn, runCommand } from '../commands/index.ts';
import { type Cut, capOutput, cutText, describeCuts, MAX_CHARACTERS } from './cap-output.ts';
import type { ServedTool } from './load-tools.ts';

/** Warnings and notes beyond this many are counted, not shown. */
const MAX_REMARKS = 50;

/** Runs a tool. Never throws: a failure is a result with `isError` and the code. */
export async function callTool(
  tool: ServedTool,
  args: unknown,
  surroundings: FrontContext,
): Promise<CallToolResult> {
  const remarks: string[] = [];
  const context: FrontContext = {
    ...surroundings,
    report: (diagnostic) => remarks.push(renderDiagnostic(diagnostic)),
    note: (text) => remarks.push(`${text}\n`),
    progress: () => {},
  };
  try {
    refuseUsersOwn(tool.command, args);
    const input = { ...parseInput(tool.input, args ?? {}), ...tool.command.usersOwn, ...tool.row.fixed };
    const result = await runCommand(tool.commandName, tool.command, { input, context });
    const { output, cuts } = capOutput(result);
    const text = tool.command.text(output, { paint: plainPaint, columns: 80 });
    return {
      content: [{ type: 'text', text: textOf(text, { cuts, remarks, rest: tool.row.rest }) }],
      structuredContent: output as Record<string, unknown>,
    };
  } catch (error) {
    const diagnostic = diagnosticOf(error instanceof SkillwrightError ? error : internalError(error));
    const text = textOf(renderDiagnostic(diagnostic), { cuts: [], remarks, rest: tool.row.rest });
    return {
      content: [{ type: 'text', text }],
      structuredContent: { ...capOutput(failureJson(diagnostic)).output },
      isError: true,
    };
  }
}

function textOf(
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
