// What a zone may be called, which plans there are, and how a zone becomes active.
import { domainToASCII, domainToUnicode } from 'node:url'
import { isHostname, NameError, parseName, ROOT, type Name } from '@zonereeve/dns'
import type { Issue } from '../../platform/domain-error.ts'

export type Plan = 'free' | 'pro' | 'business' | 'enterprise'
export type ZoneStatus = 'initializing' | 'pending' | 'active' | 'moved'

/** A self-hosted zone has everything, unless its owner wants to see what a smaller plan would refuse. */
export const USUAL_PLAN: Plan = 'enterprise'

export interface ZoneName {
  /** In A-labels, canonical. */
  readonly name: Name
  /** As people write it, in U-labels. */
  readonly displayName: string
}

/** Reads a zone's name: any valid domain name but the root, private and reserved suffixes too. */
export function readZoneName(text: string): ZoneName | Issue {
  const invalid = (problem: string): Issue => ({ reason: 'zone.name', pointer: '/name', values: { problem } })
  try {
    const name = parseName(toAscii(text.trim()))
    if (name === ROOT) return invalid('the root cannot be a zone here')
    if (!isHostname(name, { underscore: true })) {
      return invalid(
        'labels are letters, digits, hyphens and underscores, and neither begin nor end with a hyphen',
      )
    }
    return { name, displayName: toUnicode(name) }
  } catch (error) {
    if (error instanceof NameError) return invalid(error.message)
    throw error
  }
}

/** A-labels of a name that may have U-labels. Names in ASCII stay as they are: the URL rules would read `1.2` as an address. */
export function toAscii(text: string): string {
  if (/^[\p{ASCII}]*$/u.test(text)) return text
  return domainToASCII(text)
}

const toUnicode = (name: string): string => (name.includes('xn--') ? domainToUnicode(name) || name : name)

/** A new zone's first serial: the time in seconds, so that a zone that is made again does not go back. */
export const firstSerial = (nowMillis: number): number => Math.floor(nowMillis / 1000) >>> 0

/** A zone is active from the moment that it has an address record, and stays so. */
export function statusAfter(status: ZoneStatus, addressCount: number): ZoneStatus {
  return status === 'pending' && addressCount > 0 ? 'active' : status
}
