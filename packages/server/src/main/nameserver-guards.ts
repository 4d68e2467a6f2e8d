// Configured protection of the nameserver: cookies, rate limits, and the certificate of encrypted transports.
import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ConfigError, type Config } from '@zonereeve/config'
import {
  type CertificateFiles,
  type EncryptedEndpoints,
  type GuardSettings,
  type NameserverOptions,
  type QueryLogSettings,
  rateLimitMemory,
} from '@zonereeve/nameserver'
import { ownCertificate } from './own-certificate.ts'
import { describeFileError } from '@zonereeve/platform'

/** What protects the nameserver; every thread makes the same guards from it. */
export function guardSettings(config: Config): GuardSettings {
  const { dnsRateLimit: perSecond, dnsRateSlip: slip, dnsRateExempt: exempt } = config
  const seed = randomBytes(4).readUInt32BE()
  return {
    cookieSecrets: config.dnsCookieSecrets ?? [], // without secrets of the operator they are generated
    cookieSeed: randomBytes(32),
    rate: perSecond === undefined ? undefined : { perSecond, slip, exempt, seed, memory: rateLimitMemory() },
    proxies: config.dnsProxies,
    nsid: config.dnsNsid === '' ? undefined : Buffer.from(config.dnsNsid, 'latin1'),
  }
}

/** What the query log takes; undefined if it is off. */
export function queryLogSettings(config: Config): QueryLogSettings | undefined {
  const { queryLog: every, queryLogNames: names, queryLogCodes: rcodes } = config
  return every === undefined ? undefined : { every, names, rcodes }
}

/** Limits of connections. */
export function connectionLimits(config: Config): NonNullable<NameserverOptions['limits']> {
  return {
    tcpConnections: config.dnsTcpConnections,
    tcpConnectionsPerAddress: config.dnsTcpConnectionsPerAddress,
    tcpIdleMs: config.dnsTcpIdleSeconds * 1_000,
  }
}

/**
 * Endpoints of encrypted transports; undefined without a certificate.
 *
 * @throws ConfigError: only one of the two files is configured, which would silently disable the transports, or
 * they do not contain a certificate and its key
 */
export function encryptedEndpoints(config: Config): EncryptedEndpoints | undefined {
  const files = certificateFiles(config)
  return files && { files, tls: config.dnsTls, https: config.dnsHttps }
}

/**
 * The files of the certificate; undefined without one.
 *
 * @throws ConfigError: as above, or the API needs them
 */
export function certificateFiles(config: Config): CertificateFiles | undefined {
  const { tlsCertificate: certificate, tlsKey: key, https } = config
  const own = ownCertificate(config)
  // One file has both.
  if (own !== undefined) return { certificate: own.path, key: own.path }
  if (certificate === undefined && key === undefined) {
    if (https !== undefined)
      throw new ConfigError(['https: needs tls-certificate and tls-key, or acme-directory'])
    return undefined
  }
  if (certificate === undefined || key === undefined) {
    const [missing, given] =
      key === undefined ? ['tls-key', 'tls-certificate'] : ['tls-certificate', 'tls-key']
    throw new ConfigError([`${missing}: must be given together with ${given}`])
  }
  checkCertificate({ certificate, key })
  return { certificate, key }
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
