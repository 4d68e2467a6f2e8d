// Attempts without success, in a file beside each certificate: a program that is started again and again must not ask
// more often. Each is there before its order, so that a program that dies in one has counted it.
import { rmSync } from 'node:fs'
import { backoffMillis } from '@zonereeve/cooperate'
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

const FIRST_PAUSE_MILLIS = 60_000
const LONGEST_PAUSE_MILLIS = 86_400_000
/** Part of a pause by which it may be longer. */
const PAUSE_SPREAD = 0.2
/** After a later time, the clock was set back. */
export const MAX_PAUSE_MILLIS = LONGEST_PAUSE_MILLIS * (1 + PAUSE_SPREAD)

/** @param failures in a row, from 1. @param random 0 to 1. */
export const pauseMillis = (failures: number, random: number): number =>
  Math.round(backoffMillis(failures, FIRST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS) * (1 + PAUSE_SPREAD * random))

export const attemptsPath = (certificate: string): string => `${certificate}.attempts.json`

/** @returns undefined if the last attempt succeeded, or the file is not readable. */
export function readAttempts(certificate: string): Attempts | undefined {
  try {
    const found: unknown = JSON.parse(readFileIfAny(attemptsPath(certificate)) ?? 'null') // without failures
    return isAttempts(found) ? found : undefined
  } catch {
    // It only delays attempts: damaged, it delays none.
    return undefined
  }
}

export const saveAttempts = (certificate: string, attempts: Attempts): void =>
  replaceFile(attemptsPath(certificate), JSON.stringify(attempts))

export const forgetAttempts = (certificate: string): void =>
  rmSync(attemptsPath(certificate), { force: true })

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
