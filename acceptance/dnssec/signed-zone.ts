// A signed zone with one case of each kind of answer, and the zones below it.
import type { Api } from '../browsers/api.ts'

export const APEX = 'signed.example'

export interface SignedZone {
  readonly id: string
  readonly name: string
  /** The DS from the API: a validator's only trust anchor. */
  readonly ds: string
}

const RECORDS: readonly object[] = [
  { type: 'A', name: 'www', content: '192.0.2.1', ttl: 300 },
  { type: 'A', name: 'www', content: '192.0.2.2', ttl: 300 },
  { type: 'MX', name: '@', content: `mail.${APEX}`, priority: 10, ttl: 300 },
  { type: 'A', name: 'mail', content: '192.0.2.3', ttl: 300 },
  { type: 'CNAME', name: 'alias', content: `www.${APEX}`, ttl: 300 },
  { type: 'CNAME', name: 'dangling', content: `nothing.${APEX}`, ttl: 300 },
  { type: 'TXT', name: '*.wild', content: 'wild', ttl: 300 },
  { type: 'CNAME', name: '*.wildalias', content: `www.${APEX}`, ttl: 300 },
  { type: 'A', name: 'a.b.c', content: '192.0.2.4', ttl: 300 },
  { type: 'TYPE39', name: 'moved', content: `c.${APEX}.`, ttl: 300 },
  { type: 'TYPE39', name: 'twice', content: `moved.${APEX}.`, ttl: 300 },
  { type: 'NS', name: 'insecure', content: `ns.insecure.${APEX}`, ttl: 300 },
  { type: 'A', name: 'ns.insecure', content: '192.0.2.5', ttl: 300 },
  { type: 'NS', name: 'secure', content: 'ns1.zonereeve.internal', ttl: 300 },
]
const BELOW: readonly object[] = [{ type: 'A', name: 'www', content: '192.0.2.7', ttl: 300 }]

/** `signed.example` with a signed and an unsigned zone below it. @returns all three, the parent first. */
export async function createSignedZones(
  api: Api,
  { useNsec3 }: { readonly useNsec3: boolean },
): Promise<readonly [SignedZone, ...SignedZone[]]> {
  const above = await createZone(api, APEX, RECORDS)
  const secure = await createZone(api, `secure.${APEX}`, BELOW)
  const insecure = await createZone(api, `insecure.${APEX}`, BELOW)
  const zone = await sign(api, above, useNsec3)
  const child = await sign(api, secure, useNsec3)
  await publishDs(api, zone.id, child)
  return [zone, child, { ...insecure, ds: '' }]
}

export async function createZone(
  api: Api,
  name: string,
  records: readonly object[],
): Promise<Omit<SignedZone, 'ds'>> {
  const { id } = await api.post<{ id: string }>('/zones', { name })
  for (const record of records) await api.post(`/zones/${id}/dns_records`, record)
  return { id, name }
}

/** Signs a zone, and returns it with the DS for its parent. */
export async function sign(api: Api, zone: Omit<SignedZone, 'ds'>, useNsec3 = false): Promise<SignedZone> {
  const patch = { status: 'active', dnssec_use_nsec3: useNsec3 }
  // The operation's result type.
  const { ds } = (await api.call('PATCH', `/zones/${zone.id}/dnssec`, patch)) as { readonly ds: string }
  return { ...zone, ds }
}

/** Publishes the DS in our own parent zone. @returns the record's id */
export async function publishDs(api: Api, parentId: string, { name, ds }: SignedZone): Promise<string> {
  const [keyTag, algorithm, digestType] = ds.split(' ').slice(4, 7).map(Number)
  const { id } = await api.post<{ id: string }>(`/zones/${parentId}/dns_records`, {
    type: 'DS',
    name,
    ttl: 300,
    data: { key_tag: keyTag, algorithm, digest_type: digestType, digest: ds.split(' ')[7] },
  })
  return id
}
