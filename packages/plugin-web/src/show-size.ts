/** Bytes for people: `340 B`, `1.2 KB`, `5 MB`. */
export function showSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const megabytes = bytes >= 1024 * 1023.95;
  const size = bytes / (megabytes ? 1024 * 1024 : 1024);
  return `${size < 10 ? size.toFixed(1).replace(/\.0$/, "") : Math.round(size)} ${megabytes ? "MB" : "KB"}`;
}
