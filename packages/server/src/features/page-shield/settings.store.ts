// Rows of monitoring's settings. There are none for zones that were never set otherwise than usual.
import { query, type Reader, type Transaction } from '../../storage/index.ts'
import { USUAL_RETENTION, type Retention } from './life-cycle.rules.ts'
import { USUAL_SAMPLING, type Sampling } from './sampling.rules.ts'

export interface Settings {
  readonly enabled: boolean
  /** Browsers report to the collector's own address, not to the host of the page. */
  readonly useServiceReportingEndpoint: boolean
  /** Connections are kept with path and query. */
  readonly useConnectionUrlPath: boolean
  readonly updatedAt: string
}

/** undefined = never set. */
export async function findSettings(db: Reader, zoneId: string): Promise<Settings | undefined> {
  const row = await db.first(
    query.selectFrom('page_shield_settings').selectAll().where('zone_id', '=', zoneId),
  )
  return (
    row && {
      enabled: row.enabled === 1,
      useServiceReportingEndpoint: row.use_service_reporting_endpoint === 1,
      useConnectionUrlPath: row.use_connection_url_path === 1,
      updatedAt: row.updated_at,
    }
  )
}

/** Of settings that were never set, the creation of the zone was the last change. */
export async function settingsOf(
  db: Reader,
  zone: { readonly id: string; readonly createdOn: string },
): Promise<Settings> {
  const usual = { enabled: false, useServiceReportingEndpoint: true, useConnectionUrlPath: false }
  return (await findSettings(db, zone.id)) ?? { ...usual, updatedAt: zone.createdOn }
}

export async function saveSettings(tx: Transaction, zoneId: string, settings: Settings): Promise<void> {
  const columns = {
    enabled: settings.enabled ? 1 : 0,
    use_service_reporting_endpoint: settings.useServiceReportingEndpoint ? 1 : 0,
    use_connection_url_path: settings.useConnectionUrlPath ? 1 : 0,
    updated_at: settings.updatedAt,
  }
  await tx.run(
    query
      .insertInto('page_shield_settings')
      .values({ zone_id: zoneId, ...columns })
      .onConflict((conflict) => conflict.column('zone_id').doUpdateSet(columns)),
  )
}

/** undefined = as usual. */
export async function findRetention(db: Reader, zoneId: string): Promise<Retention | undefined> {
  const row = await db.first(
    query.selectFrom('page_shield_retention').select('retention').where('zone_id', '=', zoneId),
  )
  // Members that came later have their usual values.
  return row && { ...USUAL_RETENTION, ...(JSON.parse(row.retention) as Partial<Retention>) } // written by saveRetention
}

export const retentionOf = async (db: Reader, zoneId: string): Promise<Retention> =>
  (await findRetention(db, zoneId)) ?? USUAL_RETENTION

export async function saveRetention(tx: Transaction, zoneId: string, retention: Retention): Promise<void> {
  const columns = { retention: JSON.stringify(retention) }
  await tx.run(
    query
      .insertInto('page_shield_retention')
      .values({ zone_id: zoneId, ...columns })
      .onConflict((conflict) => conflict.column('zone_id').doUpdateSet(columns)),
  )
}

/** undefined = as usual. */
export async function findSampling(db: Reader, zoneId: string): Promise<Sampling | undefined> {
  const row = await db.first(
    query.selectFrom('page_shield_sampling').select('sampling').where('zone_id', '=', zoneId),
  )
  return row && (JSON.parse(row.sampling) as Sampling) // written by saveSampling
}

export const samplingOf = async (db: Reader, zoneId: string): Promise<Sampling> =>
  (await findSampling(db, zoneId)) ?? USUAL_SAMPLING

export async function saveSampling(tx: Transaction, zoneId: string, sampling: Sampling): Promise<void> {
  const columns = { sampling: JSON.stringify(sampling) }
  await tx.run(
    query
      .insertInto('page_shield_sampling')
      .values({ zone_id: zoneId, ...columns })
      .onConflict((conflict) => conflict.column('zone_id').doUpdateSet(columns)),
  )
}

export async function deleteSettings(tx: Transaction, zoneId: string): Promise<void> {
  await tx.run(query.deleteFrom('page_shield_settings').where('zone_id', '=', zoneId))
  await tx.run(query.deleteFrom('page_shield_retention').where('zone_id', '=', zoneId))
  await tx.run(query.deleteFrom('page_shield_sampling').where('zone_id', '=', zoneId))
}
