/** Where a tool came from, for rules of the forms `plugin:NAME` and `mcp:SERVER/TOOL`. */
export interface ToolOrigin {
  plugin?: string;
  mcp?: string;
}
