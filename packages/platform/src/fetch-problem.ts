// Why an external URL could not be fetched.

export type FetchProblem =
  /** Not an http(s) URL, or one with credentials, a forbidden port, or a redirect from https to http. */
  | 'url'
  /** The host has an address that must not be connected to. */
  | 'address'
  /** The host has no address. */
  | 'name'
  /** No connection, or a broken one. */
  | 'network'
  /** Too many. */
  | 'redirects'
  /** Neither content nor a redirect. */
  | 'status'
  /** Not a type that the caller accepts. */
  | 'type'
  /** An unsupported content coding. */
  | 'coding'
  /** The last three: over the limit. */
  | 'size'
  | 'silence'
  | 'time'
