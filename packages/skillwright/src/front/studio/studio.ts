// skc studio: pages about skills, on this machine.

import { join } from 'node:path';
import * as z from 'zod';
import { formatCount, invalidOption } from '../../base/diagnostics/index.ts';
import { makePrivateDirectory, writeNewFile } from '../../base/files/index.ts';
import { defineCommand, flag, integer, openPage, text } from '../commands/index.ts';

/** Serves the studio, or writes it to files. */
export const studio = defineCommand({
  fields: {
    port: integer('The port of 127.0.0.1 (0 picks a free one)', { min: 0, max: 65_535, default: 0 }),
    no_open: flag('Print the address, and open no browser'),
    export: text('Write the pages to this directory and exit'),
  },
  positionals: [],
  output: z
    .object({
      directory: z.string(),
      pages: z.number().int().describe('Pages written'),
      skills: z.number().int().describe('Skills with a page of their own'),
      left_out: z.number().int().describe('Skills that are listed, but have no page of their own'),
    })
    .optional()
    .describe('The export; empty after serving'),
  effect: 'write',
  writes: ['cache', 'named directory', 'state', 'runtime directories', 'agent directories', 'access logs'],
  touches: { skills: 'inspect' },
  about:
    'Shows your skills and how agents use them: which sections are read and which never, what each costs, searches that found nothing, the catalog as a host injects it, and what each agent sees. Only this machine can open it, with the address that skc prints; the address works once. It changes nothing until you switch changes on. Stop it with Ctrl-C.\n--export writes the same pages as files, without a server, into an empty directory or over an earlier export: numbers, outlines and findings, without the texts of the skills.',
  examples: {
    'skc studio': 'open it in your browser',
    'skc studio --no-open --port 7412': 'print the address only',
    'skc studio --export report': 'write static pages, for a build artefact',
  },
  async run({ port, no_open: isQuiet, export: directory }, context) {
    if (directory !== undefined) {
      if (port !== 0 || isQuiet)
        throw invalidOption('--export starts no server: leave out --port and --no-open');
      const { exportStudio } = await import('./export/export-studio.ts');
      return exportStudio(directory, context);
    }
    const { openStudio } = await import('./open-studio.ts');
    const opened = await openStudio(context, { port });
    const { signal } = context;
    // Every user of the machine can read a command line, so the browser gets the token from a file.
    const page = makePrivateDirectory();
    try {
      context.note(`the studio is at ${opened.address}`);
      const isAtTerminal = context.ask !== undefined;
      const entrance = join(page.path, 'studio.html');
      const leads = `<!doctype html><meta http-equiv="refresh" content="0;url=${opened.address}">`;
      writeNewFile(entrance, Buffer.from(leads));
      if (!isQuiet && isAtTerminal && !openPage(entrance, context.workspace.env))
        context.note('no browser was found; open the address yourself');
      context.note('the address works once; stop the studio with Ctrl-C');
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
        if (signal.aborted) resolve();
      });
    } finally {
      page.remove();
      await opened.close();
    }
    return undefined;
  },
  text: (output) =>
    output === undefined
      ? ''
      : `${output.pages} pages in ${output.directory}: ${formatCount(output.skills, 'skill')}${output.left_out === 0 ? '' : `, ${output.left_out} more only in the list`}\n`,
});
