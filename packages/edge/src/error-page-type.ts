// The type of a page for errors as it is sent.

/** All pages are sent as UTF-8; JSON is that in any case. */
export const sentType = (contentType: string): string =>
  contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType
