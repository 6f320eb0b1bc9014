// Which handlers of a skill an event means.

import { realpathSync } from 'node:fs';
import {
  type Diagnostic,
  diagnose,
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

/** A skill has no more handlers for one event; each is a sandbox of its own. */
const MAX_HANDLERS = 32;

/** A handler to be run. */
export interface SelectedHook {
  readonly skill: SkillGrants;
  readonly handler: HookHandler;
  /** What the user trusts; undefined where the host answers for the skill. */
  readonly digest: string | undefined;
  /** The same for the same handler of the same skill. */
  readonly key: string;
}

/** What is asked. */
export interface HookQuestion {
  readonly event: string;
  readonly payload: HookPayload;
  /** Where the user's trust is remembered. */
  readonly home: string;
  readonly trusted?: ((dir: string) => boolean | undefined) | undefined;
}

/** Hooks that hold and cannot be run. */
export interface UnaskedHooks {
  /** The skill and the event, or where the skill should be. */
  readonly label: string;
  readonly why: string;
  readonly help?: string | undefined;
}

/** The hooks of one skill for an event. */
export interface HookSelection {
  readonly hooks: readonly SelectedHook[];
  /** Why others are not run. */
  readonly unasked: readonly UnaskedHooks[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether a skill has a handler for an event. No when it cannot be read. */
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

/** The handlers, each once, and why others are not run. None of a skill that is not trusted. Total. */
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
      const help = `read what they do, then trust the skill as it is now with 'skc tools ${quoteWord(dir)} --trust'`;
      const why = 'you have not said that you trust this skill';
      return { hooks: [], unasked: [{ label, why, help }], diagnostics };
    }
    const hooks = [...handlers].map(([key, handler]) => ({ skill, handler, digest, key: `${dir}\0${key}` }));
    const unused = hooks.splice(MAX_HANDLERS).length;
    const more = `${unused} handlers more than the ${MAX_HANDLERS} that are run`;
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
      const help = 'its handlers run for every value: a guard rather looks once too often';
      const why = 'its matcher is not a pattern that can be used';
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

/** Whether a broken entry would have been asked. Where its matcher cannot be read either, it would. */
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
