// URLs as redirect lists compare them: scheme, host and path, without a library, because a request has raw octets.

export interface SourceUrl {
  /** Empty if it is for both. */
  readonly scheme: '' | 'http:' | 'https:'
  /** In lower case. */
  readonly host: string
  /** Begins with a slash. */
  readonly path: string
}

/** @returns undefined for user, port, query, fragment, or another scheme. */
export function readSource(text: string): SourceUrl | undefined {
  const match = /^(?:(https?):\/\/)?([^/?#@:\s]+)(\/[^?#\s]*)?$/i.exec(text)
  if (match === null) return undefined
  const [, scheme, host = '', path = '/'] = match
  return { scheme: schemeOf(scheme), host: host.toLowerCase(), path }
}

export interface RequestUrl extends SourceUrl {
  /** With its question mark; empty if there is none. */
  readonly query: string
}

/** The URL of a request, for example `http.request.full_uri`; a port is ignored. */
export function readRequestUrl(text: string): RequestUrl | undefined {
  const match = /^(?:(https?):\/\/)?(?:[^/?#@]*@)?([^/?#:]+)(?::\d*)?(\/[^?#]*)?(\?[^#]*)?/i.exec(text)
  if (match === null) return undefined
  const [, scheme, host = '', path = '/', query = ''] = match
  return { scheme: schemeOf(scheme), host: host.toLowerCase().replace(/\.$/, ''), path, query }
}

const schemeOf = (scheme: string | undefined): SourceUrl['scheme'] =>
  scheme === undefined ? '' : scheme.toLowerCase() === 'https' ? 'https:' : 'http:'
