/** Whether both hold the same items, by identity, in the same order. */
export const sameItems = <Item>(items: readonly Item[], others: readonly Item[]): boolean =>
  items.length === others.length && items.every((item, at) => item === others[at]);

/** `make`, asked anew only where the items are others than the last time, or in another order. */
export function keepLast<Item, Result>(
  make: (items: readonly Item[]) => Result,
): (items: readonly Item[]) => Result {
  let last: { items: readonly Item[]; result: Result } | undefined;
  return (items) => {
    if (last === undefined || !sameItems(last.items, items))
      last = { items: [...items], result: make(items) };
    return last.result;
  };
}

/** `make`, asked once for each key, as long as the key is in use. */
export function oncePer<Key extends object, Result>(make: (key: Key) => Result): (key: Key) => Result {
  const known = new WeakMap<Key, { result: Result }>();
  return (key) => {
    let found = known.get(key);
    if (found === undefined) known.set(key, (found = { result: make(key) }));
    return found.result;
  };
}

/** `make`, asked until it has succeeded once. */
export function onceMade<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
