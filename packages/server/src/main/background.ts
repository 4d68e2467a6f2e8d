// Everything that goes on beside requests: what is swept, fetched and imported, until the program ends.
import type { Config } from '../config/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Storage } from '../storage/index.ts'
import { startEventSweep, startSweeping } from './collecting.ts'
import { startDeletedZoneSweep } from './deleted-zone-sweep.ts'
import { startKeyWork } from './dnssec-keys.ts'
import type { Features } from './features.ts'
import { createConfiguredFetch, startScriptScanning } from './script-scanning.ts'
import { startFeedWork } from './threat-feeds.ts'
import { startWebhookDelivery } from './webhook-delivery.ts'

export interface BackgroundDeps {
  readonly config: Config
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  readonly features: Pick<
    Features,
    'pageShield' | 'securityEvents' | 'imports' | 'deliveries' | 'dnssec' | 'records'
  >
}

export interface Background {
  /** Resolves when nothing is under way any more. */
  stop(): Promise<void>
}

export function startBackground({ config, storage, clock, log, features }: BackgroundDeps): Background {
  const { pageShield, securityEvents, imports, deliveries, dnssec, records } = features
  const sweeper = startSweeping({ storage, clock, log }, pageShield)
  const keyWork = startKeyWork(dnssec, log)
  const eventSweeper = startEventSweep(securityEvents, log)
  const zoneSweeper = startDeletedZoneSweep(records, log)
  const scanner = startScriptScanning(config.scriptFetches, {
    safeFetch: createConfiguredFetch(config, 'script scanner'),
    pageShield,
    clock,
    log,
  })
  const feedWork = startFeedWork({ storage, imports, pageShield }, log)
  const webhooks = startWebhookDelivery(deliveries, log)
  return {
    async stop() {
      await scanner.close()
      await sweeper.stop()
      await keyWork.stop()
      await eventSweeper.stop()
      await zoneSweeper.stop()
      await feedWork.stop()
      await webhooks.stop()
    },
  }
}
