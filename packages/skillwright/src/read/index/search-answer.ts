// Result of a search.

/** A found section. Its lines cover its own text and its heading. */
export interface SearchResult {
  readonly file: string;
  readonly section: string;
  readonly anchor: string;
  readonly start_line: number;
  readonly end_line: number;
  /** Level of its heading; 0 for text without one. */
  readonly level: number;
  /** Line where the snippet starts, for text without a heading. */
  readonly passage?: number | undefined;
  /** The heading with its matches marked, if any. */
  readonly heading?: string;
  readonly snippet: string;
  /** Higher is better; only comparable within one answer. */
  readonly score: number;
}

/** Results of a query. `relaxed`: results need not contain all of its words. */
export interface SearchAnswer {
  readonly query: string;
  readonly results: readonly SearchResult[];
  readonly relaxed: boolean;
}
