/** How much trust a call of a tool needs before rules are asked. */
export type PermissionLevel = "safe" | "sensitive" | "dangerous";

/**
 * `SAFE` runs, `SENSITIVE` asks at each call, `DANGEROUS` is disabled until it is enabled and then asks.
 */
export const PermissionLevel: {
  readonly SAFE: "safe";
  readonly SENSITIVE: "sensitive";
  readonly DANGEROUS: "dangerous";
} = Object.freeze({ SAFE: "safe", SENSITIVE: "sensitive", DANGEROUS: "dangerous" });

/** All levels, from harmless to dangerous. */
export const PERMISSION_LEVELS: readonly PermissionLevel[] = ["safe", "sensitive", "dangerous"];

/** What a policy may say of a level. `disabled`: not offered until enabled, and then it asks. */
export type LevelDecision = "allow" | "ask" | "deny" | "disabled";

export const DEFAULT_LEVELS: Readonly<Record<PermissionLevel, LevelDecision>> = Object.freeze({
  safe: "allow",
  sensitive: "ask",
  dangerous: "disabled",
});
