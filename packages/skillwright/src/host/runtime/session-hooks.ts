// Selects the hooks an event runs: those of loaded or active skills that may be run now.

import { dirname } from 'node:path';
import * as z from 'zod';
import {
  type Diagnostic,
  diagnose,
  diagnosticOf,
  quoteWord,
  SkillwrightError,
} from '../../base/diagnostics/index.ts';
import type { HookPayload, UnaskedHooks } from '../../guard/execute/index.ts';
import type { OpenedRecord, SkillReference } from '../../read/access/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { hookEventRow, isMapping } from '../../skill/format/index.ts';
import { tryOpen } from '../../skill/judge/index.ts';
import { aboutSkill, method, withReference } from './session-method.ts';
import { openFor, openToRun, type SessionState } from './session-state.ts';

/** Decision about hooks that the user has not trusted. */
const decisions = ['run', 'skip', 'block'] as const;
export type HooksDecision = (typeof decisions)[number];

/** A question about the hooks of a loaded skill. */
export interface HooksQuestion {
  readonly skill: Pick<SkillRecord, 'name' | 'path' | 'dir'>;
  /** The events it has hooks for. */
  readonly events: readonly string[];
}

/** A decision, and the digest of the files it was made about. */
export interface DecidedHooks {
  readonly digest: string;
  readonly decision: HooksDecision;
}

export const decideHooks = method({
  rpc: 'hooks.decide',
  summary: 'Decide about the hooks of a skill the user has not trusted',
  input: withReference({
    decision: z
      .enum(decisions)
      .describe(
        'run: the user trusts them; skip: go on without them; block: what they watch stays blocked, as before',
      ),
  }),
  output: z.strictObject({ decision: z.enum(decisions) }),
  writes: [],
  touches: { skill: 'name', operation: 'run' },
  async wire({ decision, ...reference }, run) {
    await run(reference, decision);
    return { decision };
  },
  recorded: aboutSkill('decideHooks'),
  async run(state: SessionState, reference: SkillReference, decision: HooksDecision): Promise<void> {
    const { dir } =
      decision === 'run'
        ? await openToRun(state, reference, { by: 'user' })
        : await openFor(state, reference, { by: 'user', operation: 'inspect' });
    state.hookDecisions.set(dir, { digest: await hooksDigest(state, dir), decision });
  },
});

/** The decision of this session about the hooks of a skill as it is now. */
export async function decisionOn(state: SessionState, dir: string): Promise<HooksDecision | undefined> {
  const known = state.hookDecisions.get(dir);
  return known !== undefined && known.digest === (await hooksDigest(state, dir)) ? known.decision : undefined;
}

/** Digest of everything the code of a skill can read. */
async function hooksDigest({ options }: SessionState, dir: string): Promise<string> {
  const { readSkillGrants } = await import('../../guard/execute/skill-access.ts');
  const { trustDigest } = await import('../../guard/execute/grant-memory.ts');
  return trustDigest(readSkillGrants(dir, options));
}

/**
 * W060 for the hooks of a loaded skill that nobody has trusted and that will block what they watch. Asks the host first,
 * once for these files.
 */
export async function warnOfHooks(state: SessionState, skill: OpenedRecord): Promise<Diagnostic[]> {
  const { name, path, dir, frontmatter } = skill;
  const events = hookEventsOf(frontmatter);
  const { trustsSkill, decideHooks: ask, home } = state.options;
  const guards = events.filter((event) => hookEventRow(event).fails !== undefined);
  if (events.length === 0 || trustsSkill?.(skill.record)) return [];
  const digest = await hooksDigest(state, dir);
  const { isTrusted } = await import('../../guard/execute/grant-memory.ts');
  if (isTrusted(home, { dir, digest })) return [];
  let decision = await decisionOn(state, dir);
  if (decision === undefined && ask !== undefined) {
    decision = await ask({ skill: { name, path, dir }, events });
    state.hookDecisions.set(dir, { digest, decision });
  }
  if (guards.length === 0 || (decision !== undefined && decision !== 'block')) return [];
  const help = `read its hooks, then trust it with 'skc tools ${quoteWord(dir)} --trust'; a host can decide with decideHooks`;
  const why = 'you have not trusted this skill, so all it watches is blocked';
  return [
    diagnose(
      'W060',
      { hook: `${name}: ${guards.join(', ')}`, why },
      { help, data: { path, events: guards } },
    ),
  ];
}

/** Inputs of the selection. */
interface HookRequest {
  readonly event: string;
  readonly payload: HookPayload;
  /** SKILL.md of each skill with hooks in force, with the events it had hooks for when loaded. */
  readonly skills: ReadonlyMap<string, readonly string[]>;
  /** The skill at a path, if its code may be run. */
  readonly access: (path: string) => Promise<OpenedRecord>;
}

/** Skills whose hooks run, and those whose hooks should run but cannot. */
interface HeldHooks {
  readonly skills: readonly SkillRecord[];
  readonly unasked: readonly UnaskedHooks[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Events a skill has hooks for, as written. */
export function hookEventsOf({ hooks }: Readonly<Record<string, unknown>>): readonly string[] {
  return isMapping(hooks) ? Object.keys(hooks) : [];
}

/**
 * Selects the skills. A skill without a hook for the event is skipped. Hooks of a disabled or removed skill no longer
 * apply. Hooks of a skill that may not be run for another reason still apply, and count as unanswered.
 */
export async function findHeldHooks({ event, payload, skills, access }: HookRequest): Promise<HeldHooks> {
  const { hasHooks } = await import('../../guard/execute/hook-selection.ts');
  const found = await Promise.all(
    [...skills].map(async ([path, events]): Promise<Partial<HeldHooks>> => {
      const dir = dirname(path);
      const hadHooks = events.includes(event) && tryOpen(dir)?.parts.data === undefined;
      if (!hadHooks && !(await hasHooks(dir, { event, payload }))) return {};
      try {
        const { record, warnings } = await access(path);
        return { skills: [record], diagnostics: warnings };
      } catch (error) {
        if (!(error instanceof SkillwrightError)) throw error;
        if (isOver(error)) return { diagnostics: [diagnosticOf(error)] };
        const { message: why, help } = error;
        return { unasked: [{ label: `${path}: ${event}`, why, help }] };
      }
    }),
  );
  return {
    skills: found.flatMap((one) => one.skills ?? []),
    unasked: found.flatMap((one) => one.unasked ?? []),
    diagnostics: found.flatMap((one) => one.diagnostics ?? []),
  };
}

/** Whether the user disabled the skill, and its hooks with it. */
function isOver({ code, data }: SkillwrightError): boolean {
  return code === 'E001' && data?.reason !== 'vanished' && data?.reason !== 'unavailable';
}
