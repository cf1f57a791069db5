import type { Value } from "../query-result.ts";

/**
 * Reads an array as PostgreSQL writes it: `{1,NULL,"a \"b\""}`, nested, with bounds (`[0:1]={1,2}`) left out.
 * https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO
 */
export function parseArray(text: string, delimiter: string, decode: (element: string) => Value): Value[] {
  let at = text.indexOf("{");

  function list(): Value[] {
    const items: Value[] = [];
    at++;
    while (at < text.length && text[at] !== "}") {
      items.push(text[at] === "{" ? list() : element());
      if (text[at] === delimiter) at++;
    }
    at++;
    return items;
  }

  function element(): Value {
    if (text[at] === '"') return decode(quoted());
    const start = at;
    while (at < text.length && text[at] !== delimiter && text[at] !== "}") at++;
    const bare = text.slice(start, at);
    return bare === "NULL" ? null : decode(bare);
  }

  function quoted(): string {
    let value = "";
    for (at++; at < text.length && text[at] !== '"'; at++) {
      if (text[at] === "\\") at++;
      value += text[at] ?? "";
    }
    at++;
    return value;
  }

  return list();
}
