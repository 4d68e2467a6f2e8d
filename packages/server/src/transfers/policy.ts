// Who may have which zone, and who is told of its changes: kept in memory, because answers do not wait for a database.
import { BlockList, isIPv6 } from 'node:net'
import type { Name, TsigAlgorithm, TsigKey } from '@zonereeve/dns'

/** A nameserver at the other end. */
export interface TransferPeer {
  readonly id: string
  /** Undefined: it is known by its key alone, and not notified. */
  readonly address: string | undefined
  readonly port: number
  readonly key: TsigKey | undefined
}

/** A zone that others may have. */
export interface OutgoingPolicy {
  readonly zoneId: string
  readonly accountId: string
  readonly peers: readonly TransferPeer[]
  /** Addresses of the account's ACLs, `192.0.2.0/24`. */
  readonly ranges: readonly string[]
}

/** The keys of one account. */
export interface AccountKeys {
  readonly accountId: string
  readonly keys: readonly TsigKey[]
}

export interface TransferPolicies {
  /** Replaces what is known of a zone; with undefined nobody may have it. */
  setZone(zoneId: string, policy: OutgoingPolicy | undefined): void
  setKeys(keys: AccountKeys): void
  zone(zoneId: string): OutgoingPolicy | undefined
  findKey(name: Name, algorithm: TsigAlgorithm): TsigKey | undefined
  /** Whether a request from this address, signed with this key or not at all, may have the zone. */
  mayTransfer(zoneId: string, address: string, key: TsigKey | undefined): boolean
}

export function createTransferPolicies(): TransferPolicies {
  const zones = new Map<string, OutgoingPolicy & { readonly list: BlockList }>()
  const accounts = new Map<string, readonly TsigKey[]>()
  /** Strangers may ask for any key: finding none must not take longer the more there are. */
  const keys = new Map<string, TsigKey>()

  return {
    setZone(zoneId, policy) {
      if (policy === undefined) zones.delete(zoneId)
      else zones.set(zoneId, { ...policy, list: listOf(policy.ranges) })
    },
    setKeys({ accountId, keys: next }) {
      for (const { name } of accounts.get(accountId) ?? []) keys.delete(name)
      for (const key of next) keys.set(key.name, key)
      if (next.length === 0) accounts.delete(accountId)
      else accounts.set(accountId, next)
    },
    zone: (zoneId) => zones.get(zoneId),
    findKey(name, algorithm) {
      const key = keys.get(name)
      return key?.algorithm === algorithm ? key : undefined
    },
    mayTransfer(zoneId, address, key) {
      const policy = zones.get(zoneId)
      if (policy === undefined) return false
      const isListed = includes(policy.list, address)
      // Whoever has a key must use it: an address alone can be borrowed.
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

/** The address without the clothes of IPv6 that a socket for both families gives it. */
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
