// Selects the handlers of a skill for an event.

import { realpathSync } from 'node:fs';
import {
  type Diagnostic,
  diagnose,
  formatCount,
  messageOf,
  quoteWord,
  SkillwrightError,
} from '../../base/diagnostics/index.ts';
import {
  type FormatIssue,
  type HookHandler,
  isMapping,
  readManifest,
  readSkillFields,
} from '../../skill/format/index.ts';
import { type HookPayload, matchEvent, meetsRule } from './hook-matcher.ts';
import { readSkillGrants, type SkillGrants } from './skill-access.ts';
import { isTrusted, trustDigest } from './skill-trust.ts';

/** Limit of handlers per skill and event; each runs in its own sandbox. */
const MAX_HANDLERS = 32;

/** A handler to run. */
export interface SelectedHook {
  readonly skill: SkillGrants;
  readonly handler: HookHandler;
  /** Digest the user trusts; undefined when the host vouches for the skill. */
  readonly digest: string | undefined;
  /** Identifies the handler and its skill. */
  readonly key: string;
}

/** The event and its surroundings. */
interface HookQuestion {
  readonly event: string;
  readonly payload: HookPayload;
  /** Home directory with the user's trust. */
  readonly home: string;
  readonly trusted?: ((dir: string) => boolean | undefined) | undefined;
}

/** Hooks that apply but cannot run. */
export interface UnaskedHooks {
  /** The skill and event, or the missing skill's path. */
  readonly label: string;
  readonly why: string;
  readonly help?: string | undefined;
}

/** The hooks of one skill for an event. */
interface HookSelection {
  readonly hooks: readonly SelectedHook[];
  /** Why other hooks do not run. */
  readonly unasked: readonly UnaskedHooks[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether a skill has a handler for an event; false when it cannot be read. */
export async function hasHooks(
  directory: string,
  question: Pick<HookQuestion, 'event' | 'payload'>,
): Promise<boolean> {
  try {
    const { handlers, broken } = await handlersOf(directory, question);
    return handlers.size + broken.length > 0;
  } catch (error) {
    if (error instanceof SkillwrightError) return false;
    throw error;
  }
}

/** The handlers, each once, and why others do not run. An untrusted skill has none. Total. */
export async function selectHooks(directory: string, question: HookQuestion): Promise<HookSelection> {
  try {
    const dir = realpathSync.native(directory);
    const { handlers, diagnostics, broken } = await handlersOf(dir, question);
    if (handlers.size + broken.length === 0) return { hooks: [], unasked: [], diagnostics };
    const skill = readSkillGrants(dir, question);
    const answer = question.trusted?.(dir);
    const digest = answer === undefined ? trustDigest(skill) : undefined;
    const isAllowed = digest === undefined ? answer : isTrusted(question.home, { dir, digest });
    const label = `${skill.name}: ${question.event}`;
    if (!isAllowed) {
      const help = `read its hooks, then trust it with 'skc tools ${quoteWord(dir)} --trust'`;
      const why = 'you have not trusted this skill';
      return { hooks: [], unasked: [{ label, why, help }], diagnostics };
    }
    const hooks = [...handlers].map(([key, handler]) => ({ skill, handler, digest, key: `${dir}\0${key}` }));
    const unused = hooks.splice(MAX_HANDLERS).length;
    const more = `${formatCount(unused, 'handler')} over the limit of ${MAX_HANDLERS}`;
    const reasons = [...broken, ...(unused > 0 ? [more] : [])];
    return { hooks, unasked: reasons.map((why) => ({ label, why })), diagnostics };
  } catch (error) {
    return { hooks: [], unasked: [{ label: directory, why: messageOf(error) }], diagnostics: [] };
  }
}

async function handlersOf(
  dir: string,
  { event, payload }: Pick<HookQuestion, 'event' | 'payload'>,
): Promise<{ handlers: Map<string, HookHandler>; diagnostics: Diagnostic[]; broken: string[] }> {
  const { hooks: written } = readSkillFields(dir);
  const { manifest, issues } = readManifest({ hooks: written ?? {} });
  const { hooks = {} } = manifest;
  const handlers = new Map<string, HookHandler>();
  const diagnostics: Diagnostic[] = [];
  for (const { matcher, hooks: group } of Object.hasOwn(hooks, event) ? hooks[event]! : []) {
    const match = await matchEvent(matcher, event, payload);
    if (match === 'no') continue;
    if (match === 'unusable') {
      const help = 'its handlers run for every value, to be safe';
      const why = 'its matcher is not a valid pattern';
      diagnostics.push(diagnose('W080', { hook: matcher!, why }, { help }));
    }
    for (const handler of group)
      if (await meetsRule(handler.if, event, payload))
        handlers.set(JSON.stringify([event, handler]), handler);
  }
  const broken: string[] = [];
  for (const { path, message } of issues)
    if ((path[1] ?? event) === event && (await mayMatch(written, path, { event, payload })))
      broken.push(`it cannot be read: ${message}`);
  return { handlers, diagnostics, broken };
}

/** Whether a broken entry applies to the event. If its matcher is broken too, it does. */
async function mayMatch(
  hooks: unknown,
  [, event, group]: FormatIssue['path'],
  at: Pick<HookQuestion, 'event' | 'payload'>,
): Promise<boolean> {
  const groups = isMapping(hooks) && typeof event === 'string' ? hooks[event] : undefined;
  const own: unknown = Array.isArray(groups) && typeof group === 'number' ? groups[group] : undefined;
  const matcher = isMapping(own) ? own.matcher : undefined;
  if (typeof matcher !== 'string') return true;
  return (await matchEvent(matcher, at.event, at.payload)) !== 'no';
}
