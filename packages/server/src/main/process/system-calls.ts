// Decides whether UDP packets are received and sent in batches, by configuration and system support; logged
// once at start.
import type { Config } from '@zonereeve/config'
import { findSystemCalls, type SystemCalls } from '@zonereeve/nameserver'
import type { Log } from '@zonereeve/platform'

/** Undefined: one system call per packet. */
export async function systemCallsOf(
  { dnsBatching }: Pick<Config, 'dnsBatching'>,
  log: Log,
): Promise<SystemCalls | undefined> {
  if (!dnsBatching) {
    log.info({ batching: false, reason: 'off' }, 'dns batching')
    return undefined
  }
  const found = await findSystemCalls()
  if (found.calls === undefined) log.info({ batching: false, reason: found.reason }, 'dns batching')
  else log.info({ batching: true }, 'dns batching')
  return found.calls
}
