// The MCP server of a registry.

export { challengeOf, RESOURCE_METADATA } from './challenge.ts';
export { FoundSkills, findSkills, renderFound } from './find-skills.ts';
export { serveMcp } from './serve-mcp.ts';
