// Where records may stand: each is judged by what stands at its name, as it is within one transaction.
import type { Name } from '@zonereeve/dns'
import { refuse, type Notice } from '../../platform/domain-error.ts'
import type { Transaction } from '../../storage/index.ts'
import { servingSettingsOf } from '../dns-settings/index.ts'
import { servedNameServers, type Zone } from '../zones/index.ts'
import { coexistenceIssues, coexistenceNotices } from './coexistence.rules.ts'
import type { RecordFields } from './dns-records.rules.ts'
import { identityOf, placedRecord, recordsAt } from './dns-records.store.ts'
import { emailNotices } from './email-notices.rules.ts'
import { createPlaces } from './places.rules.ts'
import type { RecordState } from './record-changes.service.ts'

export interface Placing {
  /** Reads what stands at these names, all at once. */
  load(names: Iterable<Name>): Promise<void>
  /** Takes all names for empty, whatever is stored there. */
  clear(): void
  /**
   * Judges a record by its neighbours.
   *
   * @param id of the record where it stands there already. @returns what its writer should know.
   * @throws DomainError: what stands in its way.
   */
  check(fields: RecordFields, id?: string): Promise<Notice[]>
  /** Takes notice of a record that stands at its name from now on. */
  put(id: string, fields: RecordFields): void
  /** Takes notice of a record that was written, in the place of `before`. */
  moved(before: RecordState | undefined, after: RecordState | undefined): void
}

export function openPlacing(tx: Transaction, zone: Zone, { hasEdge }: { hasEdge: boolean }): Placing {
  const places = createPlaces()
  return {
    load,
    clear: places.openAll,
    check,
    put: (id, fields) => places.put(placedRecord(id, fields)),
    moved,
  }

  async function load(names: Iterable<Name>): Promise<void> {
    const unknown = [...new Set(names)].filter((name) => !places.knows(name))
    if (unknown.length === 0) return
    const found = await recordsAt(tx, zone.id, unknown)
    places.open(unknown)
    for (const record of found) places.put(record)
  }

  async function check(fields: RecordFields, id?: string): Promise<Notice[]> {
    await load([fields.name])
    const identity = identityOf(fields)
    const siblings = places.around(fields, identity, id)
    const place = { apex: zone.name, nameServers: servedNameServers(zone) }
    refuse(coexistenceIssues(fields, identity, siblings, place))
    const served = { apex: zone.name, hasEdge, multiProvider: await isMultiProvider(fields) }
    return [...coexistenceNotices(fields, siblings, served), ...emailNotices(fields, siblings)]
  }

  function moved(before: RecordState | undefined, after: RecordState | undefined): void {
    if (before !== undefined) places.drop(placedRecord(before.record.id, before.record))
    if (after !== undefined) places.put(placedRecord(after.record.id, after.record))
  }

  /** Looked up for the records alone that it makes a difference to. */
  async function isMultiProvider({ type, name }: RecordFields): Promise<boolean> {
    return type === 'NS' && name === zone.name && (await servingSettingsOf(tx, zone)).multiProvider
  }
}
