import type { ImagePart } from "@toycoder/core";
import { imageType } from "@toycoder/core/wire";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";
import { readInputFile } from "./input-file.ts";

/**
 * As much as every provider takes: Anthropic docs, Vision, "General limits": 5 MB an image, which its API counts in
 * base64; `read_file` has the same bound.
 */
const MAX_BYTES = 3_750_000;

/** The images of `--image`, by what their bytes say that they are. Throws a UsageError for anything else. */
export async function readImages(files: readonly string[], io: Io): Promise<ImagePart[]> {
  if (files.length === 0) return [];
  return await Promise.all(
    files.map(async (file): Promise<ImagePart> => {
      const limit = {
        maxBytes: MAX_BYTES,
        tooLong: "make it smaller: models see no more than about 1500 pixels a side",
      };
      const bytes = await readInputFile("--image", file, io, limit);
      const mediaType = imageType(bytes.subarray(0, 16));
      if (mediaType === undefined) throw new UsageError(`--image ${file}: it is no PNG, JPEG, GIF or WebP`);
      return { type: "image", mediaType, data: bytes.toString("base64") };
    }),
  );
}
