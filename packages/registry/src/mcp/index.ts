// The MCP server of a registry.

export { findSkills, renderFound } from './find-skills.ts';
export { challengeOf, RESOURCE_METADATA, serveMcp } from './serve-mcp.ts';
