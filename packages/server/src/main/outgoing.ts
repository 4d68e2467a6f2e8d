// The program's outgoing connections, as configured: the resolver, with the configured servers or those of the
// system; DNS scans, which use it; and HTTP requests to URLs that users or browsers supply.
import {
  createAddressGuard,
  createHostAddresses,
  createSafeFetch,
  systemHostAddresses,
  type SafeFetch,
} from '@zonereeve/safe-fetch'
import { randomBytes } from 'node:crypto'
import { getServers } from 'node:dns'
import { isIPv6 } from 'node:net'
import { environmentWithoutSettings, type Config } from '@zonereeve/config'
import { environmentOfBrowser, scanPage } from '@zonereeve/page-scanner'
import type { ScanPage } from '../features/monitoring/script-fetching/index.ts'
import type { Clock, Log } from '@zonereeve/platform'
import { createMailer, type Mailer } from '@zonereeve/alerts'
import { VERSION } from '../version.ts'
import {
  createAskServer,
  createResolver,
  createStub,
  DEFAULT_RESOLVER_LIMITS,
  type Resolver,
  type Server,
} from '@zonereeve/resolver'
import { createDnsScan, DEFAULT_DNS_SCAN_LIMITS, type DnsScan } from '@zonereeve/dns-scan'

const DNS_PORT = 53

/** @returns undefined if the resolver is off. */
export function startResolver(
  { resolver: configured }: Pick<Config, 'resolver'>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Resolver | undefined {
  if (configured === 'off') return undefined
  const servers = resolverServers(configured)
  log.info({ servers }, 'resolver')
  const limits = DEFAULT_RESOLVER_LIMITS
  const ask = createStub({ servers, random: randomBytes, limits })
  return createResolver({ ask, clock, log, limits })
}

/** The configured ones, or those of the system. */
export const resolverServers = (configured: Exclude<Config['resolver'], 'off'>): readonly Server[] =>
  configured === 'system' ? getServers().map(readServer) : configured

/** @returns undefined if neither a resolver nor servers are configured. */
export function startDnsScan(
  { scanServers: servers }: Pick<Config, 'scanServers'>,
  resolver: Resolver | undefined,
): DnsScan | undefined {
  if (resolver === undefined && servers.length === 0) return undefined
  const limits = DEFAULT_DNS_SCAN_LIMITS
  const askServer = createAskServer({ random: randomBytes, limits, recursion: false })
  return createDnsScan({ resolver, servers, askServer, random: randomBytes, limits })
}

/** Parses addresses in Node's notation: `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` and `[2001:db8::1]:5353`. */
function readServer(text: string): Server {
  const match = /^\[?(.+?)\]?:(\d+)$/.exec(text)
  if (match === null || isIPv6(text)) return { host: text, port: DNS_PORT }
  return { host: match[1] ?? text, port: Number(match[2]) }
}

/** @param purpose part of `User-Agent`, for operators of the sites that are fetched. */
export function createConfiguredFetch(
  config: Outgoing,
  purpose: 'script scanner' | 'page checks' | 'threat feeds' | 'webhooks',
): SafeFetch {
  return createSafeFetch({ ...rulesOf(config), userAgent: `Zonereeve/${VERSION} (${purpose})` })
}

/** Scans with the Chromium of this machine, if it has one. It has a sandbox unless it runs as root. */
export function createConfiguredScan({ chromium, ...config }: Outgoing & Pick<Config, 'chromium'>): ScanPage {
  const environment = environmentOfBrowser(environmentWithoutSettings())
  const hasSandbox = process.getuid?.() !== 0
  return (url, signal) => scanPage(url, { ...rulesOf(config), chromium, environment, hasSandbox }, signal)
}

type Outgoing = Pick<Config, 'fetchNetworks' | 'fetchPorts' | 'resolver'>

function rulesOf({ fetchNetworks, fetchPorts: ports, resolver }: Outgoing) {
  const servers = resolver === 'off' ? [] : resolver
  const hostAddresses = servers === 'system' ? systemHostAddresses : createHostAddresses(servers)
  return { mayConnect: createAddressGuard(fetchNetworks), hostAddresses, ports }
}

/** undefined if no SMTP server is configured. @throws Error: a setting is missing. */
export function configuredMailer({
  smtpUrl: server,
  smtpFrom: from,
  smtpPassword: password,
}: Pick<Config, 'smtpUrl' | 'smtpFrom' | 'smtpPassword'>): Mailer | undefined {
  if (server === undefined) return undefined
  if (from === undefined) throw new Error('smtp-from is needed with smtp-url: it is the sender of e-mails')
  if (server.user !== null && password === undefined)
    throw new Error('smtp-password is needed: smtp-url has a user')
  return createMailer({ server, password, from })
}
