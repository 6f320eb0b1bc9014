// skc mcp: the MCP server.

import * as z from 'zod';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { findProgram } from '../../base/files/index.ts';
import { choice, defineCommand, integer } from '../commands/index.ts';
import { claimStandardStreams } from '../streams/index.ts';

// Configuration to paste into a client, so that it starts or connects to this server.

/** Supported clients. */
const configuredClients = ['claude', 'cursor', 'codex', 'vscode'] as const;

/** Name of a supported client. */
type ConfiguredClient = (typeof configuredClients)[number];

/** A command to start, or an address. */
type ServerPlace = { readonly command: string; readonly args: readonly string[] } | { readonly url: string };

/** Configuration text and the file it belongs in. */
interface ClientConfig {
  client: ConfiguredClient;
  place: string;
  config: string;
}

const NAME = 'skc';

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** Type of server, for clients that require it. */
const typed = (server: ServerPlace) => ({ type: 'url' in server ? 'http' : 'stdio', ...server });

/** A JSON string is also a basic TOML string, and a JSON list of strings a TOML array. */
const toml = (server: ServerPlace) =>
  `[mcp_servers.${NAME}]\n${Object.entries(server)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
    .join('')}`;

const clients: Readonly<
  Record<ConfiguredClient, { place: string; render: (server: ServerPlace) => string }>
> = {
  claude: {
    place: '.mcp.json in a project, or ~/.claude.json',
    render: (server) => json({ mcpServers: { [NAME]: typed(server) } }),
  },
  cursor: {
    place: '.cursor/mcp.json in a project, or ~/.cursor/mcp.json',
    render: (server) => json({ mcpServers: { [NAME]: server } }),
  },
  codex: { place: '~/.codex/config.toml', render: toml },
  vscode: {
    place: '.vscode/mcp.json in a project',
    render: (server) => json({ servers: { [NAME]: typed(server) } }),
  },
};

/** The configuration of one client. */
function clientConfig(client: ConfiguredClient, server: ServerPlace): ClientConfig {
  const { place, render } = clients[client];
  return { client, place, config: render(server) };
}

/** Serves skills over the Model Context Protocol, or prints the configuration for a client. */
export const mcp = defineCommand({
  fields: {
    http: integer(
      'Serve over HTTP on this port of 127.0.0.1 instead of stdin and stdout (0 picks a free port)',
      { min: 0, max: 65_535 },
    ),
    print_config: choice(configuredClients, 'Print the configuration for a client and exit'),
  },
  positionals: [],
  output: z
    .object({
      client: z.enum(configuredClients),
      place: z.string().describe('The file it belongs in'),
      config: z.string().describe('JSON or TOML'),
    })
    .optional()
    .describe('Empty after serving: standard output carries the protocol'),
  effect: 'write',
  writes: [],
  touches: 'nothing',
  about:
    'Agents get tools to find, read, run and write skills, a prompt for each skill, and the files of skills as resources (extension `io.modelcontextprotocol/skills`). The server rebuilds outdated indexes, and stops when its client disconnects.',
  examples: {
    'skc mcp --print-config claude': 'print the configuration for .mcp.json',
    'skc mcp': 'serve on stdin and stdout; clients start it like this',
    'skc mcp --http 7411': 'run one server for many clients',
  },
  async run({ http, print_config: client }, context) {
    if (client !== undefined) {
      if (http === 0)
        throw SkillwrightError.of('E100', { why: '--http 0 with --print-config: name the port' });
      // With `skc` on the PATH, the configuration works on any machine that has it and can be committed.
      const isFound = findProgram('skc', context.workspace.env) !== undefined;
      const launch = isFound ? undefined : context.launch;
      const { command, args } = launch ?? { command: 'skc', args: [] };
      const local = { command, args: [...args, 'mcp'] };
      const config = clientConfig(
        client,
        http === undefined ? local : { url: `http://127.0.0.1:${http}/mcp` },
      );
      context.note(`for ${config.place}`);
      if (launch !== undefined && http === undefined)
        context.note('skc is not on your PATH, so this configuration works on this machine only');
      return config;
    }
    const streams = http === undefined ? claimStandardStreams() : undefined;
    const { openServing } = await import('./open-serving.ts');
    const serving = await openServing(context);
    const { signal } = context;
    const { cwd } = context.workspace;
    try {
      if (streams === undefined) {
        const { serveOverHttp } = await import('./serve-http.ts');
        await serveOverHttp(serving, { port: http!, cwd, signal, now: () => context.now() });
      } else {
        const { serveOverStdio } = await import('./serve-stdio.ts');
        await serveOverStdio(serving, { ...streams, cwd, signal });
      }
    } finally {
      await serving.backend.close();
    }
    return undefined;
  },
  text: (output) => output?.config ?? '',
});
