/** Gives each call of one answer an id of its own: the server's, or a new one where that is missing or repeated. */
export function createCallIds(): (id: unknown) => string {
  const used = new Set<string>();
  return (id) => {
    const own =
      typeof id === "string" && id !== "" && !used.has(id)
        ? id
        : `call_${crypto.randomUUID().replaceAll("-", "")}`;
    used.add(own);
    return own;
  };
}
