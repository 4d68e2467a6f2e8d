// Fetching what others name, as configured; and the scanner, which fetches the scripts of the inventory.
import type { Config } from '../config/index.ts'
import type { PageShield } from '../features/page-shield/index.ts'
import { repeat } from '../jobs/repeat.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import {
  createAddressGuard,
  createAnalyser,
  createHostAddresses,
  createSafeFetch,
  createScanning,
  DEFAULT_ANALYSER_LIMITS,
  DEFAULT_SCANNING_LIMITS,
  systemHostAddresses,
  type SafeFetch,
} from '../scanner/index.ts'
import { VERSION } from './version.ts'

const TICK_MILLIS = 1000

/** @param purpose told in `User-Agent`, to those who wonder what fetches from them. */
export function createConfiguredFetch(
  { fetchNetworks, fetchPorts, resolver }: Pick<Config, 'fetchNetworks' | 'fetchPorts' | 'resolver'>,
  purpose: 'script scanner' | 'threat feeds' | 'webhooks',
): SafeFetch {
  const servers = resolver === 'off' ? [] : resolver
  return createSafeFetch({
    mayConnect: createAddressGuard(fetchNetworks),
    hostAddresses: servers === 'system' ? systemHostAddresses : createHostAddresses(servers),
    ports: fetchPorts,
    userAgent: `Zonereeve/${VERSION} (${purpose})`,
  })
}

export interface ScriptScanningDeps {
  readonly safeFetch: SafeFetch
  readonly pageShield: PageShield
  readonly clock: Clock
  readonly log: Log
}

/** Fetches scripts as they become due. @returns how to end it; what is under way is given up. */
export function startScriptScanning(
  fetches: number,
  { safeFetch, pageShield, clock, log }: ScriptScanningDeps,
): { close(): Promise<void> } {
  if (fetches === 0) return { close: () => Promise.resolve() }
  const scanning = createScanning({
    contents: pageShield.contents,
    safeFetch,
    analyser: createAnalyser(DEFAULT_ANALYSER_LIMITS),
    clock,
    log,
    limits: { ...DEFAULT_SCANNING_LIMITS, fetches },
  })
  const ticking = repeat({ name: 'script scan', everyMillis: TICK_MILLIS, run: scanning.tick }, log)
  return {
    async close() {
      await ticking.stop()
      await scanning.close()
    },
  }
}
