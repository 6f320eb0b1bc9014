// skc roots: the search paths, the skills found in each, and the places left out.

import * as z from 'zod';
import { makeVisible } from '../../base/diagnostics/index.ts';
import { PROJECT_VARIABLE } from '../../skill/workspace/index.ts';
import { catalogFields, openCatalog } from './catalog-input.ts';
import { defineCommand } from './define-command.ts';

const Root = z.object({
  path: z.string(),
  scope: z.enum(['project', 'user', 'bundled']),
  adapter: z.string().describe('Why this path is searched'),
  status: z.enum(['searched', 'missing', 'untrusted', 'duplicate', 'unreadable']),
  real_path: z.string().optional().describe('Its real path, if it is a link'),
  why: z.string().optional().describe('Why it was not searched, or only in part'),
  skills: z.number().int(),
  directories: z.number().int().describe('Directories searched'),
  truncated: z.boolean(),
  skipped: z.array(z.object({ path: z.string(), why: z.string() })).describe('The first places skipped'),
  skipped_count: z.number().int(),
});

/** Explains the catalog. */
export const roots = defineCommand({
  input: z.strictObject(catalogFields),
  positionals: [],
  output: z.object({
    project: z.object({
      path: z.string(),
      reason: z.enum(['environment', 'marker', 'cwd']),
      marker: z.string().optional(),
    }),
    roots: z.array(Root),
    skills: z.number().int(),
    disabled: z.array(z.string()).describe('Names of skills that are off'),
    unavailable: z.array(z.object({ name: z.string(), path: z.string(), why: z.string() })),
    shadowed: z.array(z.object({ name: z.string(), path: z.string(), by: z.string() })),
    errors: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })),
    truncated: z.boolean(),
  }),
  effect: 'read',
  writes: ['cache'],
  touches: { skills: 'list' },
  about:
    'skc looks for skills from the root of the project down to the working directory, then in your home directory. Use this when a skill does not show up.',
  examples: [
    { line: 'skc roots', note: 'the usual search paths' },
    { line: 'skc roots --agents all', note: 'include the directories of every known agent' },
  ],
  async run(input, context) {
    const { visible: catalog } = await openCatalog(input, context);
    const winners = new Map<string, string>();
    for (const { shadows, path } of catalog.skills)
      for (const shadowed of shadows) if (!winners.has(shadowed)) winners.set(shadowed, path);
    return {
      project: catalog.project,
      roots: catalog.roots.map(({ real, skippedCount, ...root }) => ({
        ...root,
        ...(real === undefined ? {} : { real_path: real }),
        skipped_count: skippedCount,
      })),
      skills: catalog.skills.length,
      disabled: [...new Set(catalog.skills.filter(({ enabled }) => !enabled).map(({ name }) => name))],
      unavailable: catalog.skills
        .filter(({ available }) => !available)
        .map(({ name, path, reason = '' }) => ({ name, path, why: reason })),
      shadowed: catalog.skills.flatMap(({ name, path }) => {
        const by = winners.get(path);
        return by === undefined ? [] : [{ name, path, by }];
      }),
      errors: catalog.errors,
      truncated: catalog.truncated,
    };
  },
  text(output, { paint }) {
    const { project, roots: all, skills, disabled, unavailable, shadowed, errors } = output;
    const because = {
      environment: PROJECT_VARIABLE,
      marker: `contains ${project.marker}`,
      cwd: 'no project found above',
    }[project.reason];
    const lines = [`${paint.strong('project')}  ${project.path}  ${paint.faint(because)}`];
    for (const scope of ['project', 'user', 'bundled'] as const) {
      const present = all.filter((root) => root.scope === scope && root.status !== 'missing');
      const missing = all.filter((root) => root.scope === scope && root.status === 'missing');
      if (present.length + missing.length === 0) continue;
      lines.push('', paint.strong(scope));
      for (const root of present) {
        const count = root.skills === 1 ? '1 skill' : `${root.skills} skills`;
        const link = root.real_path === undefined ? '' : ` -> ${root.real_path}`;
        const told = root.status === 'searched' ? count : root.status;
        lines.push(`  ${root.path}${link}  ${told}${root.why === undefined ? '' : `: ${root.why}`}`);
        for (const { path, why } of root.skipped)
          lines.push(paint.faint(`    skipped ${makeVisible(path)}: ${why}`));
        const more = root.skipped_count - root.skipped.length;
        if (more > 0) lines.push(paint.faint(`    ... (${more} more)`));
      }
      if (missing.length > 0)
        lines.push(paint.faint(`  missing: ${missing.map(({ path }) => path).join(', ')}`));
    }
    const section = (title: string, rows: readonly (readonly [what: string, why?: string])[]) => {
      if (rows.length > 0) lines.push('', paint.strong(title));
      for (const [what, why] of rows)
        lines.push(`  ${makeVisible(what)}`, ...(why === undefined ? [] : [`    ${makeVisible(why)}`]));
    };
    section(
      'not readable',
      errors.map(({ path, code, message }) => [path, `${code}: ${message}`]),
    );
    section(
      'same name',
      shadowed.map(({ name, path, by }) => [`${name}: ${path}`, `hidden by ${by}`]),
    );
    section(
      'not available',
      unavailable.map(({ name, path, why }) => [`${name}: ${path}`, why]),
    );
    section(
      'switched off',
      disabled.map((name) => [name]),
    );
    lines.push(
      '',
      `${skills === 1 ? '1 skill' : `${skills} skills`}${output.truncated ? ', perhaps more: the search reached a limit' : ''}`,
    );
    return `${lines.join('\n')}\n`;
  },
});
