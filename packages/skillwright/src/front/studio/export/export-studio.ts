// Writes the studio as static files: the same pages, with relative links, that need neither a server nor a script.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { catalogRenderers } from '../../../read/catalog/index.ts';
import { buildRecord } from '../../../skill/skill/index.ts';
import type { CommandContext } from '../../commands/index.ts';
import { assets, escapeHtml } from '../../pages/index.ts';
import { buildReport } from '../../report/index.ts';
import { hearInterrupt } from '../../streams/index.ts';
import { wholeReport } from '../data/read-skill.ts';
import { PAGE_SIZE } from '../data/read-skills.ts';
import { showPlace, skillPath } from '../data/show-place.ts';
import { openState, type StudioState } from '../data/studio-state.ts';
import type { StudioFrame } from '../pages/studio-shell.ts';
import { lookFor, readPage } from '../server/page-routes.ts';
import { MARKER, replaceDirectory } from './replace-directory.ts';

/** Skills that get a page of their own, the most used first. */
const MAX_SKILLS = 1000;

/** A finished export. */
interface StudioExport {
  directory: string;
  pages: number;
  skills: number;
  left_out: number;
}

/** Writes it. E013 when the directory holds anything but an earlier export, E016 when it cannot be written. */
export async function exportStudio(directory: string, context: CommandContext): Promise<StudioExport> {
  const { workspace } = context;
  const path = resolve(workspace.cwd, directory);
  const state = openState(context);
  try {
    await state.settled();
    const record = buildRecord(workspace.home);
    const written = await replaceDirectory(path, record, (fresh) => writePages(fresh, state, context));
    return { directory: showPlace(path, workspace), ...written };
  } finally {
    state.close();
  }
}

async function writePages(
  directory: string,
  state: StudioState,
  context: CommandContext,
): Promise<Omit<StudioExport, 'directory'>> {
  const { workspace } = context;
  const root = workspace.project?.dir ?? workspace.cwd;
  const { named, addressOf } = await state.look();
  const chosen = named
    .toSorted((a, b) => state.usage.of(b.dir).count - state.usage.of(a.dir).count)
    .slice(0, MAX_SKILLS);
  const left = named.length - chosen.length;
  const cut = `${left} skills have no page in this export: it has pages for the ${MAX_SKILLS} most used.`;
  const lists = Array.from({ length: Math.max(1, Math.ceil(named.length / PAGE_SIZE)) }, (_, at) =>
    at === 0 ? '/' : `/?page=${at + 1}`,
  );
  const others = ['/catalog', '/agents', '/activity', '/evals'];
  const ofSkills = chosen.map((skill) => skillPath(addressOf(skill)));
  /** Names of the pages, by address. */
  const names = new Map([...lists, ...others, ...ofSkills].map((address) => [address, fileNameOf(address)]));
  names.set(`/catalog?format=${Object.keys(catalogRenderers)[0]}`, fileNameOf('/catalog'));
  const files: string[] = [];
  const put = (name: string, text: string): void => {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    files.push(name);
  };
  for (const { name, body } of Object.values(assets)) put(`assets/${name}`, body);
  // One report for all: each is scanned and linted once.
  const { skills } = await buildReport({ ...wholeReport, words: chosen.map(({ dir }) => dir) }, context);
  for (const one of skills) state.reports.set(resolve(root, one.path), one);
  // The skills with a page are scanned for it, so that the lists know their verdicts.
  for (const [at, address] of [...ofSkills, ...others, ...lists].entries()) {
    if (at < chosen.length) context.progress(`exporting ${at + 1} of ${chosen.length} skills`);
    await hearInterrupt(context.signal, 'studio --export');
    const url = new URL(address, 'http://studio');
    const page = await readPage(url, await lookFor(url, state), state);
    if (page === undefined) continue;
    const name = fileNameOf(address);
    const frame: StudioFrame = {
      /** A link from one file of the export to another. Pages that are not exported lead nowhere. */
      href: (path) => {
        const [link = '', anchor] = path.split('#');
        const to = link.startsWith('/assets/') ? link.slice(1) : names.get(link);
        if (to === undefined) return '#';
        return `${name.includes('/') ? '../' : ''}${to}${anchor === undefined ? '' : `#${anchor}`}`;
      },
      section: page.section,
      place: showPlace(root, workspace),
      theme: 'auto',
      csrf: null,
      mayChange: false,
      path: address,
      readAt: state.front.now(),
      notes: [...(left > 0 ? [cut] : []), ...page.notes],
    };
    // The catalog names absolute paths, as hosts do; an export goes to other people.
    put(name, page.draw(frame).toString().replaceAll(escapeHtml(workspace.home), '~'));
  }
  const pages = files.filter((file) => file.endsWith('.html')).length;
  put(MARKER, `${JSON.stringify({ files: files.toSorted() }, null, 1)}\n`);
  return { pages, skills: chosen.length, left_out: left };
}

/** The file of a page. */
function fileNameOf(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://studio');
  if (pathname !== '/') return `${pathname.slice(1)}.html`;
  return searchParams.has('page') ? `page-${searchParams.get('page')}.html` : 'index.html';
}
