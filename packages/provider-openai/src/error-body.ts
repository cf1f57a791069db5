type Fetch = typeof globalThis.fetch;

/**
 * A fetch whose error answers have the body that the SDK looks for, `{ error: { message, … } }`. Compatible
 * servers write `{ "message": … }` (vLLM), `{ "detail": … }` (FastAPI), `{ "error": "…" }` (Ollama) or a list of
 * one (Gemini), and the SDK would drop what they say.
 */
export function withErrorBodies(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.status < 400) return response;
    const { status, statusText, headers } = response;
    const body = errorBody(await response.text());
    const own = new Headers(headers);
    for (const name of ["content-encoding", "content-length"]) own.delete(name);
    return new Response(body, { status, statusText, headers: own });
  };
}

function errorBody(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text.trim() === "" ? text : JSON.stringify({ error: { message: text } });
  }
  if (Array.isArray(value)) [value] = value as unknown[];
  if (typeof value !== "object" || value === null) return text;
  const body = value as Record<string, unknown>;
  if (typeof body.error === "object" && body.error !== null) return JSON.stringify(body);
  const message = [body.error, body.message, body.detail].find((said) => said !== undefined) ?? text;
  return JSON.stringify({
    error: { ...body, message: typeof message === "string" ? message : JSON.stringify(message) },
  });
}
