import type { RunningPostgres } from "./start-postgres.ts";

/** PostgreSQL in this process, behind a socket: for machines without its binaries. */
export async function startPglite(): Promise<RunningPostgres> {
  const [{ PGlite }, { PGLiteSocketServer }] = await Promise.all([
    import("@electric-sql/pglite"),
    import("@electric-sql/pglite-socket"),
  ]);
  const db = await PGlite.create();
  const server = new PGLiteSocketServer({ db, host: "127.0.0.1", port: 0, maxConnections: 20 });
  const listening = new Promise<number>((resolve) => {
    server.addEventListener("listening", (event) => {
      resolve((event as CustomEvent<{ port: number }>).detail.port);
    });
  });
  await server.start();
  return {
    kind: "pglite",
    host: "127.0.0.1",
    port: await listening,
    password: "",
    stop: async () => {
      await server.stop();
      await db.close();
    },
  };
}
