// What became of a zone, step by step, so that a secondary can be told only what is new to it (RFC 1995).
//
// Steps are those of answers, not of stored records: a name that is answered with the addresses of the edge is followed
// as such. They live in memory and are bounded; whoever is behind their start gets the whole zone, as RFC 1995 §4 allows.
import { serialAfter } from '@zonereeve/dns'
import type { Rrset } from '../nameserver/index.ts'

/** What became of one rrset; the SOA's own changes stand in the step. `Part` is an rrset, or one with its signatures. */
export interface Change<Part> {
  /** Of the owner, as WireName.key makes it. */
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
}

/** Rrsets that may have changed in the steps that are kept, and steps: for some hours of ordinary changes. */
export const JOURNAL_LIMITS = { changes: 100_000, steps: 10_000 }

/** All steps from one serial to now as one: what RFC 1995 §4 calls condensed. */
export interface Condensed<Part> {
  readonly soaBefore: Rrset
  readonly soaAfter: Rrset
  readonly changes: readonly Change<Part>[]
}

export interface Journal<Part> {
  add(step: Step<Part>): void
  /** The way from a serial to now; undefined where it is not known any more, or never was. */
  since(serial: number): Condensed<Part> | undefined
}

export function createJournal<Part>(limits = JOURNAL_LIMITS): Journal<Part> {
  let steps: Step<Part>[] = []
  let changes = 0

  return {
    add(step) {
      const last = steps.at(-1)
      if (step.serialBefore === step.serialAfter) {
        if (step.changes.length === 0 && last === undefined) return
        // Without a step to belong to, nobody could be told: the way begins anew with the next serial.
        if (last?.serialAfter !== step.serialAfter) return forget()
        changes -= last.changes.length
        const merged = condense([last, step])
        steps[steps.length - 1] = { ...last, ...merged }
        changes += merged.changes.length
        return
      }
      // From a serial that comes a second time there would be two ways.
      if (!serialAfter(step.serialAfter, step.serialBefore)) return forget()
      if (last !== undefined && last.serialAfter !== step.serialBefore) forget()
      steps.push(step)
      changes += step.changes.length
      while (steps.length > limits.steps || (changes > limits.changes && steps.length > 0)) {
        changes -= steps.shift()?.changes.length ?? 0
      }
    },
    since(serial) {
      const from = steps.findIndex((step) => step.serialBefore === serial)
      return from === -1 ? undefined : condense(steps.slice(from))
    },
  }

  function forget(): void {
    steps = []
    changes = 0
  }
}

/** Of each rrset what it was before the first step and is after the last; those that are as before are left out. */
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
  return { soaBefore: first.soaBefore, soaAfter: last.soaAfter, changes }
}
