// The catalog as a host puts it into the context of a model.

/** The page. */
export interface CatalogPageView {
  readonly format: string;
  readonly formats: readonly string[];
  /** Exactly the text a host injects. */
  readonly text: string;
  readonly tokens: number;
  readonly budget: {
    readonly contextWindow: number;
    /** Tokens the catalog may cost. */
    readonly tokens: number;
    /** Where the number comes from: a default, or the key of the configuration that sets it. */
    readonly source: string;
  };
  /** Skills by how much of each is shown. */
  readonly shown: readonly {
    readonly id: string;
    readonly name: string;
    readonly detail: 'full' | 'short' | 'name' | 'left-out';
    readonly tokens: number;
  }[];
  readonly total: number;
}
