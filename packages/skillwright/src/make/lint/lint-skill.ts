// A skill as rules see it. Expensive facts are read on first use.

import { type Dirent, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { orUndefined } from '../../base/diagnostics/index.ts';
import { readTextInside, type TreeEntry, walkTree } from '../../base/files/index.ts';
import { type MarkdownDocument, readMarkdown } from '../../base/markdown/index.ts';
import {
  checkManifest,
  type FormatIssue,
  type Frontmatter,
  lineOfKey,
  type ProfileName,
  readFrontmatter,
} from '../../skill/format/index.ts';
import type { JudgedQuery } from '../evals/index.ts';
import type { Likeness } from './skill-neighbours.ts';

/** A Markdown file of a skill, with its frontmatter separated. */
export interface LintDocument {
  readonly text: string;
  readonly markdown: MarkdownDocument;
}

/** Input for a skill to lint. */
interface LintSkillOptions {
  readonly dir: string;
  readonly text: string;
  readonly profile: ProfileName;
  /** The entries of the directory, if already known. */
  readonly listing?: readonly Dirent[] | undefined;
  /** Its place among other skills; known when the whole run is read. */
  readonly company?: SkillCompany | undefined;
}

/** A skill among the skills linted with it and those an agent sees. */
export interface SkillCompany {
  /** Another skill that it is hard to tell from. */
  readonly likeness?: Likeness | undefined;
  /** Requests of its evals that should find it, searched among all of them. */
  readonly judged?: readonly JudgedQuery[] | undefined;
}

/** One skill to lint. */
export class LintSkill {
  /** Absolute directory of the skill. */
  readonly dir: string;
  readonly profile: ProfileName;
  /** The text of SKILL.md, byte order mark included. */
  readonly text: string;
  readonly frontmatter: Frontmatter;
  /** Parsed frontmatter; empty if missing or unreadable. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Undefined while the skill is looked at alone. */
  readonly company: SkillCompany | undefined;
  #markdown: MarkdownDocument | undefined;
  #tree: readonly TreeEntry[] | undefined;
  #listing: readonly Dirent[] | undefined;
  #issues: readonly FormatIssue[] | undefined;
  readonly #sizes = new Map<string, number>();
  readonly #documents = new Map<string, LintDocument | undefined>();

  constructor(options: LintSkillOptions) {
    this.dir = options.dir;
    this.profile = options.profile;
    this.text = options.text;
    this.frontmatter = readFrontmatter(options.text);
    this.data = this.frontmatter.data ?? {};
    this.company = options.company;
    this.#listing = options.listing;
  }

  /** The name of the skill's directory. */
  get directoryName(): string {
    return basename(this.dir);
  }

  /** Every problem of the fields under the profile; each is reported by one rule. */
  get issues(): readonly FormatIssue[] {
    this.#issues ??= checkManifest(this.data, { profile: this.profile, directoryName: this.directoryName });
    return this.#issues;
  }

  /** The body of SKILL.md, with line numbers of the whole file. */
  get markdown(): MarkdownDocument {
    this.#markdown ??= readMarkdown(this.frontmatter.body, { firstLine: this.frontmatter.bodyLine });
    return this.#markdown;
  }

  /** The entries of the skill's directory itself, hidden ones included; empty if unreadable. */
  get listing(): readonly Dirent[] {
    // Its SKILL.md was readable: if the directory is not, lint that file alone.
    this.#listing ??= orUndefined(() => readdirSync(this.dir, { withFileTypes: true })) ?? [];
    return this.#listing;
  }

  /** Whether a file or folder of evals is there. */
  get hasEvals(): boolean {
    return this.listing.some(({ name }) => name === 'evals' || name === 'eval_queries.json');
  }

  /** Everything in the skill's directory except hidden names and node_modules, in bytewise order. */
  get tree(): readonly TreeEntry[] {
    this.#tree ??= walkTree(this.dir, { listing: this.listing }).entries;
    return this.#tree;
  }

  /** The line of a frontmatter key in SKILL.md; 1 if unknown. */
  lineOf(...path: (string | number)[]): number {
    return lineOfKey(this.frontmatter, path) ?? 1;
  }

  /** A Markdown file of the skill by its path, SKILL.md included; undefined if missing, unreadable or not text. */
  document(path: string): LintDocument | undefined {
    if (path === 'SKILL.md') return { text: this.text, markdown: this.markdown };
    if (!this.#documents.has(path)) this.#documents.set(path, this.#readDocument(path));
    return this.#documents.get(path);
  }

  /** The text of any file of the skill; undefined if missing, unreadable, binary or too large. */
  textOf(path: string): string | undefined {
    // Rules check only readable files; other rules report read errors.
    return orUndefined(() => readTextInside(this.dir, path));
  }

  /** The size of a file of the skill in bytes; 0 if missing or out of reach. */
  sizeOf(path: string): number {
    const size = this.#sizes.get(path) ?? orUndefined(() => statSync(join(this.dir, path)).size) ?? 0;
    this.#sizes.set(path, size);
    return size;
  }

  #readDocument(path: string): LintDocument | undefined {
    const text = this.textOf(path);
    if (text === undefined) return undefined;
    const { body, bodyLine } = readFrontmatter(text);
    return { text, markdown: readMarkdown(body, { firstLine: bodyLine }) };
  }
}
