// The tabs of a skill that need its text.

import { SkillwrightError } from 'skillwright';
import { estimateTokens } from 'skillwright/base';
import { readParameters } from 'skillwright/mcp';
import { diffFiles } from 'skillwright/pages';
import type { SkillAddress } from 'skillwright/registry-protocol';
import { readFrontmatter } from 'skillwright/skill';
import { type Caller, notFound } from '../../access/index.ts';
import { Failure } from '../../base/index.ts';
import type { SkillFacts } from '../../catalog/index.ts';
import { type OpenVersion, readingTools } from '../../reading/index.ts';
import type { Registry } from '../../registry.ts';
import type { ShownVersion } from '../skill/skill-page.ts';
import { loadVersion } from './load-skill.ts';
import { decodedText, openReadable, readVersionFile, versionTexts } from './version-texts.ts';

/** A version of a skill, and who reads it. */
export interface Reading {
  readonly registry: Registry;
  readonly caller: Caller;
  readonly address: SkillAddress;
  readonly version: ShownVersion | null;
  readonly signal: AbortSignal;
}

interface Section {
  readonly file: string;
  readonly start_line: number;
  readonly end_line: number;
}

const SOURCE = 'SKILL.md';

/** The text of SKILL.md without its frontmatter, and the outline of the whole skill. */
export interface ReadTab {
  readonly kind: 'read';
  readonly file: string;
  readonly text: string;
  readonly tokens: number;
  readonly outline: readonly {
    readonly level: number;
    readonly text: string;
    readonly file: string;
    readonly anchor: string;
    readonly tokens: number;
  }[];
  /** A quiz or the reviewers keep the text closed. */
  readonly closed?: string;
}

/** The text and the outline; `closed` says why they cannot be read. */
export async function loadReadTab(reading: Reading): Promise<ReadTab> {
  const empty: ReadTab = { kind: 'read', file: SOURCE, text: '', tokens: 0, outline: [] };
  if (reading.version === null) return empty;
  try {
    const opened = await openFor(reading);
    const { files } = reading.version.document;
    const lines = lineReader(opened, reading.version);
    const { headings } = (await runTool(reading, opened, { tool: 'skc_outline' })) as {
      headings: (Section & { level: number; text: string; anchor: string })[];
    };
    const outline = headings.map((heading) => ({ ...heading, tokens: estimateTokens(lines(heading)) }));
    const text = decodedText(readVersionFile(opened, files, SOURCE)) ?? '';
    const top = outline.filter(({ level }) => level === Math.min(...outline.map((one) => one.level)));
    return {
      kind: 'read',
      file: SOURCE,
      text: readFrontmatter(text).body,
      tokens: top.reduce((sum, { tokens }) => sum + tokens, 0),
      outline,
    };
  } catch (error) {
    if (error instanceof Failure && ['quarantined', 'purged', 'forbidden'].includes(error.code))
      return { ...empty, closed: error.message };
    throw error;
  }
}

/** Answers shown for one question. */
const MAX_ANSWERS = 5;

/** The sections that answer a question. */
export async function loadAskTab(reading: Reading, question: string) {
  const asked = question.trim().slice(0, 500);
  const nothing = { kind: 'ask' as const, question: asked };
  if (asked === '' || reading.version === null) return { ...nothing, answers: [] };
  const opened = await openFor(reading);
  const lines = lineReader(opened, reading.version);
  const { results } = (await runTool(reading, opened, {
    tool: 'skc_search',
    query: { query: asked, any: 'true' },
  })) as {
    results: (Section & { section: string })[];
  };
  return {
    ...nothing,
    answers: results.slice(0, MAX_ANSWERS).map((result) => {
      const text = lines(result);
      return {
        heading: result.section,
        file: result.file,
        startLine: result.start_line,
        endLine: result.end_line,
        tokens: estimateTokens(text),
        text,
      };
    }),
  };
}

/** One file as text. */
export async function loadFileTab(reading: Reading, path: string) {
  if (reading.version === null) throw notFound();
  const bytes = readVersionFile(await openFor(reading), reading.version.document.files, path);
  return { kind: 'file' as const, path, size: bytes.length, text: decodedText(bytes) };
}

/** Changes from one version to another. */
export async function loadDiffTab(
  reading: Reading,
  { facts, from, to }: { readonly facts: SkillFacts; readonly from: string; readonly to: string },
) {
  const texts = async (number: string) => {
    const row = facts.versions.find(({ version }) => version === number);
    if (row === undefined) throw notFound();
    const version = await loadVersion(reading.registry, facts, row);
    return versionTexts(await openFor({ ...reading, version }), version.document.files);
  };
  return { kind: 'diff' as const, from, to, files: diffFiles(await texts(from), await texts(to)) };
}

function openFor({ registry, caller, address, version }: Reading): Promise<OpenVersion> {
  return openReadable(registry, caller, { ...address, version: version!.index.version });
}

/** The lines of a section, from files read once. */
function lineReader(opened: OpenVersion, { document }: ShownVersion): (section: Section) => string {
  const read = new Map<string, readonly string[]>();
  return ({ file, start_line, end_line }) => {
    const lines =
      read.get(file) ?? (decodedText(readVersionFile(opened, document.files, file)) ?? '').split(/\r\n?|\n/);
    read.set(file, lines);
    return lines.slice(start_line - 1, end_line).join('\n');
  };
}

async function runTool(
  { signal }: Reading,
  opened: OpenVersion,
  { tool: name, query = {} }: { readonly tool: string; readonly query?: Readonly<Record<string, string>> },
): Promise<unknown> {
  const tools = await readingTools();
  const tool = tools.get(name)!;
  try {
    const args = readParameters(tool, new URLSearchParams(query));
    return (await opened.run({ tool, tools, args, signal })).output;
  } catch (error) {
    if (error instanceof SkillwrightError) throw new Failure('forbidden', error.message);
    throw error;
  }
}
