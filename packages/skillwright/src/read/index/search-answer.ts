// What a search gives.

/** A section that was found. Lines are those of its own text, its heading included. */
export interface SearchResult {
  readonly file: string;
  readonly section: string;
  readonly anchor: string;
  readonly start_line: number;
  readonly end_line: number;
  /** The level of its heading; 0 for text without one. */
  readonly level: number;
  /** The line in which the snippet begins, for text without a heading. */
  readonly passage?: number | undefined;
  /** The heading with its matches marked, when it has any. */
  readonly heading?: string;
  readonly snippet: string;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
}

/** The answer to a query. `relaxed`: the results need not hold all of its words. */
export interface SearchAnswer {
  readonly query: string;
  readonly results: readonly SearchResult[];
  readonly relaxed: boolean;
}
