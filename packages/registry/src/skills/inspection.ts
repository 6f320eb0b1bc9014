// Result of looking into an uploaded archive.

import type { Ability } from 'skillwright/guard';
import type { ScanFlag, VersionFile } from 'skillwright/registry-protocol';
import type { Reading } from '../reading/index.ts';

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
