import type { PluginPlan } from "./plugin-plan.ts";

/** What people read of a new plugin: path → text. */
export function textFiles({ name, description, repository }: PluginPlan): Record<string, string> {
  return {
    "README.md": `# ${name.package}

${description}

\`\`\`sh
npx toycoder plugin add ${name.package}
\`\`\`

This installs it and puts it into \`toycoder.config.ts\`:

\`\`\`ts
import { defineConfig } from "toycoder";

export default defineConfig({
  plugins: ["files", "search", "shell", "question", ["${name.package}", { maxMegabytes: 50 }]],
});
\`\`\`

| tool | level | input | result |
| --- | --- | --- | --- |
| \`${name.snake}_count_lines\` | safe | \`path\` | how many lines there are, and how many of them are empty |

| option | default | |
| --- | --- | --- |
| \`maxMegabytes\` | 10 | the largest file that is read |

## Development

\`\`\`sh
npm install
npm test             # the tools on the real dispatch, the contract of tools and plugins
npm run check        # builds, and checks all that users would run into
npm run changeset    # for each change that users notice
\`\`\`

${release(repository)}

Needs Node 22.18 or newer. MIT.
`,
    LICENSE: `MIT License

Copyright (c) ${new Date().getFullYear()} the authors of ${name.package}

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`,
  };
}

const release = (repository: string | undefined): string =>
  `${repository === undefined ? "Before the first release, put the repository's address into `package.json` (npm's provenance needs it), and add" : "Before the first release, add"} the secret \`NPM_TOKEN\` to the repository. Then \`.github/workflows/release.yml\` collects the changesets into a pull request; merging that publishes.`;
