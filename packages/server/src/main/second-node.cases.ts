// For tests: nodes without sockets that share one database of SQLite. One writes; the hubs of the others are fed from the
// change log.
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { loadConfig } from '@zonereeve/config'
import { manualClock, silentLog } from '@zonereeve/platform'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { openSqliteStorage, type Storage } from '@zonereeve/storage'
import { createEventHub, type EventHub } from '../features/changes/index.ts'
import { ADMIN_EMAIL, ADMIN_TOKEN, BASE, START } from '../testing/app.ts'
import { countedIds } from '../testing/counted-ids.ts'
import { createApi } from './api.ts'
import { ensureAdministrator } from './first-start.ts'
import { createMetrics } from './metrics/metrics.ts'
import { createModules, type Modules, type ModulesDeps } from './modules.ts'

const CONFIG = loadConfig({
  flags: {
    http: '127.0.0.1:0',
    dns: '127.0.0.1:0',
    resolver: 'off',
    'edge-addresses': '198.51.100.1',
  },
  environment: { ZONEREEVE_ADMIN_TOKEN: ADMIN_TOKEN },
})

interface StartOptions extends Pick<ModulesDeps, 'nodes' | 'isFollower' | 'outside'> {
  /** The name servers whose zones the node has; undefined: all. */
  readonly zonesOf?: readonly string[] | undefined
}

/** @param options what it knows of other nodes, among others. */
export async function startNode(
  storage: Storage,
  hub: EventHub,
  clock = manualClock(START),
  { zonesOf, ...more }: StartOptions = {},
): Promise<Modules> {
  const node = { config: { ...CONFIG, zonesOf }, storage, clock, ids: countedIds(), log: silentLog, hub }
  const metrics = createMetrics({ maxZones: 0, droppedLogLines: () => 0, ofProcess: false })
  const modules = await createModules({ ...node, ...more, metrics })
  onTestFinished(() => modules.answering.close())
  return modules
}

/** A node that writes, with its database and its API. */
export async function startWriter(outside: ModulesDeps['outside'] = {}) {
  const database = join(scratchFolder(), 'zonereeve.db')
  const hub = createEventHub(silentLog)
  const clock = manualClock(START)
  const storage = await openSqliteStorage(database, silentLog, {
    isServer: true,
    deliver: hub.deliver,
    clock,
  })
  onTestFinished(() => storage.close())
  const deps = { storage, clock, ids: countedIds() }
  await ensureAdministrator(deps, { token: ADMIN_TOKEN, email: ADMIN_EMAIL, key: undefined })
  const node = await startNode(storage, hub, clock, { outside })
  return { database, storage, clock, node, call: await openApi(node) }
}

/** The same database by another connection. What a node writes besides the log is written by the writer's: SQLite has one. */
export async function openReader({
  database,
  storage,
}: Pick<Awaited<ReturnType<typeof startWriter>>, 'database' | 'storage'>): Promise<Storage> {
  const reader = await openSqliteStorage(database, silentLog)
  onTestFinished(() => reader.close())
  return { ...reader, write: storage.write }
}

/**
 * The node's API without a socket.
 * @returns the result of a call that must succeed.
 */
async function openApi(modules: Modules) {
  const deps = { config: CONFIG, clock: manualClock(START), ids: countedIds(), log: silentLog }
  const { server } = await createApi({ ...deps, modules })
  onTestFinished(() => server.close())
  return async <Result>(method: string, path: string, body?: object): Promise<Result> => {
    const answer = await server.inject({
      method: method as 'GET', // a method that Fastify supports
      url: BASE + path,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, host: 'localhost' },
      ...(body === undefined ? {} : { payload: body }),
    })
    if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${answer.body}`)
    return answer.json<{ result: Result }>().result
  }
}
