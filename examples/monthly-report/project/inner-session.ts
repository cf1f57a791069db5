import {
  createPolicy,
  createSession,
  createWorkspace,
  type Plugin,
  type PluginContext,
  type Session,
  ToolRegistry,
} from "@toycoder/core";
import { rules } from "./toycoder.config.ts";

export interface InnerSession {
  open(ctx: PluginContext): Promise<Session>;
  close(): Promise<void>;
}

/** A session with these plugins' tools under the same rules, as somebody has who runs them in another framework's loop. */
export function innerSession(plugins: readonly Plugin[]): InnerSession {
  const closing: (() => void | Promise<void>)[] = [];
  return {
    async open(ctx) {
      const { root } = ctx;
      const registry = new ToolRegistry();
      for (const plugin of plugins) {
        const { tools, dispose } = await plugin.setup(ctx);
        registry.registerMany(tools, { plugin: plugin.name });
        if (dispose) closing.push(dispose);
      }
      const policy = createPolicy({ root, ...rules });
      const session = createSession({ registry, policy, workspace: createWorkspace({ root }) });
      closing.push(() => session.dispose());
      return session;
    },
    async close() {
      for (const close of closing.splice(0)) await close();
    },
  };
}
