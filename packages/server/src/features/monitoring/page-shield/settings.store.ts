// Rows of monitoring's settings. Zones that have only defaults have no row.
import { type Reader, tables, type Transaction } from '@zonereeve/storage'
import { DEFAULT_FETCHING, type Fetching } from './fetching.rules.ts'
import { DEFAULT_RETENTION, type Retention } from './life-cycle.rules.ts'
import { DEFAULT_SAMPLING, type Sampling } from './sampling.rules.ts'

export interface Settings {
  readonly enabled: boolean
  /** Browsers report to the collector's own host, not to the host of the page. */
  readonly useServiceReportingEndpoint: boolean
  /** Connections are stored with path and query. */
  readonly useConnectionUrlPath: boolean
  readonly updatedAt: string
}

const settingsRows = tables.page_shield_settings.beside('zone_id').of<Settings>()
const retentions = tables.page_shield_retention.of<{
  readonly zoneId: string
  readonly retention: Partial<Retention>
}>()
const samplings = tables.page_shield_sampling.of<{
  readonly zoneId: string
  readonly sampling: Omit<Sampling, 'alsoReport' | 'beacon'> & Partial<Sampling>
}>()

const fetchings = tables.page_shield_fetching.of<{
  readonly zoneId: string
  readonly fetching: Fetching
}>()

/** undefined = never set. */
export const findSettings = (db: Reader, zoneId: string): Promise<Settings | undefined> =>
  settingsRows.find(db, { zoneId })

/** For settings that were never set, the creation time of the zone is the time of the last change. */
export async function settingsOf(
  db: Reader,
  zone: { readonly id: string; readonly createdOn: string },
): Promise<Settings> {
  const fallback = { enabled: false, useServiceReportingEndpoint: true, useConnectionUrlPath: false }
  return (await findSettings(db, zone.id)) ?? { ...fallback, updatedAt: zone.createdOn }
}

export const saveSettings = (tx: Transaction, zoneId: string, settings: Settings): Promise<void> =>
  settingsRows.save(tx, { ...settings, zoneId })

/** undefined = default. */
export async function findRetention(db: Reader, zoneId: string): Promise<Retention | undefined> {
  const found = await retentions.find(db, { zoneId })
  // Members that were added later have their defaults.
  return found && { ...DEFAULT_RETENTION, ...found.retention }
}

export const retentionOf = async (db: Reader, zoneId: string): Promise<Retention> =>
  (await findRetention(db, zoneId)) ?? DEFAULT_RETENTION

export const saveRetention = (tx: Transaction, zoneId: string, retention: Retention): Promise<void> =>
  retentions.save(tx, { zoneId, retention })

/** undefined = the default. */
export async function findSampling(db: Reader, zoneId: string): Promise<Sampling | undefined> {
  const found = await samplings.find(db, { zoneId })
  const { alsoReport, beacon } = DEFAULT_SAMPLING
  // Rows of versions without these members have their defaults; the rest is what was saved.
  return found && ({ alsoReport, beacon, ...found.sampling } as Sampling)
}

export const samplingOf = async (db: Reader, zoneId: string): Promise<Sampling> =>
  (await findSampling(db, zoneId)) ?? DEFAULT_SAMPLING

export const saveSampling = (tx: Transaction, zoneId: string, sampling: Sampling): Promise<void> =>
  samplings.save(tx, { zoneId, sampling })

/** undefined = the default. */
export const findFetching = async (db: Reader, zoneId: string): Promise<Fetching | undefined> =>
  (await fetchings.find(db, { zoneId }))?.fetching

export const fetchingOf = async (db: Reader, zoneId: string): Promise<Fetching> =>
  (await findFetching(db, zoneId)) ?? DEFAULT_FETCHING

export const saveFetching = (tx: Transaction, zoneId: string, fetching: Fetching): Promise<void> =>
  fetchings.save(tx, { zoneId, fetching })

export async function deleteSettings(tx: Transaction, zoneId: string): Promise<void> {
  for (const rows of [settingsRows, retentions, samplings, fetchings]) await rows.remove(tx, { zoneId })
}
