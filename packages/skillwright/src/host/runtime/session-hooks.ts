// Selects the hooks an event runs: those of loaded or active skills that may be run now.

import { dirname } from 'node:path';
import { type Diagnostic, diagnosticOf, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { HookPayload, UnaskedHooks } from '../../guard/execute/index.ts';
import type { OpenedRecord } from '../../read/access/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { isMapping } from '../../skill/format/index.ts';
import { tryOpen } from '../../skill/judge/index.ts';

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
