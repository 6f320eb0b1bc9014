// A conversation with tools: the model asks, the tools answer, until it has a final text. Results of tools are data: they
// are passed on as results and decide nothing here.

import type { ModelRequest, ModelTool, ModelToolCall, ModelTurn } from './model.ts';
import type { CountedAnswer } from './model-budget.ts';

/** A tool, and what it answers. */
export interface RunnableTool extends ModelTool {
  run(input: Readonly<Record<string, unknown>>): Promise<string>;
}

/** Everything that was said, and what it took. */
export interface Conversation {
  readonly turns: readonly ModelTurn[];
  readonly answer: string;
  /** Why there is no final answer; undefined when there is one. */
  readonly unfinished: string | undefined;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cost: number | null;
  /** Calls of tools were written as text. */
  readonly isTextCall: boolean;
}

/** A model gives up after this many answers. */
const MAX_TURNS = 12;
/** Longer results are cut, and say so. */
const MAX_RESULT = 64 * 1024;

/** Talks until the model stops calling tools. */
export async function converse(
  request: Omit<ModelRequest, 'tools'> & { readonly tools?: readonly RunnableTool[] },
  ask: (request: ModelRequest) => Promise<CountedAnswer>,
): Promise<Conversation> {
  const { tools = [] } = request;
  const offered = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  const turns: ModelTurn[] = [...request.turns];
  const count: { inputTokens: number | null; outputTokens: number | null; cost: number | null } = {
    inputTokens: 0,
    outputTokens: 0,
    cost: 0,
  };
  let isTextCall = false;
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const {
      text,
      calls,
      isCut,
      isTextCall: isText = false,
      inputTokens,
      outputTokens,
      cost,
    } = await ask({
      ...request,
      turns,
      tools: offered,
    });
    count.inputTokens = add(count.inputTokens, inputTokens);
    count.outputTokens = add(count.outputTokens, outputTokens);
    count.cost = add(count.cost, cost);
    isTextCall ||= isText;
    turns.push({ role: 'assistant', text: isText ? '' : text, calls });
    if (calls.length === 0) {
      const unfinished = isCut
        ? 'the answer was cut at max_tokens'
        : text === ''
          ? 'an empty answer'
          : undefined;
      return { turns, answer: text, unfinished, isTextCall, ...count };
    }
    for (const call of calls) turns.push({ role: 'tool', id: call.id, text: await runTool(call, tools) });
  }
  return { turns, answer: '', unfinished: `no answer after ${MAX_TURNS} turns`, isTextCall, ...count };
}

/** A sum; unknown when a part is. */
export const add = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a + b;

async function runTool({ name, input }: ModelToolCall, tools: readonly RunnableTool[]): Promise<string> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) return `There is no tool '${name}'.`;
  const text = await tool.run(input);
  return text.length <= MAX_RESULT
    ? text
    : `${text.slice(0, MAX_RESULT).toWellFormed()}\n[${text.length - MAX_RESULT} more characters are not shown]`;
}
