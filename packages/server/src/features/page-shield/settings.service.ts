// Settings and retention of monitoring: configuration, so each change is a change set of its zone.
import type { Actor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { refuse } from '../../platform/domain-error.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import { appendChange, appendOps, type ChangeOp } from '../changes/index.ts'
import { demandZone } from '../zones/index.ts'
import { demandEntitled } from './entitlements.rules.ts'
import { patchRetention, type Retention, type RetentionPatch } from './life-cycle.rules.ts'
import type { ReportTraffic } from './report-traffic.ts'
import { oneInFor, patchSampling, type Sampling, type SamplingPatch } from './sampling.rules.ts'
import {
  deleteSettings,
  findRetention,
  findSampling,
  findSettings,
  retentionOf,
  samplingOf,
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
  /** Told after commit. */
  readonly settingsChanged: (zoneId: string) => void
  readonly traffic: Pick<ReportTraffic, 'perDay'>
}

export interface ShownSampling {
  readonly sampling: Sampling
  /** As they would be without sampling, estimated. */
  readonly reportsADay: number
  readonly oneInNow: number
}

export type PageShieldSettings = ReturnType<typeof createSettings>

export function createSettings({ storage, clock, settingsChanged, traffic }: SettingsDeps) {
  return { get, edit, getRetention, editRetention, getSampling, editSampling }

  /** @throws DomainError: zone.unknown. */
  async function get(zoneId: string): Promise<Settings> {
    return settingsOf(storage, await demandZone(storage, zoneId))
  }

  /** Members that are not sent stay. @throws DomainError: zone.unknown, page_shield.not_entitled. */
  function edit(zoneId: string, patch: SettingsPatch, actor: Actor): Promise<Settings> {
    return storage.write(async (tx) => {
      const zone = await demandZone(tx, zoneId)
      const before = await settingsOf(tx, zone)
      const after: Settings = {
        ...before,
        enabled: patch.enabled ?? before.enabled,
        useServiceReportingEndpoint: patch.useServiceReportingEndpoint ?? before.useServiceReportingEndpoint,
        useConnectionUrlPath: patch.useConnectionUrlPath ?? before.useConnectionUrlPath,
      }
      if (after.useConnectionUrlPath && !before.useConnectionUrlPath)
        demandEntitled(zone, 'settings', 'use_connection_url_path', '/use_connection_url_path')
      if (!after.useServiceReportingEndpoint && before.useServiceReportingEndpoint)
        demandEntitled(
          zone,
          'settings',
          'use_service_reporting_endpoint: false',
          '/use_service_reporting_endpoint',
        )
      if (JSON.stringify(after) === JSON.stringify(before)) return before
      const stored = { ...after, updatedAt: clock.timestamp() }
      await saveSettings(tx, zoneId, stored)
      await record(tx, zoneId, settingsOp(zoneId, before, stored), actor)
      tx.onCommit(() => settingsChanged(zoneId))
      return stored
    })
  }

  /** @throws DomainError: zone.unknown. */
  async function getRetention(zoneId: string): Promise<Retention> {
    await demandZone(storage, zoneId)
    return retentionOf(storage, zoneId)
  }

  /** Members that are not sent stay. @throws DomainError: zone.unknown, page_shield.retention_order. */
  function editRetention(zoneId: string, patch: RetentionPatch, actor: Actor): Promise<Retention> {
    return storage.write(async (tx) => {
      await demandZone(tx, zoneId)
      const before = await retentionOf(tx, zoneId)
      const { retention, issues } = patchRetention(before, patch)
      refuse(issues)
      if (JSON.stringify(retention) === JSON.stringify(before)) return before
      await saveRetention(tx, zoneId, retention)
      await record(tx, zoneId, retentionOp(zoneId, before, retention), actor)
      tx.onCommit(() => settingsChanged(zoneId))
      return retention
    })
  }

  /** With what it comes to now, for documents that are not always told of. @throws DomainError: zone.unknown. */
  async function getSampling(zoneId: string): Promise<ShownSampling> {
    await demandZone(storage, zoneId)
    return shown(zoneId, await samplingOf(storage, zoneId))
  }

  /** Members that are not sent stay. @throws DomainError: zone.unknown, or the broken rule of the patch. */
  function editSampling(zoneId: string, patch: SamplingPatch, actor: Actor): Promise<ShownSampling> {
    return storage.write(async (tx) => {
      await demandZone(tx, zoneId)
      const before = await samplingOf(tx, zoneId)
      const { sampling, issues } = patchSampling(before, patch)
      refuse(issues)
      if (JSON.stringify(sampling) === JSON.stringify(before)) return shown(zoneId, before)
      await saveSampling(tx, zoneId, sampling)
      await record(tx, zoneId, samplingOp(zoneId, before, sampling), actor)
      return shown(zoneId, sampling)
    })
  }

  function shown(zoneId: string, sampling: Sampling): ShownSampling {
    const reportsADay = traffic.perDay(zoneId)
    return { sampling, reportsADay, oneInNow: oneInFor({ ...sampling, wholePaths: [] }, '/', reportsADay) }
  }

  async function record(tx: Transaction, zoneId: string, op: ChangeOp, actor: Actor): Promise<void> {
    await appendChange(tx, { scopeId: zoneId, at: clock.timestamp(), actor, serial: null, ops: [op] })
  }
}

/** Removes a zone's settings, writing them to the change set at `position`. */
export async function removeSettings(tx: Transaction, zoneId: string, position: number): Promise<void> {
  const settings = await findSettings(tx, zoneId)
  const retention = await findRetention(tx, zoneId)
  const sampling = await findSampling(tx, zoneId)
  await deleteSettings(tx, zoneId)
  await appendOps(tx, position, [
    ...(settings === undefined ? [] : [settingsOp(zoneId, settings, null)]),
    ...(retention === undefined ? [] : [retentionOp(zoneId, retention, null)]),
    ...(sampling === undefined ? [] : [samplingOp(zoneId, sampling, null)]),
  ])
}

const settingsOp = (zoneId: string, before: Settings | null, after: Settings | null): ChangeOp =>
  changeOp('page_shield.settings', zoneId, before, after)

const retentionOp = (zoneId: string, before: Retention | null, after: Retention | null): ChangeOp =>
  changeOp('page_shield.retention', zoneId, before, after)

const samplingOp = (zoneId: string, before: Sampling | null, after: Sampling | null): ChangeOp =>
  changeOp('page_shield.sampling', zoneId, before, after)

export function changeOp(
  kind: string,
  objectId: string,
  before: object | null,
  after: object | null,
): ChangeOp {
  const text = (state: object | null) => state && JSON.stringify(state)
  return { kind, objectId, before: text(before), after: text(after) }
}
