// Detects whether the opened database files were deleted or replaced: writes into a deleted file succeed, and
// are lost.
import { statSync, type Stats } from 'node:fs'

/** @returns a function that reports whether each file is still the same as at the call. */
export function watchFiles(paths: readonly string[]): () => boolean {
  const opened = paths.map((path) => ({ path, first: identityOf(path) }))
  return () => opened.every(({ path, first }) => isSame(first, identityOf(path)))
}

type Identity = Pick<Stats, 'dev' | 'ino'> | undefined

function identityOf(path: string): Identity {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined // a parent folder is gone or not accessible: counts as missing
  }
}

const isSame = (a: Identity, b: Identity): boolean => b !== undefined && a?.ino === b.ino && a.dev === b.dev
