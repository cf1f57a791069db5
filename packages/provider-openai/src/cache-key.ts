import { textHash } from "@toycoder/core/wire";

/** OpenAI takes up to 64 characters as `prompt_cache_key`; a longer session id is hashed. */
export const cacheKey = (sessionId: string): string =>
  sessionId.length <= 64 ? sessionId : textHash(sessionId, 64);
