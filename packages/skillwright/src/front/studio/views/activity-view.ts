// Accesses as they happen.

/** One access. Times are RFC 3339 in UTC. */
export interface ShownAccess {
  /** Rises with every access of one log. */
  readonly key: string;
  readonly at: string;
  readonly command: string;
  readonly skill: string;
  /** Id of the skill; null when it is gone. */
  readonly skillId: string | null;
  /** Section, file or query. */
  readonly subject: string | null;
  readonly tokens: number;
  readonly durationMs: number;
  readonly error: string | null;
  readonly project: string;
  readonly run: string;
}

/** The page. */
export interface ActivityView {
  /** Newest first. */
  readonly accesses: readonly ShownAccess[];
  readonly total: number;
}
