import type { McpServers } from "@toycoder/mcp";
import type { Io } from "../io.ts";

/** Starts servers; a signal meanwhile ends them at once. Throws what `McpServers.start` does, or the signal's reason. */
export async function startServers(
  servers: McpServers,
  io: Io,
  options?: Parameters<McpServers["start"]>[0],
): Promise<void> {
  io.signal.throwIfAborted();
  const stop = (): void => void servers.close();
  io.signal.addEventListener("abort", stop, { once: true });
  try {
    await servers.start(options);
  } finally {
    io.signal.removeEventListener("abort", stop);
  }
  io.signal.throwIfAborted();
}
