// Zones that Knot or BIND signs, and of which we are a secondary: our answers are theirs, set for set, and validate.
import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'
import { missingOf } from '../../scripts/requirements.ts'
import { run } from '../../scripts/process.ts'
import { createApi, type Api } from '../browsers/api.ts'
import { startServer, type Program } from '../program.ts'
import type { Report } from '../report.ts'
import { SECRET } from '../secondaries/world.ts'
import { type Asked, requireSameAnswers } from './same-answers.ts'
import {
  type Denial,
  SIGNING_PRIMARIES,
  type SigningPrimary,
  type UnsignedZone,
} from './signing-primaries.ts'
import { writeAnchors } from './validating.ts'
import { takeZone, verifies } from './verifying.ts'

export interface Variant extends Denial {
  readonly server: keyof typeof SIGNING_PRIMARIES
  readonly name: string
}

const NSEC = { nsec3: false, optOut: false, iterations: 0 }
const NSEC3 = { nsec3: true, optOut: false, iterations: 0 }

export const VARIANTS: readonly Variant[] = [
  { server: 'knotd', name: 'knot-nsec', ...NSEC },
  { server: 'knotd', name: 'knot-nsec3', ...NSEC3 },
  { server: 'knotd', name: 'knot-nsec3-salt', ...NSEC3, iterations: 5 },
  { server: 'knotd', name: 'knot-nsec3-opt-out', ...NSEC3, optOut: true },
  { server: 'named', name: 'bind-nsec', ...NSEC },
  { server: 'named', name: 'bind-nsec3', ...NSEC3 },
  { server: 'named', name: 'bind-nsec3-opt-out', ...NSEC3, optOut: true },
]

const LIMIT_MS = 30_000
const RANDOM_NAMES = 100
const SEED = 20_261_127

const RECORDS = `
@ 300 NS ns1
@ 300 NS ns.other.example.
@ 300 MX 10 mail
@ 300 TXT "apex"
ns1 300 A 192.0.2.53
www 60 A 192.0.2.1
mail 300 A 192.0.2.3
mail 300 AAAA 2001:db8::3
alias 300 CNAME www
dangling 300 CNAME nothing
outside 300 CNAME www.other.example.
towild 300 CNAME x.wild
*.wild 300 TXT "wild"
*.wild 300 MX 5 mail
there.wild 300 A 192.0.2.8
*.wildalias 300 CNAME www
a.b.c 300 A 192.0.2.4
z.y.*.odd 300 TXT "below a wildcard that is empty"
moved 300 DNAME c
insecure 300 NS ns.insecure
ns.insecure 300 A 192.0.2.5
deep.under.insecure2 300 NS ns.other.example.
secure 300 NS ns.secure
secure 300 DS 12345 13 2 0000000000000000000000000000000000000000000000000000000000000000
ns.secure 300 A 192.0.2.6
_sip._tcp 300 SRV 1 2 5060 mail
large 300 TXT "${'x'.repeat(200)}" "${'y'.repeat(200)}"
odd-type 300 TYPE65280 \\# 4 0a000001
UPPER 300 A 192.0.2.9
\\000a 300 TXT "octet"
`

const TYPES = [
  'A',
  'TXT',
  'NS',
  'DS',
  'MX',
  'CNAME',
  'SOA',
  'DNSKEY',
  'CDS',
  'CDNSKEY',
  'NSEC3PARAM',
  'DNAME',
]

const zoneOf = (name: string, hosts = 0): UnsignedZone => ({
  name,
  text:
    `$ORIGIN ${name}.\n@ 3600 SOA ns1 hostmaster 10 3600 600 86400 300\n${RECORDS}` +
    Array.from({ length: hosts }, (_, i) => `h${i} 300 A 10.0.${i >> 8}.${i & 255}\n`).join(''),
})

/** Names that exist, and names beside, below and between them. */
function questionsAbout(apex: string, { server, nsec3 }: Variant): Asked[] {
  const owners = RECORDS.split('\n')
    .flatMap((line) => line.split(' ')[0] ?? [])
    .filter((owner) => owner !== '')
  const existing = new Set(owners.map((owner) => (owner === '@' ? apex : `${owner.toLowerCase()}.${apex}`)))
  for (const name of [
    'b.c',
    'c',
    'y.*.odd',
    '*.odd',
    'odd',
    'under.insecure2',
    'insecure2',
    '_tcp',
    'wild',
    'wildalias',
  ])
    existing.add(`${name}.${apex}`)
  const names = new Set<string>()
  for (const name of existing)
    for (const each of [name, `x.${name}`, `y.x.${name}`, `*.${name}`, name.replace(/^(\w)/, '$1$1')])
      names.add(each)
  let state = SEED
  const random = (): number => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0)
  for (let i = 0; i < RANDOM_NAMES; i += 1) names.add(`${(random() >>> 4).toString(36)}.${apex}`)
  // Their NSEC does not prove that a wildcard has no data if it is an empty non-terminal.
  const mayProveMore = (name: string): boolean => !nsec3 && name.endsWith(`.odd.${apex}`)
  return [...names].flatMap((name) => [
    ...TYPES.map((type) => ({ name, type, dnssecOk: true, mayProveMore: mayProveMore(name) })),
    // BIND answers for the NSEC of a delegation, others refer.
    ...['A', 'DS', 'DNSKEY', ...(server === 'knotd' ? ['NSEC'] : [])].map((type) => ({
      name,
      type,
      dnssecOk: false,
    })),
  ])
}

/** @param launcher starts the program, once for each way of signing. */
export async function runPresigned(launcher: string, report: Report, parentFolder: string): Promise<void> {
  for (const variant of VARIANTS) {
    const missing = missingOf([variant.server, 'delv', 'dig', 'ldns-verify-zone', 'dnssec-verify'])
    if (missing === undefined) await runVariant(launcher, variant, report, parentFolder)
    else report.skip(variant.name, missing.reason, missing.required)
  }
}

export async function runVariant(
  launcher: string,
  variant: Variant,
  report: Report,
  parentFolder: string,
): Promise<void> {
  const folder = join(parentFolder, `presigned-${variant.name}`)
  mkdirSync(folder, { recursive: true })
  const start = () => startServer(launcher, join(folder, 'state'), { flags: ['--resolver', 'off'] })
  const program = await start()
  const name = `${variant.name}.example`
  const port = await freePort()
  const place = { primaryPort: program.dns.port, catalog: '', folder: join(folder, 'primary'), port }
  const primary = await SIGNING_PRIMARIES[variant.server](place, zoneOf(name), variant)
  try {
    const own = await follow(createApi(program), name, port)
    await judge({ program, primary, own, variant, folder }, report)
    await program.kill()
    const again = await start()
    await report.check(
      `${variant.name}: after kill -9 the answers are still those of the primary`,
      async () => {
        await requireSameAnswers([again.dns.port, port], questionsAbout(name, variant))
      },
    )
    await again.stop()
  } finally {
    await primary.stop()
  }
}

interface Judged {
  readonly program: Program
  readonly primary: SigningPrimary
  readonly own: OwnZone
  readonly variant: Variant
  readonly folder: string
}

async function judge({ program, primary, own, variant, folder }: Judged, report: Report): Promise<void> {
  const { name, api, id } = own
  const { port } = program.dns
  const describe = (text: string): string => `${variant.name}: ${text}`
  const questions = questionsAbout(name, variant)
  const areSame = async () => {
    await isCurrent(own, primary)
    await requireSameAnswers([port, primary.port], questions)
  }
  const areValid = async () => validates([port, primary.port], folder, name, await primary.ds())
  await report.check(describe(`${questions.length} answers are those of the primary`), areSame)
  await report.check(describe('delv validates all kinds of answers'), areValid)
  await report.check(describe('the zone by AXFR verifies'), async () => {
    await allowTransfer(own)
    const file = await takeZone(port, name, folder, true)
    if (!variant.optOut) await verifies(name, file)
  })
  await report.check(
    describe('signatures and denials are not listed, and DNSSEC is not enabled here'),
    async () => {
      const records = await api.get<{ type: string }[]>(`/zones/${id}/dns_records?per_page=1000`)
      deepEqual(
        records.filter(({ type }) => /^TYPE(46|47|50|51|59|60)$/.test(type)),
        [],
      )
      equal((await api.get<{ dnssec_presigned: boolean }>(`/zones/${id}/dnssec`)).dnssec_presigned, true)
    },
  )
  const whole = () => [...primary.log().matchAll(/AXFR, outgoing|AXFR started|AXFR-style/g)].length
  const wholeBefore = whole()
  await report.check(describe('changes are answered, with their signatures'), async () => {
    for (const last of [21, 22, 23]) {
      await primary.change(`192.0.2.${last}`)
      await hasSerialOf(own, primary)
    }
    await areSame()
    await areValid()
  })
  const { resign } = primary
  if (resign !== undefined)
    await report.check(describe('all signatures, made again, are answered'), async () => {
      await resign()
      await hasSerialOf(own, primary)
      await areSame()
      await areValid()
    })
  await report.check(describe('all that came by IXFR'), () => {
    match(primary.log(), /IXFR, outgoing|IXFR started/)
    equal(whole(), wholeBefore, primary.log().slice(-3000))
  })
}

interface OwnZone {
  readonly api: Api
  readonly id: string
  readonly name: string
  readonly peerId: string
}

interface Status {
  readonly state: string
  readonly problem: string | null
  readonly soa_serial: number | null
  readonly primary_serial: number | null
}

async function follow(api: Api, name: string, port: number): Promise<OwnZone> {
  const [account] = await api.get<{ id: string }[]>('/accounts')
  const root = `/accounts/${account?.id ?? ''}/secondary_dns`
  const tsig = { name: 'xfr-key', secret: SECRET, algo: 'hmac-sha256.' }
  const { id: keyId } = await api.post<{ id: string }>(`${root}/tsigs`, tsig)
  const peer = { name: 'primary', ip: '127.0.0.1', port, tsig_id: keyId, ixfr_enable: true }
  const { id: peerId } = await api.post<{ id: string }>(`${root}/peers`, peer)
  const { id } = await api.post<{ id: string }>('/zones', { name, type: 'secondary' })
  const incoming = { name: `${name}.`, peers: [peerId], auto_refresh_seconds: 300 }
  await api.post(`/zones/${id}/secondary_dns/incoming`, incoming)
  return { api, id, name, peerId }
}

async function allowTransfer({ api, id, name, peerId }: OwnZone): Promise<void> {
  await api.post(`/zones/${id}/secondary_dns/outgoing`, { name: `${name}.`, peers: [peerId] })
  await api.call('POST', `/zones/${id}/secondary_dns/outgoing/enable`)
}

const statusOf = ({ api, id }: OwnZone): Promise<Status> =>
  api.get<Status>(`/zonereeve/zones/${id}/secondary_dns/incoming/status`)

async function isCurrent(own: OwnZone, primary: SigningPrimary): Promise<void> {
  for (const began = performance.now(); ; await sleep(50)) {
    const status = await statusOf(own)
    // BIND signs step by step.
    if (status.state === 'current' && status.soa_serial === (await serialAt(primary.port, own.name))) {
      await sleep(300)
      if (status.soa_serial === (await serialAt(primary.port, own.name))) return
    }
    ok(performance.now() - began < LIMIT_MS, `${JSON.stringify(status)}\n${primary.log().slice(-3_000)}`)
  }
}

/** Waits until the serial at the primary is not ours any more, and then is. */
const hasSerialOf = isCurrent

async function serialAt(port: number, name: string): Promise<number> {
  const { output } = await run('dig', ['+short', '-p', String(port), '@127.0.0.1', name, 'SOA'])
  return Number(output.split(' ')[2])
}

const VALIDATED = /; fully validated/
const DENIED = /; negative response, fully validated/
const EXPECTED: readonly (readonly [asked: string, expected: RegExp])[] = [
  ['www A', VALIDATED],
  ['@ SOA', VALIDATED],
  ['@ DNSKEY', VALIDATED],
  ['@ CDS', /fully validated/],
  ['@ MX', VALIDATED],
  ['@ NS', VALIDATED],
  ['alias A', VALIDATED],
  ['x.wild TXT', VALIDATED],
  ['y.x.wild TXT', VALIDATED],
  ['*.wild TXT', VALIDATED],
  ['x.wildalias A', VALIDATED],
  ['towild TXT', VALIDATED],
  ['www ANY', VALIDATED],
  ['x.moved A', VALIDATED],
  ['a.b.moved A', VALIDATED],
  ['secure DS', VALIDATED],
  ['www TXT', DENIED],
  ['@ A', DENIED],
  ['x.wild A', DENIED],
  ['nothing A', DENIED],
  ['a.b.nothing A', DENIED],
  ['b.c A', DENIED],
  ['dangling A', VALIDATED],
]
/** With opt-out, it is only known that they are not signed. */
const EXPECTED_WITHOUT_OPT_OUT: typeof EXPECTED = [
  ['insecure DS', DENIED],
  ['deep.under.insecure2 DS', DENIED],
]

/** With opt-out, the verdicts on denied names are those on the primary's answers. */
async function validates(
  ports: readonly [number, number],
  folder: string,
  zone: string,
  ds: string,
): Promise<void> {
  const anchors = writeAnchors(folder, ds)
  for (const [asked, expected] of [...EXPECTED, ...EXPECTED_WITHOUT_OPT_OUT]) {
    const [owner = '', type = ''] = asked.split(' ')
    const name = owner === '@' ? zone : `${owner}.${zone}`
    const [ours, theirs] = await Promise.all(ports.map((port) => delv(port, anchors, zone, [name, type])))
    equal(verdictOf(ours ?? ''), verdictOf(theirs ?? ''), asked)
    if (!folder.endsWith('opt-out')) match(ours ?? '', expected, asked)
    doesNotMatch(ours ?? '', /broken trust chain|no valid|insecurity proof failed/, asked)
  }
}

/** What delv says of the answer, without the answer. Its two outputs come in any order. */
const verdictOf = (output: string): string =>
  output
    .split('\n')
    .filter((line) => /fully validated|unsigned answer|resolution failed/.test(line))
    .toSorted()
    .join('\n')

async function delv(port: number, anchors: string, zone: string, asked: readonly string[]): Promise<string> {
  const args = ['@127.0.0.1', '-p', String(port), '-a', anchors, `+root=${zone}`, ...asked]
  return (await run('timeout', ['60', 'delv', ...args])).output
}
