import type { ElementNode, TagOverride } from "@mdream/js";
import { htmlToMarkdown, type Plugin } from "@mdream/js/core";

export interface PageMarkdown {
  markdown: string;
  /** Empty where the page has none. */
  title: string;
}

/** What is no content: code, styles, controls, frames, drawings, and the ways to other pages. */
const NOT_CONTENT: ReadonlySet<string> = new Set(
  `script style noscript template nav footer iframe object embed applet svg canvas audio video map button input
  select textarea dialog link meta`.split(/\s+/),
);
const NOT_CONTENT_ROLES = /^(?:navigation|search|menu|menubar|dialog|alertdialog)$/i;
const HIDING_STYLE =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:font-size|opacity)\s*:\s*0(?:\.0+)?(?:px|em|rem|%)?\s*(?:;|!|$))/i;

/** Elements that Markdown has no form for, which the converter would leave as HTML. */
const tagOverrides: Record<string, TagOverride> = {
  details: { enter: "", exit: "", spacing: [2, 2] },
  summary: { enter: "", exit: "", spacing: [0, 2] },
  dl: { enter: "", exit: "", spacing: [2, 2] },
  dt: { enter: "", exit: "", spacing: [1, 1] },
  dd: { enter: ": ", exit: "", spacing: [0, 1] },
};

/**
 * A page's content as Markdown: without scripts, navigation and what is hidden, links absolute, from the address
 * `url` and the page's own `base`. What links to no web address is its text alone.
 */
export function pageMarkdown(html: string, url: string): PageMarkdown {
  const page = new Page(url);
  const markdown = htmlToMarkdown(html, { plugins: { tagOverrides }, hooks: [page.hooks] });
  return { markdown: markdown.trim(), title: page.title };
}

/** Follows one conversion. */
class Page {
  readonly #left = new WeakSet<object>();
  #base: string;
  #baseSet = false;
  title = "";

  constructor(url: string) {
    this.#base = url;
  }

  get hooks(): Plugin {
    return {
      excludesOverflowSubtree: (element) => this.#leaveOut(element),
      beforeNodeProcess: ({ node }) => {
        const { parent } = node;
        if (node.type === 1) return this.#leaveOut(node as ElementNode) ? { skip: true } : undefined;
        return parent != null && this.#left.has(parent) ? { skip: true } : undefined;
      },
      processAttributes: (element) => this.#resolveLinks(element),
      processTextNode: (node) => {
        if (node.parent?.name !== "title") return undefined;
        this.title ||= node.value.trim();
        return { content: "", skip: true };
      },
    };
  }

  #leaveOut(element: ElementNode): boolean {
    const { parent } = element;
    if (this.#left.has(element)) return true;
    if ((parent == null || !this.#left.has(parent)) && isContent(element)) return false;
    this.#left.add(element);
    return true;
  }

  #resolveLinks({ name, attributes }: ElementNode): void {
    if (name === "base" && !this.#baseSet && attributes["href"] !== undefined) {
      this.#baseSet = true;
      this.#base = webAddress(attributes["href"], this.#base) ?? this.#base;
    }
    for (const key of ["href", "src"]) {
      const value = attributes[key];
      if (value === undefined) continue;
      const address = webAddress(value, this.#base);
      if (address === undefined) delete attributes[key];
      else attributes[key] = address;
    }
  }
}

function isContent({ name, attributes }: ElementNode): boolean {
  // Of an image, its address is the content: one within the page (`data:`) has been taken off.
  if (NOT_CONTENT.has(name) || (name === "img" && attributes["src"] === undefined)) return false;
  const { hidden, role = "", style = "" } = attributes;
  if (hidden !== undefined && hidden.toLowerCase() !== "until-found") return false;
  if (attributes["aria-hidden"]?.toLowerCase() === "true") return false;
  return !NOT_CONTENT_ROLES.test(role) && !HIDING_STYLE.test(style);
}

function webAddress(value: string, base: string): string | undefined {
  if (!URL.canParse(value, base)) return undefined;
  const url = new URL(value, base);
  return url.protocol === "http:" || url.protocol === "https:" || url.protocol === "mailto:"
    ? url.href
    : undefined;
}
