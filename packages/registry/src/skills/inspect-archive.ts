// Unpacks an uploaded archive with all guards, checks it against the profile of registries, and scans it.

import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { toolVersion } from 'skillwright';
import { compareBytes, isIgnoredName, makeVisible, readMarkdown, SkillwrightError } from 'skillwright/base';
import { type Ability, compareAbilities, type ScanFinding, scanAbilities } from 'skillwright/guard';
import { activeRules, lintSkill, rules } from 'skillwright/make';
import type { ScanFlag, VersionFile } from 'skillwright/registry-protocol';
import { extractArchive } from 'skillwright/ship';
import { checkManifest, openSkill, RegistryLayer, readManifest, type Skill } from 'skillwright/skill';
import { digestOf } from '../base/index.ts';
import { prepareReading, type Reading } from '../reading/index.ts';

/** Work for the inspecting thread: unpack the archive at `archive` into the new directory `directory`. */
export interface InspectionRequest {
  readonly archive: string;
  readonly directory: string;
  readonly maxFiles: number;
  readonly maxUnpackedBytes: number;
  /** `registry` for publishers; `spec` for mirrors, whose authors never heard of this registry. */
  readonly profile: 'registry' | 'spec';
  /** A directory to prepare versions for readers in, new or used for others before; left out where nothing is published. */
  readonly room?: string;
}

/** Fields of a manifest that a registry shows. */
export interface PublishedManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string | null;
  readonly author: string | null;
  readonly tags: readonly string[];
  readonly category: string | null;
  readonly repository: string | null;
  readonly homepage: string | null;
  /** Range of skc versions that can install it. */
  readonly client: string | null;
  /** Abilities of the version; left out for those published before registries looked for them. */
  readonly abilities?: readonly Ability[] | undefined;
}

/** Text that searches look at. Empty for a skill locked behind a quiz: a hit would reveal its text. */
export interface SearchText {
  /** Of Markdown files besides SKILL.md. */
  readonly headings: string[];
  readonly body: string;
}

/** A skill that can be published, as far as its files are concerned. */
export interface Inspected {
  readonly manifest: PublishedManifest;
  readonly files: readonly VersionFile[];
  readonly unpacked: number;
  readonly verdict: string;
  readonly engine: string;
  readonly flags: readonly ScanFlag[];
  readonly searchText: SearchText;
  /** Present if the request has a room. */
  readonly reading?: Reading | undefined;
}

/** Either the skill, or why it cannot be published, one line per problem. */
export type Inspection = { readonly skill: Inspected } | { readonly problems: readonly string[] };

const MAX_RATIO = 100;
const MAX_PROBLEMS = 50;
/** Characters of a skill's text that searches look at. */
const MAX_SEARCHED = 256 * 1024;
const MAX_HEADINGS = 500;
/** Abilities of one kind that are kept. */
const MAX_ABILITIES = 50;

/** Inspects an archive. The directory's last part is the name the skill must have. */
export async function inspectArchive(request: InspectionRequest): Promise<Inspection> {
  try {
    return await inspect(request);
  } catch (error) {
    if (error instanceof SkillwrightError) return { problems: [error.message] };
    throw error;
  }
}

async function inspect({
  archive,
  directory,
  maxFiles,
  maxUnpackedBytes,
  profile,
  room,
}: InspectionRequest): Promise<Inspection> {
  if (!isGzip(archive)) return { problems: ['the archive must be a .tar.gz'] };
  const { root } = await extractArchive(archive, directory, {
    // Directories count as entries too.
    limits: { maxEntries: 2 * maxFiles, maxBytes: maxUnpackedBytes, maxRatio: MAX_RATIO },
  });
  if (root !== directory) return { problems: ['SKILL.md must be at the top of the archive'] };
  const listed = listUnpacked(directory);
  if (listed.problems.length > 0) return { problems: listed.problems };
  if (listed.files.length > maxFiles) return { problems: [`more than ${maxFiles} files`] };
  const opened = openSkill(directory);
  const problems = findProblems(opened, profile);
  if (problems.length > 0) return { problems: problems.slice(0, MAX_PROBLEMS) };
  const skill = inspectedSkill(opened, listed.files);
  if (!isStorable(JSON.stringify(skill.manifest)))
    return { problems: ['SKILL.md has a NUL character or half a character in its frontmatter'] };
  if (room === undefined) return { skill };
  return { skill: { ...skill, reading: await prepareReading(directory, { room, name: opened.name }) } };
}

/** Whether the database can keep a text of JSON: it knows neither NUL nor lone surrogates. */
function isStorable(text: string): boolean {
  return !/\\u(?:0000|d[89a-f][0-9a-f]{2})/i.test(text);
}

const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

function isGzip(archive: string): boolean {
  const head = new Uint8Array(2);
  const descriptor = openSync(archive, 'r');
  try {
    readSync(descriptor, head);
  } finally {
    closeSync(descriptor);
  }
  return head[0] === 0x1f && head[1] === 0x8b;
}

/** Characters that hide, or turn around, a part of a name. Joiners stay: some languages write with them. */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** All files, in bytewise order. A published skill has neither links nor hidden files. */
function listUnpacked(directory: string): { files: VersionFile[]; problems: string[] } {
  const files: VersionFile[] = [];
  const problems: string[] = [];
  const visit = (prefix: string): void => {
    for (const entry of readdirSync(join(directory, prefix), { withFileTypes: true })) {
      const path = prefix + entry.name;
      const place = join(directory, path);
      if (isIgnoredName(entry.name))
        problems.push(`'${path}' cannot be published: it is hidden or a dependency`);
      else if (INVISIBLE.test(entry.name))
        problems.push(`'${makeVisible(path)}' cannot be published: its name has characters nobody can see`);
      else if (entry.isDirectory()) visit(`${path}/`);
      else if (!entry.isFile() || lstatSync(place).nlink > 1)
        problems.push(`'${path}' is a link; publish the file itself`);
      else {
        const bytes = readFileSync(place);
        files.push({ path, digest: digestOf(bytes), size: bytes.length });
      }
    }
  };
  visit('');
  return { files: files.toSorted((a, b) => compareBytes(a.path, b.path)), problems };
}

/** Errors of the profile, one line each. Comments in the skill cannot silence those of its manifest. */
function findProblems(skill: Skill, profile: InspectionRequest['profile']): string[] {
  const { findings, facts } = lintSkill(skill, {
    profile,
    rules: activeRules(rules, {}),
    force: false,
    fix: false,
  });
  const lines = findings
    .filter(({ severity }) => severity === 'error')
    .map(({ rule, file, finding }) => {
      const place = finding.line === undefined ? file : `${file}:${finding.line}`;
      return `${place} ${rule.id} ${finding.message}`;
    });
  if (lines.length === 0 && facts === undefined)
    return ['SKILL.md is a compiled stub; publish the source of the skill'];
  const silenced = checkManifest(skill.frontmatter, { profile, directoryName: basename(skill.dir) })
    .filter(({ severity, message }) => severity === 'error' && !lines.some((line) => line.includes(message)))
    .map(({ message }) => `SKILL.md ${message}`);
  return [...lines, ...silenced];
}

function inspectedSkill(skill: Skill, files: readonly VersionFile[]): Inspected {
  const { result, abilities } = scanAbilities(skill);
  const { verdict, findings } = result;
  return {
    manifest: {
      ...publishedManifest(skill.frontmatter),
      abilities: compareAbilities(skill.frontmatter, abilities).map(({ kind, declared, found }) => ({
        kind,
        declared: declared.map(storable).slice(0, MAX_ABILITIES),
        // Without the lines: a quiz may lock them.
        found: found
          .map((one) => ({ ...one, what: storable(one.what), excerpt: null }))
          .slice(0, MAX_ABILITIES),
      })),
    },
    files,
    unpacked: files.reduce((sum, { size }) => sum + size, 0),
    verdict,
    engine: `skillwright ${toolVersion}`,
    flags: findings.map(flagOf),
    searchText: skill.gated ? { headings: [], body: '' } : searchTextOf(skill, files),
  };
}

function publishedManifest(data: Record<string, unknown>): PublishedManifest {
  const { manifest } = readManifest(data);
  const layer = RegistryLayer.parse(data);
  const needed = layer['min-skillli-version'];
  return {
    name: manifest.name ?? '',
    version: layer.version,
    description: manifest.description ?? '',
    license: manifest.license ?? null,
    author: layer.author ?? null,
    tags: layer.tags,
    category: layer.category ?? null,
    repository: layer.repository ?? null,
    homepage: layer.homepage ?? null,
    client: needed === undefined ? null : `>=${needed}`,
  };
}

function flagOf({ rule, category, severity, confidence, file, line, message }: ScanFinding): ScanFlag {
  return { rule, category, severity, confidence, file, line, message: storable(message) };
}

function searchTextOf({ dir, parts: { body } }: Skill, files: readonly VersionFile[]): SearchText {
  const headings: string[] = [];
  for (const { path } of files) {
    if (headings.length >= MAX_HEADINGS) break;
    // A nested skill may be locked behind a quiz of its own.
    if (!/\.md$/i.test(path) || /(?:^|\/)skill\.md$/i.test(path)) continue;
    const text = readFileSync(join(dir, path), 'utf8');
    headings.push(...readMarkdown(text).headings.map((heading) => storable(heading.text)));
  }
  return { headings: headings.slice(0, MAX_HEADINGS), body: storable(body.slice(0, MAX_SEARCHED)) };
}
