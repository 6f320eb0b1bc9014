// docs/environment.md: every environment variable and file of skc.

import { ownVariables, variableName } from '../packages/skillwright/src/base/variables.ts';
import { agents } from '../packages/skillwright/src/skill/agents/agents.ts';
import { configKeys } from '../packages/skillwright/src/skill/config/config-schema.ts';
import { variableOf } from '../packages/skillwright/src/skill/config/load-config.ts';
import { table } from './markdown-table.ts';

/** Variables that skc sets. */
const setBySkc: Readonly<Record<string, string>> = {
  SKC_ARGUMENTS: 'In a command of an invoked skill: everything the user typed after its name',
  SKC_ARGUMENT_0: 'The first word of those arguments; `SKC_ARGUMENT_1` is the second, and so on',
};

/** Variables of other programs that skc reads. */
const borrowed: Readonly<Record<string, string>> = {
  NO_COLOR: 'Turns colour off, regardless of other settings',
  FORCE_COLOR: 'Turns colour on, in pipes too; `0` or `false` turns it off',
  TERM: '`dumb` turns off colour, progress and questions',
  PATH: 'Where programs are found: git, the sandbox, interpreters, what a skill requires',
  PATHEXT: 'On Windows: file extensions of programs',
  HOME: 'Your home directory, unless `SKC_HOME` is set; scripts cannot see its files',
  TZ: 'The time zone, passed to scripts',
  TMPDIR: 'Where temporary directories are made',
  USER: 'Recorded as the person who accepted a finding if git has no `user.name`; otherwise `LOGNAME`, then `USERNAME`',
  LOGNAME: 'See `USER`',
  USERNAME: 'See `USER`',
  GITHUB_TOKEN: 'Your token for the GitHub API, used by `skc find --remote`; otherwise `GH_TOKEN`',
  GH_TOKEN: 'See `GITHUB_TOKEN`',
  ACTIONS_ID_TOKEN_REQUEST_URL:
    'Set by GitHub Actions in jobs with `id-token: write`; `skc publish` gets the identity of the job there',
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'See `ACTIONS_ID_TOKEN_REQUEST_URL`',
  DISPLAY: 'The screen on which `skc login` opens your browser; otherwise `WAYLAND_DISPLAY`',
  WAYLAND_DISPLAY: 'See `DISPLAY`',
  DBUS_SESSION_BUS_ADDRESS:
    'The session whose keyring `skc login` uses; otherwise the socket `bus` in `XDG_RUNTIME_DIR`',
  GITHUB_STEP_SUMMARY: 'The file that `skc ci` adds its summary to',
  npm_config_registry: 'The npm registry; also `NPM_CONFIG_REGISTRY`',
  NPM_CONFIG_REGISTRY: 'See `npm_config_registry`',
  npm_config_userconfig: 'Your `.npmrc`; also `NPM_CONFIG_USERCONFIG`',
  NPM_CONFIG_USERCONFIG: 'See `npm_config_userconfig`',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'Where spans are sent; without it, none are sent',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'The same, for traces only',
  OTEL_EXPORTER_OTLP_HEADERS: 'Headers of that request',
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'The same, for traces only',
  OTEL_EXPORTER_OTLP_PROTOCOL: '`grpc` turns spans off, because skc sends JSON over HTTP',
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'The same, for traces only',
  OTEL_RESOURCE_ATTRIBUTES: 'Attributes of every span',
  OTEL_SERVICE_NAME: 'The `service.name` of every span',
  OTEL_SDK_DISABLED: '`true` turns spans off',
  OTEL_TRACES_EXPORTER: '`none` turns spans off',
  TRACEPARENT: 'The parent span of this run',
};

/** Contents of `.skillc` by name; `P` in a project, `U` in the home directory. */
const files: readonly (readonly [name: string, where: string, meaning: string])[] = [
  ['config.toml', 'P U', 'Configuration: [configuration.md](configuration.md)'],
  ['skills/', 'P U', 'The store: one source directory per skill'],
  ['lock.json', 'P U', 'The lock: which skills are installed, from where, and the hash of every file'],
  ['edits/', 'P', 'Your changes to installed skills, to be committed with the lock'],
  [
    'proofs/',
    'P U',
    "Proofs that registries' logs contain the installed versions, to be committed with the lock",
  ],
  ['conflicts/', 'P U', 'The three versions of a file that an update could not merge'],
  ['scan-baseline.json', 'P', 'Findings you reviewed, if you keep them with `skc scan --baseline`'],
  [
    'runtime/',
    'P U',
    'Compiled skills, each with stub, `.skillc/manifest.json`, search index and access log',
  ],
  [
    'credentials.json',
    'U',
    'Your logins at registries, and the tokens that no keyring holds; only you can read it',
  ],
  ['state.json', 'P U', 'Disabled skills, remembered permissions; in yours also passed quizzes'],
  [
    'cache/',
    'U',
    'Downloaded skills, the catalog, and index and log of skills you read without building them; safe to delete',
  ],
  ['backups/', 'P U', 'Files that `--force` replaced'],
  ['logs/', 'P', 'Access logs of skills with a read-only directory; `skc sync` merges them'],
  ['data/', 'U', 'Directories that skills may write to, one per version of a skill'],
  ['made/', 'U', 'The record of the files `skc` made on this machine'],
  ['registries/', 'U', 'The newest checkpoint of each log and the indexes you have seen'],
  ['placed/', 'U', 'The record of the files `skc` wrote into stores'],
  ['.install/', 'P U', 'Work in progress; an interrupted run is completed or undone from here'],
  ['.gitignore', 'P', 'Keeps machine-specific files out of git'],
];

/** The page. */
export function environmentPage(): string {
  const own = Object.entries(ownVariables).map(([name, meaning]) => [
    `\`${variableName(name)}\``,
    `${meaning}.`,
  ]);
  const rows = (entries: Readonly<Record<string, string>>) =>
    Object.entries(entries).map(([name, meaning]) => [`\`${name}\``, `${meaning}.`]);
  const moved = [
    ...new Set(agents.flatMap(({ variable }) => (variable === undefined ? [] : [`\`${variable}\``]))),
  ];
  const keys = configKeys().map(({ key }) => [`\`${variableOf(key)}\``, `\`${key}\``]);
  const paths = files.map(([name, where, meaning]) => [
    where
      .split(' ')
      .map((place) => `\`${place === 'U' ? '~/' : ''}.skillc/${name}\``)
      .join(', '),
    `${meaning}.`,
  ]);
  return `# Environment variables and files

Every variable of \`skc\` starts with \`SKC_\`. Earlier versions used \`SKILLC_\`; those names still work. If both are set to
different values, the \`SKC_\` name wins and skc warns with W112.

## Variables

${table(['variable', 'meaning'], own)}

Each configuration key has a variable too. It overrides the files; [configuration](configuration.md) explains the keys:

${table(['variable', 'key'], keys)}

\`skc\` sets these for commands it starts:

${table(['variable', 'meaning'], rows(setBySkc))}

\`skc\` also reads these common variables:

${table(['variable', 'meaning'], rows(borrowed))}

Some agents have a variable that moves their skills elsewhere. \`skc\` respects ${moved.slice(0, -1).join(', ')} and
${moved.at(-1)}, unless \`SKC_HOME\` is set.

## Files

\`.skillc/…\` is in the project, \`~/.skillc/…\` in your home directory. The directory is called \`.skillc\` because the RFCs
that define compiled skills use that name; skills compiled by other tools that follow them are in the same place.

${table(['path', 'content'], paths)}

Outside these directories, \`skc\` writes only where you deploy skills: the [directories of agents](commands/agents.md).
`;
}
