// Why a script could not be fetched.

/**
 * `url`: not a fetchable http(s) URL; `address`: its host has an address that must not be connected to;
 * `name`: its host has no address; `network`: no connection, or a broken one; `redirects`: too many;
 * `status`: no content; `type`: not a type that browsers run as a script; `coding`: an unsupported content
 * coding; `size`, `silence`, `time`: over the limit; `failure`: an internal error.
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
