// The program with something to look at: zones in every state, and a zone with records of every kind.
import { createApi, type Api } from '../browsers/api.ts'
import { ask } from '../dns-client.ts'
import { addActivityZone } from './activity-site.ts'
import { addCatalogs } from './catalog-site.ts'
import { addScoredZone } from './firewall-site.ts'
import { addMonitoring, monitoringFlags } from './monitoring-site.ts'
import { serveMail } from './outside-world.ts'
import { addRules } from './rules-site.ts'
import { addFeeds, addWebhook } from './server-site.ts'
import { linkPath } from './signed-in.ts'
import { addMigrationZones } from './wizard-site.ts'
import { startServer, type Program } from '../program.ts'

export interface Site {
  readonly program: Program
  /** Of its secondary zones. */
  readonly primary: Program
  readonly api: Api
  /** E-mails that it sent. */
  readonly mails: readonly string[]
  /** The folder of its database. */
  readonly folder: string
  /** Path of the sign-in screen with a fresh link behind `#`. */
  readonly signInPath: () => Promise<string>
}

export const ZONE = 'example.com'
/** Its transfers contain a digest. */
export const DIGEST_ZONE = 'digest.example'

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
  const mail = await serveMail()
  const program = await startServer(launcher, folder, { flags: await monitoringFlags(mail.port) })
  const api = createApi(program)
  const zone = await api.post<{ id: string }>('/zones', { name: ZONE })
  for (const record of RECORDS) await api.post(`/zones/${zone.id}/dns_records`, record)
  for (const name of OTHER_ZONES) await api.post('/zones', { name })
  await addTransfers(api, zone.id)
  await addDigestZone(api)
  await askSome(program)
  await signZone(api, OTHER_ZONES[0])
  await addPeople(api, zone.id)
  await addMigrationZones(api)
  await addScoredZone(api)
  await addRules(api)
  await addMonitoring(api, program, folder)
  await addActivityZone(api)
  await addFeeds(api, program)
  await addWebhook(api)
  const primary = await addCatalogs(api, program, launcher, `${folder}-primary`)
  return {
    program,
    primary,
    api,
    folder,
    mails: mail.received,
    signInPath: () => linkPath(launcher, folder),
  }
}

/** Queries that the overview counts: some are answered, some ask for what is not there. */
async function askSome({ dns }: Program): Promise<void> {
  for (const name of ['', 'mail.', 'shop.', 'nothing.'])
    for (let query = 0; query < 20; query += 1) await ask(dns, `${name}${ZONE}`, 'A')
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

async function addDigestZone(api: Api): Promise<void> {
  const [account] = await api.get<readonly { id: string }[]>('/accounts')
  const [peer] = await api.get<readonly { id: string }[]>(`/accounts/${account?.id}/secondary_dns/peers`)
  const zone = await api.post<{ id: string }>('/zones', { name: DIGEST_ZONE })
  await api.post(`/zones/${zone.id}/secondary_dns/outgoing`, { name: `${DIGEST_ZONE}.`, peers: [peer?.id] })
  await api.post(`/zones/${zone.id}/secondary_dns/outgoing/enable`, {})
  await api.call('PATCH', `/zonereeve/zones/${zone.id}/dns_settings`, { zone_digest: true })
}

async function signZone(api: Api, name: string): Promise<void> {
  const [zone] = await api.get<readonly { id: string }[]>(`/zones?name=${name}`)
  await api.call('PATCH', `/zones/${zone?.id}/dnssec`, { status: 'active' })
}

const DNS_WRITE = '4755a26eedb94da69e1066d98aa820be'
const ZONE_READ = 'c8fed203ed3043cba015a93ad1616f1f'
const TOKENS = [
  { name: 'terraform-prod', groups: [DNS_WRITE, ZONE_READ], from: ['192.0.2.0/28'], days: 200 },
  { name: 'external-dns', groups: [DNS_WRITE, ZONE_READ], from: ['10.4.0.0/16', '2001:db8::/32'] },
  { name: 'jun-laptop', groups: [ZONE_READ], status: 'disabled' },
  { name: 'grafana', groups: [ZONE_READ], days: 6 },
]

/** Users and tokens to look at. */
async function addPeople(api: Api, zoneId: string): Promise<void> {
  for (const { name, groups, from, days, status } of TOKENS)
    await api.post('/user/tokens', {
      name,
      ...(status === undefined ? {} : { status }),
      policies: [
        {
          effect: 'allow',
          resources: { [`com.cloudflare.api.account.zone.${from === undefined ? '*' : zoneId}`]: '*' },
          permission_groups: groups.map((id) => ({ id })),
        },
      ],
      ...(from === undefined ? {} : { condition: { request_ip: { in: from } } }),
      ...(days === undefined
        ? {}
        : { expires_on: `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19)}Z` }),
    })
  const users = [
    { email: 'anna@example.com', name: 'Anna Baker', zone_roles: [{ zone_id: zoneId, role: 'editor' }] },
    { email: 'jun@example.com', role: 'viewer' },
  ]
  for (const user of users) await api.post('/zonereeve/users', user)
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
