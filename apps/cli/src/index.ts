export { defineConfig, type ToycoderConfig } from "@toycoder/config";
export { definePlugin, defineTool } from "@toycoder/core";
