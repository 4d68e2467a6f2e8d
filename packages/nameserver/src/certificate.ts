// The certificate of the encrypted transports. It is read again when its files have changed, so renewal tools need
// not notify the server.
import { readFile, stat } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { Log } from './log.ts'

/** Milliseconds between checks of the files. */
export const CERTIFICATE_LOOK_MS = 10_000

/** PEM. */
export interface Certificate {
  /** Includes the intermediate certificates that clients need. */
  readonly cert: Buffer
  readonly key: Buffer
}

export interface CertificateFiles {
  readonly certificate: string
  readonly key: string
}

/** Reads both files. @throws if one cannot be read or the key does not match the certificate */
export async function readCertificate(files: CertificateFiles): Promise<Certificate> {
  const [cert, key] = await Promise.all([readFile(files.certificate), readFile(files.key)])
  createSecureContext({ cert, key })
  return { cert, key }
}

export interface CertificateWatch {
  /** Checks now. */
  look(): Promise<void>
  stop(): void
}

/**
 * Checks every `everyMs` whether a file has changed, and calls `use` with the new certificate. If it cannot be used
 * (the key may not be written yet), the old one stays in use and the next check tries again.
 */
export function watchCertificate(
  files: CertificateFiles,
  {
    everyMs,
    log,
    use,
  }: { everyMs: number; log: Log; use: (certificate: Certificate) => void | Promise<void> },
): CertificateWatch {
  let seen: string | undefined
  let isLooking = false
  const look = async (): Promise<void> => {
    if (isLooking) return
    isLooking = true
    try {
      const state = await stateOf(files)
      // Also at the first look: the files may have changed since they were read.
      if (state !== seen) await use(await readCertificate(files))
      if (seen !== undefined && state !== seen)
        log.info({ certificate: files.certificate }, 'certificate loaded')
      seen = state
    } catch (error) {
      log.warn({ err: error, certificate: files.certificate }, 'certificate not loaded')
    } finally {
      isLooking = false
    }
  }
  void look()
  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  return { look, stop: () => clearInterval(timer) }
}

/** The version of the files on disk. Links are followed, because renewal may point them to new files. */
async function stateOf(files: CertificateFiles): Promise<string> {
  const both = await Promise.all([stat(files.certificate), stat(files.key)])
  return both.map(({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`).join()
}
