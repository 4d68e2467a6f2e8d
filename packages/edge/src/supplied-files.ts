// Files that the operator supplies and replaces from time to time: used for all decisions of the process.
import { statSync } from 'node:fs'
import type { EdgeLog } from './edge-log.ts'

/** How often the files are looked at: they are replaced every day or so. */
const LOOK_MILLIS = 60_000

export interface SuppliedFiles<Content> {
  /** What the files have, for messages. */
  readonly name: string
  /** @throws Error naming the file that cannot be used. */
  readonly open: (paths: readonly string[]) => Content
  /** @param content undefined: there is none. */
  readonly install: (content: Content | undefined) => void
}

/**
 * Uses files, and their newer versions when they change. What cannot be used is logged, and what was there before stays.
 *
 * @param paths none: nothing is in use. @returns a function that stops looking.
 */
export function useSuppliedFiles<Content>(
  paths: readonly string[],
  { name, open, install }: SuppliedFiles<Content>,
  log: EdgeLog,
  lookMillis = LOOK_MILLIS,
): () => void {
  install(undefined)
  if (paths.length === 0) return () => undefined
  let loaded = ''
  const look = (): void => {
    const version = versionOf(paths)
    if (version === loaded) return
    loaded = version
    try {
      install(open(paths))
      log.info({ paths }, `${name} in use`)
    } catch (error) {
      log.warn({ paths, problem: String(error) }, `${name} not usable`)
    }
  }
  look()
  const timer = setInterval(look, lookMillis).unref()
  return () => clearInterval(timer)
}

function versionOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const found = statSync(path, { throwIfNoEntry: false })
      return `${found?.mtimeMs} ${found?.size} ${found?.ino}`
    })
    .join()
}
