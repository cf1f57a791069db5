import { CONFIG_SHAPE, PROFILE_KEYS } from "./config-shape.ts";
import { jsonSchemaOf } from "./json-schema.ts";
import { MCP_SERVER_KEYS } from "./mcp-shape.ts";
import { MODEL_KEYS } from "./model-shape.ts";
import { PLUGIN_ENTRY_SCHEMA } from "./plugin-entry.ts";

/** The JSON Schema of a config in JSON or YAML, which the package publishes as schemas/config.schema.json. */
export function configSchema(): Readonly<Record<string, unknown>> {
  const named = new Map<object, string>([
    [MODEL_KEYS, "model"],
    [PROFILE_KEYS, "profile"],
    [MCP_SERVER_KEYS, "mcpServer"],
  ]);
  return jsonSchemaOf(CONFIG_SHAPE, "A config of ToyCoder", named, { plugin: PLUGIN_ENTRY_SCHEMA });
}
