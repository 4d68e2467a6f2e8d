// Whether UDP is read and sent by the batch, as configured and as the system can; said once, at the start.
import type { Config } from '../config/index.ts'
import { findSystemCalls, type SystemCalls } from '../nameserver/index.ts'
import type { Log } from '../platform/log.ts'

/** Undefined: every packet has system calls of its own. */
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
