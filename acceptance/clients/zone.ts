// A zone for one client: created before the client runs, read afterwards, deleted at the end. It has an address:
// without one it is pending, and some clients find only active zones.
import { deepEqual, ok } from 'node:assert/strict'
import type { Target } from '../program.ts'

export interface StoredRecord {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly content: string
  readonly ttl: number
  readonly proxied?: boolean
}

export interface Zone {
  readonly id: string
  readonly name: string
  readonly createRecord: (draft: Omit<StoredRecord, 'id' | 'ttl'>) => Promise<void>
  /** The stored records as "TYPE name ttl content", sorted. */
  readonly stored: () => Promise<readonly string[]>
  /** Checks that only the zone's own address is stored, that is, that the client cleaned up. */
  readonly isClean: () => Promise<void>
  readonly remove: () => Promise<void>
}

const ADDRESS = '192.0.2.53'

/** @throws if the server rejects the zone, for example because it exists. */
export async function createZone(target: Target, name: string): Promise<Zone> {
  const { id } = await call<{ id: string }>(target, 'POST', '/zones', { name })
  const stored = async (): Promise<readonly string[]> => {
    const records = await call<StoredRecord[]>(target, 'GET', `/zones/${id}/dns_records?per_page=5000`)
    return records.map((record) => `${record.type} ${record.name} ${record.ttl} ${record.content}`).toSorted()
  }
  const createRecord: Zone['createRecord'] = async (draft) => {
    await call(target, 'POST', `/zones/${id}/dns_records`, draft)
  }
  await createRecord({ type: 'A', name, content: ADDRESS })
  return {
    id,
    name,
    createRecord,
    stored,
    async isClean() {
      deepEqual(await stored(), [`A ${name} 1 ${ADDRESS}`])
    },
    async remove() {
      await call(target, 'DELETE', `/zones/${id}`)
    },
  }
}

export async function removeZone(target: Target, name: string): Promise<void> {
  const zones = await call<{ id: string }[]>(target, 'GET', `/zones?name=${name}`)
  for (const { id } of zones) await call(target, 'DELETE', `/zones/${id}`)
}

/** One request that must succeed. */
export async function call<Result>(
  target: Target,
  method: string,
  path: string,
  body?: object,
): Promise<Result> {
  const response = await fetch(`${target.http}/client/v4${path}`, {
    method,
    headers: { authorization: `Bearer ${target.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  ok(response.status === 200, `${method} ${path}: ${response.status} ${text}`)
  // The caller knows the result type of the path; the values that tests read are compared.
  return (JSON.parse(text) as { result: Result }).result
}
