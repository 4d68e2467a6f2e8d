// One digest of many source files: tells whether something that was built from them is current.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** @param sources files and folders, relative to the repository. Tests in them do not count. */
export function digestOfFiles(sources: readonly string[]): string {
  const digest = createHash('sha256')
  for (const path of sources.flatMap((source) => filesOf(join(root, source))).toSorted())
    digest.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0')
  return digest.digest('hex')
}

/** Whether the stamp, which lies beside built files, has the digest of the current sources. */
export const isStamped = (stamp: string, sources: readonly string[]): boolean =>
  existsSync(stamp) && readFileSync(stamp, 'utf8') === digestOfFiles(sources)

function filesOf(path: string): string[] {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && !/(^|\/)node_modules(\/|$)/.test(entry.parentPath.slice(path.length)),
    )
    .filter(({ name }) => !/\.(test|cases)\.tsx?$/.test(name))
    .map((entry) => join(entry.parentPath, entry.name))
}
