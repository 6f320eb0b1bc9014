// The view model of a skill's pages.

import type { TrustScore } from 'skillwright/guard';
import type { DiffFile } from 'skillwright/pages';
import type { IndexVersion, ScanResult, SkillIndex, VersionDocument } from 'skillwright/registry-protocol';
import type { SentForm } from '../forms/page-form.ts';

/** A skill, the version shown, and one tab. */
export interface SkillView {
  readonly index: SkillIndex;
  /** The version shown: the one in the address, else latest, else the newest; null for a skill without versions. */
  readonly version: ShownVersion | null;
  /** True when the address names the version. */
  readonly isPinned: boolean;
  /** Facts about each version that the index does not have. */
  readonly versionFacts?: ReadonlyMap<string, VersionFacts> | undefined;
  readonly downloads: readonly { readonly day: string; readonly count: number }[];
  readonly viewer: SkillRights;
  readonly tab: TabView;
  /** The form that was just refused. */
  readonly sent?: SentForm | undefined;
}

/** Publisher, size of the archive and verdict of a version. */
interface VersionFacts {
  readonly publisher: string;
  readonly size: number;
  readonly verdict: string;
}

/** Rights of the viewer. */
export interface SkillRights {
  readonly mayRate: boolean;
  readonly stars: number | null;
  readonly mayPublish: boolean;
  readonly mayReview: boolean;
}

/** One version with its documents. */
export interface ShownVersion {
  readonly index: IndexVersion;
  readonly document: VersionDocument;
  /** The newest scan; the one in the document is that of its publication. */
  readonly scan: ScanResult;
  readonly trust: TrustScore | null;
  readonly proof: ProofView | null;
}

/** The leaf of the transparency log. */
export interface ProofView {
  readonly origin: string;
  readonly leaf: number;
  readonly size: number;
  /** When the newest checkpoint that covers the leaf was signed; null if nobody asked for one yet. */
  readonly checkpointed: string | null;
}

/** The part below the tabs. */
type TabView = ReadTab | AskTab | FilesTab | FileTab | VersionsTab | DiffTab | SafetyTab | SettingsTab;

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
  readonly closed?: string | undefined;
}

/** A question, and the sections that answer it, best first. */
export interface AskTab {
  readonly kind: 'ask';
  readonly question: string;
  readonly answers: readonly {
    readonly heading: string;
    readonly file: string;
    readonly startLine: number;
    readonly endLine: number;
    readonly tokens: number;
    readonly text: string;
  }[];
}

interface FilesTab {
  readonly kind: 'files';
}

/** One file: its text, or undefined when it is not text or too large to show. */
export interface FileTab {
  readonly kind: 'file';
  readonly path: string;
  readonly size: number;
  readonly text: string | undefined;
}

interface VersionsTab {
  readonly kind: 'versions';
}

/** Changes from one version to another. */
export interface DiffTab {
  readonly kind: 'diff';
  readonly from: string;
  readonly to: string;
  readonly files: readonly DiffFile[];
}

interface SafetyTab {
  readonly kind: 'safety';
}

/** For those who may publish. */
export interface SettingsTab {
  readonly kind: 'settings';
  readonly requireProvenance: boolean;
}
