// Records scans of pages by a browser: in the inventory, and for a watched page among its observations.
import { DomainError } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import { requireZone } from '../../zones/index.ts'
import type { Observations, Observed } from '../page-shield/index.ts'
import type { ObservedPage, PageObservations } from './page-observations.service.ts'
import { readPageUrl } from './watched-pages.rules.ts'
import { pageAt } from './watched-pages.store.ts'

export interface PageScan extends Pick<ObservedPage, 'finalUrl' | 'headers'> {
  readonly scripts: readonly string[]
  readonly connections: readonly string[]
  readonly frames: readonly string[]
  /** `Set-Cookie` headers; values are not stored. */
  readonly setCookie: readonly string[]
  /** The same of cookies that scripts have set. */
  readonly scriptCookies: readonly string[]
}

export interface RecordedScan extends Observed {
  readonly isWatched: boolean
}

export interface ScansDeps {
  readonly storage: Storage
  readonly observations: Observations
  readonly pageObservations: PageObservations
}

export type RecordScan = ReturnType<typeof createScans>

export function createScans({ storage, observations, pageObservations }: ScansDeps) {
  /**
   * @param url the page that was asked for.
   * @throws DomainError: zone.unknown, page_shield.disabled, page_shield.page_url, page_shield.url.
   */
  return async function recordScan(zoneId: string, url: string, scan: PageScan): Promise<RecordedScan> {
    const zone = await requireZone(storage, zoneId)
    const address = readPageUrl(url, zone.name)
    if (address === undefined || readPageUrl(scan.finalUrl, zone.name) === undefined)
      throw new DomainError({
        reason: 'page_shield.page_url',
        pointer: address === undefined ? '/url' : '/final_url',
        values: { zone: zone.name },
      })
    const { finalUrl, headers, scripts, connections, frames, setCookie, scriptCookies } = scan
    const loads = { scripts, connections, frames, setCookies: setCookie, scriptCookies, cookie: '' }
    const observed = await observations.observe(zoneId, [
      { pageUrl: finalUrl, observedAt: undefined, ...loads },
    ])
    const page = await pageAt(storage, zoneId, address)
    if (page !== undefined) {
      const loaded = scripts.map((script) => ({ kind: 'external', url: script, integrity: null }) as const)
      const listed = { scripts: loaded, omitted: 0 }
      await pageObservations.save(page, { source: 'scan', finalUrl, headers, scripts: listed })
    }
    return { ...observed, isWatched: page !== undefined }
  }
}
