// Addresses of the names that an answer points to (RFC 1034 §4.3.2 step 6; glue: RFC 9471 §3).
import { findRrset } from './node.ts'
import type { Reply } from './reply.ts'
import { RDATA_OFFSET, targetOffset, TYPE } from './rrset.ts'
import type { Rrset } from './rrset.ts'
import { WireName } from './wire-name.ts'
import type { ZoneSigner } from './zone-signer.ts'
import type { Zone } from './zone.ts'

/** Which targets of an rrset are looked up. */
type Choice = (target: WireName) => boolean

export function createAdditional() {
  const target = new WireName()
  /** Keys of the names that this answer has addresses for already. */
  const done = new Set<string>()

  return { addTargets, addGlue }

  /** Adds addresses for the targets of the rrset at `at` in the reply, as far as they fit: without them nothing is lost. */
  function addTargets(
    reply: Reply,
    zone: Zone,
    rrset: Rrset,
    at: number,
    signer: ZoneSigner | undefined,
  ): void {
    if (targetOffset(rrset.type) === -1 || rrset.type === TYPE.CNAME) return
    done.clear()
    addAddresses(reply, zone, rrset, at, (name) => !isCutOff(zone, name), signer)
  }

  /**
   * Adds glue for the NS rrset at `at`, which cuts off label `cutLabel` of `name`. Addresses of servers below the cut must
   * be in the answer, or it is truncated (RFC 9471 §3.1); those of servers elsewhere in the zone are a courtesy.
   */
  function addGlue(
    reply: Reply,
    zone: Zone,
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
    done.clear()
    if (!addAddresses(reply, zone, rrset, at, isBelowCut)) return reply.truncate()
    addAddresses(reply, zone, rrset, at, (each) => !isBelowCut(each))
  }

  /** Returns false when some address did not fit; those after it are still tried. */
  function addAddresses(
    reply: Reply,
    zone: Zone,
    rrset: Rrset,
    start: number,
    choice: Choice,
    signer?: ZoneSigner,
  ): boolean {
    const offset = targetOffset(rrset.type)
    let fits = true
    for (let i = 0, at = start; i < rrset.count; i += 1) {
      const rdata = at + RDATA_OFFSET
      at = rdata + (((reply.out[at + 10] ?? 0) << 8) | (reply.out[at + 11] ?? 0))
      target.read(reply.out, rdata + offset, at)
      const apexLabel = target.labels - zone.apex.labels
      if (apexLabel < 0 || !target.endsLike(apexLabel, zone.apex, 0) || !choice(target)) continue
      const key = target.key(0, apexLabel)
      const node = zone.node(key)
      if (node === undefined || done.has(key)) continue
      done.add(key)
      for (const type of [TYPE.A, TYPE.AAAA]) {
        const addresses = findRrset(node, type)
        if (addresses === undefined) continue
        // Without room for its signatures an address is still worth having (RFC 4035 §3.1.1).
        const signed = signer?.signed(addresses, target, 0)
        if (signed !== undefined && reply.additional(signed, rdata + offset)) continue
        if (!reply.additional(addresses, rdata + offset)) fits = false
      }
    }
    return fits
  }
}

/** Whether the name is at or below a cut: what the zone has there is glue, and no data to give away unasked. */
function isCutOff(zone: Zone, name: WireName): boolean {
  if (zone.cuts === 0) return false
  const apexLabel = name.labels - zone.apex.labels
  for (let label = apexLabel - 1; label >= 0; label -= 1) {
    const node = zone.node(name.key(label, apexLabel))
    if (node === undefined) return false
    if (node.delegation !== undefined) return true
  }
  return false
}
