// The resolver as configured: the servers that were named, or those of the system; and surveys with its help.
import { randomBytes } from 'node:crypto'
import { getServers } from 'node:dns'
import { isIPv6 } from 'node:net'
import type { Config } from '../config/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import {
  createAskServer,
  createResolver,
  createStub,
  DEFAULT_RESOLVER_LIMITS,
  type Resolver,
  type Server,
} from '../resolver/index.ts'
import { createSurvey, DEFAULT_SURVEY_LIMITS, type Survey } from '../survey/index.ts'

const DNS_PORT = 53
const SWEEP_INTERVAL_MS = 1000

/** @returns undefined when it is off. */
export function startResolver(
  { resolver: configured }: Pick<Config, 'resolver'>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Resolver | undefined {
  if (configured === 'off') return undefined
  const servers = configured === 'system' ? getServers().map(readServer) : configured
  log.info({ servers }, 'resolver')
  const limits = DEFAULT_RESOLVER_LIMITS
  const ask = createStub({ servers, random: randomBytes, limits })
  const resolver = createResolver({ ask, clock, log, limits })
  const sweeping = setInterval(() => resolver.sweep(), SWEEP_INTERVAL_MS).unref()
  return {
    ...resolver,
    get isAnswering() {
      return resolver.isAnswering
    },
    close() {
      clearInterval(sweeping)
      return resolver.close()
    },
  }
}

/** @returns undefined where neither a resolver nor servers are configured: nobody could be asked. */
export function startSurvey(
  { scanServers: servers }: Pick<Config, 'scanServers'>,
  resolver: Resolver | undefined,
): Survey | undefined {
  if (resolver === undefined && servers.length === 0) return undefined
  const limits = DEFAULT_SURVEY_LIMITS
  const askServer = createAskServer({ random: randomBytes, limits, recursion: false })
  return createSurvey({ resolver, servers, askServer, random: randomBytes, limits })
}

/** Node writes `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` and `[2001:db8::1]:5353`. */
function readServer(text: string): Server {
  const match = /^\[?(.+?)\]?:(\d+)$/.exec(text)
  if (match === null || isIPv6(text)) return { host: text, port: DNS_PORT }
  return { host: match[1] ?? text, port: Number(match[2]) }
}
