// zonereeve status: asks the server of this configuration whether it is ready.
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { readAttempts } from '@zonereeve/certificates'
import type { Config, Endpoint } from '@zonereeve/config'
import { describeError } from '@zonereeve/platform'
import { ownCertificate } from '../own-certificate.ts'

const TIMEOUT_MILLIS = 5_000

export interface Readiness {
  readonly url: string
  readonly isReady: boolean
  /** Why it is not ready, or what it cannot read although it is. */
  readonly problems: readonly string[]
}

/** @returns the exit code. */
export async function statusCommand(config: Config, isJson: boolean): Promise<number> {
  const { url, isReady, problems } = await readinessOf(config)
  const certificate = certificateOf(config)
  process.stdout.write(
    isJson
      ? `${JSON.stringify({ url, ready: isReady, problems, certificate })}\n`
      : [`${url}: ${isReady ? 'ready' : 'not ready'}`, ...problems, ...linesOf(certificate), ''].join('\n'),
  )
  return isReady ? 0 : 1
}

interface CertificateStatus {
  readonly path: string
  /** null = it cannot be read. */
  readonly ends: string | null
  /** Why the last order failed, if the server gets its certificate itself; null = it did not. */
  readonly problem: string | null
}

/** @returns null without TLS. @throws ConfigError naming a setting. */
function certificateOf(config: Config): CertificateStatus | null {
  const own = ownCertificate(config)
  const path = own?.path ?? config.tlsCertificate
  if (path === undefined) return null
  return { path, ends: endOf(path), problem: readAttempts(path)?.problem ?? null } // no failed order
}

function endOf(path: string): string | null {
  try {
    return new Date(new X509Certificate(readFileSync(path)).validTo).toISOString()
  } catch {
    // doctor says why.
    return null
  }
}

function linesOf(certificate: CertificateStatus | null): readonly string[] {
  if (certificate === null) return []
  const { path, ends, problem } = certificate
  const line = `${path}: ${ends === null ? 'cannot be read' : `ends ${ends}`}`
  return [line, ...(problem === null ? [] : [`${path}: the last order failed: ${problem}`])]
}

export async function readinessOf({ http }: Pick<Config, 'http'>): Promise<Readiness> {
  const url = `http://${reachableHost(http)}:${http.port}/readyz`
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MILLIS) })
    const lines = (await response.text()).split('\n').filter((line) => line !== '' && line !== 'ok')
    const isOurs = response.ok || response.status === 503
    return isOurs
      ? { url, isReady: response.ok, problems: response.ok ? lines : ['it cannot write its database'] }
      : { url, isReady: false, problems: [`another program answers there, with status ${response.status}`] }
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    return { url, isReady: false, problems: [`no answer: ${describeError(cause)}`] }
  }
}

/** A server that listens on all addresses is reached by loopback. */
export function reachableHost({ host }: Endpoint): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return isIPv6(host) ? `[${host}]` : host
}
