import type { PolicyOptions, ToolResult } from "@toycoder/core";
import { tempWorkspace, toolBench, type ToolBench } from "@toycoder/testing";
import { webPlugin, type WebOptions } from "../plugin.ts";

export interface FetchBench extends Disposable, ToolBench {
  fetch(url: string, input?: { raw?: boolean }, signal?: AbortSignal): Promise<ToolResult>;
}

/** `fetch_url` of the plugin with these options, called through dispatch. */
export async function fetchBench(
  options: WebOptions = {},
  policy?: Omit<PolicyOptions, "root">,
): Promise<FetchBench> {
  const workspace = tempWorkspace();
  const { tools } = await webPlugin(options).setup({ root: workspace.root, secretVariables: [] });
  const bench = toolBench(tools, { root: workspace.root, ...(policy && { policy }) });
  return {
    ...bench,
    fetch: (url, input = {}, signal) => bench.call("fetch_url", { url, ...input }, signal),
    [Symbol.dispose]() {
      bench.session.dispose();
      workspace[Symbol.dispose]();
    },
  };
}
