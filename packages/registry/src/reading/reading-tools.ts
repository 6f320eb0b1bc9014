// The tools a registry offers: those of skc that read one skill. Results have addresses that a person or a script can open in
// place of calls of tools.

import { type DeskResult, loadTools, type ServedTool } from 'skillwright/mcp';

/** Tools that read one skill. */
const names = ['skc_outline', 'skc_show', 'skc_search', 'skc_open', 'skc_sources'];

let loading: Promise<ReadonlyMap<string, ServedTool>> | undefined;

/** The tools by name, loaded once. */
export function readingTools(): Promise<ReadonlyMap<string, ServedTool>> {
  loading ??= loadTools().then((tools) => new Map(names.map((name) => [name, addressed(tools.get(name)!)])));
  return loading;
}

/** A tool for skills with an address. A server does not write anything a caller could notice. */
function addressed(tool: ServedTool): ServedTool {
  const { description = '', inputSchema, annotations } = tool.definition;
  const { properties = {} } = inputSchema as { properties?: Record<string, object> };
  const skill = { ...properties.skill, description: '`@owner/name`, or `@owner/name@version`' };
  return {
    ...tool,
    definition: {
      ...tool.definition,
      description: description.replace(/\. Writes: .*$/, ''),
      inputSchema: { ...inputSchema, properties: { ...properties, skill } },
      annotations: { ...annotations, readOnlyHint: true },
    },
  };
}

/** Texts of the skill itself stay as they are. */
const quoted = new Set([
  'content',
  'snippet',
  'heading',
  'section',
  'text',
  'anchor',
  'file',
  'path',
  'query',
]);

const CALL = /^skc_([a-z]+) (\{.*\})$/s;

/** The result with an address in place of every call. */
export function spellAddresses(
  { output, text, warnings }: DeskResult,
  base: string,
): { output: unknown; text: string; warnings: DeskResult['warnings'] } {
  const addresses = new Map<string, string>();
  const visit = (value: unknown, field = ''): unknown => {
    if (typeof value === 'string') {
      const address = quoted.has(field) ? undefined : callAddress(value, base);
      if (address !== undefined) addresses.set(value, address);
      return address ?? value;
    }
    if (Array.isArray(value)) return value.map((item) => visit(item, field));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visit(item, key)]));
  };
  const spelled = visit(output);
  // Longer calls first: one may be the beginning of another.
  const calls = [...addresses].sort(([a], [b]) => b.length - a.length);
  return {
    output: spelled,
    text: calls.reduce((so, [call, address]) => so.replaceAll(call, address), text),
    warnings,
  };
}

function callAddress(call: string, base: string): string | undefined {
  const [, operation, json] = CALL.exec(call) ?? [];
  if (operation === undefined || json === undefined) return undefined;
  const { skill, ...fields } = JSON.parse(json) as Record<string, unknown>;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    for (const item of [value].flat()) parameters.append(name, String(item));
  const query = parameters.size === 0 ? '' : `?${parameters}`;
  return `${base}/api/v1/read/${String(skill)}/${operation}${query}`;
}
