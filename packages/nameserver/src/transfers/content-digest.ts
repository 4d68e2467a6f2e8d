// The digest of one content of a zone, as it is transferred (ZONEMD, RFC 8976). It is made when a transfer first needs it
// and is then the same for all: a secondary that has a content has its digest, and differences refer to it.
import { createHash } from 'node:crypto'
import { CHUNK_SIZE, chunksOf } from '@zonereeve/cooperate'
import {
  compareOctets,
  decodeRdata,
  elementAt,
  encodeRdata,
  RRSIG,
  uint16At,
  ZONEMD_HASH,
  ZONEMD_SIMPLE,
} from '@zonereeve/dns'
import { RDATA_OFFSET, rdatasOf, synthesiseRrset, TYPE, type Rrset } from '../rrset.ts'
import type { Zone } from '../zone.ts'
import type { ZoneSigner } from '../zone-signer.ts'
import { canonicalOrder } from './denial-chain.ts'
import type { OwnedRrset } from './transfer-messages.ts'

/** Names of the largest zone with a digest: each needs some microseconds and some memory whenever the zone changes. */
export const MAX_DIGEST_NAMES = 250_000

/** Names of a signed zone up to which its digest is made, and the zone signed for that, before a transfer needs it. */
export const MAX_PREPARED_NAMES = 1_000

const APEX = ''
const POINTER_OCTETS = 2
const BUFFER_OCTETS = 65_536

export class ContentDigest {
  readonly #zone: Zone
  /** Undefined if the zone is not signed. */
  readonly #signer: ZoneSigner | undefined
  readonly #made: (digest: ContentDigest) => void
  #rrset: Rrset | undefined
  #signatures: Rrset | undefined
  #isBeingMade = false

  /** @param made called when the digest is known. */
  constructor(zone: Zone, made: (digest: ContentDigest) => void) {
    this.#zone = zone
    this.#signer = zone.signer
    this.#made = made
  }

  /** The ZONEMD record. Undefined until it is made: then no secondary can have the content. */
  get rrset(): Rrset | undefined {
    return this.#rrset
  }

  /** The record and its signature, once they are made. */
  owned(): readonly OwnedRrset[] {
    return [this.#rrset, this.#signatures].flatMap((rrset) =>
      rrset === undefined ? [] : [{ key: APEX, rrset }],
    )
  }

  /**
   * Makes the digest, unless it is known. Of several transfers one makes it; the others wait.
   *
   * @param content all that it is of, with the SOA, as a snapshot.
   */
  *making(content: Iterable<OwnedRrset>, soa: Rrset): Generator<undefined, void, undefined> {
    while (this.#rrset === undefined && this.#isBeingMade) yield undefined
    if (this.#rrset !== undefined) return
    this.#isBeingMade = true
    try {
      const apex = Uint8Array.from(this.#zone.apex.wire())
      this.#keep(apex, soa, yield* digestOf(apex, content))
    } finally {
      this.#isBeingMade = false
    }
  }

  /** The same, and then the record and its signature, as the end of a transfer. */
  *coming(content: Iterable<OwnedRrset>, soa: Rrset): Generator<OwnedRrset | undefined, void, undefined> {
    yield* this.making(content, soa)
    yield* this.owned()
  }

  #keep(owner: Uint8Array, soa: Rrset, digest: Uint8Array): void {
    const rdata = encodeRdata('ZONEMD', {
      serial: decodeRdata('SOA', elementAt(rdatasOf(soa), 0)).serial,
      scheme: ZONEMD_SIMPLE,
      hashAlgorithm: ZONEMD_HASH.SHA384,
      digest,
    })
    const { ttl } = soa
    if (this.#signer !== undefined) {
      const { rdatas } = this.#signer.signaturesOf({ owner, type: TYPE.ZONEMD, ttl, rdatas: [rdata] })
      this.#signatures = synthesiseRrset(RRSIG, ttl, rdatas)
    }
    this.#rrset = synthesiseRrset(TYPE.ZONEMD, ttl, [rdata])
    this.#made(this)
  }
}

/** Whether transfers of the zone contain a digest. */
export const hasDigest = (zone: Zone): boolean =>
  zone.authority.hasDigest === true && zone.nodes <= MAX_DIGEST_NAMES

/** Serial of the digest that is answered. Undefined if the zone has none now. */
function digestSerialOf(zone: Zone): number | undefined {
  if (zone.authority.hasDigest !== true) return undefined
  const digest = zone.node(APEX)?.rrsets.find(({ type }) => type === TYPE.ZONEMD)
  return digest && decodeRdata('ZONEMD', elementAt(rdatasOf(digest), 0)).serial
}

/** Whether the digest of a zone's content is answered, or why it is not. */
export interface DigestStatus {
  /** `at_transfer`: the next transfer makes it. `too_large`: transfers of the zone contain none. */
  readonly state: 'off' | 'answered' | 'awaited' | 'at_transfer' | 'too_large'
  /** Of the digest that is answered. */
  readonly serial: number | undefined
}

export function digestStatusOf(zone: Zone): DigestStatus {
  const serial = digestSerialOf(zone)
  if (zone.authority.hasDigest !== true) return { state: 'off', serial }
  if (!hasDigest(zone)) return { state: 'too_large', serial }
  if (serial !== undefined) return { state: 'answered', serial }
  const isAhead = zone.signer === undefined || zone.nodes <= MAX_PREPARED_NAMES
  return { state: isAhead ? 'awaited' : 'at_transfer', serial }
}

/** Kinds of digests that a transfer from a primary is verified by. */
const VERIFIED_HASHES: ReadonlySet<number> = new Set([ZONEMD_HASH.SHA384, ZONEMD_HASH.SHA512])

/** Serial of a secondary zone, if its primary sent a digest by which the zone was verified. */
export function verifiedSerialOf(zone: Zone): number | undefined {
  const digests = zone.node(APEX)?.rrsets.find(({ type }) => type === TYPE.ZONEMD)
  if (digests === undefined || zone.authority.hasDigest === true) return undefined
  const read = rdatasOf(digests).map((rdata) => decodeRdata('ZONEMD', rdata))
  const isVerified = read.some(
    ({ serial, scheme, hashAlgorithm }) =>
      serial === zone.serial && scheme === ZONEMD_SIMPLE && VERIFIED_HASHES.has(hashAlgorithm),
  )
  return isVerified ? zone.serial : undefined
}

interface NameToHash {
  readonly key: string
  readonly order: string
  readonly rrsets: Rrset[]
}

/** Hashes all records in canonical order (RFC 8976 §3.3). Yields where other work may run. */
export function* digestOf(
  apex: Uint8Array,
  content: Iterable<OwnedRrset>,
): Generator<undefined, Uint8Array, undefined> {
  const byKey = new Map<string, NameToHash>()
  let done = 0
  for (const { key, rrset } of content) {
    const name = byKey.get(key)
    if (name === undefined) byKey.set(key, { key, order: canonicalOrder(key), rrsets: [rrset] })
    else name.rrsets.push(rrset)
    if ((done += 1) % CHUNK_SIZE === 0) yield undefined
  }
  const sorted = yield* sortedInChunks([...byKey.values()])
  const hash = createBufferedHash()
  for (const { key, rrsets } of sorted) {
    const owner = Buffer.concat([Buffer.from(key, 'latin1'), apex])
    // Those of one type are signatures of several types, which their octets begin with.
    rrsets.sort((a, b) => a.type - b.type || compareOctets(rdatasIn(a), rdatasIn(b)))
    for (const { wire } of rrsets)
      for (let at = 0; at < wire.length;) {
        const end = at + RDATA_OFFSET + uint16At(wire, at + 10)
        hash.add(owner)
        hash.add(wire.subarray(at + POINTER_OCTETS, end))
        at = end
      }
    if ((done += 1) % CHUNK_SIZE === 0) yield undefined
  }
  return hash.end()
}

const rdatasIn = ({ wire }: Rrset): Uint8Array => wire.subarray(RDATA_OFFSET)

/** Few large updates: each has a cost of its own. */
function createBufferedHash() {
  const hash = createHash('sha384')
  const buffer = Buffer.allocUnsafe(BUFFER_OCTETS)
  let at = 0
  const flush = (): void => {
    hash.update(buffer.subarray(0, at))
    at = 0
  }
  return {
    add(octets: Uint8Array): void {
      if (at + octets.length > BUFFER_OCTETS) flush()
      if (octets.length > BUFFER_OCTETS) return void hash.update(octets)
      buffer.set(octets, at)
      at += octets.length
    },
    end(): Uint8Array {
      flush()
      return hash.digest()
    },
  }
}

/** Sorts chunks, and merges these in pairs. */
function* sortedInChunks(
  names: readonly NameToHash[],
): Generator<undefined, readonly NameToHash[], undefined> {
  let parts: (readonly NameToHash[])[] = []
  for (const part of chunksOf(names)) {
    parts.push(part.toSorted((a, b) => (a.order < b.order ? -1 : 1)))
    yield undefined
  }
  while (parts.length > 1) {
    const merged: (readonly NameToHash[])[] = []
    for (let at = 0; at < parts.length; at += 2) {
      const [one, other] = [elementAt(parts, at), parts[at + 1]]
      merged.push(other === undefined ? one : yield* merge(one, other))
    }
    parts = merged
  }
  return parts[0] ?? [] // no names
}

function* merge(
  one: readonly NameToHash[],
  other: readonly NameToHash[],
): Generator<undefined, readonly NameToHash[], undefined> {
  const merged: NameToHash[] = []
  let [i, j] = [0, 0]
  for (;;) {
    const [a, b] = [one[i], other[j]]
    if (a === undefined && b === undefined) return merged
    if (a !== undefined && (b === undefined || a.order < b.order)) {
      merged.push(a)
      i += 1
    } else if (b !== undefined) {
      merged.push(b)
      j += 1
    }
    if (merged.length % CHUNK_SIZE === 0) yield undefined
  }
}
