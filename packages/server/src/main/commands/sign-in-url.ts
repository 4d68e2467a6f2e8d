// The URL of a one-time link, for a person at the terminal of the server.
import type { Config, Endpoint } from '@zonereeve/config'

/** The token is in the fragment, which browsers do not send: proxies do not log it. */
export const signInUrl = ({ publicUrl }: Pick<Config, 'publicUrl'>, http: Endpoint, token: string): string =>
  `${publicUrl ?? `http://${hostPort(reachable(http))}`}/sign-in#link=${token}`

export const hostPort = ({ host, port }: Endpoint): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`

/** A server that listens on all addresses is reached by this one. */
const reachable = ({ host, port }: Endpoint): Endpoint =>
  host === '0.0.0.0' || host === '::' ? { host: 'localhost', port } : { host, port }
