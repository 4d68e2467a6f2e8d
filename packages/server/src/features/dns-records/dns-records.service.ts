// Records of a zone: listed, read, created, overwritten, edited, deleted, in batches too.
import type { Name } from '@zonereeve/dns'
import type { Actor } from '../../platform/actor.ts'
import { DomainError, type Notice } from '../../platform/domain-error.ts'
import { etagOf, type Expected } from '../../platform/etag.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import { countAccountRecords, demandUnchanged, demandZone, type Zone } from '../zones/index.ts'
import type { RecordInput } from './dns-records.rules.ts'
import { findRecordText } from './dns-records.store.ts'
import { createDeletedZoneSweep } from './deleted-zones.service.ts'
import { createFollowedRecords } from './followed-records.service.ts'
import { createPageStarts } from './page-starts.ts'
import { listRecords, walksManyRows, type RecordPage, type RecordQuery } from './record-list.store.ts'
import { createRecordReplacement, type Replaced, type Wanted } from './record-replacement.service.ts'
import {
  createRecordWriter,
  type Added,
  type Addition,
  type Outcome,
  type RecordEdit,
  type RecordStep,
  type WriterDeps,
} from './record-writer.service.ts'

export interface DnsRecordsDeps extends WriterDeps {
  readonly storage: Storage
  /** Whether the CNAME of a name leads to an address; false also when that cannot be told in a short time. */
  readonly hasAddress: (name: Name, target: Name) => Promise<boolean>
}

/** A record's text, its entity tag, and what its writer should know. */
export interface Written {
  readonly text: string
  readonly etag: string
  readonly notices: readonly Notice[]
}

/** Steps of a batch, each list in its own order; lists are taken in the order of this type. */
export interface Batch {
  readonly deletes: readonly RecordStep[]
  readonly patches: readonly RecordStep[]
  readonly puts: readonly RecordStep[]
  readonly posts: readonly RecordStep[]
}

export type BatchTexts = { readonly [List in keyof Batch]: readonly string[] }

/** Steps in one batch: what the live API allows. */
export const MAX_BATCH_STEPS = { free: 200, pro: 3_500, business: 3_500, enterprise: 3_500 } as const

/** Targets that are looked up for one request, all at the same time; those beyond are not warned of. */
export const MAX_CHECKED_TARGETS = 100

export type DnsRecords = ReturnType<typeof createDnsRecords>

export function createDnsRecords({ storage, hasAddress, ...deps }: DnsRecordsDeps) {
  const pageStarts = createPageStarts()
  const writer = createRecordWriter(deps)
  const { replace: replaceAll } = createRecordReplacement(deps)
  const { follow } = createFollowedRecords(deps)
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
    follow,
    sweepDeletedZones: createDeletedZoneSweep({ storage }),
  }

  /** @throws DomainError: zone.unknown. */
  async function list(zoneId: string, wanted: RecordQuery): Promise<RecordPage> {
    const zone = await demandZone(storage, zoneId)
    const reader = walksManyRows(zone, wanted) ? storage.aside : storage
    return listRecords(reader, zone, wanted, pageStarts)
  }

  /** @throws DomainError: record.unknown. */
  async function get(zoneId: string, id: string): Promise<Omit<Written, 'notices'>> {
    const text = await findRecordText(storage, zoneId, id)
    if (text === undefined) throw new DomainError({ reason: 'record.unknown' })
    return { text, etag: etagOf(text) }
  }

  /** How many records the zone has. @throws DomainError: zone.unknown. */
  async function usage(zoneId: string): Promise<number> {
    return (await demandZone(storage, zoneId)).recordCount
  }

  /** How many records the account's zones have in all. */
  function accountUsage(accountId: string): Promise<number> {
    return countAccountRecords(storage, accountId)
  }

  /** @throws DomainError: every broken rule of the record, or what stands in its way. */
  function create(zoneId: string, input: RecordInput, actor: Actor): Promise<Written> {
    return one(zoneId, { kind: 'create', input }, actor)
  }

  /** Members that are not sent go back to their defaults. @throws DomainError as create; record.type_change. */
  function overwrite(
    zoneId: string,
    id: string,
    edit: RecordEdit,
    actor: Actor,
    expected?: Expected,
  ): Promise<Written> {
    return one(zoneId, { kind: 'overwrite', id, edit, expected }, actor)
  }

  /** Members that are not sent stay. @throws DomainError as create; record.type_change. */
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

  /** One change set of many steps: deletes, patches, puts, posts. @throws DomainError: the first step that fails. */
  async function batch(
    zoneId: string,
    { deletes, patches, puts, posts }: Batch,
    actor: Actor,
    expected?: Expected,
  ): Promise<{ readonly texts: BatchTexts; readonly notices: readonly Notice[] }> {
    const steps = [...deletes, ...patches, ...puts, ...posts]
    const { texts, notices } = await inZone(zoneId, expected, (tx, zone) => {
      const limit = MAX_BATCH_STEPS[zone.plan]
      if (steps.length > limit) {
        throw new DomainError({ reason: 'record.batch_size', values: { count: steps.length, limit } })
      }
      return writer.apply(tx, zone, steps, actor)
    })
    let from = 0
    const take = (list: readonly RecordStep[]) => texts.slice(from, (from += list.length))
    return {
      texts: { deletes: take(deletes), patches: take(patches), puts: take(puts), posts: take(posts) },
      notices,
    }
  }

  /** Adds what can be added, in one change set. @throws DomainError: zone.unknown. */
  function add(zoneId: string, additions: Iterable<Addition>, actor: Actor): Promise<Added> {
    return inZone(zoneId, undefined, (tx, zone) => writer.add(tx, zone, additions, actor))
  }

  /**
   * Gives the zone these records and no others, in one change set; they are gone through several times.
   *
   * @throws DomainError: every broken rule; zone_file.unsafe, unless it is forced.
   */
  function replace(
    zoneId: string,
    wanted: Iterable<Wanted>,
    actor: Actor,
    { force, expected }: { readonly force: boolean; readonly expected: Expected },
  ): Promise<Replaced> {
    return inZone(zoneId, expected, (tx, zone) => replaceAll(tx, zone, wanted, actor, force))
  }

  async function one(zoneId: string, step: RecordStep, actor: Actor): Promise<Written> {
    const { texts, notices } = await inZone(zoneId, undefined, (tx, zone) =>
      writer.apply(tx, zone, [step], actor),
    )
    const [text = ''] = texts
    return { text, etag: etagOf(text), notices }
  }

  async function inZone<Result extends Outcome>(
    zoneId: string,
    expected: Expected,
    work: (tx: Transaction, zone: Zone) => Promise<Result>,
  ): Promise<Result> {
    const applied = await storage.write(async (tx) => {
      const zone = await demandZone(tx, zoneId)
      demandUnchanged(zone, expected)
      return work(tx, zone)
    })
    return { ...applied, notices: [...applied.notices, ...(await targetNotices(applied))] }
  }

  /**
   * Proxied traffic must end at an address (specification §2.2 rule 1). Told after the write, not a reason to refuse it:
   * the target may come later, and others' nameservers must not decide what can be written here.
   */
  async function targetNotices({ proxiedAliases }: Outcome): Promise<Notice[]> {
    const checked = proxiedAliases.slice(0, MAX_CHECKED_TARGETS).map(async ({ name, target }) => {
      const notice: Notice = { notice: 'record.target_unresolved', values: { name, target } }
      return (await hasAddress(name, target)) ? [] : [notice]
    })
    return (await Promise.all(checked)).flat()
  }
}
