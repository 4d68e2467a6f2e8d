// What an operator sets: the same names for the server and for the edge, as settings and as flags.
import { readFileSync } from 'node:fs'
import type { AuthoritySettings } from './authority.ts'

const NAME =
  /^(?=.{1,253}$)(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const EMAIL = /^[^\s@,?]+@[^\s@,?]+$/
/** As most authorities limit it. */
const MAX_NAMES = 100

export interface GivenSettings {
  readonly directory: string
  readonly email: string | undefined
  /** `agreed`, or whatever else was given. */
  readonly terms: string | undefined
  /** PEM file. */
  readonly authority: string | undefined
}

/** @throws Error naming the setting, without dashes before it. */
export function readAuthoritySettings({
  directory,
  email,
  terms,
  authority,
}: GivenSettings): AuthoritySettings {
  if (!URL.canParse(directory) || new URL(directory).protocol !== 'https:')
    throw new Error(`acme-directory must be the https URL of an ACME directory; got ${directory}`)
  if (terms !== 'agreed')
    throw new Error(
      'acme-terms must be "agreed": an account at the certificate authority needs your agreement to its terms of service',
    )
  if (email !== undefined && !EMAIL.test(email))
    throw new Error(`acme-email must be one address; got ${email}`)
  return { directory, email, authorityCertificate: authority === undefined ? undefined : readPem(authority) }
}

function readPem(file: string): string {
  let pem: string
  try {
    pem = readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`acme-ca: ${file} cannot be read: ${String(error)}`, { cause: error })
  }
  if (!pem.includes('-----BEGIN CERTIFICATE-----'))
    throw new Error(`acme-ca: ${file} has no certificate (PEM)`)
  return pem
}

/** @throws Error about the first one that is wrong. */
export function parseCertificateNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim().toLowerCase())
  const wrong = names.find((name) => !NAME.test(name))
  if (wrong !== undefined)
    throw new Error(
      `must be host names and wildcards like *.example.com, separated by commas; got "${wrong}"`,
    )
  const all = [...new Set(names)]
  if (all.length > MAX_NAMES) throw new Error(`must be at most ${MAX_NAMES} names; got ${all.length}`)
  return all
}
