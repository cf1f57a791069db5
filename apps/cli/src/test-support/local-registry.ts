import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { tempWorkspace } from "@toycoder/testing";

/** A registry on this machine that takes any package; what it has not, it asks npm's own registry for. */
export interface LocalRegistry extends AsyncDisposable {
  url: string;
  /** The environment of a person who has set it as npm's registry and logged in, with a cache of their own. */
  env: NodeJS.ProcessEnv;
}

/** The environment without what npm and pnpm tell the programs that they start. */
export const strangersEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_|pnpm_|NODE_(ENV|OPTIONS|PATH)$|VITEST|TOYCODER_|TURBO_)/i.test(name),
    ),
  );

/** Starts verdaccio with an empty storage. Its uplink is the registry that npm is configured with. */
export async function localRegistry(): Promise<LocalRegistry> {
  const folder = tempWorkspace();
  const { stdout } = await promisify(execFile)("npm", ["config", "get", "registry"]);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const own = { access: "$all", publish: "$all", unpublish: "$all" };
  const config = {
    storage: folder.path("storage"),
    uplinks: { npm: { url: stdout.trim(), maxage: "60m", max_fails: 20, timeout: "120s" } },
    packages: {
      "@toycoder/*": own,
      toycoder: own,
      "toycoder-plugin-*": own,
      "**": { access: "$all", proxy: "npm" },
    },
    web: { enable: false },
    log: { type: "stdout", format: "pretty", level: "warn" },
  };
  // YAML takes JSON.
  const file = folder.write("config.yaml", JSON.stringify(config));
  const home = path.dirname(createRequire(import.meta.url).resolve("verdaccio/package.json"));
  const server = spawn(
    process.execPath,
    [path.join(home, "bin/verdaccio"), "--config", file, "--listen", url],
    {
      cwd: folder.root,
      env: strangersEnv(),
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const exited = once(server, "exit");
  await new Promise<void>((resolve, reject) => {
    server.on("error", reject);
    server.on("exit", (code) => reject(new Error(`verdaccio ended with ${code}`)));
    createInterface(server.stdout).on("line", (line) => line.includes(`:${port}/`) && resolve());
  });
  folder.write(
    "npmrc",
    `registry=${url}\n//127.0.0.1:${port}/:_authToken=a-person\nfund=false\naudit=false\nupdate-notifier=false\n`,
  );
  return {
    url,
    env: {
      ...strangersEnv(),
      NPM_CONFIG_USERCONFIG: folder.path("npmrc"),
      NPM_CONFIG_REGISTRY: url,
      NPM_CONFIG_CACHE: folder.path("cache"),
    },
    async [Symbol.asyncDispose]() {
      server.kill();
      await exited;
      folder.dispose();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
