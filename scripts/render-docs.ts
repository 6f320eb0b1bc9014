// Documentation that can be enumerated, made from the definitions themselves.

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type CodeDefinition, codes } from '../packages/skillwright/src/base/diagnostics/codes.ts';
import { type CliName, cliNames, cliTable } from '../packages/skillwright/src/front/cli/cli-table.ts';
import { flagRow, renderUsage, sharedRows } from '../packages/skillwright/src/front/cli/render-help.ts';
import type { AnyCommand } from '../packages/skillwright/src/front/commands/define-command.ts';
import { optionsOf } from '../packages/skillwright/src/front/commands/options-of.ts';
import { scanRules } from '../packages/skillwright/src/guard/scan/rules/index.ts';
import { rules } from '../packages/skillwright/src/make/lint/rules/index.ts';
import {
  configKeys,
  defaultLimit,
  userOnlyKeys,
} from '../packages/skillwright/src/skill/config/config-schema.ts';
import { variableOf } from '../packages/skillwright/src/skill/config/load-config.ts';
import { table } from './markdown-table.ts';
import { environmentPage } from './render-environment.ts';
import { renderPicture } from './render-picture.ts';
import { renderSchemas } from './render-schemas.ts';

const notice = '<!-- Written by `npm run docs`; edit the definitions instead. -->\n\n';

/** Every generated file: path from the repository's root, and its text. */
export async function renderDocs(): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  for (const name of cliNames) {
    pages.set(`docs/commands/${name}.md`, commandPage(name, await cliTable[name].load()));
  }
  pages.set('docs/commands/README.md', commandIndex());
  pages.set('docs/codes.md', codesPage());
  pages.set('docs/configuration.md', configurationPage());
  pages.set('docs/environment.md', `${notice}${environmentPage()}`);
  for (const [path, text] of renderSchemas()) pages.set(path, text);
  pages.set('docs/session.svg', await renderPicture());
  pages.set('docs/rules.md', rulesPage());
  pages.set('docs/scan-rules.md', scanRulesPage());
  pages.set(
    'packages/skillwright/src/make/lint/rule-pages.generated.ts',
    pagesModule('rulePages', { folder: 'make/lint', rules }),
  );
  pages.set(
    'packages/skillwright/src/guard/scan/scan-rule-pages.generated.ts',
    pagesModule('scanRulePages', { folder: 'guard/scan', rules: scanRules }),
  );
  return pages;
}

function commandIndex(): string {
  const rows = cliNames.map((name) => [`[\`skc ${name}\`](${name}.md)`, cliTable[name].summary]);
  return `${notice}# Commands\n\n${table(['command', 'what it does'], rows)}\n`;
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
    const lines = command.examples.map(({ line, note }) => `${line}  # ${note}`);
    parts.push('## Examples', `\`\`\`sh\n${lines.join('\n')}\n\`\`\``);
  }
  const schema = z.toJSONSchema(command.output, { unrepresentable: 'any' });
  delete schema.$schema;
  parts.push('## JSON', 'The result with `--json`, as a JSON Schema:');
  parts.push(`\`\`\`json\n${JSON.stringify(schema, null, 2)}\n\`\`\``);
  return `${notice}${parts.join('\n\n')}\n`;
}

function codesPage(): string {
  const parts = Object.entries(codes as Record<string, CodeDefinition>).map(
    ([code, { message, when, fix }]) => `## ${code}\n\n    ${message}\n\n${when}\n\n${fix}`,
  );
  return `${notice}# Diagnostic codes\n\nCodes with an E end a command with status 1; codes with a W do not.\n\n${parts.join('\n\n')}\n`;
}

function configurationPage(): string {
  const rows = configKeys().map(({ key, schema }) => {
    const described = schema.description ?? '';
    const fallback = schema.def.type === 'default' ? (schema as z.ZodDefault).def.defaultValue : undefined;
    const restriction = userOnlyKeys.has(key)
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

TOML in \`.skillc/config.toml\` of the project and of the home directory. The project wins over the user key by key, an
environment variable over both, a flag over all. Unknown keys are warned about; a value of the wrong type is an error
that names file, line and key. \`skc config --show-origin\` lists the values in force and where each comes from.

${table(['key', 'default', 'variable', 'meaning'], rows)}

## In your editor

The package has JSON Schemas that complete and check what you type. In a project with \`skillwright\` among its development
dependencies:

- \`.skillc/config.toml\`: with [Taplo](https://taplo.tamasfe.dev) (Even Better TOML in VS Code), make this the first line:

  \`\`\`toml
  #:schema ../node_modules/skillwright/schemas/configuration.json
  \`\`\`

- Frontmatter: editors that check YAML inside Markdown take the schema from a comment, with the path from the file's directory:

  \`\`\`yaml
  # yaml-language-server: $schema=../../node_modules/skillwright/schemas/frontmatter.json
  \`\`\`

- \`.skillc/lock.json\` is written by \`skc\` and has no \`$schema\` key. Name the schema in the editor's settings; in VS Code:

  \`\`\`json
  { "json.schemas": [{ "fileMatch": [".skillc/lock.json"], "url": "./node_modules/skillwright/schemas/lock.json" }] }
  \`\`\`

In code they are \`skillwright/schemas/configuration.json\`, \`frontmatter.json\` and \`lock.json\`.
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
  return `${notice}# Lint rules\n\n${table(['id', 'name', 'severity', 'fix', 'what it wants'], rows)}\n`;
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

What \`skc scan\` looks for. The severity is the usual one of a rule; a finding may have another.

${table(head, rows)}
`;
}

function pagesModule(
  constant: string,
  given: { folder: string; rules: readonly { readonly name: string }[] },
): string {
  const entries = given.rules.map(({ name }) => {
    const url = new URL(`../packages/skillwright/src/${given.folder}/rules/${name}.md`, import.meta.url);
    return `  ${JSON.stringify(name)}: ${JSON.stringify(readFileSync(url, 'utf8'))},`;
  });
  return `// Written by \`npm run docs\` from the pages beside the rules, so that the executable carries them.

/** The page of every rule, by name. */
export const ${constant}: Readonly<Record<string, string>> = {\n${entries.join('\n')}\n};\n`;
}
