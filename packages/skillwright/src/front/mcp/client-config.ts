// Configuration to paste into a client, so that it starts or connects to this server.

/** Supported clients. */
export const configuredClients = ['claude', 'cursor', 'codex', 'vscode'] as const;

/** Name of a supported client. */
export type ConfiguredClient = (typeof configuredClients)[number];

/** A command to start, or an address. */
export type ServerPlace =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly url: string };

/** Configuration text and the file it belongs in. */
export interface ClientConfig {
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
export function clientConfig(client: ConfiguredClient, server: ServerPlace): ClientConfig {
  const { place, render } = clients[client];
  return { client, place, config: render(server) };
}
