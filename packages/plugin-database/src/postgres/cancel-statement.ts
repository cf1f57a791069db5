import { Buffer } from "node:buffer";
import { connect } from "node:net";
import type { Address } from "./address.ts";

/** https://www.postgresql.org/docs/current/protocol-message-formats.html, CancelRequest */
const CANCEL_CODE = 80_877_102;
const WAIT_MS = 2_000;

/**
 * Asks the server to stop what a connection does. The request goes out beside the connection, carries nothing but
 * the numbers that the server gave for this purpose, and has no answer; it holds nobody up.
 */
export function cancelStatement({ host, port }: Address, process: number | null, key: number | null): void {
  if (process === null || key === null) return;
  const message = Buffer.alloc(16);
  message.writeInt32BE(16, 0);
  message.writeInt32BE(CANCEL_CODE, 4);
  message.writeInt32BE(process, 8);
  message.writeInt32BE(key, 12);
  const socket = connect(host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  socket.setTimeout(WAIT_MS, () => socket.destroy());
  socket.on("error", () => {});
  socket.end(message);
  socket.unref();
}
