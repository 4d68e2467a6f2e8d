// Failed attempts, in a file beside each certificate: a program that is started again and again must not ask more often.
import { rmSync } from 'node:fs'
import { readFileIfAny, replaceFile } from './private-file.ts'

export interface Attempts {
  /** In a row. */
  readonly failures: number
  /** Why the last one failed. */
  readonly problem: string
  readonly nextMillis: number
  /** Identifies the settings it failed with: with others, the next attempt is immediate. */
  readonly settings: string
}

const pathOf = (certificate: string): string => `${certificate}.attempts.json`

/** @returns undefined if the last attempt did not fail, or the file is not readable. */
export function readAttempts(certificate: string): Attempts | undefined {
  try {
    const found: unknown = JSON.parse(readFileIfAny(pathOf(certificate)) ?? 'null') // without failures
    return isAttempts(found) ? found : undefined
  } catch {
    // It only delays attempts: damaged, it delays none.
    return undefined
  }
}

export const saveAttempts = (certificate: string, attempts: Attempts): void =>
  replaceFile(pathOf(certificate), JSON.stringify(attempts))

export const forgetAttempts = (certificate: string): void => rmSync(pathOf(certificate), { force: true })

const isAttempts = (found: unknown): found is Attempts =>
  typeof found === 'object' &&
  found !== null &&
  'failures' in found &&
  typeof found.failures === 'number' &&
  'problem' in found &&
  typeof found.problem === 'string' &&
  'nextMillis' in found &&
  typeof found.nextMillis === 'number' &&
  'settings' in found &&
  typeof found.settings === 'string'
