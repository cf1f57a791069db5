import type { Finding } from "@toycoder/testing";

/** What is to be looked at in a process of its own. */
export interface InspectionTask {
  /** `import`: import it and watch; `inspect`: set it up, look at its tools and call them. */
  mode: "import" | "inspect";
  /** URL of the module, or the name of a built-in plugin. */
  module: string;
  /** Whether it is a package, which exports a plugin, or a module of tools. */
  isPackage: boolean;
  options: Readonly<Record<string, unknown>>;
  /** The version that package.json tells. */
  version: string | undefined;
  /** An empty folder. */
  folder: string;
}

/** A tool as a check tells of it. */
export interface InspectedTool {
  name: string;
  version: string;
  level: string;
  category: string;
  effects: boolean;
  /** How often it was called with odd arguments. */
  calls: number;
}

/** What a look at a plugin found. */
export interface Inspection {
  plugin: { name: string; version: string } | null;
  tools: InspectedTool[];
  providers: string[];
  findings: Finding[];
}
