/**
 * What a policy refuses one tool, whatever else it allows: for a tool that has to keep a program from it. Paths are
 * absolute and normalised, and taken as they are: a symbolic link isn't followed.
 */
export interface PathBounds {
  /** Whether the path is refused, by itself or for a folder above it. */
  covers(absolute: string): boolean;
  /** Whether something beneath the folder can be refused; false where it need not be looked through. */
  reaches(folder: string): boolean;
  /** The places that patterns start from; `/` for patterns of any depth. */
  readonly places: readonly string[];
  /** Names that are refused at any depth, beneath one of the places at least. */
  readonly names: readonly string[];
}
