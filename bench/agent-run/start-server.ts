import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Order, Played } from "./model-server.ts";

export interface ScriptedServer extends Disposable {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** From now on these answers are given, in order. */
  play(script: Exclude<Order, "collect">): Promise<void>;
  /** What was asked since. */
  collect(): Promise<Played>;
}

export async function startServer(): Promise<ScriptedServer> {
  const child = fork(fileURLToPath(new URL("model-server.ts", import.meta.url)));
  child.once("exit", (code) => {
    if (code !== 0) throw new Error(`the scripted model ended with ${code}`);
  });
  const next = async (): Promise<unknown> => ((await once(child, "message")) as [unknown])[0];
  const ask = async (order: Order): Promise<unknown> => {
    const answered = next();
    child.send(order);
    return await answered;
  };
  const port = await next();
  return {
    url: `http://127.0.0.1:${String(port)}`,
    play: async (script) => void (await ask(script)),
    collect: async () => (await ask("collect")) as Played,
    [Symbol.dispose]: () => child.disconnect(),
  };
}
