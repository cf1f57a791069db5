import { closeSync, openSync, writeSync } from "node:fs";
import path from "node:path";
import { messageOf, type Model, SetupError } from "@toycoder/core";
import type { Io } from "../io.ts";
import type { SetUp } from "../set-up.ts";
import { secretMask } from "./secret-mask.ts";

/** The file of `--record`. */
export interface CassetteFile {
  around(model: Model): Promise<Model>;
  close(): void;
}

/**
 * Empties the file at once. Credentials, the providers' keys and secret headers' values are kept out of it, as they
 * are and as JSON writes them. Throws a SetupError `cassette_invalid` where it can't be written.
 */
export function openCassette(file: string | undefined, ready: SetUp, io: Io): CassetteFile | undefined {
  if (file === undefined) return undefined;
  let descriptor: number;
  try {
    descriptor = openSync(path.resolve(io.cwd, file), "w");
  } catch (error) {
    throw new SetupError("cassette_invalid", `--record: ${messageOf(error)}`);
  }
  return {
    async around(model) {
      const { recordModel } = await import("@toycoder/provider-replay");
      return recordModel(model, (line) => void writeSync(descriptor, `${line}\n`), {
        mask: secretMask(ready, io.env),
      });
    },
    close: () => closeSync(descriptor),
  };
}
