// Records of a zone: list, get, create, overwrite, edit, delete, and batches.
import type { Name } from '@zonereeve/dns'
import { type Actor, DomainError, etagOf, type Expected, type Log, type Notice } from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { readChangeSetAhead } from '../../changes/index.ts'
import {
  countAccountRecords,
  type KnownZones,
  requireUnchanged,
  requireZone,
  type Zone,
} from '../../zones/index.ts'
import type { RecordInput } from './dns-records.rules.ts'
import { findRecordText } from './dns-records.store.ts'
import { createDeletedZoneSweep } from './deleted-zones.service.ts'
import { createSecondaryRecords } from './secondary-records.service.ts'
import { createRecordRewriting } from './record-rewriting.service.ts'
import { createRecordStates, type NamingZone } from './record-states.service.ts'
import { createPageStarts } from './page-starts.ts'
import { listRecords, walksManyRows, type RecordPage, type RecordQuery } from './record-list.store.ts'
import {
  createRecordReplacement,
  type DesiredList,
  type Replaced,
  type ReplaceRecords,
} from './record-replacement.service.ts'
import {
  createRecordWriter,
  type Added,
  type Applied,
  type Addition,
  type Outcome,
  type RecordEdit,
  type RecordStep,
  type WriterDeps,
} from './record-writer.service.ts'

export interface DnsRecordsDeps extends WriterDeps {
  readonly storage: Storage
  readonly log: Pick<Log, 'info'>
  /** Whether the CNAME leads to an address; false also if that is not known within a short time. */
  readonly hasAddress: (name: Name, target: Name) => Promise<boolean>
  readonly knownZones: Pick<KnownZones<NamingZone>, 'findKnown'>
}

/** A record's JSON text, its entity tag, and notices for the client. */
export interface Written {
  readonly text: string
  readonly etag: string
  readonly notices: readonly Notice[]
}

/** Steps of a batch. Lists run in the order of this type's members, each in its own order. */
export interface Batch {
  readonly deletes: readonly RecordStep[]
  readonly patches: readonly RecordStep[]
  readonly puts: readonly RecordStep[]
  readonly posts: readonly RecordStep[]
}

export type BatchStrings = { readonly [List in keyof Batch]: readonly string[] }

/** Steps allowed in one batch, as in the live API. */
export const MAX_BATCH_STEPS = { free: 200, pro: 3_500, business: 3_500, enterprise: 3_500 } as const

/** Records of one request that are read ahead. */
const MAX_READ_AHEAD = 50

/** Targets looked up for one request, all in parallel. No warnings are given for further targets. */
export const MAX_CHECKED_TARGETS = 100

export type DnsRecords = ReturnType<typeof createDnsRecords>

export function createDnsRecords({ storage, log, hasAddress, knownZones, ...deps }: DnsRecordsDeps) {
  const pageStarts = createPageStarts()
  const writer = createRecordWriter(deps)
  const { replace: replaceAll } = createRecordReplacement(deps)
  const { follow } = createSecondaryRecords(deps)
  return {
    list,
    get,
    usage,
    accountUsage,
    create,
    overwrite,
    edit,
    remove,
    batch,
    add,
    replace,
    applySteps: writer.apply,
    inspect: writer.inspect,
    follow,
    sweepDeletedZones: createDeletedZoneSweep({ storage }),
    rewriteOld: createRecordRewriting({
      storage,
      log,
      clock: deps.clock,
      states: createRecordStates(deps),
    }),
  }

  /** @throws DomainError: zone.unknown. */
  async function list(zoneId: string, desired: RecordQuery, signal: AbortSignal): Promise<RecordPage> {
    const zone = await requireZone(storage, zoneId)
    const reader = walksManyRows(zone, desired) ? storage.offload : storage
    return listRecords(reader, zone, desired, pageStarts, signal)
  }

  /** @throws DomainError: record.unknown. */
  async function get(zoneId: string, id: string): Promise<Omit<Written, 'notices'>> {
    const text = await findRecordText(storage, zoneId, id)
    if (text === undefined) throw new DomainError({ reason: 'record.unknown' })
    return { text, etag: etagOf(text) }
  }

  /** Returns the number of records in the zone. @throws DomainError: zone.unknown. */
  async function usage(zoneId: string): Promise<number> {
    return (await requireZone(storage, zoneId)).recordCount
  }

  /** Returns the number of records in all zones of the account. */
  function accountUsage(accountId: string): Promise<number> {
    return countAccountRecords(storage, accountId)
  }

  /** @throws DomainError: every broken rule of the record, or the records it conflicts with. */
  function create(zoneId: string, input: RecordInput, actor: Actor): Promise<Written> {
    return one(zoneId, { kind: 'create', input }, actor)
  }

  /** Members that are not sent are reset to their defaults. @throws DomainError as create; record.type_change. */
  function overwrite(
    zoneId: string,
    id: string,
    edit: RecordEdit,
    actor: Actor,
    expected?: Expected,
  ): Promise<Written> {
    return one(zoneId, { kind: 'overwrite', id, edit, expected }, actor)
  }

  /** Members that are not sent are kept. @throws DomainError as create; record.type_change. */
  function edit(
    zoneId: string,
    id: string,
    patch: RecordEdit,
    actor: Actor,
    expected?: Expected,
  ): Promise<Written> {
    return one(zoneId, { kind: 'edit', id, edit: patch, expected }, actor)
  }

  /** @throws DomainError: record.unknown. */
  async function remove(
    zoneId: string,
    id: string,
    actor: Actor,
    expected?: Expected,
  ): Promise<readonly Notice[]> {
    return (await one(zoneId, { kind: 'remove', id, expected }, actor)).notices
  }

  /**
   * Applies many steps as one change set: deletes, patches, puts, posts. @throws DomainError: the first step that
   * fails.
   */
  async function batch(
    zoneId: string,
    { deletes, patches, puts, posts }: Batch,
    actor: Actor,
    expected?: Expected,
  ): Promise<{ readonly strings: BatchStrings; readonly notices: readonly Notice[] }> {
    const steps = [...deletes, ...patches, ...puts, ...posts]
    const apply = (tx: Transaction, zone: Zone): Promise<Applied> => {
      const limit = MAX_BATCH_STEPS[zone.plan]
      if (steps.length > limit) {
        throw new DomainError({ reason: 'record.batch_size', values: { count: steps.length, limit } })
      }
      return writer.apply(tx, zone, steps, actor)
    }
    const { strings, notices } = await inZone(zoneId, expected, apply, steps)
    let from = 0
    const take = (list: readonly RecordStep[]) => strings.slice(from, (from += list.length))
    return {
      strings: { deletes: take(deletes), patches: take(patches), puts: take(puts), posts: take(posts) },
      notices,
    }
  }

  /** Adds each valid record, in one change set. @throws DomainError: zone.unknown. */
  function add(zoneId: string, additions: Iterable<Addition>, actor: Actor): Promise<Added> {
    return inZone(zoneId, undefined, (tx, zone) => writer.add(tx, zone, additions, actor))
  }

  /**
   * Replaces all records of the zone, in one change set. Iterates over the new records several times.
   *
   * @param desired a function: the records are elsewhere, and it replaces those of the zone by them.
   * @throws DomainError: every broken rule; zone_file.unsafe, unless it is forced.
   */
  function replace(
    zoneId: string,
    desired: DesiredList | ReplaceRecords,
    actor: Actor,
    { force, expected }: { readonly force: boolean; readonly expected: Expected },
  ): Promise<Replaced> {
    return inZone(zoneId, expected, (tx, zone) =>
      typeof desired === 'function'
        ? desired(tx, zone, actor, force)
        : replaceAll(tx, zone, desired, actor, force),
    )
  }

  async function one(zoneId: string, step: RecordStep, actor: Actor): Promise<Written> {
    const steps = [step]
    const apply = (tx: Transaction, zone: Zone) => writer.apply(tx, zone, steps, actor)
    const { strings, notices } = await inZone(zoneId, undefined, apply, steps)
    const [text = ''] = strings
    return { text, etag: etagOf(text), notices }
  }

  async function inZone<Result extends Outcome>(
    zoneId: string,
    expected: Expected,
    work: (tx: Transaction, zone: Zone) => Promise<Result>,
    steps: readonly RecordStep[] = [],
  ): Promise<Result> {
    const unit = async (tx: Transaction): Promise<Result> => {
      const zone = await requireZone(tx, zoneId)
      requireUnchanged(zone, expected)
      return work(tx, zone)
    }
    const first = steps.slice(0, MAX_READ_AHEAD)
    const readAhead = (tx: Reader) => {
      const reading = requireZone(tx, zoneId)
      // The name of a zone does not change: without a wait for the row, records are read in the same round trip.
      const known = knownZones.findKnown(zoneId)?.zone
      const readRecords = async () => writer.readAheadOf(tx, known ?? (await reading), first)
      return Promise.allSettled([reading, readRecords(), readChangeSetAhead(tx, zoneId)])
    }
    const applied = await storage.write(unit, readAhead)
    return { ...applied, notices: [...applied.notices, ...(await targetNotices(applied))] }
  }

  /**
   * Proxied traffic must end at an address (specification §2.2 rule 1). This is a notice after the write, not a
   * reason to reject it: the target may be created later, and external nameservers must not decide what can be
   * written here.
   */
  async function targetNotices({ proxiedAliases }: Outcome): Promise<Notice[]> {
    const checked = proxiedAliases.slice(0, MAX_CHECKED_TARGETS).map(async ({ name, target }) => {
      const notice: Notice = { notice: 'record.target_unresolved', values: { name, target } }
      return (await hasAddress(name, target)) ? [] : [notice]
    })
    return (await Promise.all(checked)).flat()
  }
}
