// What is known of each certificate: read when its files have changed, so that looks and questions cost no more.
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { attemptsPath, forgetAttempts, MAX_PAUSE_MILLIS, readAttempts, type Attempts } from './attempts.ts'
import type { AuthoritySettings } from './authority.ts'
import { certificatePath, readStored, type StoredCertificate } from './stored-certificate.ts'

export interface KeptCertificate {
  readonly names: readonly string[]
  readonly path: string
  /** undefined: there is none yet. */
  readonly endsMillis: number | undefined
  /** When the next order is due. */
  readonly nextMillis: number
  readonly failures: number
  /** Why the last order failed; undefined: it did not. */
  readonly problem: string | undefined
}

interface Known {
  readonly names: readonly string[]
  /** Of the files it was read from. */
  readonly version: string
  readonly stored: StoredCertificate | undefined
  readonly attempts: Attempts | undefined
}

export function createKnownCertificates(folder: string, authority: AuthoritySettings, now: () => number) {
  const byPath = new Map<string, Known>()
  return { refresh, retain, stateOf, attemptsOf, setAttempts, forget, settingsOf }

  /** Reads what has changed. */
  async function refresh(names: readonly string[]): Promise<void> {
    const path = certificatePath(folder, names)
    const versions = await Promise.all([versionOf(path), versionOf(attemptsPath(path))])
    const version = [...versions, ...names].join()
    if (byPath.get(path)?.version === version) return
    const found = readAttempts(path)
    // With other settings, failures do not delay the next attempt.
    const attempts = found?.settings === settingsOf(names) ? found : undefined
    byPath.set(path, { names, version, stored: readStored(path, names), attempts })
  }

  /** Forgets those that are not wanted any more; their files stay. */
  function retain(orders: readonly (readonly string[])[]): void {
    const paths = new Set(orders.map((names) => certificatePath(folder, names)))
    for (const path of byPath.keys()) if (!paths.has(path)) byPath.delete(path)
  }

  /** @returns undefined before the first look. */
  function stateOf(ordered: readonly string[]): KeptCertificate | undefined {
    const path = certificatePath(folder, ordered)
    const known = byPath.get(path)
    if (known === undefined) return undefined
    const { names, stored } = known
    const attempts = attemptsOf(path)
    return {
      names,
      path,
      endsMillis: stored?.endsMillis,
      nextMillis: Math.max(stored?.renewMillis ?? 0, attempts?.nextMillis ?? 0), // at once: there is none, nothing failed
      failures: attempts?.failures ?? 0, // none failed
      problem: attempts?.problem,
    }
  }

  /** After the clock was set back, failures do not delay the next attempt. */
  function attemptsOf(path: string): Attempts | undefined {
    const attempts = byPath.get(path)?.attempts
    return attempts !== undefined && attempts.nextMillis <= now() + MAX_PAUSE_MILLIS ? attempts : undefined
  }

  /** Until their file changes: also if they could not be saved. */
  async function setAttempts(names: readonly string[], attempts: Attempts): Promise<void> {
    await refresh(names)
    const path = certificatePath(folder, names)
    const known = byPath.get(path)
    if (known !== undefined) byPath.set(path, { ...known, attempts })
  }

  /** Failures do not delay the next attempt. @throws the system's error if their file cannot be removed. */
  function forget(path: string): void {
    const known = byPath.get(path)
    if (known !== undefined) byPath.set(path, { ...known, attempts: undefined })
    forgetAttempts(path)
  }

  function settingsOf(names: readonly string[]): string {
    return createHash('sha256')
      .update(JSON.stringify([authority, names]))
      .digest('hex')
  }
}

async function versionOf(path: string): Promise<string> {
  try {
    const { mtimeMs, ctimeMs, size, ino } = await stat(path)
    return `${mtimeMs} ${ctimeMs} ${size} ${ino}`
  } catch (error) {
    // Reading it says the same.
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}
