// What to paste into a client so that it starts, or reaches, this server.

/** Clients whose configuration is known. */
export const configuredClients = ['claude', 'cursor', 'codex', 'vscode'] as const;

/** One of them. */
export type ConfiguredClient = (typeof configuredClients)[number];

/** A started process, or an address. */
export type ServerPlace =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly url: string };

/** A piece of configuration and the file it belongs in. */
export interface ClientConfig {
  client: ConfiguredClient;
  place: string;
  config: string;
}

const NAME = 'skc';

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** Marks what kind of server it is, for clients that want to be told. */
const typed = (server: ServerPlace) => ({ type: 'url' in server ? 'http' : 'stdio', ...server });

/** A JSON string is also a basic string of TOML, and a JSON list of strings an array. */
const toml = (server: ServerPlace) =>
  `[mcp_servers.${NAME}]\n${Object.entries(server)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
    .join('')}`;

const clients: Readonly<
  Record<ConfiguredClient, { place: string; render: (server: ServerPlace) => string }>
> = {
  claude: {
    place: '.mcp.json of a project, or ~/.claude.json',
    render: (server) => json({ mcpServers: { [NAME]: typed(server) } }),
  },
  cursor: {
    place: '.cursor/mcp.json of a project, or ~/.cursor/mcp.json',
    render: (server) => json({ mcpServers: { [NAME]: server } }),
  },
  codex: { place: '~/.codex/config.toml', render: toml },
  vscode: {
    place: '.vscode/mcp.json of a project',
    render: (server) => json({ servers: { [NAME]: typed(server) } }),
  },
};

/** The configuration of one client. */
export function clientConfig(client: ConfiguredClient, server: ServerPlace): ClientConfig {
  const { place, render } = clients[client];
  return { client, place, config: render(server) };
}
