/** Options of the search tools. */
export interface SearchOptions {
  /** ripgrep's program; by default the one that npm installed. */
  ripgrepPath?: string | undefined;
  /** After this time a search gives what it has. Default 30. */
  timeoutSeconds?: number | undefined;
}

export const DEFAULT_TIMEOUT_SECONDS: number = 30;
