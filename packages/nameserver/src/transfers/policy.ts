// Who may transfer which zone, and who is notified of its changes: in memory, because answers do not wait for a
// database.
import { BlockList, isIPv6 } from 'node:net'
import type { Name, TsigAlgorithm, TsigKey } from '@zonereeve/dns'

/** A remote nameserver. */
export interface TransferPeer {
  readonly id: string
  /** Undefined: it is known by its key alone, and not notified. */
  readonly address: string | undefined
  readonly port: number
  readonly key: TsigKey | undefined
}

/** A zone with outgoing transfers. */
export interface OutgoingPolicy {
  readonly zoneId: string
  readonly accountId: string
  readonly peers: readonly TransferPeer[]
  /** Ranges of the account's ACLs, such as `192.0.2.0/24`. */
  readonly ranges: readonly string[]
}

/** The keys of one account. */
export interface AccountKeys {
  readonly accountId: string
  readonly keys: readonly TsigKey[]
}

export interface TransferPolicies {
  /** Replaces the policy of a zone; undefined disables its transfers. */
  setZone(zoneId: string, policy: OutgoingPolicy | undefined): void
  setKeys(keys: AccountKeys): void
  zone(zoneId: string): OutgoingPolicy | undefined
  findKey(name: Name, algorithm: TsigAlgorithm): TsigKey | undefined
  /** The peer of the zone that a request is from; undefined if several match. */
  findPeer(zoneId: string, address: string, key: TsigKey | undefined): TransferPeer | undefined
  /** Whether a request from this address, signed with this key or unsigned, may transfer the zone. */
  mayTransfer(zoneId: string, address: string, key: TsigKey | undefined): boolean
}

export function createTransferPolicies(): TransferPolicies {
  const zones = new Map<string, OutgoingPolicy & { readonly list: BlockList }>()
  const accounts = new Map<string, readonly TsigKey[]>()
  /** Anybody may name any key: the lookup of an unknown key must not slow down with their number. */
  const keys = new Map<string, TsigKey>()

  return {
    setZone(zoneId, policy) {
      if (policy === undefined) zones.delete(zoneId)
      else zones.set(zoneId, { ...policy, list: listOf(policy.ranges) })
    },
    setKeys({ accountId, keys: next }) {
      for (const { name } of accounts.get(accountId) ?? []) keys.delete(name) // no keys yet
      for (const key of next) keys.set(key.name, key)
      if (next.length === 0) accounts.delete(accountId)
      else accounts.set(accountId, next)
    },
    zone: (zoneId) => zones.get(zoneId),
    findKey(name, algorithm) {
      const key = keys.get(name)
      return key?.algorithm === algorithm ? key : undefined
    },
    findPeer(zoneId, address, key) {
      const policy = zones.get(zoneId)
      if (policy === undefined) return undefined
      const peers = policy.peers.filter((peer) =>
        key === undefined ? peer.key === undefined : isSameKey(peer.key, key),
      )
      const [first, ...others] = peers.some((peer) => peer.address === address)
        ? peers.filter((peer) => peer.address === address)
        : peers
      return others.length === 0 && (key !== undefined || first?.address === address) ? first : undefined
    },
    mayTransfer(zoneId, address, key) {
      const policy = zones.get(zoneId)
      if (policy === undefined) return false
      const isListed = includes(policy.list, address)
      // A peer with a key must use it: an address alone can be spoofed.
      if (key === undefined)
        return (
          policy.peers.some((peer) => peer.key === undefined && peer.address === address) ||
          (isListed && policy.peers.every((peer) => peer.key === undefined))
        )
      return policy.peers.some(
        (peer) =>
          isSameKey(peer.key, key) && (peer.address === undefined || peer.address === address || isListed),
      )
    },
  }
}

/** Removes the IPv4-mapped prefix that a dual-stack socket adds to IPv4 addresses. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

export const isSameKey = (a: TsigKey | undefined, b: TsigKey): boolean =>
  a !== undefined && a.name === b.name && a.algorithm === b.algorithm

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', length] = range.split('/')
    const family = familyOf(address)
    list.addSubnet(address, Number(length ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return list
}

const includes = (list: BlockList, address: string): boolean => list.check(address, familyOf(address))
