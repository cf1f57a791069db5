// Preloaded with `--import count-modules.mjs?out=FILE`: writes the URLs of all modules that the process loads, as JSON.
// What it needs itself comes from elsewhere than an import: a module that is there already is not loaded again.
const { registerHooks } = process.getBuiltinModule("node:module");
const { writeFileSync } = process.getBuiltinModule("node:fs");

const loaded = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});
process.once("exit", () =>
  writeFileSync(new URL(import.meta.url).searchParams.get("out"), JSON.stringify(loaded)),
);
