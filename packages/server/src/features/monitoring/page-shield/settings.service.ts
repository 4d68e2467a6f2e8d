// Settings and retention of monitoring. They are configuration: each change is a change set of its zone.
import { type Actor, type Clock, throwIfIssues } from '@zonereeve/platform'
import type { Reader, Storage } from '@zonereeve/storage'
import { append, changeOp, type ChangeOp } from '../../changes/index.ts'
import { requireZone } from '../../zones/index.ts'
import { requireEntitled } from './entitlements.rules.ts'
import { patchRetention, type Retention, type RetentionPatch } from './life-cycle.rules.ts'
import type { ReportTraffic } from './report-traffic.ts'
import { oneInFor, patchSampling, type Sampling, type SamplingPatch } from './sampling.rules.ts'
import { bringForward } from './fetch-round-robin.store.ts'
import { intervalMillisOf, patchFetching, type Fetching, type FetchingPatch } from './fetching.rules.ts'
import { deleteSources, storedBytesOf } from './sources.store.ts'
import {
  fetchingOf,
  findFetching,
  findRetention,
  findSampling,
  findSettings,
  retentionOf,
  samplingOf,
  saveFetching,
  saveRetention,
  saveSampling,
  saveSettings,
  settingsOf,
  type Settings,
} from './settings.store.ts'

export interface SettingsPatch {
  readonly enabled: boolean | undefined
  readonly useServiceReportingEndpoint: boolean | undefined
  readonly useConnectionUrlPath: boolean | undefined
}

export interface SettingsDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly traffic: Pick<ReportTraffic, 'perDay'>
}

export interface ShownSampling {
  readonly sampling: Sampling
  /** Estimate without sampling. */
  readonly reportsADay: number
  readonly oneInNow: number
}

export interface ShownFetching {
  readonly fetching: Fetching
  /** Compressed sources of the zone. */
  readonly storedBytes: number
}

export type PageShieldSettings = ReturnType<typeof createSettings>

export function createSettings({ storage, clock, traffic }: SettingsDeps) {
  return { get, edit, getRetention, editRetention, getSampling, editSampling, getFetching, editFetching }

  /** @throws DomainError: zone.unknown. */
  async function get(zoneId: string): Promise<Settings> {
    return settingsOf(storage, await requireZone(storage, zoneId))
  }

  /**
   * Keeps members that are not sent.
   * @throws DomainError: zone.unknown, page_shield.not_entitled.
   */
  function edit(zoneId: string, patch: SettingsPatch, actor: Actor): Promise<Settings> {
    return storage.write(async (tx) => {
      const zone = await requireZone(tx, zoneId)
      const before = await settingsOf(tx, zone)
      const after: Settings = {
        ...before,
        enabled: patch.enabled ?? before.enabled,
        useServiceReportingEndpoint: patch.useServiceReportingEndpoint ?? before.useServiceReportingEndpoint,
        useConnectionUrlPath: patch.useConnectionUrlPath ?? before.useConnectionUrlPath,
      }
      if (after.useConnectionUrlPath && !before.useConnectionUrlPath)
        requireEntitled(zone, 'settings', 'use_connection_url_path', '/use_connection_url_path')
      if (!after.useServiceReportingEndpoint && before.useServiceReportingEndpoint)
        requireEntitled(
          zone,
          'settings',
          'use_service_reporting_endpoint: false',
          '/use_service_reporting_endpoint',
        )
      if (JSON.stringify(after) === JSON.stringify(before)) return before
      const stored = { ...after, updatedAt: clock.timestamp() }
      await saveSettings(tx, zoneId, stored)
      await append(tx, { scopeId: zoneId, actor }, [settingsOp(zoneId, before, stored)])
      return stored
    })
  }

  /** @throws DomainError: zone.unknown. */
  async function getRetention(zoneId: string): Promise<Retention> {
    await requireZone(storage, zoneId)
    return retentionOf(storage, zoneId)
  }

  /**
   * Keeps members that are not sent.
   * @throws DomainError: zone.unknown, page_shield.retention_order.
   */
  function editRetention(zoneId: string, patch: RetentionPatch, actor: Actor): Promise<Retention> {
    return storage.write(async (tx) => {
      await requireZone(tx, zoneId)
      const before = await retentionOf(tx, zoneId)
      const { retention, issues } = patchRetention(before, patch)
      throwIfIssues(issues)
      if (JSON.stringify(retention) === JSON.stringify(before)) return before
      await saveRetention(tx, zoneId, retention)
      await append(tx, { scopeId: zoneId, actor }, [retentionOp(zoneId, before, retention)])
      return retention
    })
  }

  /**
   * Includes the resulting rate for paths that are sampled.
   * @throws DomainError: zone.unknown.
   */
  async function getSampling(zoneId: string): Promise<ShownSampling> {
    await requireZone(storage, zoneId)
    return toShownSampling(zoneId, await samplingOf(storage, zoneId))
  }

  /**
   * Keeps members that are not sent.
   * @throws DomainError: zone.unknown, or the violated rules of the patch.
   */
  function editSampling(zoneId: string, patch: SamplingPatch, actor: Actor): Promise<ShownSampling> {
    return storage.write(async (tx) => {
      await requireZone(tx, zoneId)
      const before = await samplingOf(tx, zoneId)
      const { sampling, issues } = patchSampling(before, patch)
      throwIfIssues(issues)
      if (JSON.stringify(sampling) === JSON.stringify(before)) return toShownSampling(zoneId, before)
      await saveSampling(tx, zoneId, sampling)
      await append(tx, { scopeId: zoneId, actor }, [samplingOp(zoneId, before, sampling)])
      return toShownSampling(zoneId, sampling)
    })
  }

  /** @throws DomainError: zone.unknown. */
  async function getFetching(zoneId: string): Promise<ShownFetching> {
    await requireZone(storage, zoneId)
    return { fetching: await fetchingOf(storage, zoneId), storedBytes: await storedBytesOf(storage, zoneId) }
  }

  /**
   * Keeps members that are not sent. Scripts that are due later than by the new interval are due earlier; if sources
   * are no longer stored, those that are stored are deleted.
   * @throws DomainError: zone.unknown.
   */
  function editFetching(zoneId: string, patch: FetchingPatch, actor: Actor): Promise<ShownFetching> {
    return storage.write(async (tx) => {
      await requireZone(tx, zoneId)
      const before = await fetchingOf(tx, zoneId)
      const fetching = patchFetching(before, patch)
      if (JSON.stringify(fetching) !== JSON.stringify(before)) {
        await saveFetching(tx, zoneId, fetching)
        await append(tx, { scopeId: zoneId, actor }, [fetchingOp(zoneId, before, fetching)])
        await bringForward(tx, zoneId, clock.now(), (url) => intervalMillisOf(fetching, url))
        if (!fetching.storesSources) await deleteSources(tx, zoneId)
      }
      return { fetching, storedBytes: await storedBytesOf(tx, zoneId) }
    })
  }

  function toShownSampling(zoneId: string, sampling: Sampling): ShownSampling {
    const reportsADay = traffic.perDay(zoneId)
    return { sampling, reportsADay, oneInNow: oneInFor({ ...sampling, wholePaths: [] }, '/', reportsADay) }
  }
}

export async function settingsDeletion(db: Reader, zoneId: string): Promise<readonly ChangeOp[]> {
  const settings = await findSettings(db, zoneId)
  const retention = await findRetention(db, zoneId)
  const sampling = await findSampling(db, zoneId)
  const fetching = await findFetching(db, zoneId)
  return [
    ...(settings === undefined ? [] : [settingsOp(zoneId, settings, null)]),
    ...(retention === undefined ? [] : [retentionOp(zoneId, retention, null)]),
    ...(sampling === undefined ? [] : [samplingOp(zoneId, sampling, null)]),
    ...(fetching === undefined ? [] : [fetchingOp(zoneId, fetching, null)]),
  ]
}

const settingsOp = (zoneId: string, before: Settings | null, after: Settings | null): ChangeOp =>
  changeOp('page_shield.settings', zoneId, before, after)

const retentionOp = (zoneId: string, before: Retention | null, after: Retention | null): ChangeOp =>
  changeOp('page_shield.retention', zoneId, before, after)

const fetchingOp = (zoneId: string, before: Fetching | null, after: Fetching | null): ChangeOp =>
  changeOp('page_shield.fetching', zoneId, before, after)

const samplingOp = (zoneId: string, before: Sampling | null, after: Sampling | null): ChangeOp =>
  changeOp('page_shield.sampling', zoneId, before, after)
