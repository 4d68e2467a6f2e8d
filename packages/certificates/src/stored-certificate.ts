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

const RENEWAL = 2 / 3
/** Part of the life over which renewals are spread. */
const SPREAD = 1 / 30

/** The first name names the file. */
export const certificatePath = (folder: string, [first = '']: readonly string[]): string =>
  join(folder, `${first.replace('*', '_')}.pem`)

/** @returns undefined if there is none, it is not usable, for other names, or a placeholder. */
export function readStored(path: string, names: readonly string[]): StoredCertificate | undefined {
  try {
    const pem = readFileIfAny(path)
    if (pem === undefined) return undefined
    const certificate = new X509Certificate(pem)
    const isSelfSigned = certificate.subject === certificate.issuer
    if (isSelfSigned || namesIn(certificate).join() !== [...names].toSorted().join()) return undefined
    const [startsMillis, endsMillis] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
    const renewMillis =
      startsMillis + (endsMillis - startsMillis) * (RENEWAL + SPREAD * fractionOf(certificate.raw))
    return { startsMillis, endsMillis, renewMillis }
  } catch {
    // A new one replaces what is not readable.
    return undefined
  }
}

const namesIn = ({ subjectAltName = '' }: X509Certificate): string[] =>
  [...subjectAltName.matchAll(/(?:^|, )DNS:([\w.*-]+)/g)]
    .map(([, name = '']) => name.toLowerCase())
    .toSorted()

/** The same for the same certificate, also after a restart. */
const fractionOf = (raw: Buffer): number => createHash('sha256').update(raw).digest().readUInt32BE() / 2 ** 32

/** Until there is a certificate, listeners have one that no client accepts. */
export async function ensurePlaceholder(folder: string, names: readonly string[]): Promise<void> {
  const path = certificatePath(folder, names)
  if (existsSync(path)) return
  // Loaded only when it is needed.
  const { createPlaceholder } = await import('./authority.ts')
  replaceFile(path, await createPlaceholder(names))
}
