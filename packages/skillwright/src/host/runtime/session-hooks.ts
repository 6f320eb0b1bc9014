// Whose hooks an event means: those of skills that were given to the model or are active, as far as they may be run now.

import { dirname } from 'node:path';
import { type Diagnostic, diagnosticOf, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { HookPayload, UnaskedHooks } from '../../guard/execute/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { isMapping } from '../../skill/format/index.ts';
import { tryOpen } from '../../skill/judge/index.ts';
import type { GuardedSkill } from './skill-guard.ts';

/** What is asked. */
export interface HookRequest {
  readonly event: string;
  readonly payload: HookPayload;
  /** The SKILL.md of each skill whose hooks hold, with the events it had hooks for when it was given. */
  readonly skills: ReadonlyMap<string, readonly string[]>;
  /** The skill at a path, if something of it may be run. */
  readonly access: (path: string) => Promise<GuardedSkill>;
}

/** Skills to be asked, and those that should be and cannot. */
export interface HeldHooks {
  readonly skills: readonly SkillRecord[];
  readonly unasked: readonly UnaskedHooks[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The events that a skill has hooks for, as it writes them. */
export function hookEventsOf({ hooks }: Readonly<Record<string, unknown>>): readonly string[] {
  return isMapping(hooks) ? Object.keys(hooks) : [];
}

/**
 * Finds the skills to be asked. One without a hook for the event is left alone. One that is switched off, or that the catalog
 * no longer has, holds no more; one that may not be run for another reason still does, and gives no answer.
 */
export async function findHeldHooks({ event, payload, skills, access }: HookRequest): Promise<HeldHooks> {
  const { hasHooks } = await import('../../guard/execute/hook-selection.ts');
  const found = await Promise.all(
    [...skills].map(async ([path, events]): Promise<Partial<HeldHooks>> => {
      const dir = dirname(path);
      const hadHooks = events.includes(event) && tryOpen(dir)?.parts.data === undefined;
      if (!hadHooks && !(await hasHooks(dir, { event, payload }))) return {};
      try {
        const { skill, diagnostics } = await access(path);
        return { skills: [skill], diagnostics };
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

/** Whether the user has taken the skill out of use, and its hooks with it. */
function isOver({ code, data }: SkillwrightError): boolean {
  return code === 'E001' && data?.reason !== 'vanished' && data?.reason !== 'unavailable';
}
