// Creates a folder and its parents one by one: Node's recursive mkdir never ends on file systems that report
// "no such file" for a folder that cannot be created, such as /proc.
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Created folders are accessible to this user only.
 * @throws Error naming the folder that cannot be created, and why.
 */
export function makeFolder(path: string): void {
  const desired = resolve(path)
  try {
    const missing: string[] = []
    for (let at = desired; !existsSync(at); at = dirname(at)) missing.push(at)
    for (const folder of missing.toReversed()) makeOne(folder)
    if (!statSync(desired).isDirectory()) throw new Error('it is not a folder')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`the folder ${desired} cannot be used: ${reason}`, { cause: error })
  }
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it first.
    if (!existsSync(folder)) throw error
  }
}
