// The certificate that the server gets itself, by ACME, with challenges in its own zones.
import { join } from 'node:path'
import {
  certificatePath,
  createKeeper,
  ensurePlaceholder,
  parseCertificateNames,
  readAuthoritySettings,
  type AuthoritySettings,
  type Keeper,
} from '@zonereeve/certificates'
import { ConfigError, type Config } from '@zonereeve/config'
import type { AcmeChallenges } from '../features/dns/acme-challenges/index.ts'
import type { Listeners } from './listeners.ts'
import type { Metrics } from './metrics/metrics.ts'
import { describeError, type Ids, type Log, SYSTEM } from '@zonereeve/platform'

export interface OwnCertificate {
  readonly folder: string
  readonly names: readonly string[]
  readonly path: string
  readonly authority: AuthoritySettings
}

/** @returns undefined if it is off. @throws ConfigError naming a setting. */
export function ownCertificate(config: Config): OwnCertificate | undefined {
  const { acmeDirectory: directory, acmeEmail: email, acmeTerms: terms, acmeCa: authority } = config
  if (directory === undefined) {
    const alone = (['acmeEmail', 'acmeTerms', 'acmeNames', 'acmeCa'] as const).find(
      (key) => config[key] !== undefined,
    )
    if (alone !== undefined)
      throw new ConfigError([`acme-${alone.slice('acme'.length).toLowerCase()}: needs acme-directory`])
    return undefined
  }
  if (config.tlsCertificate !== undefined || config.tlsKey !== undefined)
    throw new ConfigError(['acme-directory: cannot be used with tls-certificate and tls-key'])
  if (config.nodeUrl !== undefined)
    throw new ConfigError(['acme-directory: cannot be used with node-url: give each node its files'])
  try {
    const names = config.acmeNames ?? namesOf(config.publicUrl)
    const folder = join(config.data, 'certificates')
    return {
      folder,
      names,
      path: certificatePath(folder, names),
      authority: readAuthoritySettings({ directory, email, terms, authority }),
    }
  } catch (error) {
    throw new ConfigError([describeError(error)])
  }
}

function namesOf(publicUrl: string | undefined): readonly string[] {
  if (publicUrl === undefined) throw new Error('acme-names: needed, because there is no public-url')
  const { hostname } = new URL(publicUrl)
  try {
    return parseCertificateNames(hostname)
  } catch (error) {
    throw new Error(`acme-names: needed, because ${hostname} of public-url is no host name in a zone`, {
      cause: error,
    })
  }
}

export interface OwnCertificateDeps {
  readonly challenges: Pick<AcmeChallenges, 'publish' | 'remove' | 'zoneOf'>
  readonly ids: Ids
  readonly log: Log
  readonly metrics: Pick<Metrics, 'watchCertificates'>
  /** They use the newest files after `loadCertificate`. */
  readonly listeners: Pick<Listeners, 'loadCertificate'>
}

/** Before anything listens. @returns what starts when the nameserver answers. @throws ConfigError naming a setting. */
export async function prepareCertificate(config: Config) {
  const own = ownCertificate(config)
  if (own !== undefined) await ensurePlaceholder(own.folder, own.names)
  return {
    start(deps: OwnCertificateDeps) {
      const keeper = own && keepOwnCertificate(own, deps)
      keeper?.start()
      return {
        /** Uses the newest files, and does not wait longer for a certificate after a failure. */
        reload: async (): Promise<void> => {
          await deps.listeners.loadCertificate()
          void keeper?.retry() // orders take minutes
        },
        close: async (): Promise<void> => keeper?.close(),
      }
    },
  }
}

function keepOwnCertificate(
  { folder, names, authority }: OwnCertificate,
  { challenges, ids, log, metrics, listeners }: OwnCertificateDeps,
): Keeper {
  const actor = () => ({ ...SYSTEM, requestId: ids.id() })
  const keeper = createKeeper({
    folder,
    orders: () => [names],
    authority,
    log,
    onIssued: listeners.loadCertificate,
    challenges: {
      publish: async ({ name: host, value }) => {
        const zoneId = await challenges.zoneOf(host)
        if (zoneId === undefined) throw new Error(`acme-names: no zone of this server has ${host}`)
        await challenges.publish(zoneId, { host, value }, actor())
      },
      remove: async ({ name: host, value }) => {
        const zoneId = await challenges.zoneOf(host)
        if (zoneId !== undefined) await challenges.remove(zoneId, { host, value }, actor())
        return 'removed'
      },
    },
  })
  metrics.watchCertificates(keeper.states)
  return keeper
}
