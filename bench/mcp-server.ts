// Starts `skc mcp` with skills to serve, and a client for it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { node, paragraph, repository, write } from './workplace.ts';

/** A client, and the server process. */
export interface RunningServer {
  readonly client: Client;
  readonly pid: number;
  /** Text on standard error, if captured. */
  stderr(): string;
  close(): Promise<void>;
}

const executable = join(repository, 'packages/skillwright/native/skc');
const script = join(repository, 'packages/skillwright/src/front/cli/main.ts');

/** Starts the executable if it is built, otherwise the sources on Node, in `directory`. */
export async function startMcp(
  directory: string,
  options: { native?: boolean; quiet?: boolean } = {},
): Promise<RunningServer> {
  const native = options.native ?? existsSync(executable);
  const transport = new StdioClientTransport({
    command: native ? executable : node,
    args: native ? ['mcp'] : [script, 'mcp'],
    cwd: directory,
    env: { PATH: process.env.PATH!, SKC_HOME: join(directory, 'home') },
    stderr: options.quiet ? 'pipe' : 'inherit',
  });
  let errors = '';
  transport.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(transport);
  return { client, pid: transport.pid!, stderr: () => errors, close: () => client.close() };
}

/** Name of a skill by number. */
export const skillName = (number: number) => `guide-${number}`;

/** Text of a section; `edition` counts its edits. */
export const sectionText = (number: number, section: number, edition: number) =>
  `## Part ${section}\n\nEdition ${edition} of guide ${number}. ${paragraph(number * 31 + section, 60)}.\n`;

/** A file of a skill: a heading and ten sections. */
export function fileText(number: number, file: number, edition: number): string {
  const sections = Array.from({ length: 10 }, (_, index) => sectionText(number, file * 10 + index, edition));
  const head = `---\nname: ${skillName(number)}\ndescription: Guide ${number}. Use when guide ${number} is wanted.\n---\n\n`;
  return `${file === 0 ? head : ''}# File ${file} of guide ${number}\n\n${sections.join('\n')}`;
}

/** Path of a file of a skill. */
export const filePath = (file: number) => (file === 0 ? 'SKILL.md' : `references/file-${file}.md`);

/** Number of files in a skill. */
export const FILES = 4;

/** Writes `count` skills of four files with ten sections each into the project's store. */
export function writeSkills(directory: string, count: number): void {
  for (let number = 0; number < count; number++) {
    for (let file = 0; file < FILES; file++) writeSkillFile(directory, { number, file, edition: 0 });
  }
}

/** Writes one file of one skill. */
export function writeSkillFile(
  directory: string,
  { number, file, edition }: { number: number; file: number; edition: number },
): void {
  write(
    join(directory, '.skillc/skills', skillName(number), filePath(file)),
    fileText(number, file, edition),
  );
}
