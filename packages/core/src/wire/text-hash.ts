/** The first `length` hexadecimal digits of a text's SHA-256. Node's crypto is loaded when it is first called. */
export const textHash = (text: string, length: number): string =>
  process.getBuiltinModule("node:crypto").hash("sha256", text).slice(0, length);
