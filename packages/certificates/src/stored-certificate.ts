// A certificate and its key in one file, so that they are replaced together.
import { createHash, X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readFileIfAny, replaceFile } from './private-file.ts'

export interface StoredCertificate {
  readonly startsMillis: number
  readonly endsMillis: number
  /** When it is to be renewed: after two thirds of its life, a little later for some than for others. */
  readonly renewMillis: number
}

/** Before the first certificate: marks files that may be replaced; those of an operator lack it. */
const MARK = 'Written by Zonereeve, which replaces it.\n'
const RENEWAL = 2 / 3
/** Part of the life over which renewals are spread. */
const SPREAD = 1 / 30

/** The first name names the file. */
export const certificatePath = (folder: string, [first = '']: readonly string[]): string =>
  join(folder, `${first.replace('*', '_')}.pem`)

/** @returns undefined if there is none, or none that `readCertificate` reads. */
export function readStored(path: string, names: readonly string[]): StoredCertificate | undefined {
  try {
    const pem = readFileIfAny(path)
    return pem === undefined ? undefined : readCertificate(pem, names)
  } catch {
    // A new one replaces what is not readable.
    return undefined
  }
}

/**
 * @returns undefined if it lacks one of the names, or is a placeholder. More names are the authority's choice: another
 *   order would get them again.
 * @throws Error if it is no certificate.
 */
export function readCertificate(pem: string, names: readonly string[]): StoredCertificate | undefined {
  const certificate = new X509Certificate(pem)
  const found = namesIn(certificate)
  const isSelfSigned = certificate.subject === certificate.issuer
  if (isSelfSigned || !names.every((name) => found.includes(name))) return undefined
  const [startsMillis, endsMillis] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
  const renewMillis =
    startsMillis + (endsMillis - startsMillis) * (RENEWAL + SPREAD * fractionOf(certificate.raw))
  return { startsMillis, endsMillis, renewMillis }
}

/** @throws Error naming a file of somebody else, who may have the only copy of its key. */
export function requireReplaceable(path: string): void {
  const key = path.replace(/pem$/, 'key')
  const other = existsSync(key) ? key : path
  const isOurs = other === path && (readFileIfAny(path)?.startsWith(MARK) ?? true) // there is none yet
  if (!isOurs) throw new Error(`${other} was not written by Zonereeve, and stays: move it to another folder`)
}

/** @throws Error naming a file of somebody else. */
export function storeCertificate(path: string, pem: string): void {
  requireReplaceable(path)
  replaceFile(path, MARK + pem)
}

const namesIn = ({ subjectAltName = '' }: X509Certificate): string[] =>
  [...subjectAltName.matchAll(/(?:^|, )DNS:([\w.*-]+)/g)].map(([, name = '']) => name.toLowerCase())

/** The same for the same certificate, also after a restart. */
const fractionOf = (raw: Buffer): number => createHash('sha256').update(raw).digest().readUInt32BE() / 2 ** 32

/** Until there is a certificate, listeners have one that no client accepts. */
export async function ensurePlaceholder(folder: string, names: readonly string[]): Promise<void> {
  const path = certificatePath(folder, names)
  if (existsSync(path)) return
  // Loaded only when it is needed.
  const { createPlaceholder } = await import('./authority.ts')
  storeCertificate(path, await createPlaceholder(names))
}
