// Challenges that are published, in a file: a program that was killed removes them when it starts again.
import { join } from 'node:path'
import { readFileIfAny, replaceFile } from './private-file.ts'

export interface Challenge {
  /** The name to prove, without `*.` and without `_acme-challenge.`. */
  readonly name: string
  /** The content of the TXT record. */
  readonly value: string
}

export type PendingChallenges = ReturnType<typeof createPendingChallenges>

export function createPendingChallenges(folder: string) {
  const path = join(folder, 'challenges.json')
  let pending = read()
  return {
    all: (): readonly Challenge[] => pending,
    /** Before it is published. */
    add: (challenge: Challenge): void => save([...pending, challenge]),
    remove: ({ name, value }: Challenge): void =>
      save(pending.filter((other) => other.name !== name || other.value !== value)),
  }

  function save(next: readonly Challenge[]): void {
    replaceFile(path, JSON.stringify(next))
    pending = next
  }

  function read(): readonly Challenge[] {
    try {
      const found: unknown = JSON.parse(readFileIfAny(path) ?? '[]') // none so far
      return Array.isArray(found) ? found.filter(isChallenge) : []
    } catch {
      // What is not readable cannot be removed: records stay, and do no harm.
      return []
    }
  }
}

const isChallenge = (found: unknown): found is Challenge =>
  typeof found === 'object' &&
  found !== null &&
  'name' in found &&
  typeof found.name === 'string' &&
  'value' in found &&
  typeof found.value === 'string'
