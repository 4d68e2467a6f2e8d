// Adds the addresses of names that an answer points to (RFC 1034 §4.3.2 step 6; glue: RFC 9471 §3; SVCB: RFC 9460
// §4.1).
import { uint16At } from '@zonereeve/dns'
import { findRrset } from './node.ts'
import type { Reply } from './reply.ts'
import { isServiceType, RDATA_OFFSET, targetOffset, TYPE } from './rrset.ts'
import type { Rrset } from './rrset.ts'
import { WireName } from './wire-name.ts'
import { NAME_FLAG } from './zone-store/run.ts'
import type { AnswerSigner, ZoneView } from './zone-view.ts'

const ADDRESS_TYPES = [TYPE.A, TYPE.AAAA]

/** Decides which targets of an rrset are looked up. */
type Choice = (target: WireName) => boolean

export function createAdditional() {
  const target = new WireName()
  /** Keys of the names whose addresses are already in this answer. Not cleared but replaced: see answer.ts. */
  let done = new Set<string>()

  return { addTargets, addGlue }

  /**
   * Adds addresses for the targets of the rrset at `at` in the reply, as far as they fit. They are optional: the
   * answer is complete without them. `owner` is the name of the rrset.
   */
  function addTargets(
    reply: Reply,
    zone: ZoneView,
    rrset: Rrset,
    at: number,
    owner: WireName,
    signer: AnswerSigner | undefined,
  ): void {
    if (targetOffset(rrset.type) === -1 || rrset.type === TYPE.CNAME) return
    done = new Set()
    addAddresses(reply, zone, rrset, at, (name) => !isCutOff(zone, name), { owner, signer })
  }

  /**
   * Adds glue for the NS rrset at `at`, the cut at label `cutLabel` of `name`. Addresses of servers below the cut
   * must be in the answer, or it is truncated (RFC 9471 §3.1); those of servers elsewhere in the zone are optional.
   */
  function addGlue(
    reply: Reply,
    zone: ZoneView,
    rrset: Rrset,
    at: number,
    name: WireName,
    cutLabel: number,
  ): void {
    const cutLabels = name.labels - cutLabel
    const isBelowCut: Choice = (each) => {
      const label = each.labels - cutLabels
      return label >= 0 && each.endsLike(label, name, cutLabel)
    }
    done = new Set()
    if (!addAddresses(reply, zone, rrset, at, isBelowCut)) return reply.truncate()
    addAddresses(reply, zone, rrset, at, (each) => !isBelowCut(each))
  }

  /** Returns false if some address did not fit; the ones after it are still tried. */
  function addAddresses(
    reply: Reply,
    zone: ZoneView,
    rrset: Rrset,
    start: number,
    choice: Choice,
    { owner, signer }: { readonly owner?: WireName; readonly signer?: AnswerSigner | undefined } = {},
  ): boolean {
    const offset = targetOffset(rrset.type)
    let fits = true
    for (let i = 0, at = start; i < rrset.count; i += 1) {
      const rdata = at + RDATA_OFFSET
      at = rdata + uint16At(reply.out, at + 10)
      const isAliasMode = isServiceType(rrset.type) && reply.out[rdata] === 0 && reply.out[rdata + 1] === 0
      let targetAt = rdata + offset
      if (isServiceType(rrset.type) && reply.out[targetAt] === 0) {
        // A target of `.` means the owner in ServiceMode, and no service in AliasMode (RFC 9460 §2.5).
        if (isAliasMode || owner === undefined) continue
        targetAt = owner.at
      }
      if (target.read(reply.out, targetAt, targetAt < rdata ? reply.at : at) === -1) continue
      const apexLabel = target.labels - zone.apex.labels
      if (apexLabel < 0 || !target.endsLike(apexLabel, zone.apex, 0) || !choice(target)) continue
      const key = target.key(0, apexLabel)
      const node = done.has(key) ? undefined : zone.nodeOf(target, 0)
      if (node === undefined) continue
      done.add(key)
      for (const type of isAliasMode ? [TYPE.A, TYPE.AAAA, rrset.type] : ADDRESS_TYPES) {
        const addresses = findRrset(node, type)
        if (addresses === undefined) continue
        // If the signatures do not fit, the address is sent without them (RFC 4035 §3.1.1).
        const signed = signer && zone.signed(signer, addresses, target, 0)
        if (signed !== undefined && reply.additional(signed, targetAt)) continue
        if (!reply.additional(addresses, targetAt)) fits = false
      }
    }
    return fits
  }
}

/** Whether the name is at or below a cut, or below a DNAME: data there is glue or hidden. */
function isCutOff(zone: ZoneView, name: WireName): boolean {
  if (zone.cuts === 0 && zone.dnames === 0) return false
  const apexLabel = name.labels - zone.apex.labels
  for (let label = apexLabel; label >= 0; label -= 1) {
    if (!zone.find(name, label)) return false
    const { flags } = zone.names.found
    if ((flags & NAME_FLAG.CUT) !== 0 || (label > 0 && (flags & NAME_FLAG.DNAME) !== 0)) return true
  }
  return false
}
