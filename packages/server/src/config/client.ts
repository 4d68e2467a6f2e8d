// Where the client commands find a server: flags, then environment, then the usual address. Existing shells that speak
// to the public API are understood.
import { readFileSync } from 'node:fs'
import { ConfigError, messageOf } from './config.ts'

export interface ClientConfig {
  /** Base URL of the API, ending in its version, without a trailing slash. */
  readonly baseUrl: string
  readonly token: string
}

const USUAL_BASE_URL = 'http://127.0.0.1:8080/client/v4'

/** @throws ConfigError naming what is missing. */
export function loadClientConfig(
  flags: { readonly url?: string | undefined },
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ClientConfig {
  const baseUrl =
    flags.url ?? environment['ZONEREEVE_URL'] ?? environment['CLOUDFLARE_BASE_URL'] ?? USUAL_BASE_URL
  const token = readToken(environment)
  if (token === undefined) throw new ConfigError(['no token: set ZONEREEVE_TOKEN (or ZONEREEVE_TOKEN_FILE)'])
  if (!URL.canParse(baseUrl))
    throw new ConfigError([`url "${baseUrl}": must be a URL, like ${USUAL_BASE_URL}`])
  return { baseUrl: baseUrl.replace(/\/+$/, ''), token }
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
    throw new ConfigError([`environment ZONEREEVE_TOKEN_FILE: ${messageOf(error)}`])
  }
}
