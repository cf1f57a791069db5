// The first step of `npm start` and `npm test`: is this Node new enough, and if not, what helps?
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  const bundled = process.platform === "linux" && process.arch === "x64";
  console.error(
    `ToyCoder needs Node 22.18 or newer; this is Node ${process.versions.node} (${process.execPath}). ` +
      (bundled
        ? "On Linux x64 the workspace brings its own: run `npm run setup` (without --omit=optional), then start again through npm."
        : "Install a newer one (https://nodejs.org), then start again."),
  );
  process.exit(1);
}
