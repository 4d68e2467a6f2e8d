// Coexistence of records: each is checked against the records at its name, as of one transaction.
import type { Name } from '@zonereeve/dns'
import { type Notice, throwIfIssues } from '@zonereeve/platform'
import type { Reader, Transaction } from '@zonereeve/storage'
import { publicationSettingsOf } from '../dns-settings/index.ts'
import { servedNameServers, type Zone } from '../../zones/index.ts'
import { coexistenceIssues, coexistenceNotices, DNAME, type Sibling } from './coexistence.rules.ts'
import type { DnsRecord } from './dns-record.ts'
import type { RecordFields } from './dns-records.rules.ts'
import { hasType, identityOf, indexedRecord, recordsAt } from './dns-records.store.ts'
import { emailNotices } from './email-notices.rules.ts'
import { createNeighborIndex } from './neighbors.rules.ts'
import type { RecordState } from './record-changes.service.ts'
import { openRedirection } from './redirection.service.ts'

export interface CoexistenceCheck {
  /** Loads the records at these names, in one read. */
  load(names: Iterable<Name>): Promise<void>
  /**
   * Treats all names as empty, whatever is stored there.
   *
   * @param hasOne whether a name will have a single record.
   */
  clear(hasOne?: (name: Name) => boolean): void
  /**
   * Checks a record against its neighbors: at once, unless something must be read for it.
   *
   * @param before the same record as currently stored. @returns notices for the client.
   * @throws DomainError: the conflicts, at once or as a rejection.
   */
  check(
    fields: RecordFields,
    before?: Pick<DnsRecord, 'id' | 'name'>,
    identity?: string,
  ): Notice[] | Promise<Notice[]>
  /** Registers a new record at its name. */
  put(id: string, fields: RecordFields, identity?: string): void
  /** Registers a written record in place of `before`. */
  moveRecord(before: RecordState | undefined, after: RecordState | undefined): void
}

/** Reads what a check of new records at these names will read, for many of them at once. */
export const readAhead = (tx: Reader, { id }: Pick<Zone, 'id'>, names: readonly Name[]): Promise<unknown> =>
  Promise.all([hasType(tx, id, DNAME), ...names.map((name) => recordsAt(tx, id, [name]))])

export function openCoexistenceCheck(
  tx: Transaction,
  zone: Zone,
  { hasEdge }: { hasEdge: boolean },
): CoexistenceCheck {
  const neighbors = createNeighborIndex()
  const redirection = openRedirection(tx, zone, neighbors)
  const place = { apex: zone.name, nameServers: servedNameServers(zone) }
  return { load, clear, check, put, moveRecord }

  async function load(names: Iterable<Name>): Promise<void> {
    const own = [...names]
    // In one round trip.
    const [above] = await Promise.all([redirection.namesToLoadAbove(own), loadRecords(own)])
    await loadRecords(above)
  }

  async function loadRecords(names: readonly Name[]): Promise<void> {
    const unknown = [...new Set(names)].filter((name) => !neighbors.knows(name))
    if (unknown.length === 0) return
    const found = await recordsAt(tx, zone.id, unknown)
    neighbors.open(unknown)
    for (const record of found) neighbors.put(record)
  }

  function clear(hasOne?: (name: Name) => boolean): void {
    neighbors.openAll(hasOne)
    redirection.clear()
  }

  function check(
    fields: RecordFields,
    before?: Pick<DnsRecord, 'id' | 'name'>,
    identity = identityOf(fields),
  ): Notice[] | Promise<Notice[]> {
    const isKnown = redirection.isAbsent() && neighbors.knows(fields.name)
    if (!isKnown || fields.type === DNAME || dependsOnProviders(fields))
      return checkReading(fields, before, identity)
    const siblings = neighbors.around(fields, identity, before?.id)
    throwIfIssues(coexistenceIssues(fields, identity, siblings, place))
    return noticesOf(fields, siblings, false)
  }

  async function checkReading(
    fields: RecordFields,
    before: Pick<DnsRecord, 'id' | 'name'> | undefined,
    identity: string,
  ): Promise<Notice[]> {
    if (!redirection.isAbsent() || !neighbors.knows(fields.name)) await load([fields.name])
    const siblings = neighbors.around(fields, identity, before?.id)
    throwIfIssues(coexistenceIssues(fields, identity, siblings, place))
    if (!redirection.isAbsent() || fields.type === DNAME)
      throwIfIssues(await redirection.issues(fields, before))
    return noticesOf(fields, siblings, dependsOnProviders(fields) && (await isMultiProvider()))
  }

  function noticesOf(fields: RecordFields, siblings: readonly Sibling[], multiProvider: boolean): Notice[] {
    const served = { apex: zone.name, hasEdge, multiProvider }
    return [...coexistenceNotices(fields, siblings, served), ...emailNotices(fields, siblings)]
  }

  function put(id: string, fields: RecordFields, identity = identityOf(fields)): void {
    neighbors.put(indexedRecord(id, fields, identity))
    redirection.count(fields, 1)
  }

  function moveRecord(before: RecordState | undefined, after: RecordState | undefined): void {
    if (before !== undefined) {
      neighbors.drop(indexedRecord(before.record.id, before.record))
      redirection.count(before.record, -1)
    }
    if (after !== undefined) put(after.record.id, after.record)
  }

  function dependsOnProviders({ type, name }: RecordFields): boolean {
    return type === 'NS' && name === zone.name
  }

  async function isMultiProvider(): Promise<boolean> {
    return (await publicationSettingsOf(tx, zone)).multiProvider
  }
}
