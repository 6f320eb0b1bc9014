// Search as an agent gets it, with the reasons for the order.

/** One word of the request and how much it speaks for the skill. */
export interface ShownEvidence {
  readonly word: string;
  /** Share of all evidence the request could give, from 0 to 1. */
  readonly share: number;
  readonly field: 'name' | 'description' | 'tags' | 'heading' | 'body' | null;
}

/** One skill that was found. */
export interface FoundSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly score: number;
  readonly reason: 'exact_path' | 'exact_name' | 'prefix' | 'token_overlap';
  readonly words: readonly ShownEvidence[];
  /** Best matching line. */
  readonly line: string | null;
}

/** One section that was found in the first skill, or in the chosen one. */
export interface FoundSection {
  readonly file: string;
  readonly section: string;
  readonly tokens: number;
  readonly excerpt: string;
  readonly href: string;
}

/** The page. */
export interface SearchView {
  readonly q: string;
  /** Words searched for instead, when no skill has those of the request. */
  readonly corrected: string | null;
  readonly skills: readonly FoundSkill[];
  readonly searched: number;
  /** Skill whose sections are shown. */
  readonly inside: { readonly id: string; readonly name: string } | null;
  readonly sections: readonly FoundSection[];
  /** Exactly the text an agent gets from `skc find`, and its cost. */
  readonly answer: { readonly text: string; readonly tokens: number } | null;
}
