// Why a script could not be fetched.

/**
 * `url`: no http(s) URL that may be asked; `address`: its host has an address that may not be connected to; `name`: its
 * host has none; `network`: no connection, or one that broke; `redirects`: too many; `status`: no content; `type`: what
 * no browser runs as a script; `coding`: a content coding that cannot be undone; `size`, `silence`, `time`: more than is
 * waited for; `failure`: ours.
 */
export type FetchProblem =
  | 'url'
  | 'address'
  | 'name'
  | 'network'
  | 'redirects'
  | 'status'
  | 'type'
  | 'coding'
  | 'size'
  | 'silence'
  | 'time'
  | 'failure'
