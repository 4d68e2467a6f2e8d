// What became of a zone, step by step, so that a secondary can be told only what is new to it (RFC 1995).
//
// Steps are those of answers, not of stored records: a name that is answered with the addresses of the edge is followed
// as such. They live in memory and are bounded; whoever is behind their start gets the whole zone, as RFC 1995 §4 allows.
import { serialAfter } from '@zonereeve/dns'
import type { Rrset } from '../nameserver/index.ts'
import type { HeldStep, JournalRoom } from './journal-room.ts'

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
/**
 * The same of the journals of all signed zones together, whose rrsets keep their signatures for as long: some 100 MB. Who is
 * behind what made room gets the whole zone.
 */
export const MAX_SIGNED_CHANGES = 100_000

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
  /** Begins anew. One that is not used any more must be told, where it shares its room with others. */
  forget(): void
}

/** @param room that is shared with other journals. */
export function createJournal<Part>(limits = JOURNAL_LIMITS, room?: JournalRoom): Journal<Part> {
  interface Kept extends HeldStep {
    readonly step: Step<Part>
  }
  let kept: Kept[] = []
  let changes = 0

  return {
    add(step) {
      const last = kept.at(-1)?.step
      if (step.serialBefore === step.serialAfter) {
        if (step.changes.length === 0 && last === undefined) return
        // Without a step to belong to, nobody could be told: the way begins anew with the next serial.
        if (last?.serialAfter !== step.serialAfter) return forget()
        release(kept.pop())
        const merged = step.changes.length === 0 ? { soaAfter: step.soaAfter } : condense([last, step])
        return keep({ ...last, ...merged })
      }
      // From a serial that comes a second time there would be two ways.
      if (!serialAfter(step.serialAfter, step.serialBefore)) return forget()
      if (last !== undefined && last.serialAfter !== step.serialBefore) forget()
      keep(step)
      while (kept.length > limits.steps || (changes > limits.changes && kept.length > 0))
        release(kept.shift())
    },
    since(serial) {
      const from = kept.findIndex(({ step }) => step.serialBefore === serial)
      return from === -1 ? undefined : condense(kept.slice(from).map(({ step }) => step))
    },
    forget,
  }

  function keep(step: Step<Part>): void {
    const entry: Kept = { step, changes: step.changes.length, drop: () => dropThrough(entry) }
    kept.push(entry)
    changes += entry.changes
    room?.add(entry)
  }

  function release(entry: Kept | undefined): void {
    if (entry === undefined) return
    changes -= entry.changes
    room?.remove(entry)
  }

  function dropThrough(entry: Kept): void {
    for (const gone of kept.splice(0, kept.indexOf(entry) + 1)) release(gone)
  }

  function forget(): void {
    for (const entry of kept) release(entry)
    kept = []
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
