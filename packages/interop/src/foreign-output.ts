import type { ContentPart } from "@toycoder/core";

/** What another framework's tool returned, with what the model is to see of it. As JSON it is the value alone. */
export class ForeignOutput {
  readonly value: unknown;
  readonly #content: readonly ContentPart[];

  constructor(value: unknown, content: readonly ContentPart[]) {
    this.value = value;
    this.#content = content;
  }

  toContent(): readonly ContentPart[] {
    return this.#content;
  }

  toJSON(): unknown {
    return this.value;
  }
}
