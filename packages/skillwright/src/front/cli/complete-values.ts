// Completes values that depend on the machine: skills, sections, files, agents. Skills are found and judged as for the user.

import {
  type AnyCommand,
  type CommandContext,
  type CommandName,
  commandTable,
  parseInput,
} from '../commands/index.ts';
import type { Offers } from './complete-words.ts';

/** The value to complete. */
interface WantedValue {
  readonly name: string;
  readonly field: string;
  /** The positional words before it. */
  readonly places: readonly string[];
  readonly value: string;
}

/** Possible values; files if nothing better is known. */
export async function offerValues(
  { name, field, places, value }: WantedValue,
  open: () => Promise<CommandContext>,
): Promise<Offers> {
  const skill = places[0] ?? '';
  switch (field) {
    case 'skill':
    case 'skills':
    case 'paths':
      return { words: await skillNames(open), files: true };
    case 'query':
      return { words: name === 'skills' ? await skillNames(open) : [] };
    case 'section':
      return { words: await sectionsOf(skill, open) };
    case 'file':
    case 'path':
      return name === 'load' ? { words: [], files: true } : { words: await filesOf(skill, open) };
    case 'script':
      return { words: await scriptsOf(skill, open) };
    case 'target':
    case 'agents':
      return { words: await agentWords(field, value), files: value.includes('/') };
    case 'key':
      return { words: await configurationKeys() };
    case 'code':
      return { words: await explained() };
    case 'group_by': {
      const { usageGroups } = await import('../../read/usage/index.ts');
      return { words: usageGroups.map((word) => ({ word })) };
    }
    default:
      return { words: [], files: fileFields.has(field) };
  }
}

/** Fields that name a file or a directory. */
const fileFields: ReadonlySet<string> = new Set(
  'against args baseline cwd dir export more output project read sarif source static stdin summary write'.split(
    ' ',
  ),
);

/** Names of skills. A skill whose name breaks the standard is offered by its path. */
async function skillNames(open: () => Promise<CommandContext>): Promise<Offers['words']> {
  const { access } = await open();
  const { isSkillName } = await import('../../skill/format/index.ts');
  const { visible } = await access.view(await access.catalog());
  return visible.skills
    .filter((skill) => isSkillName(skill.name))
    .map(({ name, description }) => ({ word: name, note: description.slice(0, 80) }));
}

async function sectionsOf(skill: string, open: () => Promise<CommandContext>): Promise<Offers['words']> {
  const { headings } = (await askRegistry('outline', { skill, all: true }, open)) as {
    headings: { text: string; file: string }[];
  };
  return headings.map(({ text, file }) => ({ word: text, note: file }));
}

async function filesOf(skill: string, open: () => Promise<CommandContext>): Promise<Offers['words']> {
  const { entries } = (await askRegistry('sources', { skill, all: true, limit: 1000 }, open)) as {
    entries: { path: string; type: string }[];
  };
  return entries.filter(({ type }) => type === 'file').map(({ path }) => ({ word: path }));
}

async function scriptsOf(skill: string, open: () => Promise<CommandContext>): Promise<Offers['words']> {
  const { scripts } = (await askRegistry('scripts', { skill }, open)) as {
    scripts: { name: string; summary: string }[];
  };
  return scripts.map(({ name, summary }) => ({ word: name, note: summary.slice(0, 80) }));
}

/** Runs a command that names a skill without logging: pressing Tab is not an access. */
async function askRegistry(
  name: CommandName,
  given: Readonly<Record<string, unknown>>,
  open: () => Promise<CommandContext>,
): Promise<unknown> {
  const command: AnyCommand = await commandTable[name].load();
  const context = await open();
  const skill = await context.access.open(String(given.skill), { operation: 'read' });
  return command.run(parseInput(command.input, given), Object.create(context, { skill: { value: skill } }));
}

/** The ids of agents; in a list a,b the last one is completed. */
async function agentWords(field: string, value: string): Promise<Offers['words']> {
  const { agents } = await import('../../skill/agents/index.ts');
  const before = value.slice(0, value.lastIndexOf(',') + 1);
  const ids = [...agents.map(({ id }) => id), field === 'target' ? 'none' : 'all'];
  return ids.map((id) => ({ word: before + id }));
}

async function configurationKeys(): Promise<Offers['words']> {
  const { configKeys } = await import('../../skill/config/index.ts');
  return configKeys().map(({ key, schema }) => ({ word: key, note: schema.description }));
}

async function explained(): Promise<Offers['words']> {
  const [{ codes }, lint, scan] = await Promise.all([
    import('../../base/diagnostics/index.ts'),
    import('../../make/lint/index.ts'),
    import('../../guard/scan/index.ts'),
  ]);
  return [
    ...Object.entries(codes).map(([word, { when }]) => ({ word, note: when })),
    ...[...lint.rules, ...scan.scanRules].map(({ id, summary }) => ({ word: id, note: summary })),
  ];
}
