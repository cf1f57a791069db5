import { openSandbox } from "../sandbox/sandbox.ts";

/** Whether bubblewrap is there and may make a sandbox on this machine: tests in one are skipped where it may not. */
export const hasSandbox: boolean = "program" in (await openSandbox("auto", false)).found;
