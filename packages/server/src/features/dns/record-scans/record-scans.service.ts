// Scans: queries a zone's current nameservers for its records, and keeps the results until they are reviewed.
import { Semaphore } from '@zonereeve/cooperate'
import type { Name } from '@zonereeve/dns'
import {
  type Actor,
  type Clock,
  DomainError,
  type Ids,
  type Issue,
  type Log,
  type Notice,
} from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import {
  identityOf,
  readRecord,
  siblingsOf,
  type Added,
  type DnsRecords,
  type DnsRecordsDeps,
  type RecordFields,
  type RecordEdit,
  type RecordInput,
  type RecordStep,
  type RecordSurroundings,
} from '../dns-records/index.ts'
import { requireZone, type Zone } from '../../zones/index.ts'
import { proposedInputs, usableRecords, type DnsScanOutcome } from './record-scans.rules.ts'
import {
  deleteFound,
  deleteFoundBefore,
  findScan,
  runningScans,
  saveFound,
  saveScan,
  waitingRecords,
  type FoundRecord,
  type Scan,
} from './record-scans.store.ts'

export interface RecordScansDeps extends Pick<
  DnsRecordsDeps,
  'rules' | 'edgeAddresses' | 'toText' | 'fromText'
> {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly records: Pick<DnsRecords, 'add' | 'applySteps'>
  /** Scans the zone's current nameservers; undefined without a resolver or configured servers. */
  readonly scanZone: ((zone: Name, signal: AbortSignal) => Promise<DnsScanOutcome>) | undefined
}

export interface PendingReview {
  /** JSON texts. */
  readonly strings: readonly string[]
  readonly notices: readonly Notice[]
}

export interface Review {
  readonly accepts: readonly Acceptance[]
  /** Ids of found records. */
  readonly rejects: readonly string[]
}

/** A found record, by its id, or by its type, name and value; other members replace the found ones. */
export interface Acceptance {
  readonly id: string | undefined
  readonly edit: RecordEdit
}

export interface Reviewed {
  /** JSON texts of the added records. */
  readonly accepts: readonly string[]
  readonly rejects: readonly string[]
  readonly notices: readonly Notice[]
}

export interface ScanCounts {
  readonly added: number
  readonly found: number
  /** Why others were not added. */
  readonly refused: readonly Issue[]
  readonly notices: readonly Notice[]
}

/** How long found records are kept. */
export const WAITING_DAYS = 7
/** Concurrent scans; further ones are queued. */
export const MAX_SCANS = 4
/** Maximum number of queued zones. */
export const SCANS_WAITING = 200
/** No plan allows lower TTLs. */
const LOWEST_TTL_SECONDS = 60
const DAY_MILLIS = 86_400_000

export type RecordScans = ReturnType<typeof createRecordScans>

export function createRecordScans(deps: RecordScansDeps) {
  const { storage, clock, ids, log, records, scanZone, rules, edgeAddresses, toText, fromText } = deps
  const stopping = new AbortController()
  const underWay = new Map<string, Promise<void>>()
  const scans = new Semaphore(MAX_SCANS)

  return { scan, trigger, waiting, review, resume, waitUntilIdle, close }

  /** Scans the zone and adds each valid record at once. @throws DomainError: zone.unknown, scan.* */
  async function scan(zoneId: string, actor: Actor): Promise<ScanCounts> {
    const zone = await requireZone(storage, zoneId)
    requireCapacity()
    const outcome = await scanInOrder(zone.name)
    if (outcome.kind !== 'surveyed')
      throw new DomainError({ reason: `scan.${outcome.kind}`, values: { zone: zone.name } })
    const { inputs, unusable } = proposedInputs(outcome.records)
    const additions = inputs.map((input) => ({ input, proxiedIfPossible: false }))
    const added = await records.add(zoneId, additions, actor)
    return {
      added: [...added.counts.values()].reduce((total, count) => total + count, 0),
      found: outcome.records.length,
      refused: refusalsOf(added, inputs),
      notices: [...outcomeNotices({ ...outcome, unusable }), ...added.notices],
    }
  }

  /**
   * Starts a scan in the background, unless one is running. @throws DomainError: zone.unknown, scan.unavailable,
   * scan.busy.
   */
  async function trigger(zoneId: string): Promise<void> {
    await requireZone(storage, zoneId)
    requireDnsScan()
    requireCapacity()
    let isNew = false
    await storage.write(async (tx) => {
      const zone = await requireZone(tx, zoneId)
      if (underWay.has(zoneId)) return
      await deleteFoundBefore(tx, zoneId, oldest())
      await saveScan(tx, zone.id, { ...BEGUN, startedOn: clock.timestamp() })
      tx.onCommit(() => {
        isNew = true // never in a dry run
      })
    })
    if (isNew) start(zoneId)
  }

  /** Found records that wait for review. @throws DomainError: zone.unknown. */
  async function waiting(zoneId: string): Promise<PendingReview> {
    await requireZone(storage, zoneId)
    const found = await waitingRecords(storage, zoneId, oldest())
    const last = await findScan(storage, zoneId)
    return { strings: found.map(({ text }) => text), notices: last === undefined ? [] : scanNotices(last) }
  }

  /**
   * Adds the accepted records, in one change set, and deletes the rejected ones: all or nothing.
   *
   * @throws DomainError: zone.unknown, scan.record_unknown, or as any write of records; pointers into the review.
   */
  function review(zoneId: string, { accepts, rejects }: Review, actor: Actor): Promise<Reviewed> {
    return storage.write(async (tx) => {
      const zone = await requireZone(tx, zoneId)
      const found = new Map((await waitingRecords(tx, zoneId, oldest())).map((each) => [each.id, each]))
      const issues: Issue[] = []
      const accepted = accepts.flatMap((acceptance, index) => {
        const one = meant(acceptance, found, zone)
        if (one === undefined) issues.push(unknownRecord(`/accepts/${index}`))
        return one === undefined ? [] : [{ one, step: stepOf(one, acceptance, index) }]
      })
      for (const [index, id] of rejects.entries()) {
        if (!found.has(id)) issues.push(unknownRecord(`/rejects/${index}/id`))
      }
      const [first, ...rest] = issues
      if (first !== undefined) throw new DomainError([first, ...rest])
      const steps = accepted.map(({ step }) => step)
      const { strings, notices } = await records.applySteps(tx, zone, steps, actor)
      await deleteFound(tx, zoneId, [...accepted.map(({ one }) => one.id), ...rejects])
      return { accepts: strings, rejects: [...new Set(rejects)], notices }
    })
  }

  /** Restarts the scans that were running when the process ended. */
  async function resume(): Promise<void> {
    if (scanZone === undefined) return
    for (const zoneId of await runningScans(storage)) start(zoneId)
  }

  /** Resolves when no scan is running. */
  async function waitUntilIdle(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay.values())
  }

  /** Aborts running scans; they start again at the next start. */
  async function close(): Promise<void> {
    stopping.abort()
    await waitUntilIdle()
  }

  function start(zoneId: string): void {
    const running = scanAndSave(zoneId)
      .catch((error: unknown) => giveUp(zoneId, error))
      .finally(() => underWay.delete(zoneId))
    underWay.set(zoneId, running)
  }

  /** After an unexpected error: records that the scan was incomplete. */
  async function giveUp(zoneId: string, error: unknown): Promise<void> {
    log.error({ err: error, zoneId }, 'record scan failed')
    try {
      await storage.write(async (tx) => {
        const last = await findScan(tx, zoneId)
        if (last !== undefined) await saveScan(tx, zoneId, { ...last, state: 'done', isComplete: false })
      })
    } catch (err) {
      // This is not awaited, and an unhandled rejection would end the process; the next start restarts the scan.
      log.error({ err, zoneId }, 'record scan could not be ended')
    }
  }

  async function scanAndSave(zoneId: string): Promise<void> {
    const zone = await requireZone(storage, zoneId)
    const outcome = await scanInOrder(zone.name)
    if (stopping.signal.aborted) return
    await storage.write((tx) => save(tx, zoneId, outcome))
    log.info({ zoneId, outcome: outcome.kind }, 'record scan ended')
  }

  async function save(tx: Transaction, zoneId: string, outcome: DnsScanOutcome): Promise<void> {
    const last = await findScan(tx, zoneId)
    if (last === undefined) return // the zone was deleted meanwhile
    if (outcome.kind !== 'surveyed') return saveScan(tx, zoneId, { ...last, state: outcome.kind })
    const zone = await requireZone(tx, zoneId)
    const { usable, unusable } = usableRecords(outcome.records, recordContext(zone))
    const foundOn = clock.timestamp()
    for (const fields of await findAbsent(tx, zoneId, usable)) {
      const id = ids.id()
      const times = { createdOn: foundOn, modifiedOn: foundOn, commentModifiedOn: null, tagsModifiedOn: null }
      const text = toText({ ...fields, ...times, id, zoneId, zoneName: zone.displayName })
      const { type, name } = fields
      await saveFound(tx, { id, zoneId, type, name, identity: identityOf(fields), foundOn, text })
    }
    const { isComplete, hasVaryingWildcard } = outcome
    await saveScan(tx, zoneId, { ...last, state: 'done', isComplete, hasVaryingWildcard, unusable })
  }

  async function scanInOrder(zone: Name): Promise<DnsScanOutcome> {
    const ask = requireDnsScan()
    return scans.run(() => ask(zone, stopping.signal))
  }

  function requireCapacity(): void {
    if (scans.waiting >= SCANS_WAITING) throw new DomainError({ reason: 'scan.busy' })
  }

  function requireDnsScan() {
    if (scanZone === undefined) throw new DomainError({ reason: 'scan.unavailable' })
    return scanZone
  }

  function recordContext(zone: Zone): RecordSurroundings {
    return {
      apex: zone.name,
      minimumTtlSeconds: LOWEST_TTL_SECONDS,
      edgeAddresses,
      offersFamilies: edgeAddresses.length > 0,
      ...rules,
    }
  }

  function meant(
    { id, edit }: Acceptance,
    found: ReadonlyMap<string, FoundRecord>,
    zone: Zone,
  ): FoundRecord | undefined {
    if (id !== undefined) return found.get(id)
    const { type } = edit
    if (type === undefined) return undefined
    const fields = readRecord({ ...edit, type }, recordContext(zone))
    if (!('name' in fields)) return undefined
    const identity = identityOf(fields)
    return [...found.values()].find(
      (each) => each.type === fields.type && each.name === fields.name && each.identity === identity,
    )
  }

  function stepOf({ text }: FoundRecord, { edit }: Acceptance, index: number): RecordStep {
    const { input } = fromText(text)
    const given = Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined))
    return { kind: 'create', input: { ...input, ...given }, pointer: `/accepts/${index}` }
  }

  /** The time before which found records have expired. */
  function oldest(): string {
    return new Date(clock.now() - WAITING_DAYS * DAY_MILLIS).toISOString()
  }
}

const BEGUN: Omit<Scan, 'startedOn'> = {
  state: 'running',
  isComplete: true,
  hasVaryingWildcard: false,
  unusable: [],
}

/** The records that are not in the zone yet. */
async function findAbsent(db: Reader, zoneId: string, all: readonly RecordFields[]): Promise<RecordFields[]> {
  const fresh: RecordFields[] = []
  for (const fields of all) {
    const siblings = await siblingsOf(db, zoneId, fields.name)
    const identity = identityOf(fields)
    if (!siblings.some((each) => each.type === fields.type && each.identity === identity)) fresh.push(fields)
  }
  return fresh
}

/** Why records were not added, except those that exist already. */
function refusalsOf({ refused }: Added, inputs: readonly RecordInput[]): Issue[] {
  return refused
    .filter(({ error }) => error.issues[0].reason !== 'record.identical')
    .flatMap(({ index, error }) => {
      const { name } = inputs[index] ?? {}
      return error.issues.map((issue): Issue => {
        const { pointer: _, ...withoutPointer } = issue // it would point into a record that the client did not send
        return { ...withoutPointer, subject: name?.replace(/\.$/, '') ?? '' }
      })
    })
}

const unknownRecord = (pointer: string): Issue => ({ reason: 'scan.record_unknown', pointer })

function scanNotices({ state, ...ended }: Scan): Notice[] {
  if (state === 'running') return [{ notice: 'scan.running' }]
  return state === 'done' ? outcomeNotices(ended) : [{ notice: `scan.${state}` }]
}

function outcomeNotices({
  isComplete,
  hasVaryingWildcard,
  unusable,
}: Pick<Scan, 'isComplete' | 'hasVaryingWildcard' | 'unusable'>): Notice[] {
  return [
    ...(isComplete ? [] : [{ notice: 'scan.incomplete' } as const]),
    ...(hasVaryingWildcard ? [{ notice: 'scan.varying_wildcard' } as const] : []),
    ...unusable.map((record): Notice => ({ notice: 'scan.unusable', values: { record } })),
  ]
}
