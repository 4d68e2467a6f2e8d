// Configured protection of the nameserver: cookies, rate limits, and the certificate of encrypted transports.
import { BoundedMap } from '@zonereeve/cooperate'
import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { BlockList, isIPv6 } from 'node:net'
import { ConfigError, type Config } from '../config/index.ts'
import {
  COOKIE_SECRET_OCTETS,
  createCookies,
  createRateLimits,
  type EncryptedEndpoints,
  type NameserverOptions,
  type RateLimits,
} from '@zonereeve/nameserver'
import type { Clock } from '../platform/clock.ts'
import { describeFileError } from '../platform/system-error.ts'

/** Number of rate-limited addresses whose exemption is cached. */
const REMEMBERED_ADDRESSES = 4096

/** Guards of the nameserver. */
export function nameserverGuards(
  config: Config,
  { now }: Pick<Clock, 'now'>,
): Pick<NameserverOptions, 'cookies' | 'rateLimits' | 'nsid' | 'limits'> {
  const randomSecret = (): Uint8Array => randomBytes(COOKIE_SECRET_OCTETS)
  return {
    cookies: createCookies({ now, randomSecret, secrets: config.dnsCookieSecrets }),
    rateLimits: rateLimitsOf(config, now),
    limits: {
      tcpConnections: config.dnsTcpConnections,
      tcpConnectionsPerAddress: config.dnsTcpConnectionsPerAddress,
      tcpIdleMs: config.dnsTcpIdleSeconds * 1_000,
    },
    nsid: config.dnsNsid === '' ? undefined : Buffer.from(config.dnsNsid, 'latin1'),
  }
}

/**
 * Endpoints of encrypted transports; undefined without a certificate.
 *
 * @throws ConfigError: only one of the two files is configured, which would silently disable the transports, or
 * they do not contain a certificate and its key
 */
export function encryptedEndpoints(config: Config): EncryptedEndpoints | undefined {
  const { tlsCertificate: certificate, tlsKey: key, dnsTls: tls, dnsHttps: https } = config
  if (certificate === undefined && key === undefined) return undefined
  if (certificate === undefined || key === undefined) {
    const [missing, given] =
      key === undefined ? ['tls-key', 'tls-certificate'] : ['tls-certificate', 'tls-key']
    throw new ConfigError([`${missing}: must be given together with ${given}`])
  }
  checkCertificate({ certificate, key })
  return { files: { certificate, key }, tls, https }
}

/** @throws ConfigError naming the setting with the invalid file */
function checkCertificate(files: EncryptedEndpoints['files']): void {
  const certificate = readSetting(
    'tls-certificate',
    files.certificate,
    'a certificate',
    (pem) => new X509Certificate(pem),
  )
  const key = readSetting('tls-key', files.key, 'a private key without passphrase', createPrivateKey)
  if (!certificate.checkPrivateKey(key))
    throw new ConfigError([
      `tls-key "${files.key}": is not the key of the certificate "${files.certificate}"`,
    ])
}

function readSetting<Read>(name: string, path: string, what: string, read: (pem: Buffer) => Read): Read {
  const problem = (text: string): ConfigError => new ConfigError([`${name} "${path}": ${text}`])
  let pem: Buffer
  try {
    pem = readFileSync(path)
  } catch (error) {
    throw problem(describeFileError(error))
  }
  try {
    return read(pem)
  } catch {
    // The platform's message names neither the file nor the setting.
    throw problem(`must hold ${what} (PEM)`)
  }
}

function rateLimitsOf(
  { dnsRateLimit: perSecond, dnsRateSlip: slip, dnsRateExempt }: Config,
  now: () => number,
): RateLimits | undefined {
  if (perSecond === undefined) return undefined
  const exempt = new BlockList()
  for (const network of dnsRateExempt) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    exempt.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  const isExempt = memoizeExempt((address) => exempt.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'))
  return createRateLimits({ perSecond, slip, isExempt, now, seed: randomBytes(4).readUInt32BE() })
}

/** Searching the block list costs more than answering a query, and one address sends many. */
function memoizeExempt(isExempt: (address: string) => boolean): (address: string) => boolean {
  const known = new BoundedMap<string, boolean>(REMEMBERED_ADDRESSES)
  return (address) => {
    let found = known.get(address)
    if (found === undefined) known.set(address, (found = isExempt(address)))
    return found
  }
}
