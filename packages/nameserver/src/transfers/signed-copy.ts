// A signed zone as secondaries have it: every rrset with its signatures, and the chain of denials. Kept between
// transfers, so that nothing is signed twice and differences can be sent (RFC 1995).
//
// Nothing is signed when the zone changes: signatures are created when a transfer reads them. Replaced rrsets keep
// their signatures for as long as the journal refers to them.
import { CHUNK_SIZE } from '@zonereeve/cooperate'
import { NSEC, NSEC3, NSEC3PARAM, RRSIG } from '@zonereeve/dns'
import { withoutDigest } from '../apex-node.ts'
import { isSameRrset, rdatasOf, synthesiseRrset, TYPE, type Rrset } from '../rrset.ts'
import { parentKey } from '../wire-name.ts'
import type { ZoneSigner } from '../zone-signer.ts'
import type { ZoneStep } from '../zone-step.ts'
import type { Zone } from '../zone.ts'
import type { ContentDigest } from './content-digest.ts'
import { canonicalOrder, DenialChain, type DeniedName } from './denial-chain.ts'
import type { Step } from './journal.ts'
import { OrderedList, type Ordered } from './ordered-list.ts'
import { SignedRrset, type RrsetSigner, type SignedChange } from './signed-rrset.ts'
import type { OwnedRrset } from './transfer-messages.ts'

/** Maximum number of signatures that a step renews, so that writes do not wait long. */
export const MAX_RENEWED = 1_000
/**
 * How much earlier the signatures of a copy are renewed than those of answers: another server may have them for days
 * after a restart of this one, which does not know how old they are.
 */
const EARLIER_MILLIS = 2 * 86_400_000
/** Signatures due within this time are renewed together: one new serial for many. */
const TOGETHER_MILLIS = 86_400_000

const APEX = ''
/** Types created by signing. A zone's own stored records of these types belong to another signing. */
const MADE_HERE: ReadonlySet<number> = new Set([RRSIG, NSEC, NSEC3])

interface SignedName extends Ordered {
  readonly key: string
  readonly rrsets: readonly SignedRrset[]
  /** Whether it is below a delegation or a DNAME: then nothing at it is signed or denied. */
  readonly isHidden: boolean
  /** Whether it hides the names below it. */
  readonly isHiding: boolean
}

export class SignedCopy implements RrsetSigner {
  readonly signer: ZoneSigner
  readonly #zone: Zone
  readonly #apex: Uint8Array
  readonly #negativeTtl: number
  readonly #names = new OrderedList<SignedName>()
  readonly #chain: DenialChain
  /** Keys of names that are still to be copied, the last first. */
  readonly #coming: string[]
  #rrsets = 0
  /** Earliest time at which a signature must be renewed, milliseconds since 1970. */
  #renewAt = Infinity
  readonly #newDigest: () => ContentDigest | undefined
  #digest: ContentDigest | undefined

  constructor(zone: Zone, signer: ZoneSigner, newDigest: () => ContentDigest | undefined) {
    const { denial, sha1 } = signer.signing
    this.#zone = zone
    this.signer = signer
    this.#apex = Uint8Array.from(zone.apex.wire())
    this.#negativeTtl = zone.negative.ttl
    this.#chain = new DenialChain({ apex: this.#apex, ttl: this.#negativeTtl, denial, sha1 })
    this.#coming = zone.names.keys()
    this.#newDigest = newDigest
    this.#digest = newDigest()
  }

  /** That of the content that the copy has now. Undefined if the zone has none. */
  get digest(): ContentDigest | undefined {
    return this.#digest
  }

  /** Whether all names have been copied. Steps are accepted before that, but give no differences. */
  get isComplete(): boolean {
    return this.#coming.length === 0
  }

  /** Copies some more names, as they are in the zone now. */
  takeSome(): void {
    this.#change(this.#coming.splice(-CHUNK_SIZE))
  }

  /** Number of rrsets, including denials. */
  get size(): number {
    return this.#rrsets + this.#chain.length
  }

  /** Whether signatures are so old that a step should renew them. */
  get isDue(): boolean {
    return this.signer.signing.now() >= this.#renewAt
  }

  /** SOA, all other records, SOA, as a snapshot: later changes are not included. */
  *whole(): Generator<OwnedRrset | undefined, void, undefined> {
    const content = this.content()
    const digest = this.#digest
    const { soa } = this.#zone
    yield* content
    if (digest !== undefined) yield* digest.coming(content, soa)
    yield { key: APEX, rrset: soa }
  }

  /** All records but the digest, the SOA first, as a snapshot. They can be read several times. */
  content(): Iterable<OwnedRrset> {
    const names = this.#names.all()
    const denials = this.#chain.denials()
    const soa = { key: APEX, rrset: this.#zone.soa }
    const ownedRrsets = (rrset: SignedRrset): Iterable<OwnedRrset> => this.owned(rrset)
    return {
      *[Symbol.iterator]() {
        yield soa
        for (const { rrsets } of names) for (const rrset of rrsets) yield* ownedRrsets(rrset)
        for (const denial of denials) yield* ownedRrsets(denial)
      },
    }
  }

  /** An rrset and its signatures. Only the SOA record is left out: the transfer adds it. */
  *owned(signed: SignedRrset, isRrsetKnown = false): Generator<OwnedRrset, void, undefined> {
    const { key, type } = signed
    if (type !== TYPE.SOA && !isRrsetKnown) yield { key, rrset: signed.rrset }
    const signatures = signed.signatures(this)
    if (signatures !== undefined) yield { key, rrset: signatures }
  }

  signaturesFor({ key, rrset }: SignedRrset): { readonly signatures: Rrset; readonly renewAt: number } {
    const owner = Buffer.concat([Buffer.from(key, 'latin1'), this.#apex])
    const { type, ttl } = rrset
    const { rdatas, refreshAt } = this.signer.signaturesOf({ owner, type, ttl, rdatas: rdatasOf(rrset) })
    const made = synthesiseRrset(RRSIG, ttl, rdatas)
    const renewAt = refreshAt - EARLIER_MILLIS
    this.#renewAt = Math.min(this.#renewAt, renewAt)
    // Small buffers share one allocation: there may be very many of these.
    return { signatures: { ...made, wire: Buffer.from(made.wire) }, renewAt }
  }

  /**
   * Applies a step that the zone has already taken. A step may also renew signatures.
   *
   * @returns undefined if the copy cannot follow and must be dropped.
   */
  take(step: ZoneStep): Step<SignedRrset> | undefined {
    if (this.#zone.signer !== this.signer || this.#zone.negative.ttl !== this.#negativeTtl) return undefined
    const digestBefore = this.#digest
    this.#digest = this.#newDigest()
    const changes = this.#change([APEX, ...step.changes.map(({ key }) => key)])
    const all = [...changes, ...(this.isDue ? this.#renew() : [])]
    return { ...step, changes: all, digestBefore, digestAfter: this.#digest }
  }

  /** Updates the names of these keys, and everything that depends on them, from the zone. */
  #change(keys: readonly string[]): SignedChange[] {
    const changes: SignedChange[] = []
    const touched = new Set(keys)
    const pending = [...touched]
    const update = new Map<string, SignedName | undefined>()
    for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
      const order = canonicalOrder(key)
      const old = this.#names.get(order)
      const fresh = this.#nameOf(key, order, old)
      if (old === undefined && fresh === undefined) continue
      update.set(order, fresh)
      // A name that was or is not there has none.
      this.#rrsets += (fresh?.rrsets.length ?? 0) - (old?.rrsets.length ?? 0)
      changes.push(...rrsetChanges(old, fresh))
      if ((old?.isHiding ?? false) === (fresh?.isHiding ?? false)) continue
      for (const below of this.#below(order))
        if (!touched.has(below.key)) {
          touched.add(below.key)
          pending.push(below.key)
        }
    }
    this.#names.update(update)
    return [...changes, ...this.#chain.update(this.#denied(touched))]
  }

  #nameOf(key: string, order: string, old: SignedName | undefined): SignedName | undefined {
    const node = this.#zone.node(key)
    const shown = key === APEX ? withoutDigest(node, this.#zone.authority) : node
    const present = shown?.rrsets.filter(({ type }) => isKept(type, key)) ?? [] // deleted
    if (present.length === 0) return undefined
    const isHidden = this.#isHidden(key)
    const isCut = key !== APEX && present.some(({ type }) => type === TYPE.NS)
    const rrsets = present.map((rrset) => {
      // At a delegation, the parent zone signs only the DS (RFC 4035 §2.2).
      const isSigned = !isHidden && (!isCut || rrset.type === TYPE.DS)
      const before = old?.rrsets.find(({ type }) => type === rrset.type)
      // The apex rebuilds its own rrsets each time.
      const isSame = before !== undefined && before.isSigned === isSigned && isSameRrset(before.rrset, rrset)
      return isSame ? before : new SignedRrset(key, rrset.type, rrset, isSigned)
    })
    const isHiding = isCut || present.some(({ type }) => type === TYPE.DNAME)
    return { order, key, rrsets, isHidden, isHiding }
  }

  /** Whether a delegation or a DNAME (RFC 6672 §2.4) above the name hides it. */
  #isHidden(key: string): boolean {
    for (let above = key; above !== APEX;) {
      above = parentKey(above)
      const node = this.#zone.node(above)
      if (node?.delegation !== undefined || node?.dname !== undefined) return true
    }
    return false
  }

  *#below(order: string): Generator<SignedName, void, undefined> {
    const from = this.#names.indexFrom(order)
    for (let at = from, name = this.#names.at(at); name?.order.startsWith(order) === true;) {
      if (name.order !== order) yield name
      name = this.#names.at((at += 1))
    }
  }

  /** The denial entries of these names, and with NSEC3 of the empty non-terminals above them. */
  #denied(touched: ReadonlySet<string>): ReadonlyMap<string, DeniedName | undefined> {
    const all = new Set(touched)
    if (this.signer.signing.denial === 'nsec3')
      for (const key of touched)
        for (let above = key; above !== APEX; all.add(above)) above = parentKey(above)
    return new Map([...all].map((key) => [key, this.#deniedName(key)]))
  }

  #deniedName(key: string): DeniedName | undefined {
    const order = canonicalOrder(key)
    const name = this.#names.get(order)
    if (name === undefined) {
      // A hiding name sorts right before the names below it: the first one tells whether there are any.
      const [first] = this.#below(order)
      const isEmpty = this.signer.signing.denial === 'nsec3' && first !== undefined && !this.#isHidden(key)
      return isEmpty ? { key, types: [], hasSignature: false } : undefined
    }
    if (name.isHidden) return undefined
    const isCut = key !== APEX && name.rrsets.some(({ type }) => type === TYPE.NS)
    const types = name.rrsets.map(({ type }) => type)
    if (key === APEX && this.#digest !== undefined) types.push(TYPE.ZONEMD)
    return {
      key,
      types: (isCut ? types.filter((type) => type === TYPE.NS || type === TYPE.DS) : types).toSorted(
        (a, b) => a - b,
      ),
      hasSignature: name.rrsets.some(({ isSigned }) => isSigned),
    }
  }

  /** Removes signatures that are due, up to the limit. */
  #renew(): SignedChange[] {
    const limit = this.signer.signing.now() + TOGETHER_MILLIS
    const changes: SignedChange[] = []
    let renewAt = Infinity
    const renewSignatures = (before: SignedRrset): SignedRrset => {
      if (before.renewAt > limit || changes.length === MAX_RENEWED) {
        renewAt = Math.min(renewAt, before.renewAt)
        return before
      }
      const after = before.renewed()
      changes.push({ key: before.key, type: before.type, before, after })
      return after
    }
    const update = new Map<string, SignedName>()
    for (const name of this.#names.all()) {
      const rrsets = name.rrsets.map(renewSignatures)
      if (rrsets.some((rrset, at) => rrset !== name.rrsets[at])) update.set(name.order, { ...name, rrsets })
    }
    this.#names.update(update)
    const ofNames = changes.length
    for (const denial of this.#chain.denials()) renewSignatures(denial)
    this.#chain.replace(changes.slice(ofNames))
    this.#renewAt = renewAt
    return changes
  }
}

/** Excludes the generated types, and the apex's stored NSEC3PARAM if the zone has its own. */
const isKept = (type: number, key: string): boolean =>
  !MADE_HERE.has(type) && (type !== NSEC3PARAM || key === APEX)

function rrsetChanges(old: SignedName | undefined, fresh: SignedName | undefined): SignedChange[] {
  // A name that was or is not there has none.
  const before = old?.rrsets ?? []
  const after = fresh?.rrsets ?? [] // as above
  const types = new Set([...before, ...after].map(({ type }) => type))
  return [...types].flatMap((type) => {
    const change = {
      key: (fresh ?? old)?.key ?? APEX,
      type,
      before: before.find((rrset) => rrset.type === type),
      after: after.find((rrset) => rrset.type === type),
    }
    return change.before === change.after ? [] : [change]
  })
}
