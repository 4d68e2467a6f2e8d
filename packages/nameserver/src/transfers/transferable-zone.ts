// Outgoing transfers of one zone: the whole zone, or the difference since a serial.
//
// A serial must stand for one content. Without signatures it does. Signatures are created here and kept in memory
// only, so differences of a signed zone start only from serials that this process created, and only if the signatures
// that were sent are those still kept.
import { withoutDigest } from '../apex-node.ts'
import { isSameRrset, TYPE, type Rrset } from '../rrset.ts'
import type { ZoneStep } from '../zone-step.ts'
import type { Zone } from '../zone.ts'
import { ContentDigest, hasDigest, MAX_PREPARED_NAMES } from './content-digest.ts'
import { createJournal, JOURNAL_LIMITS, type Condensed, type Journal } from './journal.ts'
import { SignedCopy } from './signed-copy.ts'
import type { SignedCopies } from './signed-copies.ts'
import type { SignedRrset } from './signed-rrset.ts'
import { signedZone } from './signed-zone.ts'
import type { ComingRrsets, OwnedRrset } from './transfer-messages.ts'

const APEX = ''

/**
 * A step that touches more than this share of a signed zone's names is sent as the whole zone, which is no larger.
 */
const LARGEST_STEP_SHARE = 0.2
/** Rrsets that any step may touch. */
const DEFAULT_STEP = 100
/** Rrsets that a step of the largest zone may touch, so that no write waits for its signed copy. */
const LARGEST_STEP = 5_000
/**
 * Copies that one transfer may start: the zone may be re-signed or outgrow the limit before the first is complete.
 */
const MAX_COPIES_BEGUN = 3

/** A difference, and the number of rrsets it touches. */
export interface Difference {
  readonly changes: number
  /** From the serial to the one that the zone has when the first element is read. */
  readonly records: ComingRrsets
}

export interface TransferableZone {
  /** Applies a step of the zone. */
  take(step: ZoneStep): void
  /** Forgets the journal of the zone. */
  restart(): void
  /** Like restart, for good: take must not be called any more. Transfers in progress are completed. */
  end(): void
  /** The whole zone, as of the first element read. */
  whole(): ComingRrsets
  /** The difference from a serial to now; undefined if it is not known. */
  since(serial: number): Difference | undefined
  /** Whether signatures held by secondaries are so old that the zone should step. */
  readonly isDue: boolean
  /** Makes the digest of the zone, unless it has none, or it needs so many signatures that only a transfer makes them. */
  preparing(): Iterable<undefined>
}

interface RetainedCopy {
  readonly copy: SignedCopy
  /** Undefined until the copy is complete. */
  readonly journal: Journal<SignedRrset> | undefined
  /** A serial that others may have with other signatures. */
  readonly foreignSerial: number | undefined
}

/** @param publish called with each new digest of the zone as it is now. */
export function createTransferableZone(
  zone: Zone,
  copies: SignedCopies,
  publish: (digest: Rrset) => void = () => {},
): TransferableZone {
  let journal = createJournal<Rrset>()
  /** Of the zone as it is now, without signatures; those of signed zones are the copy's. */
  let digest = newDigest()
  let remaining: RetainedCopy | undefined
  /** The last serial that the zone reached while it was followed, and the last one that was sent. */
  let bornSerial: number | undefined
  let sentSerial: number | undefined
  let isEnded = false
  /** Number of transfers that are completing the copy. */
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
      const found = findDifference(serial)
      if (found === undefined) return undefined
      sentSerial = zone.serial
      return { changes: found.changes, records: comingSince(serial) }
    },
    get isDue() {
      return remaining?.copy.isDue ?? false
    },
    preparing,
  }

  function restart(): void {
    journal = createJournal()
    digest = newDigest()
    drop()
  }

  function newDigest(): ContentDigest | undefined {
    return hasDigest(zone) ? new ContentDigest(zone, publishIfCurrent) : undefined
  }

  function publishIfCurrent(made: ContentDigest): void {
    const current = zone.signer === undefined ? digest : remaining?.copy.digest
    if (!isEnded && made === current && made.rrset !== undefined) publish(made.rrset)
  }

  function* preparing(): Generator<undefined, void, undefined> {
    const made = yield* prepare()
    // A change that leaves the content as it was takes the record from the answers, too.
    if (made !== undefined) publishIfCurrent(made)
  }

  function* prepare(): Generator<undefined, ContentDigest | undefined, undefined> {
    const { names, signer, soa } = zone
    if (signer === undefined) {
      const { entries, release } = names.snapshot()
      try {
        const current = digest
        if (current !== undefined) yield* current.making(contentOf(zone, entries), soa)
        return current
      } finally {
        release()
      }
    }
    if (zone.nodes <= MAX_PREPARED_NAMES || remaining?.journal !== undefined) {
      const copy = yield* completeCopy()
      const current = copy?.digest
      if (copy !== undefined && current !== undefined) yield* current.making(copy.content(), zone.soa)
      return current
    }
    return undefined
  }

  function take(step: ZoneStep): void {
    if (step.isIncomplete === true) return restart()
    if (step.serialBefore !== step.serialAfter) bornSerial = step.serialAfter
    else if (step.changes.length === 0 && isSameRrset(step.soaBefore, step.soaAfter)) {
      if ((digest !== undefined) === hasDigest(zone)) return
    }
    const digestBefore = digest
    digest = newDigest()
    if (zone.signer === undefined) return journal.add({ ...step, digestBefore, digestAfter: digest })
    const largest = Math.min(zone.nodes * LARGEST_STEP_SHARE + DEFAULT_STEP, LARGEST_STEP)
    const isReported = step.serialBefore !== step.serialAfter && step.changes.length <= largest
    const signed = isReported ? remaining?.copy.take(step) : undefined
    if (remaining === undefined || signed === undefined) return drop()
    remaining.journal?.add(signed)
    keep(remaining.journal !== undefined)
  }

  function* whole(): Generator<OwnedRrset | undefined, void, undefined> {
    const copy = yield* completeCopy()
    sentSerial = zone.serial
    yield* copy?.whole() ?? wholeZone(zone, digest)
  }

  /**
   * Completes the copy, together with concurrent transfers. Returns undefined if the zone is not signed, too large
   * for a copy, or changes so often that no copy is completed.
   */
  function* completeCopy(): Generator<undefined, SignedCopy | undefined, undefined> {
    makers += 1
    try {
      for (let attempt = 0; attempt < MAX_COPIES_BEGUN; attempt += 1) {
        const copy = remaining?.copy ?? begin()
        if (copy === undefined || !keep(remaining?.journal !== undefined)) return undefined
        while (remaining?.copy === copy && !copy.isComplete) {
          copy.takeSome()
          yield undefined
        }
        if (remaining?.copy === copy) return complete(copy) ? copy : undefined
      }
      return undefined
    } finally {
      makers -= 1
      // No transfer waits for it any more, so it may be evicted. The next transfer continues it.
      if (makers === 0 && remaining !== undefined && remaining.journal === undefined) keep(true)
    }
  }

  /** Starts and keeps a new copy, which is empty. */
  function begin(): SignedCopy | undefined {
    if (isEnded || zone.signer === undefined || !keep(false)) return undefined
    const copy = new SignedCopy(zone, zone.signer, newDigest)
    remaining = { copy, journal: undefined, foreignSerial: undefined }
    return copy
  }

  /** Starts the journal of a complete copy. @returns whether there is room for it */
  function complete(copy: SignedCopy): boolean {
    if (remaining?.journal !== undefined) return true
    const isOurs = bornSerial === zone.serial && sentSerial !== zone.serial
    const retained = createJournal<SignedRrset>(JOURNAL_LIMITS, copies.journals)
    remaining = { copy, journal: retained, foreignSerial: isOurs ? undefined : zone.serial }
    return keep(true)
  }

  function keep(mayGo: boolean): boolean {
    // The size of an incomplete copy is estimated from the zone.
    const size = Math.max(remaining?.copy.size ?? 0, remaining?.journal === undefined ? zone.nodes : 0)
    const isKept = copies.keep(zone.zoneId, { size, mayGo, drop })
    if (!isKept) drop()
    return isKept
  }

  function drop(): void {
    remaining?.journal?.forget()
    remaining = undefined
    copies.forget(zone.zoneId)
  }

  function* comingSince(serial: number): Generator<OwnedRrset | undefined, void, undefined> {
    const found = findDifference(serial)
    // The journal was forgotten before the first message.
    if (found === undefined) return yield* whole()
    sentSerial = zone.serial
    const { entries, release } = zone.names.snapshot()
    try {
      yield* found.records(entries)
    } finally {
      release()
    }
  }

  function findDifference(serial: number): FoundDifference | undefined {
    if (zone.signer !== undefined) return signedSince(serial)
    const condensed = journal.since(serial)
    if (condensed === undefined || isUntaken(condensed)) return undefined
    return {
      changes: condensed.changes.length,
      records: (entries) => difference(condensed, plain, contentOf(zone, entries)),
    }
  }

  function signedSince(serial: number): FoundDifference | undefined {
    if (remaining?.journal === undefined || serial === remaining.foreignSerial) return undefined
    const { copy } = remaining
    const condensed = remaining.journal.since(serial)
    if (condensed === undefined || isUntaken(condensed)) return undefined
    // A secondary at a serial has all the signatures of that serial.
    if (condensed.changes.some(({ before }) => before?.isTaken === false)) return undefined
    const renderSigned: Render<SignedRrset> = (_, rrset, other) =>
      copy.owned(rrset, isSameRrset(rrset.rrset, other?.rrset))
    return {
      changes: condensed.changes.length,
      records: () => difference(condensed, renderSigned, isDigestMissing(condensed) ? copy.content() : []),
    }
  }
}

/** A difference as of the call that returned it. */
interface FoundDifference {
  readonly changes: number
  readonly records: (entries: NameEntries) => ComingRrsets
}

/** Whether no secondary can have the content that the difference begins with: its digest was never made. */
const isUntaken = ({ digestBefore }: Condensed<unknown>): boolean =>
  digestBefore !== undefined && digestBefore.rrset === undefined

/** Whether the digest at the end of the difference is still to be made, of all records: only then they are read. */
const isDigestMissing = ({ digestAfter }: Condensed<unknown>): boolean =>
  digestAfter !== undefined && digestAfter.rrset === undefined

/** Renders one side of a change; `other` is the other side. */
type Render<Part> = (key: string, part: Part, other: Part | undefined) => Iterable<OwnedRrset>

const plain: Render<Rrset> = (key, rrset) => [{ key, rrset }]

/**
 * SOA, all other records, SOA (RFC 5936 §2.2), as they are when the first is read. A signed zone is signed for this
 * one transfer.
 */
export function wholeZone(zone: Zone, digest?: ContentDigest): ComingRrsets {
  if (zone.signer !== undefined) return signedZone(zone, zone.signer)
  return (function* () {
    const { entries, release } = zone.names.snapshot()
    const { soa } = zone
    try {
      const content = contentOf(zone, entries)
      yield { key: APEX, rrset: soa }
      for (const owned of content) if (owned.rrset.type !== TYPE.SOA) yield owned
      if (digest !== undefined) yield* digest.coming(content, soa)
      yield { key: APEX, rrset: soa }
    } finally {
      release()
    }
  })()
}

type NameEntries = ReturnType<Zone['names']['snapshot']>['entries']

/** All records of a zone without signatures but its digest, as in a snapshot. */
function contentOf(zone: Zone, entries: NameEntries): Iterable<OwnedRrset> {
  const { authority } = zone
  return {
    *[Symbol.iterator]() {
      for (const [key, node] of entries)
        for (const rrset of (key === APEX ? withoutDigest(node, authority) : node).rrsets)
          yield { key, rrset }
    },
  }
}

/**
 * New SOA; old SOA and removed rrsets; new SOA and added rrsets; new SOA (RFC 1995 §4). Rrsets are removed and added
 * as a whole.
 */
function* difference<Part>(
  { soaBefore, soaAfter, changes, digestBefore, digestAfter }: Condensed<Part>,
  render: Render<Part>,
  content: Iterable<OwnedRrset>,
): Generator<OwnedRrset | undefined, void, undefined> {
  yield { key: APEX, rrset: soaAfter }
  yield { key: APEX, rrset: soaBefore }
  for (const { key, before, after } of changes) if (before !== undefined) yield* render(key, before, after)
  if (digestBefore !== undefined) yield* digestBefore.owned()
  yield { key: APEX, rrset: soaAfter }
  for (const { key, before, after } of changes) if (after !== undefined) yield* render(key, after, before)
  if (digestAfter !== undefined) yield* digestAfter.coming(content, soaAfter)
  yield { key: APEX, rrset: soaAfter }
}
