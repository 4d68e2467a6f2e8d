// The journal of a zone, step by step, so that a secondary can be sent only the difference (RFC 1995).
//
// Steps are those of answers, not of stored records: a name that is answered with the addresses of the edge is
// recorded as such. Steps live in memory and are bounded; a secondary that is behind the oldest step gets the whole
// zone, as RFC 1995 §4 allows.
import { serialAfter } from '@zonereeve/dns'
import type { Rrset } from '../rrset.ts'
import type { ContentDigest } from './content-digest.ts'
import type { HeldStep, JournalBudget } from './journal-budget.ts'

/** The change of one rrset; changes of the SOA are in the step. `Part` is an rrset, or one with its signatures. */
export interface Change<Part> {
  /** Key of the owner, from WireName.key. */
  readonly key: string
  readonly type: number
  readonly before: Part | undefined
  readonly after: Part | undefined
}

/** A ZoneStep, of rrsets with or without signatures. */
export interface Step<Part> {
  readonly soaBefore: Rrset
  readonly soaAfter: Rrset
  readonly serialBefore: number
  readonly serialAfter: number
  readonly changes: readonly Change<Part>[]
  /** Undefined if the zone has no digest. */
  readonly digestBefore?: ContentDigest | undefined
  readonly digestAfter?: ContentDigest | undefined
}

/** Limits for changed rrsets and for steps: enough for some hours of ordinary changes. */
export const JOURNAL_LIMITS = { changes: 100_000, steps: 10_000 }
/**
 * The same for the journals of all signed zones together, whose rrsets keep their signatures as long: some 100 MB. A
 * secondary behind an evicted step gets the whole zone.
 */
export const MAX_SIGNED_CHANGES = 100_000

/** All steps from one serial to now as one: what RFC 1995 §4 calls condensed. */
export type Condensed<Part> = Omit<Step<Part>, 'serialBefore' | 'serialAfter'>

export interface Journal<Part> {
  add(step: Step<Part>): void
  /** The difference from a serial to now; undefined if it was evicted or never existed. */
  since(serial: number): Condensed<Part> | undefined
  /** Starts over. Must be called for a journal that shares its room with others when it is no longer used. */
  forget(): void
}

/** @param room shared with other journals. */
export function createJournal<Part>(limits = JOURNAL_LIMITS, budget?: JournalBudget): Journal<Part> {
  interface RetainedStep extends HeldStep {
    readonly step: Step<Part>
  }
  let remaining: RetainedStep[] = []
  let changes = 0

  return {
    add(step) {
      const last = remaining.at(-1)?.step
      if (step.serialBefore === step.serialAfter) {
        if (step.changes.length === 0 && last === undefined) return
        // Without a step to attach the change to, it cannot be sent: the journal starts over with the next serial.
        if (last?.serialAfter !== step.serialAfter) return forget()
        release(remaining.pop())
        const { soaAfter, digestAfter } = step
        const merged = step.changes.length === 0 ? { soaAfter, digestAfter } : condense([last, step])
        return keep({ ...last, ...merged })
      }
      // If a serial occurred twice, there would be two differences from it.
      if (!serialAfter(step.serialAfter, step.serialBefore)) return forget()
      if (last !== undefined && last.serialAfter !== step.serialBefore) forget()
      keep(step)
      while (remaining.length > limits.steps || (changes > limits.changes && remaining.length > 0))
        release(remaining.shift())
    },
    since(serial) {
      const from = remaining.findIndex(({ step }) => step.serialBefore === serial)
      return from === -1 ? undefined : condense(remaining.slice(from).map(({ step }) => step))
    },
    forget,
  }

  function keep(step: Step<Part>): void {
    const entry: RetainedStep = { step, changes: step.changes.length, drop: () => dropThrough(entry) }
    remaining.push(entry)
    changes += entry.changes
    budget?.add(entry)
  }

  function release(entry: RetainedStep | undefined): void {
    if (entry === undefined) return
    changes -= entry.changes
    budget?.remove(entry)
  }

  function dropThrough(entry: RetainedStep): void {
    for (const gone of remaining.splice(0, remaining.indexOf(entry) + 1)) release(gone)
  }

  function forget(): void {
    for (const entry of remaining) release(entry)
    remaining = []
  }
}

/** For each rrset the state before the first step and after the last; unchanged ones are left out. */
function condense<Part>(steps: readonly Step<Part>[]): Condensed<Part> {
  const byRrset = new Map<string, Change<Part>>()
  for (const change of steps.flatMap((step) => step.changes)) {
    const id = `${change.type} ${change.key}`
    byRrset.set(id, { ...change, before: (byRrset.get(id) ?? change).before })
  }
  const [first] = steps
  const last = steps.at(-1)
  if (first === undefined || last === undefined) throw new Error('no steps to condense')
  const changes = [...byRrset.values()].filter(({ before, after }) => before !== after)
  const { soaBefore, digestBefore } = first
  const { soaAfter, digestAfter } = last
  return { soaBefore, soaAfter, changes, digestBefore, digestAfter }
}
