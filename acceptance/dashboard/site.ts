// The program with something to look at: zones in every state, and a zone with records of every kind.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createApi, type Api } from '../browsers/api.ts'
import { startServer, type Program } from '../program.ts'

export interface Site {
  readonly program: Program
  readonly api: Api
  /** The folder of its database. */
  readonly folder: string
  /** Path of the sign-in screen with a fresh link behind `#`. */
  readonly signInPath: () => Promise<string>
}

export const ZONE = 'example.com'

const LONG_TXT = `v=DKIM1; k=rsa; p=${'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A'.repeat(12)}`

const RECORDS: readonly object[] = [
  { type: 'A', name: '@', content: '192.0.2.10', proxied: true },
  { type: 'AAAA', name: '@', content: '2001:db8:10::10', proxied: true },
  { type: 'CAA', name: '@', data: { flags: 0, tag: 'issue', value: 'ca.example' } },
  { type: 'MX', name: '@', content: 'mail.example.com', priority: 10, ttl: 3600 },
  { type: 'TXT', name: '@', content: '"v=spf1 ip4:192.0.2.0/24 ~all"', ttl: 300, comment: 'Ask mail first' },
  { type: 'TXT', name: 'k1._domainkey', content: LONG_TXT, ttl: 3600 },
  {
    type: 'TXT',
    name: '_dmarc',
    content: '"v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com"',
    ttl: 3600,
  },
  {
    type: 'SRV',
    name: '_sip._tcp',
    data: { priority: 10, weight: 60, port: 5060, target: 'sip1.example.com' },
  },
  {
    type: 'SRV',
    name: '_sip._tcp',
    data: { priority: 20, weight: 40, port: 5060, target: 'sip2.example.com' },
  },
  { type: 'CNAME', name: 'blog', content: 'sites.example.org', proxied: true },
  { type: 'CNAME', name: 'api', content: 'lb-eu.example.net', ttl: 60 },
  { type: 'A', name: 'mail', content: '192.0.2.25', ttl: 3600, tags: ['team:mail'] },
  { type: 'HTTPS', name: 'old', data: { priority: 1, target: '.', value: 'alpn="h2,h3"' } },
  { type: 'A', name: 'shop', content: '192.0.2.41', ttl: 60 },
  { type: 'A', name: 'shop', content: '192.0.2.42', ttl: 60 },
  { type: 'A', name: 'vpn', content: '203.0.113.80' },
]

const OTHER_ZONES = [
  'example.net',
  'example.org',
  'shop.example.org',
  '2.0.192.in-addr.arpa',
  'xn--bcher-kva.example',
] as const

export async function startSite(launcher: string, folder: string): Promise<Site> {
  const program = await startServer(launcher, folder)
  const api = createApi(program)
  const zone = await api.post<{ id: string }>('/zones', { name: ZONE })
  for (const record of RECORDS) await api.post(`/zones/${zone.id}/dns_records`, record)
  for (const name of OTHER_ZONES) await api.post('/zones', { name })
  await addTransfers(api, zone.id)
  await signZone(api, OTHER_ZONES[0])
  return {
    program,
    api,
    folder,
    async signInPath() {
      const { stdout } = await promisify(execFile)(launcher, ['admin', 'link', '--data', folder])
      const { pathname, hash } = new URL(stdout.trim())
      return `${pathname}${hash}`
    },
  }
}

/** Two peers that get the zone; neither answers. */
async function addTransfers(api: Api, zoneId: string): Promise<void> {
  const [account] = await api.get<readonly { id: string }[]>('/accounts')
  const transfers = `/accounts/${account?.id}/secondary_dns`
  const key = await api.post<{ id: string }>(`${transfers}/tsigs`, {
    name: 'transfer.example.com.',
    algo: 'hmac-sha256.',
    secret: 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
  })
  const peers = [
    { name: 'ns2.example.net', ip: '192.0.2.53', port: 53, tsig_id: key.id },
    { name: 'ns3.example.net', ip: '2001:db8::53', port: 53 },
  ]
  const ids = []
  for (const peer of peers) ids.push((await api.post<{ id: string }>(`${transfers}/peers`, peer)).id)
  await api.post(`${transfers}/acls`, { name: 'ns3', ip_range: '2001:db8::53/128' })
  await api.post(`/zones/${zoneId}/secondary_dns/outgoing`, { name: `${ZONE}.`, peers: ids })
  await api.post(`/zones/${zoneId}/secondary_dns/outgoing/enable`, {})
}

async function signZone(api: Api, name: string): Promise<void> {
  const [zone] = await api.get<readonly { id: string }[]>(`/zones?name=${name}`)
  await api.call('PATCH', `/zones/${zone?.id}/dnssec`, { status: 'active' })
}

const LARGE_RECORDS = 100_000

/** A zone of 100,000 records, and its name. */
export async function addLargeZone({ program, api }: Site): Promise<string> {
  const name = 'large.example'
  const zone = await api.post<{ id: string }>('/zones', { name })
  const lines = Array.from(
    { length: LARGE_RECORDS },
    (_, index) =>
      `host-${String(index).padStart(6, '0')} 300 IN A 10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
  )
  const reply = await fetch(`${program.http}/client/v4/zonereeve/zones/${zone.id}/zone_file?force=true`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${program.token}`, 'content-type': 'text/dns' },
    body: `${lines.join('\n')}\n`,
  })
  if (!reply.ok) throw new Error(`the zone file was refused: ${await reply.text()}`)
  return name
}
