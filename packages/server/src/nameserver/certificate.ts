// The certificate of encrypted transports, read again when its files have changed: who renews it need not tell us.
import { readFile, stat } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { Log } from '../platform/log.ts'

/** PEM. */
export interface Certificate {
  /** With the intermediate ones that clients need. */
  readonly cert: Buffer
  readonly key: Buffer
}

export interface CertificateFiles {
  readonly certificate: string
  readonly key: string
}

/** Reads both files. @throws when one cannot be read, or the key is not that of the certificate */
export async function readCertificate(files: CertificateFiles): Promise<Certificate> {
  const [cert, key] = await Promise.all([readFile(files.certificate), readFile(files.key)])
  createSecureContext({ cert, key })
  return { cert, key }
}

/**
 * Looks every `everyMs` whether a file has changed, and gives `use` the new certificate. One that cannot be used (its key may
 * be still to come) leaves the old one in use and is tried again at the next look. Returns what ends it.
 */
export function watchCertificate(
  files: CertificateFiles,
  { everyMs, log, use }: { everyMs: number; log: Log; use: (certificate: Certificate) => void },
): () => void {
  let seen: string | undefined
  let isLooking = false
  const look = async (): Promise<void> => {
    if (isLooking) return
    isLooking = true
    try {
      const state = await stateOf(files)
      if (seen !== undefined && state !== seen) {
        use(await readCertificate(files))
        log.info({ certificate: files.certificate }, 'certificate loaded')
      }
      seen = state
    } catch (error) {
      log.warn({ error, certificate: files.certificate }, 'certificate not loaded')
    } finally {
      isLooking = false
    }
  }
  void look()
  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Which version of the files is there. Links are followed: renewal may turn them to new files. */
async function stateOf(files: CertificateFiles): Promise<string> {
  const both = await Promise.all([stat(files.certificate), stat(files.key)])
  return both.map(({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`).join()
}
