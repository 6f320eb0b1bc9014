// The tools a registry offers: those of skc that read one skill.

import { loadTools, type ServedTool } from 'skillwright/mcp';

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
