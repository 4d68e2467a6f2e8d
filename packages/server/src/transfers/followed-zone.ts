// One zone that others have copies of: whole, or what is new since a serial.
//
// A serial must stand for one content. Without signatures it does. Signatures are made here and kept in memory alone, so
// differences of a signed zone are told from serials that came to be here, and only if what was sent of them is what is kept.
import { isSameRrset, TYPE, type Rrset, type Zone, type ZoneStep } from '../nameserver/index.ts'
import { createJournal, JOURNAL_LIMITS, type Condensed, type Journal } from './journal.ts'
import { SignedCopy } from './signed-copy.ts'
import type { SignedCopies } from './signed-copies.ts'
import type { SignedRrset } from './signed-rrset.ts'
import { signedZone } from './signed-zone.ts'
import type { ComingRrsets, OwnedRrset } from './transfer-messages.ts'

const APEX = ''

/** A step that touches more than this share of the names of a signed zone is told as the whole zone, which is no larger. */
const LARGEST_STEP_SHARE = 0.2
/** Rrsets that any step may touch. */
const USUAL_STEP = 100
/** Rrsets that a step of the largest zone may touch, so that no write waits for its signed copy. */
const LARGEST_STEP = 5_000
/** Copies that one transfer begins: a zone may be signed anew, or larger than it was, before the first is complete. */
const MAX_COPIES_BEGUN = 3

/** What is new, and how many rrsets that touches. */
export interface Difference {
  readonly changes: number
  readonly records: Iterable<OwnedRrset>
}

export interface FollowedZone {
  /** Follows a step that the zone has taken. */
  take(step: ZoneStep): void
  /** Forgets how the zone became what it is. */
  restart(): void
  /** As restart, for good: it is told of no step any more. Transfers that are under way come to their ends. */
  end(): void
  /** All of it, as it is when the first of it comes. */
  whole(): ComingRrsets
  /** The way from a serial to now; undefined where it is not known. */
  since(serial: number): Difference | undefined
  /** Whether signatures that others have are so old that the zone should step. */
  readonly isDue: boolean
}

interface Kept {
  readonly copy: SignedCopy
  /** Undefined as long as the copy is not complete. */
  readonly journal: Journal<SignedRrset> | undefined
  /** One that others may have with other signatures. */
  readonly foreignSerial: number | undefined
}

export function createFollowedZone(zone: Zone, copies: SignedCopies): FollowedZone {
  let journal = createJournal<Rrset>()
  let kept: Kept | undefined
  /** The last serial that the zone came to while it was followed, and the last that it was sent with. */
  let bornSerial: number | undefined
  let sentSerial: number | undefined
  let isEnded = false
  /** Transfers that complete the copy. */
  let makers = 0

  return {
    take,
    restart,
    end() {
      isEnded = true
      restart()
    },
    whole,
    since(serial) {
      if (zone.signer !== undefined) return signedSince(serial)
      const condensed = journal.since(serial)
      if (condensed === undefined) return undefined
      sentSerial = zone.serial
      return { changes: condensed.changes.length, records: difference(condensed, plain) }
    },
    get isDue() {
      return kept?.copy.isDue ?? false
    },
  }

  function restart(): void {
    journal = createJournal()
    drop()
  }

  function take(step: ZoneStep): void {
    if (step.serialBefore !== step.serialAfter) bornSerial = step.serialAfter
    else if (step.changes.length === 0) return
    if (zone.signer === undefined) return journal.add(step)
    const largest = Math.min(zone.nodes * LARGEST_STEP_SHARE + USUAL_STEP, LARGEST_STEP)
    const isTold = step.serialBefore !== step.serialAfter && step.changes.length <= largest
    const signed = isTold ? kept?.copy.take(step) : undefined
    if (kept === undefined || signed === undefined) return drop()
    kept.journal?.add(signed)
    keep(kept.journal !== undefined)
  }

  function* whole(): Generator<OwnedRrset | undefined, void, undefined> {
    const copy = yield* completeCopy()
    sentSerial = zone.serial
    yield* copy?.whole() ?? wholeZone(zone)
  }

  /**
   * The copy, which transfers that come at the same time complete together; undefined where the zone is not signed, or too
   * large for that, or changes so that no copy of it lasts.
   */
  function* completeCopy(): Generator<undefined, SignedCopy | undefined, undefined> {
    makers += 1
    try {
      for (let attempt = 0; attempt < MAX_COPIES_BEGUN; attempt += 1) {
        const copy = kept?.copy ?? begin()
        if (copy === undefined || !keep(kept?.journal !== undefined)) return undefined
        while (kept?.copy === copy && !copy.isComplete) {
          copy.takeSome()
          yield undefined
        }
        if (kept?.copy === copy) return complete(copy) ? copy : undefined
      }
      return undefined
    } finally {
      makers -= 1
      // Nobody waits for it any more, so it keeps no room from others. Who comes next goes on with it.
      if (makers === 0 && kept !== undefined && kept.journal === undefined) keep(true)
    }
  }

  /** Keeps a new copy from now on, which is empty yet. */
  function begin(): SignedCopy | undefined {
    if (isEnded || zone.signer === undefined || !keep(false)) return undefined
    const copy = new SignedCopy(zone, zone.signer)
    kept = { copy, journal: undefined, foreignSerial: undefined }
    return copy
  }

  /** What is told from now on is told of the copy. @returns whether there is room for it */
  function complete(copy: SignedCopy): boolean {
    if (kept?.journal !== undefined) return true
    const isOurs = bornSerial === zone.serial && sentSerial !== zone.serial
    const told = createJournal<SignedRrset>(JOURNAL_LIMITS, copies.journals)
    kept = { copy, journal: told, foreignSerial: isOurs ? undefined : zone.serial }
    return keep(true)
  }

  function keep(mayGo: boolean): boolean {
    // Of one that is being made as much as is known before.
    const size = Math.max(kept?.copy.size ?? 0, kept?.journal === undefined ? zone.nodes : 0)
    const isKept = copies.keep(zone.zoneId, { size, mayGo, drop })
    if (!isKept) drop()
    return isKept
  }

  function drop(): void {
    kept?.journal?.forget()
    kept = undefined
    copies.forget(zone.zoneId)
  }

  function signedSince(serial: number): Difference | undefined {
    if (kept?.journal === undefined || serial === kept.foreignSerial) return undefined
    const { copy } = kept
    const condensed = kept.journal.since(serial)
    // Whoever has a serial has taken all that it had.
    if (condensed === undefined || condensed.changes.some(({ before }) => before?.isTaken === false))
      return undefined
    sentSerial = zone.serial
    const signed: Render<SignedRrset> = (_, rrset, other) =>
      copy.owned(rrset, isSameRrset(rrset.rrset, other?.rrset))
    return { changes: condensed.changes.length, records: difference(condensed, signed) }
  }
}

/** What is to be sent of one side of a change; `other` is the other side. */
type Render<Part> = (key: string, part: Part, other: Part | undefined) => Iterable<OwnedRrset>

const plain: Render<Rrset> = (key, rrset) => [{ key, rrset }]

/**
 * SOA, all the rest, SOA (RFC 5936 §2.2). The nodes are taken now: what changes later is not in it. A signed zone is signed
 * for this one transfer.
 */
export function wholeZone(zone: Zone): Iterable<OwnedRrset> {
  if (zone.signer !== undefined) return signedZone(zone, zone.signer)
  const entries = zone.entries()
  const soa: OwnedRrset = { key: APEX, rrset: zone.soa }
  return (function* () {
    yield soa
    for (const [key, { rrsets }] of entries) {
      for (const rrset of rrsets) if (rrset.type !== TYPE.SOA) yield { key, rrset }
    }
    yield soa
  })()
}

/** New SOA; old SOA and what goes; new SOA and what comes; new SOA (RFC 1995 §4). Whole rrsets go and come. */
function* difference<Part>(
  { soaBefore, soaAfter, changes }: Condensed<Part>,
  render: Render<Part>,
): Generator<OwnedRrset, void, undefined> {
  yield { key: APEX, rrset: soaAfter }
  yield { key: APEX, rrset: soaBefore }
  for (const { key, before, after } of changes) if (before !== undefined) yield* render(key, before, after)
  yield { key: APEX, rrset: soaAfter }
  for (const { key, before, after } of changes) if (after !== undefined) yield* render(key, after, before)
  yield { key: APEX, rrset: soaAfter }
}
