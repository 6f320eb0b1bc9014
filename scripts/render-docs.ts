// Renders the documentation that can be generated from definitions.

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  type CliName,
  cliNames,
  cliTable,
  currentNames,
} from '../packages/skillwright/src/front/cli/cli-table.ts';
import { topicNames } from '../packages/skillwright/src/front/cli/help-topics.ts';
import {
  flagRow,
  renderUsage,
  seeAlso,
  sharedRows,
} from '../packages/skillwright/src/front/cli/render-help.ts';
import { renderMan } from '../packages/skillwright/src/front/cli/render-man.ts';

import type { AnyCommand } from '../packages/skillwright/src/front/commands/define-command.ts';
import {
  optionsOf,
  otherNamesOf,
  shortFlagTable,
} from '../packages/skillwright/src/front/commands/options-of.ts';
import { commandGroups } from '../packages/skillwright/src/front/commands/table.ts';
import { scanRules } from '../packages/skillwright/src/guard/scan/rules/index.ts';
import { rules } from '../packages/skillwright/src/make/lint/rules/index.ts';
import {
  configKeys,
  defaultLimit,
  isUserOnly,
} from '../packages/skillwright/src/skill/config/config-schema.ts';
import { variableOf } from '../packages/skillwright/src/skill/config/load-config.ts';
import { table } from './markdown-table.ts';
import { environmentPage } from './render-environment.ts';
import { renderPicture } from './render-picture.ts';
import { renderSchemas } from './render-schemas.ts';
import { renderSecurity } from './render-security.ts';

const notice = '<!-- Written by `npm run docs`; edit the definitions instead. -->\n\n';

/** Every generated file: path from the repository's root, and its text. */
export async function renderDocs(): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  for (const name of cliNames) {
    pages.set(`docs/commands/${name}.md`, commandPage(name, await cliTable[name].load()));
  }
  pages.set('docs/commands/README.md', commandIndex());
  pages.set('packages/skillwright/src/base/diagnostics/codes.generated.ts', codesModule());
  pages.set('docs/configuration.md', configurationPage());
  pages.set('docs/environment.md', `${notice}${environmentPage()}`);
  for (const [path, text] of renderSchemas()) pages.set(path, text);
  pages.set('docs/session.svg', await renderPicture());
  pages.set('docs/security.md', renderSecurity());
  pages.set('docs/rules.md', rulesPage());
  pages.set('docs/scan-rules.md', scanRulesPage());
  pages.set(
    'packages/skillwright/src/make/lint/rule-pages.generated.ts',
    pagesModule('rulePages', { folder: 'make/lint/rules', what: 'rule', names: namesOf(rules) }),
  );
  pages.set(
    'packages/skillwright/src/guard/scan/scan-rule-pages.generated.ts',
    pagesModule('scanRulePages', { folder: 'guard/scan/rules', what: 'rule', names: namesOf(scanRules) }),
  );
  pages.set(
    'packages/skillwright/src/front/cli/topic-pages.generated.ts',
    pagesModule('topicPages', { folder: 'front/cli/topics', what: 'topic', names: topicNames }),
  );
  pages.set('packages/skillwright/man/skc.1', await renderMan((topic) => pageIn('front/cli/topics', topic)));
  pages.set('docs/flags.md', notice + (await flagsPage()));
  return pages;
}

function commandIndex(): string {
  const parts = commandGroups.map((group) => {
    const names = currentNames.filter((name) => cliTable[name].group === group);
    const rows = names.map((name) => [commandLink(name), cliTable[name].summary]);
    return `## ${group}\n\n${table(['command', 'what it does'], rows)}`;
  });
  const old = cliNames.flatMap((name) => {
    const { now } = cliTable[name];
    return now === undefined ? [] : [[commandLink(name), `\`skc ${now}\``]];
  });
  parts.push(`## Old names\n\n${table(['command', 'now'], old)}`);
  return `${notice}# Commands\n\nShort flags and what they mean are in [flags](../flags.md).\n\n${parts.join('\n\n')}\n`;
}

const commandLink = (name: CliName) => `[\`skc ${name}\`](${name}.md)`;

/** Every short flag, its long form, and where it is used. */
async function flagsPage(): Promise<string> {
  const commands = await Promise.all(
    cliNames.map(async (name) => ({ name, flags: optionsOf(await cliTable[name].load()).flags })),
  );
  const rows = shortFlagTable().map(([letter, flag]) => {
    const having = commands.filter(({ flags }) => flags.some((option) => option.flag === flag));
    const others = otherNamesOf(flag).map((other) => `\`--${other}\``);
    const names = [`\`--${flag}\``, ...others].join(', ');
    return [`\`-${letter}\``, names, having.map(({ name }) => `[${name}](commands/${name}.md)`).join(', ')];
  });
  const shared = [
    ['`-h`', '`--help`', 'every command'],
    ['`-V`', '`--version`', '`skc` itself'],
  ];
  return `# Flags

Each letter means the same flag in every command. \`--json\` may appear anywhere before \`--\`.

${table(['letter', 'flag', 'commands'], [...rows, ...shared])}
`;
}

function commandPage(name: CliName, command: AnyCommand): string {
  const { positionals, flags } = optionsOf(command);
  const parts = [
    `# skc ${name}`,
    `${cliTable[name].summary}.`,
    `\`\`\`\n${renderUsage(name, command)}\n\`\`\``,
  ];
  if (command.about !== undefined) parts.push(command.about);
  if (positionals.length > 0) {
    const rows = positionals.map((option) => [`\`<${option.flag}>\``, option.description]);
    parts.push('## Arguments', table(['argument', 'meaning'], rows));
  }
  const rows = [...flags.map(flagRow), ...sharedRows(command)].map(([left, right]) => [`\`${left}\``, right]);
  parts.push('## Flags', table(['flag', 'meaning'], rows));
  if (command.examples !== undefined) {
    const lines = Object.entries(command.examples).map(([line, note]) => `${line}  # ${note}`);
    parts.push('## Examples', `\`\`\`sh\n${lines.join('\n')}\n\`\`\``);
  }
  const others = seeAlso(name).map(
    (other) => `- [\`skc ${other}\`](${other}.md): ${cliTable[other].summary}`,
  );
  if (others.length > 0) parts.push('## See also', others.join('\n'));
  const schema = z.toJSONSchema(command.output, { unrepresentable: 'any' });
  delete schema.$schema;
  parts.push('## JSON', 'The result with `--json`, as a JSON Schema:');
  parts.push(`\`\`\`json\n${JSON.stringify(schema, null, 2)}\n\`\`\``);
  return `${notice}${parts.join('\n\n')}\n`;
}

/** The table of docs/codes.md: for every code its message, when it appears and how to fix it, a paragraph each. */
function codesModule(): string {
  const page = readFileSync(new URL('../docs/codes.md', import.meta.url), 'utf8');
  const entries = page
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [code, message = '', when, fix, ...more] = part.trim().split('\n\n');
      if (fix === undefined || more.length > 0 || !message.startsWith('    '))
        throw new Error(`docs/codes.md: ${code} needs a message, indented by four, and two paragraphs`);
      return `  ${code}: ${JSON.stringify({ message: message.trim(), when, fix })},`;
    });
  return `// Written by \`npm run docs\` from docs/codes.md.

/** Every diagnostic code of the product. */
export const codes = {\n${entries.join('\n')}\n} as const;\n`;
}

function configurationPage(): string {
  const rows = configKeys().map(({ key, schema }) => {
    const described = schema.description ?? '';
    const fallback = schema.def.type === 'default' ? (schema as z.ZodDefault).def.defaultValue : undefined;
    const restriction = isUserOnly(key)
      ? " (only the user's own file may set it)"
      : defaultLimit(key) === undefined
        ? ''
        : ' (a project may only lower it)';
    const note = described + restriction;
    return [
      `\`${key}\``,
      fallback === undefined ? 'unset' : `\`${JSON.stringify(fallback)}\``,
      `\`${variableOf(key)}\``,
      note,
    ];
  });
  return `${notice}# Configuration

Configuration is TOML in \`.skillc/config.toml\`, in the project and in your home directory. The project overrides your own
file key by key, environment variables override both, and flags override everything. skc warns about unknown keys. A value
of the wrong type is an error that names file, line and key. \`skc config --show-origin\` lists the current values and where
each comes from.

${table(['key', 'default', 'variable', 'meaning'], rows)}

## In your editor

The package has JSON Schemas that complete and check what you type. In a project with \`skillwright\` as a development
dependency:

- \`.skillc/config.toml\`: with [Taplo](https://taplo.tamasfe.dev) (Even Better TOML in VS Code), make this the first line:

  \`\`\`toml
  #:schema ../node_modules/skillwright/schemas/configuration.json
  \`\`\`

- Frontmatter: editors that check YAML inside Markdown read the schema from a comment; the path is relative to the file:

  \`\`\`yaml
  # yaml-language-server: $schema=../../node_modules/skillwright/schemas/frontmatter.json
  \`\`\`

- \`.skillc/lock.json\` is written by \`skc\` and has no \`$schema\` key. Name the schema in the editor's settings; in VS Code:

  \`\`\`json
  { "json.schemas": [{ "fileMatch": [".skillc/lock.json"], "url": "./node_modules/skillwright/schemas/lock.json" }] }
  \`\`\`

- Evals are plain JSON lists: name the schemas \`eval-queries.json\` for \`eval_queries.json\` and \`eval-questions.json\` for
  \`evals/questions.json\` in the same way.

In code, import them from \`skillwright/schemas/configuration.json\`, \`frontmatter.json\`, \`lock.json\`,
\`eval-queries.json\` and \`eval-questions.json\`.
`;
}

function rulesPage(): string {
  const rows = rules.map(({ id, name, severity, fixable, summary }) => [
    `[${id}](../packages/skillwright/src/make/lint/rules/${name}.md)`,
    name,
    severity,
    fixable ? 'yes' : '',
    summary,
  ]);
  return `${notice}# Lint rules\n\n${table(['id', 'name', 'severity', 'fix', 'requirement'], rows)}\n`;
}

function scanRulesPage(): string {
  const rows = scanRules.map(({ id, name, category, severity, summary }) => [
    `[${id}](../packages/skillwright/src/guard/scan/rules/${name}.md)`,
    name,
    category,
    severity,
    summary,
  ]);
  const head = ['id', 'name', 'category', 'severity', 'what it looks for'];
  return `${notice}# Scan rules

The rules of \`skc scan\`. Each rule has a usual severity; a single finding may have another.

${table(head, rows)}
`;
}

const namesOf = (given: readonly { readonly name: string }[]) => given.map(({ name }) => name);

const pageIn = (folder: string, name: string) =>
  readFileSync(new URL(`../packages/skillwright/src/${folder}/${name}.md`, import.meta.url), 'utf8');

function pagesModule(
  constant: string,
  { folder, what, names }: { folder: string; what: string; names: readonly string[] },
): string {
  const entries = names.map((name) => `  ${JSON.stringify(name)}: ${JSON.stringify(pageIn(folder, name))},`);
  return `// Written by \`npm run docs\` from the pages of the ${what}s, so that the executable carries them.

/** The page of every ${what}, by name. */
export const ${constant}: Readonly<Record<string, string>> = {\n${entries.join('\n')}\n};\n`;
}
