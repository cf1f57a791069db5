import { DynamicStructuredTool, type ToolRunnableConfig } from "@langchain/core/tools";
import type { JsonSchema } from "@toycoder/core";

/**
 * A LangChain tool whose arguments are judged by what it calls, not by LangChain: its own check of a JSON Schema
 * knows an older dialect, converts nothing, and tells a model only that something was wrong.
 */
export class SessionTool extends DynamicStructuredTool<JsonSchema> {
  /** @deprecated LangChain's name for what `invoke` does. */
  override call(arg: unknown, config?: ToolRunnableConfig, tags?: string[]): Promise<never> {
    const open: SessionTool = Object.create(this, { schema: { value: {} } }) as SessionTool;
    return super.call.call(open, arg as never, config, tags) as Promise<never>;
  }
}
