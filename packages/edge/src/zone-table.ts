// The zones that an edge decides for, by host. A zone is replaced whole, and only by one that compiles.
import { createYieldIfDue, runInChunks } from '@zonereeve/cooperate'
import { type RequestFacts, utf8 } from '@zonereeve/expr'
import { compileZone, type DecidingZone } from '@zonereeve/firewall'
import { type CompiledPages, compilePages } from './page-headers.ts'
import type { OriginRecord, ZoneDocument } from './zone-document.ts'

/** A zone, ready to decide. */
export interface EdgeZone {
  readonly id: string
  readonly name: string
  /** What rules know of it. */
  readonly facts: NonNullable<RequestFacts['zone']>
  readonly version: string
  readonly deciding: DecidingZone
  readonly origins: ReadonlyMap<string, readonly OriginRecord[]>
  /** undefined if no header is added to pages. */
  readonly pages: CompiledPages | undefined
}

export type ZoneTable = ReturnType<typeof createZoneTable>

export function createZoneTable() {
  const byName = new Map<string, EdgeZone>()
  const byId = new Map<string, EdgeZone>()
  return { byId, zoneOf, replace, remove }

  /** @param host in lower case, without a port. @returns the zone with the longest matching name. */
  function zoneOf(host: string): EdgeZone | undefined {
    for (let name = host; ;) {
      const zone = byName.get(name)
      const dot = name.indexOf('.')
      if (zone !== undefined || dot < 0) return zone
      name = name.slice(dot + 1)
    }
  }

  /** @throws if the document does not compile; then the zone stays as it is. */
  async function replace(document: ZoneDocument): Promise<void> {
    const { id, name, plan, version, configuration, pages } = document
    const deciding = await runInChunks(compileZone(configuration))
    const origins = await originsByName(document.origins)
    remove(id)
    const compiledPages = pages && compilePages(pages)
    const lower = name.toLowerCase()
    const facts = { name: utf8(lower), plan }
    const zone = { id, name: lower, facts, version, deciding, origins, pages: compiledPages }
    byId.set(id, zone)
    byName.set(zone.name, zone)
  }

  function remove(id: string): void {
    const zone = byId.get(id)
    if (zone === undefined) return
    byId.delete(id)
    if (byName.get(zone.name) === zone) byName.delete(zone.name)
  }
}

async function originsByName(records: readonly OriginRecord[]): Promise<EdgeZone['origins']> {
  const yieldIfDue = createYieldIfDue()
  const origins = new Map<string, OriginRecord[]>()
  for (const record of records) {
    const name = record.name.toLowerCase()
    const known = origins.get(name)
    if (known === undefined) origins.set(name, [record])
    else known.push(record)
    await yieldIfDue()
  }
  return origins
}
