// Conditions of rules that match the request of an event again.

/** Events hold no more of a path. */
const MAX_PATH_LENGTH = 1_024

/** A string of the expression language. */
export const quoteString = (value: string): string => `"${value.replace(/["\\]/g, '\\$&')}"`

export const hostFilter = (host: string): string => `http.host eq ${quoteString(host)}`

/** @param path As events have it: as received, before normalization, and perhaps cut. */
export const pathFilter = (path: string): string =>
  path.length < MAX_PATH_LENGTH
    ? `raw.http.request.uri.path eq ${quoteString(path)}`
    : `starts_with(raw.http.request.uri.path, ${quoteString(path)})`
