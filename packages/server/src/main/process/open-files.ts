// Computes how many connections fit into the process's limit of open files, so that the database, transfers
// and outgoing requests keep enough.
import { readFileSync } from 'node:fs'
import type { Config } from '@zonereeve/config'
import type { Log } from '@zonereeve/platform'
import { encryptedEndpoints } from '../nameserver-guards.ts'

/**
 * For everything except client connections: about 40 when idle; queries, transfers and fetches are limited to
 * about 64 each.
 */
const RESERVED_FILES = 256
/** Share of connections if the limit is lower than twice the reserve. */
const LEAST_PART = 1 / 4
const LEAST_CONNECTIONS = 4

type Desired = Pick<Config, 'httpConnections' | 'dnsTcpConnections'>

/** Returns the configuration with as many connections as fit. Logs a warning if they are fewer than configured. */
export function fitConnections<Given extends Config>(
  config: Given,
  log: Pick<Log, 'warn'>,
  openFiles: number = openFileLimit(),
): Given {
  const { tls, https } = encryptedEndpoints(config) ?? {}
  const transports = 1 + (tls === undefined ? 0 : 1) + (https === undefined ? 0 : 1)
  const desired = config.httpConnections + transports * config.dnsTcpConnections
  const freeFiles = Math.max(openFiles - RESERVED_FILES, openFiles * LEAST_PART)
  if (desired <= freeFiles) return config
  const fitCount = (count: number): number =>
    Math.max(LEAST_CONNECTIONS, Math.floor((count * freeFiles) / desired))
  const fewer: Desired = {
    httpConnections: fitCount(config.httpConnections),
    dnsTcpConnections: fitCount(config.dnsTcpConnections),
  }
  log.warn({ openFiles, ...fewer }, 'fewer connections than configured: the limit of open files is too low')
  return { ...config, ...fewer }
}

/** Infinity if the system does not report a limit. */
function openFileLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity)
  } catch {
    return Infinity // there is no /proc: the configured limits apply
  }
}
