// Configuration of the client commands: flags, then environment, then the default address. Environment
// variables of the public API's tools are supported.
import { readFileSync } from 'node:fs'

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

/** @throws ClientConfigError naming what is missing. */
export function loadClientConfig(
  flags: { readonly url?: string | undefined },
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ClientConfig {
  const given =
    flags.url ?? environment['ZONEREEVE_URL'] ?? environment['CLOUDFLARE_BASE_URL'] ?? DEFAULT_BASE_URL
  const token = readToken(environment)
  if (token === undefined)
    throw new ClientConfigError('no token: set ZONEREEVE_TOKEN (or ZONEREEVE_TOKEN_FILE)')
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new ClientConfigError(`url "${given}": must be an HTTP URL, like ${DEFAULT_BASE_URL}`)
  const bare = given.replace(/\/+$/, '')
  if (new URL(given).pathname !== '/') return { baseUrl: bare, token, notes: [] }
  const baseUrl = bare + BASE_PATH
  return { baseUrl, token, notes: [`the URL ${bare} has no path; using ${baseUrl}`] }
}

function readToken(environment: Readonly<Record<string, string | undefined>>): string | undefined {
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
