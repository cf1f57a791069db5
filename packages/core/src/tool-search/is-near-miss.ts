/** True where one letter added, left out, replaced or two neighbours swapped make one word of the other. */
export function isNearMiss(a: string, b: string): boolean {
  if (a.length > b.length) return isNearMiss(b, a);
  if (b.length - a.length > 1 || a === b) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  if (a.length < b.length) return a.slice(start) === b.slice(start + 1);
  if (a.slice(start + 1) === b.slice(start + 1)) return true;
  return a[start] === b[start + 1] && a[start + 1] === b[start] && a.slice(start + 2) === b.slice(start + 2);
}
