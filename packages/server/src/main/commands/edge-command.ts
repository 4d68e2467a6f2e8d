// zonereeve edge: follows a server and decides for proxies until it is asked to stop.
import { readFileSync } from 'node:fs'
import {
  startEdge,
  useLeakedPasswords,
  useLocations,
  useVerifiedBots,
  type Edge,
  type EdgeEndpoint,
  type EdgeOptions,
  type EdgeSocket,
} from '@zonereeve/edge'
import { parseCertificateNames, readAuthoritySettings } from '@zonereeve/certificates'
import { describeError, surviveStrayErrors } from '@zonereeve/platform'
import { createLog } from '../process/log.ts'
import { hostPort } from './sign-in-url.ts'
import { stopSignal } from './stop-signal.ts'

/** The options as they were given. */
export type EdgeFlags = Readonly<Record<string, string | boolean | undefined>>

/** @throws Error naming an invalid option. */
export async function edge(server: EdgeOptions['server'], flags: EdgeFlags): Promise<void> {
  const log = createLog('info')
  const options = readEdgeOptions(flags)
  const { leakedPasswords, geoip, verifiedBots } = flags
  useLeakedPasswords(typeof leakedPasswords === 'string' ? leakedPasswords : undefined, log)
  useLocations(filesIn(geoip), log)
  useVerifiedBots(filesIn(verifiedBots), log)
  const stopping = stopSignal()
  const unwatch = surviveStrayErrors(log)
  const running = await startEdge({ ...options, server, log })
  try {
    process.stdout.write(`ready${listenersOf(running)}\n`)
    await stopping
  } finally {
    await running.close()
    await log.flush()
    unwatch()
  }
}

const filesIn = (flag: EdgeFlags[string]): readonly string[] =>
  typeof flag === 'string' ? flag.split(',').map((path) => path.trim()) : []

const listenersOf = ({ decisions, proxy, proxyTls, spop }: Edge): string =>
  (decisions === undefined ? '' : ` decisions=${listenerText(decisions, 'http://')}`) +
  (proxy === undefined ? '' : ` proxy=http://${hostPort(proxy)}`) +
  (proxyTls === undefined ? '' : ` proxy-tls=https://${hostPort(proxyTls)}`) +
  (spop === undefined ? '' : ` spop=${listenerText(spop)}`)

/** As the options have it. @param scheme for one with a port */
export const listenerText = (listener: EdgeEndpoint | EdgeSocket, scheme = ''): string =>
  listener.port === undefined ? `${SOCKET}${listener.path}` : `${scheme}${hostPort(listener)}`

/** @throws Error naming an invalid option. */
export function readEdgeOptions(flags: EdgeFlags): Omit<EdgeOptions, 'server' | 'log'> {
  const text = (name: string): string | undefined => {
    const value = flags[name]
    return typeof value === 'string' ? value : undefined
  }
  const endpoint = (name: string, flag: string) => readEndpoint(text(name), flag)
  const [decisions, spop] = [
    readListener(text('decisions'), '--decisions'),
    readListener(text('spop'), '--spop'),
  ]
  const proxy = endpoint('proxy', '--proxy')
  const [proxyTls, certificates] = [endpoint('proxyTls', '--proxy-tls'), text('certificates')]
  if ((proxyTls === undefined) !== (certificates === undefined))
    throw new Error('--proxy-tls host:port and --certificates folder belong together')
  if ([decisions, proxy, proxyTls, spop].every((one) => one === undefined))
    throw new Error('an edge needs --decisions host:port, --spop host:port, --proxy host:port, or several')
  const keyFile = text('appsecKeyFile')
  const appSecKey = keyFile === undefined ? undefined : readFileSync(keyFile, 'utf8').trim()
  if (appSecKey === '') throw new Error(`--appsec-key-file: ${keyFile} is empty`)
  const port = text('originPort')
  if (port !== undefined && !isPort(port)) throw new Error(`--origin-port must be 1 to 65535; got ${port}`)
  return {
    folder: text('data'),
    undecided: readFailureModes(text('undecided')),
    decisions,
    appSecKey,
    proxy,
    ...(proxyTls && certificates !== undefined && { proxyTls: { ...proxyTls, certificates } }),
    ownCertificates: readOwnCertificates(text, certificates),
    spop,
    challengeKey: readChallengeKey(text('challengeKeyFile')),
    origins: {
      origin: endpoint('origin', '--origin'),
      scheme: oneOf('--origin-scheme', text('originScheme'), ['http', 'https']),
      port: port === undefined ? undefined : Number(port),
      isPrivateAllowed: flags['allowPrivateOrigins'] === true,
    },
  }
}

/** @throws Error naming the option. */
function readOwnCertificates(
  text: (name: string) => string | undefined,
  folder: string | undefined,
): EdgeOptions['ownCertificates'] {
  const [directory, names] = [text('acmeDirectory'), text('acmeNames')]
  const given = { email: text('acmeEmail'), terms: text('acmeTerms'), authority: text('acmeCa') }
  if (directory === undefined) {
    const isAlone = [names, ...Object.values(given)].some((value) => value !== undefined)
    if (isAlone)
      throw new Error('--acme-email, --acme-terms, --acme-names and --acme-ca need --acme-directory')
    return undefined
  }
  if (folder === undefined) throw new Error('--acme-directory needs --proxy-tls and --certificates')
  return {
    authority: withDashes(() => readAuthoritySettings({ directory, ...given })),
    names: names === undefined ? undefined : withDashes(() => parseCertificateNames(names), '--acme-names '),
  }
}

function withDashes<Read>(read: () => Read, prefix = '--'): Read {
  try {
    return read()
  } catch (error) {
    throw new Error(`${prefix}${describeError(error)}`, { cause: error })
  }
}

/** Phases by the names that the option has for them. */
const PHASES = {
  redirects: 'http_request_dynamic_redirect',
  ddos: 'ddos_l7',
  custom: 'http_request_firewall_custom',
  ratelimit: 'http_ratelimit',
  managed: 'http_request_firewall_managed',
  lists: 'http_request_redirect',
  access: 'ip_access',
  responses: 'http_response_headers_transform',
} as const

/** Managed rules are numerous and one layer of several; rules that somebody wrote for a site are not. */
const DEFAULT_MODES = 'closed,managed=open'

/** @throws Error naming the part that is invalid. */
function readFailureModes(text = DEFAULT_MODES): EdgeOptions['undecided'] {
  const [first = '', ...parts] = text.split(',').map((part) => part.trim())
  const mode = oneOf('--undecided', first, ['closed', 'open'])
  const phases = parts.map((part) => {
    const [name = '', value = ''] = part.split('=')
    const phase = Object.entries(PHASES).find(([known]) => known === name)?.[1]
    if (phase === undefined)
      throw new Error(`--undecided: a phase is one of ${Object.keys(PHASES).join(', ')}; got ${name}`)
    return [phase, oneOf(`--undecided ${name}=`, value, ['closed', 'open'])] as const
  })
  return { mode, phases: new Map(phases) }
}

const MIN_KEY_BYTES = 16

function readChallengeKey(file: string | undefined): Uint8Array | undefined {
  if (file === undefined) return undefined
  const key = readFileSync(file)
  if (key.length < MIN_KEY_BYTES)
    throw new Error(`--challenge-key-file: ${file} must have at least ${MIN_KEY_BYTES} bytes`)
  return key
}

/** The first choice is the default. */
export function oneOf<const Choice extends string>(
  flag: string,
  value: string | undefined,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const chosen = value === undefined ? choices[0] : choices.find((choice) => choice === value)
  if (chosen === undefined) throw new Error(`${flag} must be ${choices.join(' or ')}; got ${value}`)
  return chosen
}

const MAX_PORT = 65_535
const isPort = (text: string): boolean =>
  /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_PORT

const SOCKET = 'unix:'
/** Nothing that means more than a path in a configuration, and no more octets than Linux takes. */
const SOCKET_PATH = /^\/[\w./@+-]{1,106}$/

/** A port, or a socket in the file system: `unix:/path`. @throws Error naming the option. */
export function readListener(text: string | undefined, flag: string): EdgeEndpoint | EdgeSocket | undefined {
  if (text?.startsWith(SOCKET) !== true) return readEndpoint(text, flag)
  const path = text.slice(SOCKET.length)
  if (!SOCKET_PATH.test(path))
    throw new Error(
      `${flag} must be ${SOCKET} and an absolute path of at most 107 characters (letters, digits, . _ - + @); got ${text}`,
    )
  return { path }
}

export function readEndpoint(text: string | undefined, flag: string): EdgeEndpoint | undefined {
  if (text === undefined) return undefined
  const [, bracketed, plain, port = ''] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/i.exec(text) ?? []
  const host = bracketed ?? plain
  if (host === undefined || Number(port) > MAX_PORT)
    throw new Error(`${flag} must be host:port, like 127.0.0.1:8090; got ${text}`)
  return { host, port: Number(port) }
}
