// A signed zone as other nameservers have it: every rrset with its signatures, and the chain that denies all else. Kept
// between transfers, so that nothing is signed twice, and so that what a change set did to it can be told (RFC 1995).
//
// Nothing is signed when the zone changes: signatures are made when a transfer takes them. What is replaced keeps those it
// had for as long as the journal speaks of it.
import { NSEC, NSEC3, NSEC3PARAM, RRSIG } from '@zonereeve/dns'
import {
  isSameRrset,
  parentKey,
  rdatasOf,
  synthesiseRrset,
  TYPE,
  type Rrset,
  type Zone,
  type ZoneSigner,
  type ZoneStep,
} from '../nameserver/index.ts'
import { canonicalOrder, DenialChain, type DeniedName } from './denial-chain.ts'
import type { Step } from './journal.ts'
import { OrderedList, type Ordered } from './ordered-list.ts'
import { SignedRrset, type RrsetSigner, type SignedChange } from './signed-rrset.ts'
import type { OwnedRrset } from './transfer-messages.ts'

/** Names that are taken into a new copy before others have a turn: some ten milliseconds. */
const NAMES_AT_ONCE = 500
/** Signatures that a step makes anew at most, so that no write waits for more. */
export const MAX_RENEWED = 1_000
/**
 * By how much the signatures of a copy are made anew before those of answers: another server may have them for days after
 * a start of this one, which does not know how old they are.
 */
const EARLIER_MILLIS = 2 * 86_400_000
/** Those that would be due within this time are renewed along: one new serial for many. */
const TOGETHER_MILLIS = 86_400_000

const APEX = ''
const DNAME = 39
/** Made by signing. What a zone has of them from elsewhere is of another signing. */
const MADE_HERE: ReadonlySet<number> = new Set([RRSIG, NSEC, NSEC3])

interface SignedName extends Ordered {
  readonly key: string
  readonly rrsets: readonly SignedRrset[]
  /** Whether it stands below a cut or a DNAME: then nothing at it is signed, or denied. */
  readonly isHidden: boolean
  /** Whether it hides what is below it. */
  readonly isHiding: boolean
}

export class SignedCopy implements RrsetSigner {
  readonly signer: ZoneSigner
  readonly #zone: Zone
  readonly #apex: Uint8Array
  readonly #negativeTtl: number
  readonly #names = new OrderedList<SignedName>()
  readonly #chain: DenialChain
  /** Keys of names that are still to be taken, the last first. */
  readonly #coming: string[]
  #rrsets = 0
  /** Earliest time at which a signature is to be made anew, milliseconds since 1970. */
  #renewAt = Infinity

  constructor(zone: Zone, signer: ZoneSigner) {
    const { denial, sha1 } = signer.signing
    this.#zone = zone
    this.signer = signer
    this.#apex = Uint8Array.from(zone.apex.octets.subarray(0, (zone.apex.labelAt[zone.apex.labels] ?? 0) + 1))
    this.#negativeTtl = zone.negative.ttl
    this.#chain = new DenialChain({ apex: this.#apex, ttl: this.#negativeTtl, denial, sha1 })
    this.#coming = zone.entries().map(([key]) => key)
  }

  /** Whether all names have been taken. Until then a step may be taken all the same, and nothing can be told from it. */
  get isComplete(): boolean {
    return this.#coming.length === 0
  }

  /** Takes some more names, as they are in the zone now. */
  takeSome(): void {
    this.#change(this.#coming.splice(-NAMES_AT_ONCE))
  }

  /** Rrsets that are kept, those that deny among them. */
  get size(): number {
    return this.#rrsets + this.#chain.length
  }

  /** Whether signatures are so old that a step should make them anew. */
  get isDue(): boolean {
    return this.signer.signing.now() >= this.#renewAt
  }

  /** SOA, all the rest, SOA, as of now: what changes later is not in it. */
  whole(): Iterable<OwnedRrset> {
    const names = this.#names.all()
    const denials = this.#chain.denials()
    const soa = { key: APEX, rrset: this.#zone.soa }
    const owned = (rrset: SignedRrset): Iterable<OwnedRrset> => this.owned(rrset)
    return (function* () {
      yield soa
      for (const { rrsets } of names) for (const rrset of rrsets) yield* owned(rrset)
      for (const denial of denials) yield* owned(denial)
      yield soa
    })()
  }

  /** An rrset and its signatures. The SOA's record alone is left out: it stands where a transfer has it. */
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
   * Follows the zone, which has taken this step already. A step may also make signatures anew.
   *
   * @returns undefined where the copy cannot follow and is of no use any more.
   */
  take(step: ZoneStep): Step<SignedRrset> | undefined {
    if (this.#zone.signer !== this.signer || this.#zone.negative.ttl !== this.#negativeTtl) return undefined
    const changes = this.#change([APEX, ...step.changes.map(({ key }) => key)])
    return { ...step, changes: [...changes, ...(this.isDue ? this.#renew() : [])] }
  }

  /** Brings the names of these keys, and all that depends on them, in step with the zone. */
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
    const present = this.#zone.node(key)?.rrsets.filter(({ type }) => isKept(type, key)) ?? []
    if (present.length === 0) return undefined
    const isHidden = this.#isHidden(key)
    const isCut = key !== APEX && present.some(({ type }) => type === TYPE.NS)
    const rrsets = present.map((rrset) => {
      // Of a delegation this side of the cut signs the DS alone (RFC 4035 §2.2).
      const isSigned = !isHidden && (!isCut || rrset.type === TYPE.DS)
      const before = old?.rrsets.find(({ type }) => type === rrset.type)
      // The apex builds its own anew each time.
      const isSame = before !== undefined && before.isSigned === isSigned && isSameRrset(before.rrset, rrset)
      return isSame ? before : new SignedRrset(key, rrset.type, rrset, isSigned)
    })
    const isHiding = isCut || present.some(({ type }) => type === DNAME)
    return { order, key, rrsets, isHidden, isHiding }
  }

  /** Whether a name above it cuts it off, or gives it another name (RFC 6672 §2.4). */
  #isHidden(key: string): boolean {
    for (let above = key; above !== APEX;) {
      above = parentKey(above)
      const node = this.#zone.node(above)
      if (node?.delegation !== undefined || node?.rrsets.some(({ type }) => type === DNAME) === true)
        return true
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

  /** What the chain is to say of these names, and with NSEC3 of the empty non-terminals above them. */
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
      // What hides names below it sorts before them: the first one tells whether there are any.
      const [first] = this.#below(order)
      const isEmpty = this.signer.signing.denial === 'nsec3' && first !== undefined && !this.#isHidden(key)
      return isEmpty ? { key, types: [], hasSignature: false } : undefined
    }
    if (name.isHidden) return undefined
    const isCut = key !== APEX && name.rrsets.some(({ type }) => type === TYPE.NS)
    const types = name.rrsets.map(({ type }) => type)
    return {
      key,
      types: (isCut ? types.filter((type) => type === TYPE.NS || type === TYPE.DS) : types).toSorted(
        (a, b) => a - b,
      ),
      hasSignature: name.rrsets.some(({ isSigned }) => isSigned),
    }
  }

  /** Takes the signatures that are due away, or some of them. */
  #renew(): SignedChange[] {
    const limit = this.signer.signing.now() + TOGETHER_MILLIS
    const changes: SignedChange[] = []
    let renewAt = Infinity
    const renewed = (before: SignedRrset): SignedRrset => {
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
      const rrsets = name.rrsets.map(renewed)
      if (rrsets.some((rrset, at) => rrset !== name.rrsets[at])) update.set(name.order, { ...name, rrsets })
    }
    this.#names.update(update)
    const ofNames = changes.length
    for (const denial of this.#chain.denials()) renewed(denial)
    this.#chain.replace(changes.slice(ofNames))
    this.#renewAt = renewAt
    return changes
  }
}

/** The apex has an NSEC3PARAM of its own where the zone is denied so. */
const isKept = (type: number, key: string): boolean =>
  !MADE_HERE.has(type) && (type !== NSEC3PARAM || key === APEX)

function rrsetChanges(old: SignedName | undefined, fresh: SignedName | undefined): SignedChange[] {
  const before = old?.rrsets ?? []
  const after = fresh?.rrsets ?? []
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
