// Evals in the small: a recorded conversation again, with the skills there are now.

import { type Diagnostic, diagnose, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import type { Mention } from '../answers/index.ts';
import { recordSession, spellPlace } from './record-session.ts';
import { type RecordedStep, type Recording, readRecording } from './recording.ts';
import type { Session, SessionOptions } from './session.ts';
import type { AnyMethod } from './session-method.ts';
import { sessionMethods } from './session-methods.ts';

/** One step, before and now. */
interface ReplayedStep {
  readonly step: RecordedStep;
  /** Null when the recording has no answer to compare with. */
  readonly before: RecordedAnswer | null;
  readonly after: RecordedAnswer | null;
  /** The parts of the answer that differ, such as `found` or `tokens`. */
  readonly differs: readonly string[];
}

/** The answer to a step: `{error}`, or the fields that steps of its kind have. */
type RecordedAnswer = Readonly<Record<string, unknown>>;

/** How a conversation goes with the skills there are now. */
interface Replay {
  readonly steps: readonly ReplayedStep[];
  /** One line for each step that differs; empty when all is as recorded. */
  readonly changed: readonly string[];
  /** The tokens of all texts for the model: as recorded, and now. */
  readonly tokens: { readonly before: number; readonly after: number };
  /** The conversation with the answers of now, to keep when the change is meant. */
  readonly recording: Recording;
  /** W065 for every step that was not repeated as it was recorded. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Replays a recording in a new session and compares. Nothing is run or logged, and the recording gives no permission:
 * rules, `confirm` and `quizMemory` of the options decide, and a load counts as the user's only when a message before it
 * names the skill. E065 when the recording is damaged.
 */
export async function replay(recording: unknown, options: SessionOptions): Promise<Replay> {
  const before = readRecording(recording);
  const { runDynamic: _, ...quiet } = options;
  const { session, recording: recorded } = await recordSession({ ...quiet, log: false });
  const diagnostics: Diagnostic[] = [];
  const steps: ReplayedStep[] = [];
  const replayed: RecordedStep[] = [];
  const named: SkillRecord[] = [];
  const leaveOut = (what: string, why: string) => diagnostics.push(diagnose('W065', { what, why }));
  try {
    for (const step of before.steps) {
      if (step.do === 'other') {
        replayed.push(step);
        steps.push({ step, before: null, after: null, differs: [] });
        leaveOut(step.call, 'a replay only searches, loads and reads');
        continue;
      }
      const isNamed = named.some((skill) => isMeant(skill, step, options));
      const by = step.do === 'load' ? step.by : undefined;
      if (by !== undefined && !isNamed)
        leaveOut(titleOf(step), "no message before it names the skill, so it counts as the model's");
      const done = recorded().steps.length;
      const { name, repeat } = repeated.get(step.do)!;
      const again = step.do === 'load' ? { ...step, by: isNamed ? by : undefined } : step;
      try {
        const answer = await repeat(again as never, session[name as keyof Session] as never);
        if (step.do === 'message')
          for (const { skill } of answer as Mention[]) if (skill !== null) named.push(skill);
      } catch (error) {
        if (!(error instanceof SkillwrightError)) throw error;
      }
      // The same message twice in a row is recorded once.
      const now =
        recorded().steps.slice(done)[0] ?? recorded().steps.findLast((each) => each.do === step.do)!;
      const after = answerOf(now);
      replayed.push({ ...step, got: after } as RecordedStep);
      steps.push({ step, before: answerOf(step), after, differs: differences(answerOf(step), after) });
    }
  } finally {
    await session.close();
  }
  return {
    steps,
    changed: steps.flatMap((each, index) => (each.differs.length === 0 ? [] : [describeStep(each, index)])),
    tokens: { before: sumTokens(steps, 'before'), after: sumTokens(steps, 'after') },
    recording: { version: 1, steps: replayed },
    diagnostics,
  };
}

/** The methods that a replay repeats, by the kind of their steps. */
const repeated = new Map(
  Object.entries<AnyMethod>(sessionMethods)
    .toReversed()
    .flatMap(([name, { recorded }]) =>
      typeof recorded === 'object'
        ? [[recorded.do as string, { name, repeat: recorded.repeat }] as const]
        : [],
    ),
);

function isMeant(skill: SkillRecord, step: RecordedStep, options: SessionOptions): boolean {
  if (step.do !== 'load') return false;
  const { name, path } = step;
  return path === undefined
    ? skill.name === name
    : [skill.path, skill.dir].some((place) => spellPlace(place, options) === path);
}

const answerOf = (step: RecordedStep): RecordedAnswer | null =>
  step.do === 'other' ? null : (step.got ?? null);

function differences(before: RecordedAnswer | null, after: RecordedAnswer | null): string[] {
  if (before === null) return [];
  const parts = new Set([...Object.keys(before), ...Object.keys(after ?? {})]);
  return [...parts].filter((part) => JSON.stringify(before[part]) !== JSON.stringify(after?.[part]));
}

function sumTokens(steps: readonly ReplayedStep[], side: 'before' | 'after'): number {
  return steps.reduce((sum, step) => sum + Number(step[side]?.tokens ?? 0), 0);
}

function titleOf(step: RecordedStep): string {
  switch (step.do) {
    case 'message':
      return `message ${JSON.stringify(step.text.slice(0, 60))}`;
    case 'search':
      return `search ${JSON.stringify(step.query)}`;
    case 'load':
      return `load ${step.path ?? step.name}`;
    case 'read':
      return `read ${step.file} of ${step.path ?? step.name}`;
    case 'other':
      return step.call;
    default:
      return step.do;
  }
}

/** One line about a step that differs. */
function describeStep({ step, before, after, differs }: ReplayedStep, index: number): string {
  const title = `${index + 1}. ${titleOf(step)}`;
  const failed = before?.error !== undefined || after?.error !== undefined;
  if (failed) return `${title}: ${String(before?.error ?? 'found')} → ${String(after?.error ?? 'found')}`;
  const parts = differs.map((part) =>
    part === 'digest' ? 'another text' : `${part} ${showValue(before?.[part])} → ${showValue(after?.[part])}`,
  );
  return `${title}: ${parts.join('; ')}`;
}

const showValue = (value: unknown) => (Array.isArray(value) ? `[${value.join(', ')}]` : String(value));
