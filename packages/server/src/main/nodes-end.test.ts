// A node that ends while it begins to write.
import { expect, onTestFinished, test } from 'vitest'
import { silentLog } from '@zonereeve/platform'
import { IN_MEMORY, type NodeHandlers, openSqliteStorage } from '@zonereeve/storage'
import { createEventHub } from '../features/changes/index.ts'
import { createNodes } from './nodes.ts'

test('a node that ends does not try any more to begin the work of the writer', async () => {
  const storage = await openSqliteStorage(IN_MEMORY, silentLog)
  onTestFinished(() => storage.close())
  let leading: Promise<void> | undefined
  const node = {
    isWriter: () => true,
    writerAddress: () => undefined,
    others: async () => [],
    shareCounts: () => {},
    setAddress: async () => {},
    begin: (handlers: NodeHandlers) => void (leading = handlers.lead()),
    end: async () => leading,
    onWake: () => {},
  }
  const nodes = await createNodes({
    config: { nodeUrl: 'http://127.0.0.1:1', keyEncryptionSecret: 'secret', zonesOf: undefined },
    storage: { ...storage, node },
    hub: createEventHub(silentLog),
    log: silentLog,
  })
  let attempts = 0
  await nodes?.start({ host: '127.0.0.1', port: 1 }, () => {
    attempts += 1
    return Promise.reject(new Error('the database is away'))
  })
  await nodes?.end()
  expect(attempts).toBe(1)
})
