// Configuration of the client commands: flags, then environment, then the default address. Environment
// variables of the public API's tools are supported.
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { environmentOfBrowser } from '@zonereeve/page-scanner'

export interface ClientConfig {
  /** Base URL of the API, ending in its version, without a trailing slash. */
  readonly baseUrl: string
  readonly token: string
  /** Notices for the user at the terminal. */
  readonly notes: readonly string[]
}

/** A setting of the client commands is missing or wrong. The cause of an unreadable file is the system's error. */
export class ClientConfigError extends Error {
  override readonly name = 'ClientConfigError'
}

const BASE_PATH = '/client/v4'
const DEFAULT_BASE_URL = `http://127.0.0.1:8080${BASE_PATH}`

/** A server that `zonereeve login` has stored. */
export interface StoredServer {
  /** Base URL of its API. */
  readonly url: string
  readonly token: string
}

/**
 * The address and its token come from the same place, so that a stored token is not sent to another server.
 *
 * @param stored finds the stored server of a name, or the current one. @throws ClientConfigError naming what is missing.
 */
export function loadClientConfig(
  flags: { readonly url?: string | undefined; readonly server?: string | undefined },
  environment: Readonly<Record<string, string | undefined>> = process.env,
  stored: (name: string | undefined) => StoredServer | undefined = () => undefined,
): ClientConfig {
  const token = readToken(environment)
  const url = flags.url ?? environment['ZONEREEVE_URL'] ?? environment['CLOUDFLARE_BASE_URL']
  const name = flags.server ?? (flags.url === undefined ? environment['ZONEREEVE_SERVER'] : undefined)
  if (name !== undefined || (url === undefined && token === undefined)) {
    const server = stored(name)
    if (server !== undefined) return { ...readBaseUrl(server.url), token: server.token }
  }
  if (token === undefined)
    throw new ClientConfigError(
      'no token: set ZONEREEVE_TOKEN (or ZONEREEVE_TOKEN_FILE), or use zonereeve login',
    )
  return { ...readBaseUrl(url ?? DEFAULT_BASE_URL), token }
}

/**
 * The token of the server that an account is imported from. As an argument, other users of the machine would see it.
 *
 * @throws ClientConfigError.
 */
export function readSourceToken(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const { ZONEREEVE_SOURCE_TOKEN: token, ZONEREEVE_SOURCE_TOKEN_FILE: file } = environment
  if (token !== undefined) return token
  if (file === undefined)
    throw new ClientConfigError(
      'no token of the source: set ZONEREEVE_SOURCE_TOKEN, or ZONEREEVE_SOURCE_TOKEN_FILE',
    )
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new ClientConfigError('environment ZONEREEVE_SOURCE_TOKEN_FILE', { cause: error })
  }
}

/** Adds the path if there is none. @throws ClientConfigError. */
export function readBaseUrl(given: string): Pick<ClientConfig, 'baseUrl' | 'notes'> {
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new ClientConfigError(`url "${given}": must be an HTTP URL, like ${DEFAULT_BASE_URL}`)
  const bare = given.replace(/\/+$/, '')
  if (new URL(given).pathname !== '/') return { baseUrl: bare, notes: [] }
  const baseUrl = bare + BASE_PATH
  return { baseUrl, notes: [`the URL ${bare} has no path; using ${baseUrl}`] }
}

/** Path of the file of stored servers; `$XDG_CONFIG_HOME` or `~/.config`. */
export function serversPath(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const folder = environment['XDG_CONFIG_HOME'] ?? join(homedir(), '.config')
  return join(folder, 'zonereeve', 'servers.json')
}

/** The environment for a browser: other variables may be secrets. */
export const environmentForBrowser = () => environmentOfBrowser(process.env)

/** The token of the environment. @throws ClientConfigError: its file cannot be read. */
export function readToken(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const file = environment['ZONEREEVE_TOKEN_FILE']
  if (environment['ZONEREEVE_TOKEN'] !== undefined || file === undefined) {
    return (
      environment['ZONEREEVE_TOKEN'] ??
      environment['CLOUDFLARE_API_TOKEN'] ??
      environment['ZONEREEVE_ADMIN_TOKEN']
    )
  }
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new ClientConfigError('environment ZONEREEVE_TOKEN_FILE', { cause: error })
  }
}
