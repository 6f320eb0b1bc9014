// A skill as rules see it. What costs time is read when a rule first asks for it.

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

/** A Markdown file of a skill, frontmatter set apart. */
export interface LintDocument {
  readonly text: string;
  readonly markdown: MarkdownDocument;
}

/** What a skill under judgement is made from. */
export interface LintSkillOptions {
  readonly dir: string;
  readonly text: string;
  readonly profile: ProfileName;
  /** The entries of the directory, when they are known already. */
  readonly listing?: readonly Dirent[] | undefined;
}

/** One skill under judgement. */
export class LintSkill {
  /** Absolute directory of the skill. */
  readonly dir: string;
  readonly profile: ProfileName;
  /** The text of SKILL.md, byte order mark included. */
  readonly text: string;
  readonly frontmatter: Frontmatter;
  /** Parsed frontmatter; empty when there is none that can be read. */
  readonly data: Readonly<Record<string, unknown>>;
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
    this.#listing = options.listing;
  }

  /** The name of the skill's directory. */
  get directoryName(): string {
    return basename(this.dir);
  }

  /** Every fault of the fields by the profile; each is reported by one rule. */
  get issues(): readonly FormatIssue[] {
    this.#issues ??= checkManifest(this.data, { profile: this.profile, directoryName: this.directoryName });
    return this.#issues;
  }

  /** The body of SKILL.md; its lines are counted in the whole file. */
  get markdown(): MarkdownDocument {
    this.#markdown ??= readMarkdown(this.frontmatter.body, { firstLine: this.frontmatter.bodyLine });
    return this.#markdown;
  }

  /** The entries of the skill's directory itself, hidden ones included; empty when it cannot be listed. */
  get listing(): readonly Dirent[] {
    // Its SKILL.md could be read: where the directory cannot be listed, it is judged by that alone.
    this.#listing ??= orUndefined(() => readdirSync(this.dir, { withFileTypes: true })) ?? [];
    return this.#listing;
  }

  /** Everything in the skill's directory, hidden names and node_modules left out, in bytewise order. */
  get tree(): readonly TreeEntry[] {
    this.#tree ??= walkTree(this.dir, { listing: this.listing }).entries;
    return this.#tree;
  }

  /** The line of a frontmatter key in SKILL.md; 1 when it cannot be told. */
  lineOf(...path: (string | number)[]): number {
    return lineOfKey(this.frontmatter, path) ?? 1;
  }

  /** A Markdown file of the skill by its path, SKILL.md included; undefined when it is missing, unreadable or not text. */
  document(path: string): LintDocument | undefined {
    if (path === 'SKILL.md') return { text: this.text, markdown: this.markdown };
    if (!this.#documents.has(path)) this.#documents.set(path, this.#readDocument(path));
    return this.#documents.get(path);
  }

  /** The text of any file of the skill; undefined when it is missing, unreadable, binary or too large. */
  textOf(path: string): string | undefined {
    // A rule that looks at other files only judges what can be read; reading faults are reported by their own rules.
    return orUndefined(() => readTextInside(this.dir, path));
  }

  /** The size of a file of the skill in bytes; 0 when it is not there or out of reach. */
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
