import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createDocumentStore } from './document-store.ts'
import type { EdgeServer } from './edge-server.ts'
import { startFollower } from './follower.ts'
import type { ZoneDocument } from './zone-document.ts'
import { createZoneTable, type EdgeZone } from './zone-table.ts'

/** A table whose zones need no rules. */
function createTable() {
  const table = createZoneTable()
  const replace = async ({ id, name, version }: ZoneDocument): Promise<void> => {
    table.byId.set(id, { id, name, version } as EdgeZone) // all that a follower reads
  }
  return { ...table, replace }
}

async function follow(documents: Readonly<Record<string, ZoneDocument | 'unreadable'>>) {
  const warnings: string[] = []
  const asked: string[] = []
  const server: Pick<EdgeServer, 'zoneVersions' | 'zoneDocument' | 'coreRuleSet'> = {
    async zoneVersions(cursor, signal) {
      if (cursor !== undefined) await sleep(20, undefined, { signal })
      const zones = Object.keys(documents).map((id) => ({ id, version: '1' }))
      return { cursor: 'now', core_rule_set: null, zones }
    },
    async zoneDocument(id) {
      asked.push(id)
      return documents[id]
    },
    coreRuleSet: async () => undefined,
  }
  const zones = createTable()
  const follower = await startFollower({
    server,
    store: createDocumentStore(undefined),
    zones,
    log: { info: () => {}, warn: (_, message) => void warnings.push(message) },
  })
  onTestFinished(follower.close)
  await follower.synced
  return { follower, zones, warnings, asked }
}

const documentOf = (id: string): ZoneDocument => ({ id, name: `${id}.example`, version: '1' }) as ZoneDocument // as above

test('a zone whose configuration the server cannot read holds up no other zone, and is asked for again', async () => {
  const { follower, zones, warnings, asked } = await follow({ a: 'unreadable', b: documentOf('b') })
  expect([follower.isReady(), [...zones.byId.keys()]]).toEqual([true, ['b']])
  expect(warnings).toContain('the server cannot read the configuration; the last one stays')
  await vi.waitFor(() => expect(asked.filter((id) => id === 'a').length).toBeGreaterThan(1))
  expect(asked.filter((id) => id === 'b')).toEqual(['b'])
})

test('a zone that is gone is forgotten', async () => {
  const documents: Record<string, ZoneDocument> = { a: documentOf('a'), b: documentOf('b') }
  const { zones } = await follow(documents)
  expect([...zones.byId.keys()]).toEqual(['a', 'b'])
  delete documents['a']
  await vi.waitFor(() => expect([...zones.byId.keys()]).toEqual(['b']))
})
