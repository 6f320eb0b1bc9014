// Skills as each agent on this machine sees them.

/** One agent. */
export interface SeeingAgent {
  readonly id: string;
  readonly isPresent: boolean;
  /** Directories it reads, as the user writes them, and whether each exists. */
  readonly directories: readonly { readonly place: string; readonly exists: boolean }[];
  /** Skills it sees. */
  readonly skills: readonly {
    readonly id: string | null;
    readonly name: string;
    readonly form: 'stub' | 'files' | 'whole' | 'unmanaged';
    readonly tokens: number | null;
    /** Why it does not work for this agent; null when it does. */
    readonly problem: string | null;
  }[];
  readonly total: number;
  /** Tokens of everything it loads at the start. */
  readonly tokens: number;
}

/** The page. */
export interface AgentsView {
  readonly agents: readonly SeeingAgent[];
}
