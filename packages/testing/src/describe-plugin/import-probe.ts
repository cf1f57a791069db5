import { isPluginFactory, messageOf } from "@toycoder/core";
import type { SetupReport } from "./probe-import.ts";
import { watchImport } from "./watch-import.ts";

// The program of a child process of its own: imports a module, sets its plugin up where it is given options, and
// sends what came of it.
interface Task {
  url: string;
  options?: object;
  folder: string;
}

const { url, options, folder } = JSON.parse(String(process.argv[2])) as Task;
const module = Promise.withResolvers<Readonly<Record<string, unknown>>>();
const report = await watchImport(async () => module.resolve((await import(url)) as Record<string, unknown>));
const isWanted = report.failed === undefined && options !== undefined;
const setup = isWanted ? await setUp(await module.promise, options) : undefined;
process.send?.({ ...report, ...(setup && { setup }) }, () => process.exit(0));

async function setUp(exported: Readonly<Record<string, unknown>>, given: object): Promise<SetupReport> {
  const factory = [exported["default"], ...Object.values(exported)].find(isPluginFactory);
  if (factory === undefined) return { failed: "the module exports no plugin" };
  try {
    const parts = await factory(given).setup({ root: folder, secretVariables: [] });
    await parts.dispose?.();
    return {};
  } catch (error) {
    return { failed: messageOf(error) };
  }
}
