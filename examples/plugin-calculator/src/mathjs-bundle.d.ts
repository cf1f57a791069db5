/** The same library in one file: loaded in a sixth of the time that its 1,500 modules take. */
declare module "mathjs/lib/browser/math.js" {
  import type { ConfigOptions, MathJsInstance } from "mathjs";

  const mathjs: { create(config: ConfigOptions): MathJsInstance };
  export default mathjs;
}
