// Checks the `hooks` field.

import { suggest } from '../../base/diagnostics/index.ts';
import { schemaIssues } from './field-shapes.ts';
import { type FormatIssue, isMapping } from './format-issue.ts';
import { hookEvents } from './hook-events.ts';
import { Hooks } from './hooks.ts';

/** Events agents are known to raise. Others only draw a warning, because agents keep adding events. */
export const HOOK_EVENTS: readonly string[] = Object.keys(hookEvents);

/** The faults of a `hooks` value, with paths into the source. */
export function checkHooks(value: unknown): FormatIssue[] {
  const issues = schemaIssues(Hooks, { value: value ?? null, path: ['hooks'] });
  if (!isMapping(value)) return issues;
  for (const event of Object.keys(value)) {
    const help = unknownEvent(event);
    if (help === undefined) continue;
    issues.push({
      kind: 'unknown',
      field: 'hooks',
      path: ['hooks', event],
      message: `unknown event '${event}' in hooks`,
      help,
      severity: 'warning',
    });
  }
  return issues;
}

/** Advice for an event that no agent is known to raise; undefined for a known one. */
export function unknownEvent(event: string): string | undefined {
  if (HOOK_EVENTS.includes(event)) return undefined;
  const [closest] = suggest(event, HOOK_EVENTS, 1);
  return closest === undefined ? 'no agent is known to raise it' : `did you mean '${closest}'?`;
}
