// Interprets the answer of a hook: exit status, JSON or plain text.

import * as z from 'zod';
import { orUndefined } from '../../base/diagnostics/index.ts';
import { hookEventRow, isShallow } from '../../skill/format/index.ts';
import { type StopReason, stopProblems } from './sandbox.ts';

/** Decision for the host. `block` wins over `ask`, `ask` over `allow`. */
export type HookDecision = 'allow' | 'ask' | 'block';

/** JSON output of a hook; other keys are kept. */
export const HookJson = z.looseObject({
  continue: z.boolean().optional(),
  stopReason: z.string().optional(),
  systemMessage: z.string().optional(),
  decision: z.enum(['block', 'deny', 'approve', 'allow', 'ask']).optional(),
  reason: z.string().optional(),
  // Answer of a model to a prompt hook.
  ok: z.boolean().optional(),
  impossible: z.boolean().optional(),
  additionalContext: z.string().optional(),
  hookSpecificOutput: z
    .looseObject({
      hookEventName: z.string().optional(),
      permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']).optional(),
      permissionDecisionReason: z.string().optional(),
      additionalContext: z.string().optional(),
      decision: z
        .looseObject({ behavior: z.enum(['allow', 'deny']), message: z.string().optional() })
        .optional(),
    })
    .optional(),
});
export type HookJson = z.infer<typeof HookJson>;

/** Effect of one hook. */
export interface HookEffect {
  readonly decision: HookDecision | undefined;
  readonly reason: string | undefined;
  /** For the model. */
  readonly context: readonly string[];
  /** For the user. */
  readonly message: string | undefined;
  readonly continue: boolean;
  readonly stopReason: string | undefined;
  /** Its full output, for events with fields that the host knows. */
  readonly output: HookJson | undefined;
  /** Why it gave no answer. Where the event decides something, `decision` is the consequence. */
  readonly problem: string | undefined;
}

/** How a command ended. */
interface CommandEnd {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly stopped: StopReason | undefined;
}

const MAX_TEXT = 10_000;
const nothing: HookEffect = {
  decision: undefined,
  reason: undefined,
  context: [],
  message: undefined,
  continue: true,
  stopReason: undefined,
  output: undefined,
  problem: undefined,
};

/** The effect of a command that has ended. */
export function readCommand(event: string, end: CommandEnd): HookEffect {
  const { blocks, fails, speaks } = hookEventRow(event);
  const stderr = cutOutput(end.stderr.trim());
  if (end.stopped !== undefined) {
    return { ...nothing, problem: stopProblems[end.stopped] };
  }
  const said = readHookJson(end.stdout);
  const effect = said === undefined ? nothing : readSaid(event, said);
  if (end.exitCode === 2 && blocks === true) {
    const own = effect.decision === 'block' ? effect.reason : undefined;
    return {
      ...effect,
      decision: 'block',
      reason: own ?? (stderr || `it ended with status ${end.exitCode}`),
    };
  }
  const isRefused = effect.decision === 'block' || effect.decision === 'ask';
  // A command that fails has not approved, whatever it printed.
  if (said !== undefined && (end.exitCode === 0 || fails === undefined || isRefused)) return effect;
  if (end.exitCode !== 0) {
    const why = `it ended with status ${end.exitCode}`;
    return { ...effect, decision: undefined, problem: stderr === '' ? why : `${why}: ${stderr}` };
  }
  if (looksLikeJson(end.stdout)) return { ...nothing, problem: NOT_UNDERSTOOD };
  const text = cutOutput(end.stdout.trim());
  return speaks && text !== '' ? { ...nothing, context: [text] } : nothing;
}

/** The effect of a host handler's answer: an object, its JSON text, or nothing. */
export function readAnswer(event: string, answer: unknown): HookEffect {
  if (answer === undefined || answer === null) return nothing;
  const value = typeof answer === 'string' ? readHookJson(answer) : HookJson.safeParse(answer).data;
  if (value !== undefined) return readSaid(event, value);
  if (typeof answer !== 'string') return { ...nothing, problem: NOT_UNDERSTOOD };
  // Free text from a model is not an approval.
  const isUnclear = hookEventRow(event).fails !== undefined && answer.trim() !== '';
  return isUnclear || looksLikeJson(answer) ? { ...nothing, problem: NOT_UNDERSTOOD } : nothing;
}

/** Adds the decision for a missing answer where the event decides something. `who` names the hook. */
export function withoutAnswer(event: string, who: string, effect: HookEffect): HookEffect {
  const { fails } = hookEventRow(event);
  if (effect.problem === undefined || fails === undefined) return effect;
  return { ...effect, decision: fails, reason: cutOutput(`${who} gave no answer: ${effect.problem}`) };
}

/** The effect of a hook that could not run. */
export const noAnswer = (event: string, who: string, problem: string): HookEffect =>
  withoutAnswer(event, who, { ...nothing, problem });

function readSaid(event: string, output: HookJson): HookEffect {
  const { blocks } = hookEventRow(event);
  const named = output.hookSpecificOutput;
  const own = named?.hookEventName === undefined || named.hookEventName === event ? named : undefined;
  const decision = blocks === undefined ? undefined : decisionOf(output, own);
  const context = [output.additionalContext, own?.additionalContext].filter((text) => text !== undefined);
  const reason = own?.permissionDecisionReason ?? own?.decision?.message ?? output.reason;
  return {
    decision,
    reason: decision === undefined || reason === undefined ? undefined : cutOutput(reason),
    context: context.map(cutOutput),
    message: output.systemMessage === undefined ? undefined : cutOutput(output.systemMessage),
    continue: output.continue ?? true,
    stopReason: output.stopReason === undefined ? undefined : cutOutput(output.stopReason),
    output,
    problem: undefined,
  };
}

function decisionOf(
  { decision, ok, impossible }: HookJson,
  own: HookJson['hookSpecificOutput'],
): HookDecision | undefined {
  const said = own?.permissionDecision ?? own?.decision?.behavior ?? decision;
  if (said === 'block' || said === 'deny') return 'block';
  if (said === 'ask' || said === 'defer') return 'ask';
  if (said === 'allow' || said === 'approve') return 'allow';
  return ok === false && impossible !== true ? 'block' : undefined;
}

/** Parses an object in braces; everything else is text. */
function readHookJson(text: string): HookJson | undefined {
  const trimmed = text.replace(/^\ufeff/, '').trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return undefined;
  const value: unknown = orUndefined(() => JSON.parse(trimmed));
  return isShallow(value) ? HookJson.safeParse(value).data : undefined;
}

const NOT_UNDERSTOOD = 'its answer is not understood';

const looksLikeJson = (text: string) =>
  text
    .replace(/^\ufeff/, '')
    .trimStart()
    .startsWith('{');

function cutOutput(text: string): string {
  return text.length <= MAX_TEXT
    ? text
    : `${text.slice(0, MAX_TEXT)}… [${text.length - MAX_TEXT} more characters]`;
}
