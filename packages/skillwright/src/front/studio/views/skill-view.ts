// One skill: its text beside its outline, and how it is used.

import type { OutlineSection, Point } from '../../pages/index.ts';
import type { StudioSkill } from './skills-view.ts';

/** A section of the outline, with the place it stands at. */
export interface HeatedSection extends OutlineSection {
  readonly file: string;
  /** Address of the section inside the page, without the `#`. */
  readonly anchor: string;
  readonly startLine: number;
}

/** One file of the skill. */
export interface StudioFile {
  readonly path: string;
  readonly bytes: number;
  readonly tokens: number;
  readonly reads: number;
}

/** One finding of the scanner or the linter. */
interface StudioFinding {
  readonly id: string;
  readonly severity: string;
  readonly message: string;
  readonly file: string;
  readonly line: number | null;
}

/** The page of a skill. */
export interface SkillView {
  readonly skill: StudioSkill;
  /** File whose text is shown: SKILL.md, or the one that was chosen. */
  readonly file: string;
  /** Its Markdown without frontmatter; null for other files. */
  readonly markdown: string | null;
  /** The text of another file; null when it is Markdown or cannot be shown, with the reason in `textWhy`. */
  readonly text: string | null;
  readonly textWhy: string | null;
  /** Frontmatter as pairs of key and text. */
  readonly frontmatter: readonly (readonly [string, string])[];
  /** Sections of all files, in reading order. */
  readonly outline: readonly HeatedSection[];
  readonly files: readonly StudioFile[];
  readonly usage: {
    readonly accesses: number;
    readonly errors: number;
    readonly tokensServed: number;
    readonly tokensSaved: number;
    /** A day each, oldest first, no day missing. */
    readonly served: readonly Point[];
    readonly saved: readonly Point[];
  };
  /** Searches inside the skill that found nothing. */
  readonly emptySearches: readonly {
    readonly query: string;
    readonly count: number;
    readonly last: string;
  }[];
  readonly errors: readonly {
    readonly code: string;
    readonly command: string;
    readonly subject: string | null;
    readonly count: number;
    readonly last: string;
  }[];
  readonly quiz: readonly {
    readonly question: string;
    readonly asked: number;
    readonly failed: number;
  }[];
  /** Sections that agents read in the same run, most often first. */
  readonly together: readonly { readonly a: string; readonly b: string; readonly runs: number }[];
  readonly findings: readonly StudioFinding[];
  /** Why its trust score is as it is. */
  readonly trust: { readonly score: number; readonly reasons: readonly string[] };
  /** Where it was deployed. */
  readonly deployed: readonly string[];
  /** Installed from; null for one of the user's own. */
  readonly origin: string | null;
}
