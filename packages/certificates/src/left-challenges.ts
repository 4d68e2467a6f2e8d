// Removes challenges after their order: what cannot be removed is tried again after the pauses that orders have.
import { pauseMillis } from './attempts.ts'
import type { Challenges, KeeperLog } from './keeper.ts'
import type { Challenge, PendingChallenges } from './pending-challenges.ts'
import { describe } from './problem.ts'

interface LeftChallengesDeps {
  readonly pending: PendingChallenges
  readonly remove: Challenges['remove']
  readonly log: Pick<KeeperLog, 'warn'>
  readonly now: () => number
  readonly random: () => number
}

interface Tried {
  readonly failures: number
  readonly nextMillis: number
}

/** @returns a function that removes those that are due, and never rejects. */
export function createRemoval({ pending, remove, log, now, random }: LeftChallengesDeps) {
  const tried = new Map<string, Tried>()
  return async (): Promise<void> => {
    for (const challenge of pending.all()) {
      const { name, value } = challenge
      const { failures, nextMillis } = tried.get(value) ?? { failures: 0, nextMillis: 0 } // not tried yet
      if (nextMillis <= now()) await removeOne(challenge, failures)
      if (!pending.all().some((other) => other.name === name && other.value === value)) tried.delete(value)
    }
  }

  async function removeOne(challenge: Challenge, failures: number): Promise<void> {
    const { name, value } = challenge
    try {
      const outcome = await remove(challenge)
      if (outcome === 'refused')
        log.warn({ name, problem: 'the server refuses it: the record stays' }, 'challenge not removed')
      pending.remove(challenge)
    } catch (error) {
      const nextMillis = now() + pauseMillis(failures + 1, random())
      tried.set(value, { failures: failures + 1, nextMillis })
      const next = new Date(nextMillis).toISOString()
      log.warn({ name, problem: describe(error), next }, 'challenge not removed')
    }
  }
}
