// Posts the signatures that an answering thread has made to the thread that stores them, those of one batch of answers together:
// each message becomes a version of the zones, which all threads then have to read.
import { SignatureWriter } from './signature-batch.ts'
import type { Signed } from './zone-signer.ts'

/** Signatures that may wait to be stored; beyond them, they are only kept in this thread. */
export const MAX_UNSTORED = 1000
/** In one message: the other thread stores them without interruption. */
export const MAX_TOGETHER = 100
/** In one message; it ends with the first signature beyond them. */
export const MAX_OCTETS_TOGETHER = 128 * 1024

interface SignedZone {
  readonly zoneId: string
  /** Number of the keys. */
  readonly signing: number
}

/** Signatures that a thread has made, for the thread that can store them. */
export interface SignedElsewhere extends SignedZone {
  /** Relative to the apex, in wire form; it may change afterwards. */
  readonly name: Uint8Array
  readonly signed: Signed
  /** This thread has them by this key until they are stored. */
  readonly key: string
}

export interface PostedSignatures {
  readonly zones: readonly SignedZone[]
  /** As SignatureReader reads it; zones have their numbers in `zones`. */
  readonly batch: Uint8Array
}

interface MadeKey {
  /** Its number in the message. */
  readonly zone: number
  readonly key: string
}

export interface SignaturePost {
  /** Posts it with the others of this turn of the event loop, unless too many wait to be stored. */
  add(made: SignedElsewhere): void
  /** The message that was posted first was taken. @param unstoredZones numbers of its zones of which not all were stored */
  noteTaken(unstoredZones: readonly number[]): void
}

/**
 * @param forget called with the key of signatures that are stored
 * @param afterTurn calls back after the answers that are under way.
 */
export function createSignaturePost(
  send: (posted: PostedSignatures) => void,
  forget: (key: string) => void,
  afterTurn: (callback: () => void) => unknown = setImmediate,
): SignaturePost {
  const writer = new SignatureWriter()
  let unstored = 0
  let zones: SignedZone[] = []
  let keys: MadeKey[] = []
  /** Keys of the messages that were not taken yet, the oldest first. */
  const posted: (readonly MadeKey[])[] = []
  const flush = (): void => {
    if (keys.length === 0) return
    send({ zones, batch: writer.take() })
    posted.push(keys)
    zones = []
    keys = []
  }
  const numberOf = ({ zoneId, signing }: SignedZone): number => {
    const known = zones.findIndex((zone) => zone.signing === signing && zone.zoneId === zoneId)
    return known === -1 ? zones.push({ zoneId, signing }) - 1 : known
  }
  return {
    add(made) {
      if (unstored >= MAX_UNSTORED) return
      const zone = numberOf(made)
      writer.add(zone, made.name, made.signed)
      keys.push({ zone, key: made.key })
      unstored += 1
      if (keys.length === 1) afterTurn(flush)
      if (keys.length === MAX_TOGETHER || writer.length >= MAX_OCTETS_TOGETHER) flush()
    },
    noteTaken(unstoredZones) {
      const taken = posted.shift()
      if (taken === undefined) return
      unstored -= taken.length
      for (const { zone, key } of taken) if (!unstoredZones.includes(zone)) forget(key)
    },
  }
}
