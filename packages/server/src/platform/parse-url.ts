// The parser of URLs, for texts that may be none.

/** @returns undefined for a text that is no URL, or none beside `base`; the caller says what that means. */
export function parseUrl(text: string, base?: URL): URL | undefined {
  // URL.canParse would be shorter, but Node 20 lets it refuse letters beyond ASCII once it is compiled for speed.
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
