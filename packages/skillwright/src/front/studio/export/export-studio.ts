// Writes the studio as static files: the same pages, with relative links, that need neither a server nor a script.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { sha256 } from '../../../base/files/index.ts';
import { catalogRenderers } from '../../../read/catalog/index.ts';
import { hasSections } from '../../../read/index/index.ts';
import { buildRecord, SKILL_FILE } from '../../../skill/skill/index.ts';
import type { CommandContext } from '../../commands/index.ts';
import { assets, escapeHtml } from '../../pages/index.ts';
import { buildReport } from '../../report/index.ts';
import { hearInterrupt } from '../../streams/index.ts';
import type { SkillView } from '../data/read-skill.ts';
import { wholeReport } from '../data/read-skill.ts';
import { PAGE_SIZE } from '../data/read-skills.ts';
import { showPlace, skillPath } from '../data/show-place.ts';
import { openState, type StudioState } from '../data/studio-state.ts';
import type { StudioFrame } from '../pages/studio-shell.ts';
import { lookFor, type ReadPage, readPage } from '../server/page-routes.ts';
import { MARKER, replaceDirectory } from './replace-directory.ts';

/** Skills that get a page of their own, the most used first. */
const MAX_SKILLS = 1000;
/** Text files of one skill that get a page. */
const MAX_FILES = 50;

/** A finished export. */
interface StudioExport {
  directory: string;
  pages: number;
  skills: number;
  left_out: number;
}

/** Writes it. E013 when the directory holds anything but an earlier export, E016 when it cannot be written. */
export async function exportStudio(
  directory: string,
  { hasTexts }: { readonly hasTexts: boolean },
  context: CommandContext,
): Promise<StudioExport> {
  const { cwd } = context.workspace;
  const path = resolve(cwd, directory);
  const state = openState(context);
  try {
    await state.settled();
    const record = buildRecord(context.workspace.home);
    const written = await replaceDirectory(path, record, (fresh) =>
      new Exporter(fresh, { state, hasTexts }, context).write(),
    );
    return { directory: showPlace(path, context.workspace), ...written };
  } finally {
    state.close();
  }
}

class Exporter {
  readonly directory: string;
  readonly state: StudioState;
  readonly hasTexts: boolean;
  readonly context: CommandContext;
  /** Names of the pages, by address. */
  readonly names = new Map<string, string>();
  readonly files: string[] = [];
  readonly notes: string[] = [];

  constructor(
    directory: string,
    { state, hasTexts }: { readonly state: StudioState; readonly hasTexts: boolean },
    context: CommandContext,
  ) {
    this.directory = directory;
    this.state = state;
    this.hasTexts = hasTexts;
    this.context = context;
  }

  async write(): Promise<Omit<StudioExport, 'directory'>> {
    const { state } = this;
    const { named } = await state.look();
    const { addressOf } = await state.look();
    const chosen = named
      .toSorted((a, b) => state.usage.of(b.dir).count - state.usage.of(a.dir).count)
      .slice(0, MAX_SKILLS);
    const left = named.length - chosen.length;
    if (left > 0)
      this.notes.push(
        `${left} skills have no page in this export: it has pages for the ${MAX_SKILLS} most used.`,
      );
    const lists = Array.from({ length: Math.max(1, Math.ceil(named.length / PAGE_SIZE)) }, (_, at) =>
      at === 0 ? '/' : `/?page=${at + 1}`,
    );
    const [usual] = Object.keys(catalogRenderers);
    const others = ['/catalog', '/agents', '/activity', '/evals'];
    for (const address of [...lists, ...others, ...chosen.map((skill) => skillPath(addressOf(skill)))])
      this.names.set(address, fileNameOf(address));
    this.names.set(`/catalog?format=${usual}`, fileNameOf('/catalog'));
    for (const { name, body } of Object.values(assets)) this.put(`assets/${name}`, body);
    // One report for all: each is scanned and linted once.
    const words = chosen.map(({ dir }) => dir);
    const { skills } = await buildReport({ ...wholeReport, words }, this.context);
    const { workspace } = this.context;
    const root = workspace.project?.dir ?? workspace.cwd;
    for (const one of skills) state.reports.set(resolve(root, one.path), one);
    for (const [at, skill] of chosen.entries()) {
      this.context.progress(`exporting ${at + 1} of ${chosen.length} skills`);
      await hearInterrupt(this.context.signal, 'studio --export');
      await this.writeSkill(addressOf(skill));
    }
    for (const address of others) await this.writePage(address);
    // The skills with a page were scanned for it, so that the lists know their verdicts.
    for (const address of lists) await this.writePage(address);
    const pages = this.files.filter((file) => file.endsWith('.html')).length;
    this.put(MARKER, `${JSON.stringify({ files: this.files.toSorted() }, null, 1)}\n`);
    return { pages, skills: chosen.length, left_out: left };
  }

  async writeSkill(id: string): Promise<void> {
    const address = skillPath(id);
    const page = await this.read(address);
    if (page === undefined) return;
    const { files } = page.view as SkillView;
    // Markdown first: those are the files that agents read by section.
    const texts = (this.hasTexts ? files : [])
      .filter(({ path, tokens }) => tokens > 0 && path !== SKILL_FILE)
      .map(({ path }) => path)
      .toSorted((a, b) => Number(hasSections(b)) - Number(hasSections(a)));
    for (const file of texts.slice(0, MAX_FILES))
      this.names.set(skillPath(id, file), fileNameOf(skillPath(id, file)));
    const rest = texts.length - MAX_FILES;
    this.draw(address, page, rest > 0 ? [`${rest} files of this skill have no page in this export.`] : []);
    for (const file of texts.slice(0, MAX_FILES)) await this.writePage(skillPath(id, file));
  }

  async writePage(address: string): Promise<void> {
    const page = await this.read(address);
    if (page !== undefined) this.draw(address, page);
  }

  async read(address: string): Promise<ReadPage | undefined> {
    const url = new URL(address, 'http://studio');
    return readPage(url, await lookFor(url, this.state), this.state);
  }

  draw(address: string, page: ReadPage, notes: readonly string[] = []): void {
    const name = fileNameOf(address);
    const { workspace } = this.context;
    const frame: StudioFrame = {
      href: (path) => this.link(name, path),
      section: page.section,
      place: showPlace(workspace.project?.dir ?? workspace.cwd, workspace),
      theme: 'auto',
      csrf: null,
      hasTexts: this.hasTexts,
      mayChange: false,
      path: address,
      readAt: this.state.front.now(),
      notes: [...this.notes, ...notes, ...page.notes],
    };
    // The catalog names absolute paths, as hosts do; an export goes to other people.
    this.put(name, page.draw(frame).toString().replaceAll(escapeHtml(workspace.home), '~'));
  }

  /** A link from one file of the export to another. Pages that are not exported lead nowhere. */
  link(from: string, path: string): string {
    const [address = '', anchor] = path.split('#');
    const to = address.startsWith('/assets/') ? address.slice(1) : this.names.get(plannedAddress(address));
    if (to === undefined) return '#';
    const up = from.includes('/') ? '../' : '';
    return `${up}${to}${anchor === undefined ? '' : `#${anchor}`}`;
  }

  put(name: string, text: string): void {
    const path = join(this.directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    this.files.push(name);
  }
}

/** The address in the spelling of the plan. */
function plannedAddress(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://studio');
  const file = searchParams.get('file');
  const [, id] = /^\/skills\/([^/]+)$/.exec(pathname) ?? [];
  return id === undefined ? address : skillPath(decodeURIComponent(id), file ?? undefined);
}

/** The file of a page. */
function fileNameOf(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://studio');
  const [, id] = /^\/skills\/([^/]+)$/.exec(pathname) ?? [];
  const file = searchParams.get('file');
  if (id !== undefined) return `skills/${id}${file === null ? '' : `-${sha256(file).slice(0, 12)}`}.html`;
  if (pathname === '/')
    return searchParams.has('page') ? `page-${searchParams.get('page')}.html` : 'index.html';
  return `${pathname.slice(1)}${searchParams.has('format') ? `-${searchParams.get('format')}` : ''}.html`;
}
