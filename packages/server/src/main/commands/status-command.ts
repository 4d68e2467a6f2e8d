// zonereeve status: asks the server of this configuration whether it is ready.
import { isIPv6 } from 'node:net'
import type { Config, Endpoint } from '../../config/index.ts'
import { describeError } from '@zonereeve/platform'

const TIMEOUT_MILLIS = 5_000

export interface Readiness {
  readonly url: string
  readonly isReady: boolean
  /** Why it is not ready, or what it cannot read although it is. */
  readonly problems: readonly string[]
}

/** @returns the exit code. */
export async function statusCommand(config: Pick<Config, 'http'>, isJson: boolean): Promise<number> {
  const { url, isReady, problems } = await readinessOf(config)
  process.stdout.write(
    isJson
      ? `${JSON.stringify({ url, ready: isReady, problems })}\n`
      : [`${url}: ${isReady ? 'ready' : 'not ready'}`, ...problems, ''].join('\n'),
  )
  return isReady ? 0 : 1
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
