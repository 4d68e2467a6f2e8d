// In tests, worker threads and processes run the bundles that bundled.ts built before the tests: each would read hundreds of
// TypeScript files otherwise, for one to two seconds. vitest.config.ts puts this in place of worker-file.ts.
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { threadFile as findThread, workerFile as findWorker } from '../packages/platform/src/worker-file.ts'

const DIST = new URL('../packages/server/dist/', import.meta.url)

/** As in the published package. Undefined for workers that only tests have. */
function bundled(path: string): URL | undefined {
  const url = new URL(`${basename(path)}.js`, DIST)
  return existsSync(url) ? url : undefined
}

export function workerFile(...[path, starter]: Parameters<typeof findWorker>): ReturnType<typeof findWorker> {
  const url = bundled(path)
  return url === undefined ? findWorker(path, starter) : { url, execArgv: [] }
}

export const threadFile: typeof findThread = (path, starter) => bundled(path) ?? findThread(path, starter)
