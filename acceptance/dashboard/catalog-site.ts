// Catalog zones to look at: one that is published, and one that another server of this program has, with groups.
import { createApi, type Api } from '../browsers/api.ts'
import { startServer, type Program } from '../program.ts'

export const OWN_CATALOG = 'catalog.example.com'
export const PRIMARY_CATALOG = 'catalog.example.net'
/** Its zones, by their groups. The last one exists here already. */
export const CATALOG_ZONES = {
  'alpha.example': 'internal',
  'beta.example': undefined,
  'shop.example.org': undefined,
} as const
/** The names of the account's peers. */
export const PRIMARY = 'primary.example.net'
export const OTHER_PRIMARY = 'ns2.example.net'

const SECRET = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
const KEY = { name: 'catalogs.example.net.', algo: 'hmac-sha256.', secret: SECRET }
const WAIT_MILLIS = 50

type Id = { readonly id: string }

/** @returns the program of the primary, which notifies `secondary` */
export async function addCatalogs(
  api: Api,
  secondary: Pick<Program, 'dns'>,
  launcher: string,
  folder: string,
): Promise<Program> {
  const program = await startServer(launcher, folder)
  const primary = createApi(program)
  const transfers = await transferObjects(primary)
  const key = await primary.post<Id>(`${transfers}/tsigs`, KEY)
  const at = { ip: '127.0.0.1', port: secondary.dns.port, tsig_id: key.id }
  const reader = await primary.post<Id>(`${transfers}/peers`, { name: 'reader', ...at })
  for (const name of Object.keys(CATALOG_ZONES)) await addSent(primary, name, reader.id, [])
  await addSent(primary, PRIMARY_CATALOG, reader.id, catalogRecords(Object.entries(CATALOG_ZONES)))
  await follow(api, program)
  return program
}

/** A catalog zone is an ordinary zone of its primary. */
const catalogRecords = (zones: readonly (readonly [string, string | undefined])[]): object[] => [
  { type: 'TXT', name: 'version', content: '"2"' },
  ...zones.flatMap(([zone, group], index) => [
    { type: 'PTR', name: `m${index}.zones`, content: zone },
    ...(group === undefined ? [] : [{ type: 'TXT', name: `group.m${index}.zones`, content: `"${group}"` }]),
  ]),
]

/** NOTIFY messages of the primary go to this port of the secondary; it transfers what it queries for in any case. */
export async function notifyAt(primary: Api, port: number): Promise<void> {
  const transfers = await transferObjects(primary)
  const [reader] = await primary.get<readonly (Id & { readonly name: string })[]>(`${transfers}/peers`)
  if (reader === undefined) throw new Error('the primary has no peer')
  await primary.call('PUT', `${transfers}/peers/${reader.id}`, { ...reader, port })
}

/** Creates a zone of the primary that its reader may transfer. */
export async function addToPrimary(primary: Api, name: string, records: readonly object[]): Promise<void> {
  const [reader] = await primary.get<readonly Id[]>(`${await transferObjects(primary)}/peers`)
  await addSent(primary, name, reader?.id ?? 'none', records)
}

async function addSent(api: Api, name: string, peer: string, records: readonly object[]): Promise<void> {
  const zone = await api.post<Id>('/zones', { name })
  for (const record of records) await api.post(`/zones/${zone.id}/dns_records`, record)
  await api.post(`/zones/${zone.id}/secondary_dns/outgoing`, { name: `${name}.`, peers: [peer] })
  await api.post(`/zones/${zone.id}/secondary_dns/outgoing/enable`, {})
}

async function follow(api: Api, { dns }: Program): Promise<void> {
  const [account] = await api.get<readonly Id[]>('/accounts')
  const transfers = await transferObjects(api)
  const key = await api.post<Id>(`${transfers}/tsigs`, KEY)
  const at = { ip: '127.0.0.1', port: dns.port, tsig_id: key.id }
  const peer = await api.post<Id>(`${transfers}/peers`, { name: PRIMARY, ...at })
  const catalogs = `/zonereeve/accounts/${account?.id}`
  await api.call('PUT', `${catalogs}/catalog_zone`, { name: OWN_CATALOG, peers: [peer.id] })
  const one = `${catalogs}/secondary_catalogs/${PRIMARY_CATALOG}`
  const groups = [{ name: 'internal', peers: [peer.id] }]
  await api.call('PUT', one, { peers: [peer.id], groups })
  for (;;) {
    const { members } = await api.get<{ members: { created: number; pending: number } }>(one)
    if (members.created === 2 && members.pending === 0) return
    await new Promise((resolve) => setTimeout(resolve, WAIT_MILLIS))
  }
}

async function transferObjects(api: Api): Promise<string> {
  const [account] = await api.get<readonly Id[]>('/accounts')
  return `/accounts/${account?.id}/secondary_dns`
}
