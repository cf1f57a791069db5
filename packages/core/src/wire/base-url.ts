import { SetupError } from "../errors.ts";
import { shownUrl } from "./error-text.ts";

const NO_URL = { protocol: undefined, username: "", password: "" };

/**
 * A base URL as the SDKs want it: no slash and none of `endings` (the API's own paths, which people copy with it)
 * at its end. Throws a SetupError `invalid_model` for what is no address of http or https, or has a password.
 */
export function cleanBaseURL(given: string, endings: readonly string[] = []): string {
  const address = given.trim();
  const { protocol, username, password } = URL.canParse(address) ? new URL(address) : NO_URL;
  if (protocol !== "http:" && protocol !== "https:") {
    const shown = shownUrl(address);
    const bare = !address.includes("://") && shown !== "";
    throw new SetupError(
      "invalid_model",
      `the base URL ${JSON.stringify(shown)} is no address of http or https`,
      {
        hint: `write it whole, as in ${bare ? `http://${shown.replace(/^\/+/, "")}` : "http://127.0.0.1:11434/v1"}`,
      },
    );
  }
  if (username !== "" || password !== "") {
    throw new SetupError("invalid_model", `the base URL ${shownUrl(address)} holds a user or a password`, {
      hint: "fetch refuses such an address; give them as a header: Authorization: Basic …",
    });
  }
  let url = address.replace(/\/+$/, "");
  for (const ending of endings) if (url.endsWith(ending)) url = url.slice(0, -ending.length);
  return url.replace(/\/+$/, "");
}
