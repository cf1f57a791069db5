import { closeSync, openSync, writeSync } from "node:fs";
import path from "node:path";
import { messageOf, type Model, SetupError } from "@toycoder/core";
import type { Io } from "../io.ts";

/** The file of `--record`. */
export interface CassetteFile {
  around(model: Model): Promise<Model>;
  close(): void;
}

/** Throws a SetupError `cassette_invalid` where the file can't be written. */
export function openCassette(file: string | undefined, io: Io): CassetteFile | undefined {
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
      return recordModel(model, (line) => void writeSync(descriptor, `${line}\n`));
    },
    close: () => closeSync(descriptor),
  };
}
