// The configuration of a proxy that asks an edge about the requests to one zone.
import { writeCaddy } from './caddy.ts'
import type { ChangedHeaders } from './changed-headers.ts'
import type { ErrorPageKind } from './error-pages.ts'
import { writeHaproxy } from './haproxy.ts'
import { writeNginx } from './nginx.ts'

/** Addresses are `host:port`; those of the edge may be `unix:/path`. */
export interface ProxyConfigurationOptions {
  /** Name of the zone. The proxy serves it and all names below. */
  readonly zone: string
  /** Those that rules change. */
  readonly headers: ChangedHeaders
  /** Pages of rules for errors of the origin. Only HAProxy asks again when the response is there. */
  readonly errorPages: readonly ErrorPageKind[]
  /** Where the proxy listens. */
  readonly listen: string
  /** Where requests that pass go. */
  readonly origin: string
  /** Where the edge decides (--decisions). */
  readonly decisions: string
  /** Where the edge decides for HAProxy (--spop). */
  readonly spop: string
  /** The server, for reports of browsers; undefined: they go to the origin. */
  readonly reports: string | undefined
  /** What happens to requests while the edge is away. */
  readonly undecided: 'open' | 'closed'
}

export const PROXIES = ['nginx', 'haproxy', 'caddy'] as const
export type ProxyName = (typeof PROXIES)[number]

export interface WrittenConfiguration {
  readonly main: string
  /** A second file that the first one refers to, by the end of its name; undefined if there is none. */
  readonly other?: { readonly suffix: string; readonly text: string }
}

/**
 * The configuration of a proxy.
 *
 * @param path where the file will be: HAProxy's refers to the second file.
 * @throws Error if the proxy cannot do what the options say.
 */
export function proxyConfiguration(
  proxy: ProxyName,
  options: ProxyConfigurationOptions,
  path: string,
): WrittenConfiguration {
  switch (proxy) {
    case 'nginx':
      return { main: writeNginx(leaveOutUncopied(proxy, options)) }
    case 'haproxy':
      return writeHaproxy(leaveOutUncopied(proxy, options), path)
    case 'caddy':
      return { main: writeCaddy(leaveOutUncopied(proxy, options)) }
  }
}

const leaveOutUncopied = (
  proxy: ProxyName,
  options: ProxyConfigurationOptions,
): ProxyConfigurationOptions => {
  const { headers } = options
  return {
    ...options,
    headers: { ...headers, response: headers.response.filter((one) => isCopied(proxy, one)) },
  }
}

/**
 * Headers of responses that rules change and this proxy cannot: only HAProxy asks again when the response is there.
 * Several lines are one value for it, and nginx knows only one of those that the origin sends; cookies cannot be joined.
 */
export const uncopiedHeaders = (proxy: ProxyName, { response }: ChangedHeaders): readonly string[] =>
  response.filter((header) => !isCopied(proxy, header)).map(({ name }) => name)

const isCopied = (proxy: ProxyName, header: ChangedHeaders['response'][number]): boolean => {
  const areLinesKept = header.name !== 'set-cookie' || (proxy === 'caddy' && !header.isAddedTwice)
  return areLinesKept && (proxy === 'haproxy' || !header.readsResponse)
}
