/** Whether a name matches a glob of `*` (any characters) and `?` (one). */
export function matchesGlob(name: string, glob: string): boolean {
  const source = glob
    .replaceAll(/[\\^$.|+()[\]{}]/g, String.raw`\$&`)
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`, "su").test(name);
}
