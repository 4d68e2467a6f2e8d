// The program with a folder of data that can be saved and restored: it closes, files are copied, and it starts again on
// the same ports. For test suites.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Server } from 'node:http'
import { startApp, type App, type AppOptions } from './app.ts'

export interface RestartableApp {
  readonly app: App
  save(name: string): Promise<void>
  /** @returns false: no state has this name. */
  restore(name: string): Promise<boolean>
  saved(): readonly string[]
  close(): Promise<void>
}

export interface RestartableOptions extends AppOptions {
  /** Saved states are in it, one folder each. */
  readonly states: string
  /** The name of the state before the start. */
  readonly firstState: string
  /** Called with each HTTP server, which listens. */
  readonly watchRequests: (server: Server) => void
}

/** Requests in progress hold up a restart this long. */
const DRAIN_MILLIS = 500

export async function startRestartable(options: RestartableOptions): Promise<RestartableApp> {
  const { states, config } = options
  const { data } = config
  // Before the first start, so that nothing has to stop for it.
  replaceFolder(data, join(states, options.firstState))
  let app = await startApp({ ...options, drainMillis: DRAIN_MILLIS })
  const { http, dns } = app
  /** One change at a time: each starts when the one before has ended. */
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false

  function whileClosed(work: () => void): Promise<void> {
    const done = last.then(async () => {
      if (isClosed) throw new Error('the server is stopping')
      await app.close()
      try {
        work()
      } finally {
        app = await startApp({ ...options, config: { ...config, http, dns }, drainMillis: DRAIN_MILLIS })
      }
    })
    last = done.catch(() => {})
    return done
  }

  return {
    get app() {
      return app
    },
    save: (name) => whileClosed(() => replaceFolder(data, join(states, name))),
    async restore(name) {
      const state = join(states, name)
      if (!existsSync(state)) return false
      await whileClosed(() => replaceFolder(state, data))
      return true
    },
    saved: () => (existsSync(states) ? readdirSync(states) : []),
    async close() {
      await last
      isClosed = true
      await app.close()
    },
  }
}

function replaceFolder(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true, mode: 0o700 })
  cpSync(from, to, { recursive: true, preserveTimestamps: true })
}
