// Hook handlers that only the host can run, and their requests.

import type { HookHandler } from '../../skill/format/index.ts';
import type { HookPayload } from './hook-selection.ts';

/** Data for every handler. */
interface HandedHook {
  readonly event: string;
  /** The whole payload, as a command gets it. */
  readonly payload: HookPayload;
  readonly skill: { readonly name: string; readonly dir: string };
  /** Aborted on timeout or when the session ends. */
  readonly signal: AbortSignal;
}

/** A question to a model. The payload is already in its text. */
interface HandedPrompt extends HandedHook {
  readonly prompt: string;
  readonly model: string | undefined;
}

/** An HTTP request for the host to send. */
interface HandedRequest extends HandedHook {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/** An MCP tool for the host to call. */
interface HandedToolCall extends HandedHook {
  readonly server: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * Handlers of the host. Each returns the output of a command, as text or as a value; a model may answer
 * `{ ok: false, reason }`. An exception or an unclear text counts as no answer: it is reported, and blocks where
 * the event decides something.
 */
export interface HookHandlers {
  readonly prompt?: (hook: HandedPrompt) => Promise<unknown>;
  readonly agent?: (hook: HandedPrompt) => Promise<unknown>;
  readonly http?: (hook: HandedRequest) => Promise<unknown>;
  readonly mcp_tool?: (hook: HandedToolCall) => Promise<unknown>;
}

/** Passes a hook to the host; undefined when the host has no handler for its type. */
export function handOver(
  handler: Exclude<HookHandler, { type: 'command' }>,
  hook: HandedHook,
  handlers: HookHandlers,
): Promise<unknown> | undefined {
  const json = JSON.stringify(hook.payload);
  switch (handler.type) {
    case 'prompt':
    case 'agent':
      return handlers[handler.type]?.({
        ...hook,
        prompt: fillPrompt(handler.prompt, json),
        model: handler.model,
      });
    case 'http':
      return handlers.http?.({ ...hook, url: handler.url, headers: handler.headers ?? {}, body: json });
    case 'mcp_tool': {
      const { server, tool, input = {} } = handler;
      return handlers.mcp_tool?.({ ...hook, server, tool, input: fillInput(input, hook.payload) });
    }
  }
}

/** Replaces `$ARGUMENTS` with the payload, but not `\$ARGUMENTS`; without a placeholder, appends the payload. */
function fillPrompt(prompt: string, json: string): string {
  let isFilled = false;
  const text = prompt.replace(/\\?\$ARGUMENTS/g, (written) => {
    if (written.startsWith('\\')) return written.slice(1);
    isFilled = true;
    return json;
  });
  return isFilled ? text : `${text}\n\n${json}`;
}

/** Replaces `${tool_input.file_path}` with that part of the payload; an unknown placeholder stays. */
function fillInput(input: Readonly<Record<string, unknown>>, payload: HookPayload): Record<string, unknown> {
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.replace(/\$\{([\w.]+)\}/g, (written, path: string) => {
        const part = path
          .split('.')
          .reduce<unknown>(
            (at, key) =>
              Object(at) === at && Object.hasOwn(at as object, key)
                ? (at as Record<string, unknown>)[key]
                : undefined,
            payload,
          );
        if (part === undefined) return written;
        return typeof part === 'string' ? part : JSON.stringify(part);
      });
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fill(part)]));
  };
  return fill(input) as Record<string, unknown>;
}
