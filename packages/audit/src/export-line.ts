// An entry as a line of NDJSON. It has the hash before it, so that a part of the log can be checked alone.
import type { LinkedEntry } from './entry.ts'

export interface ExportedEntry {
  readonly entry: LinkedEntry
  readonly previousHash: string
}

/** The line, without a line feed. */
export const formatLine = ({ entry, previousHash }: ExportedEntry): string =>
  JSON.stringify({
    number: entry.number,
    at: entry.at,
    account_id: entry.accountId,
    zone_id: entry.zoneId,
    zone_name: entry.zoneName,
    actor_kind: entry.actorKind,
    actor_id: entry.actorId,
    actor_name: entry.actorName,
    address: entry.address,
    action: entry.action,
    resource_type: entry.resourceType,
    resource_id: entry.resourceId,
    succeeded: entry.succeeded,
    request_id: entry.requestId,
    detail: entry.detail,
    previous_hash: previousHash,
    hash: entry.hash,
  })

const HASH = /^[0-9a-f]{64}$/

/**
 * Reads a line that {@link formatLine} wrote. Other members are ignored.
 *
 * @throws Error: it is not JSON, or a member is missing or has another type; the message names the member.
 */
export function readLine(line: string): ExportedEntry {
  const parsed: unknown = JSON.parse(line)
  if (typeof parsed !== 'object' || parsed === null) throw new Error('expected an object')
  const members = new Map<string, unknown>(Object.entries(parsed))
  const text = (name: string): string => {
    const value = members.get(name)
    if (typeof value !== 'string') throw new Error(`${name} must be a string`)
    return value
  }
  const textOrNull = (name: string): string | null => (members.get(name) === null ? null : text(name))
  const hash = (name: string): string => {
    const value = text(name)
    if (!HASH.test(value)) throw new Error(`${name} must be 64 hexadecimal digits`)
    return value
  }
  const number = members.get('number')
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 1)
    throw new Error('number must be a positive integer')
  const succeeded = members.get('succeeded')
  if (typeof succeeded !== 'boolean') throw new Error('succeeded must be true or false')
  return {
    previousHash: hash('previous_hash'),
    entry: {
      number,
      at: text('at'),
      accountId: textOrNull('account_id'),
      zoneId: textOrNull('zone_id'),
      zoneName: textOrNull('zone_name'),
      actorKind: text('actor_kind'),
      actorId: text('actor_id'),
      actorName: text('actor_name'),
      address: textOrNull('address'),
      action: text('action'),
      resourceType: text('resource_type'),
      resourceId: text('resource_id'),
      succeeded,
      requestId: text('request_id'),
      detail: text('detail'),
      hash: hash('hash'),
    },
  }
}
