/** The packages that a new plugin is made with. A test holds them to the versions of this workspace. */
export const VERSIONS = {
  "@changesets/cli": "3.0.3",
  "@types/node": "22.20.7",
  typescript: "7.0.2",
  zod: "4.6.7",
} as const;
