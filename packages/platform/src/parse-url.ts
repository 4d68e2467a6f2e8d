// Parses strings that may not be URLs.

/** @returns undefined if the string is not a URL, alone or relative to `base`; the caller decides what that means. */
export function parseUrl(text: string, base?: URL): URL | undefined {
  // URL.canParse would be shorter, but in Node 20 it rejects non-ASCII characters once V8 has optimized the
  // call.
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
