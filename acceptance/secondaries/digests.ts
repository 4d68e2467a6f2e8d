// Zones with a digest (ZONEMD) at a Knot that uses no zone without a right one: whole transfers and differences, unsigned
// and signed; and a proof that it looks.
import { equal, match, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { missingOf } from '../../scripts/requirements.ts'
import { run } from '../../scripts/process.ts'
import { ask, askUntil } from '../dns-client.ts'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'
import { reportTimes, type Report } from '../report.ts'
import { put, startKnotWith, type StartedKnot } from './nameservers.ts'
import { importFile, isAnswer, SECRET, type World } from './world.ts'

const ARRIVAL_LIMIT_MS = 30_000
const LARGE_LIMIT_MS = 120_000

export interface DigestWorld extends Pick<World, 'api' | 'target' | 'accountId' | 'keyId'> {
  readonly folder: string
  readonly largeRecords: number
}

/** Kinds of zones, and how they are made of unsigned ones. */
const KINDS = {
  unsigned: {},
  nsec: { status: 'active' },
  nsec3: { status: 'active', dnssec_use_nsec3: true },
} as const
type Kind = keyof typeof KINDS

const nameOf = (kind: string): string => `${kind}.digests.example`

interface Zone {
  readonly id: string
  readonly name: string
}

export async function judgeDigests(world: DigestWorld, report: Report): Promise<void> {
  const missing = missingOf(['knotd', 'dig'])
  if (missing !== undefined) return report.skip('digests of zones at Knot', missing.reason, missing.required)
  const { api, accountId, keyId, folder, target } = world
  const port = await freePort()
  const root = `/accounts/${accountId}/secondary_dns`
  const peer = { name: 'verifier', ip: '127.0.0.1', port, tsig_id: keyId }
  const { id: peerId } = await api.post<{ id: string }>(`${root}/peers`, peer)
  const place = { folder: join(folder, 'verifying-knot'), port, primaryPort: target.dns.port, catalog: '' }
  const names = [...Object.keys(KINDS), 'large', 'plain'].map(nameOf)
  const knot = await startKnotWith(place, knotZones(target.dns.port, names))
  try {
    for (const kind of Object.keys(KINDS) as Kind[]) await judgeKind(world, report, knot, { kind, peerId })
    await judgeMissing(world, report, knot, peerId)
    await judgeLarge(world, report, knot, peerId)
    await judgeTampered(world, report)
  } finally {
    await knot.stop()
  }
}

/** Zones that this server transfers, each verified. */
function knotZones(primaryPort: number, names: readonly string[]): string {
  const head =
    `key:\n  - id: xfr-key\n    algorithm: hmac-sha256\n    secret: ${SECRET}\n` +
    `remote:\n  - id: zonereeve\n    address: 127.0.0.1@${primaryPort}\n    key: xfr-key\n` +
    `acl:\n  - id: notify-in\n    address: 127.0.0.1\n    key: xfr-key\n    action: notify\n`
  const zones = names.map(
    (domain) =>
      `  - domain: ${domain}\n    master: zonereeve\n    acl: notify-in\n    zonemd-verify: on\n` +
      `    zonefile-sync: -1\n    journal-content: all\n`,
  )
  return `${head}zone:\n${zones.join('')}`
}

async function addZone(
  world: DigestWorld,
  name: string,
  {
    peerId,
    lines,
    dnssec = {},
    isOn = true,
  }: {
    readonly peerId: string
    readonly lines: readonly string[]
    readonly dnssec?: object
    readonly isOn?: boolean
  },
): Promise<Zone> {
  const { api, accountId } = world
  const { id } = await api.post<{ id: string }>('/zones', { name, account: { id: accountId } })
  await importFile(world, id, lines)
  if (isOn) await api.call('PATCH', `/zonereeve/zones/${id}/dns_settings`, { zone_digest: true })
  if (Object.keys(dnssec).length > 0) await api.call('PATCH', `/zones/${id}/dnssec`, dnssec)
  await api.post(`/zones/${id}/secondary_dns/outgoing`, { name: `${name}.`, peers: [peerId] })
  equal(await api.call('POST', `/zones/${id}/secondary_dns/outgoing/enable`), 'Enabled')
  return { id, name }
}

async function judgeKind(
  world: DigestWorld,
  report: Report,
  knot: StartedKnot,
  { kind, peerId }: { readonly kind: Kind; readonly peerId: string },
): Promise<void> {
  const { api, target } = world
  const address = { host: '127.0.0.1', port: knot.port }
  const name = nameOf(kind)
  const lines = [
    'www 60 IN A 192.0.2.1',
    '* 60 IN TXT "any"',
    'a.b.c 60 IN MX 10 www',
    'cut 60 IN NS ns.cut',
    'ns.cut 60 IN A 192.0.2.9',
    'moved 60 IN DNAME other.example.',
  ]
  let zone: Zone | undefined
  await report.check(`Knot verifies the digest of a whole zone, ${kind}`, async () => {
    zone = await addZone(world, name, { peerId, lines, dnssec: KINDS[kind] })
    await askUntil(address, `www.${name}`, 'A', isAnswer('192.0.2.1'), ARRIVAL_LIMIT_MS)
    await waitForTransfers(knot, name, { kind: 'AXFR', times: 1 })
  })
  await report.check(`Knot verifies the digest after each difference, ${kind}`, async () => {
    ok(zone !== undefined)
    const took: number[] = []
    for (const last of [21, 22, 23, 24]) {
      const record = { type: 'A', name: `n${last}.${name}`, content: `192.0.2.${last}`, ttl: 60 }
      await api.post(`/zones/${zone.id}/dns_records`, record)
      took.push(await askUntil(address, record.name, 'A', isAnswer(record.content), ARRIVAL_LIMIT_MS))
    }
    reportTimes(took)
    // The first change of a signed zone is sent whole: it is not known which signatures peers had before.
    await waitForTransfers(knot, name, { kind: 'IXFR', times: 3 })
  })
  await report.check(`Knot answers the digest that we answer, ${kind}`, async () => {
    const [theirs, ours] = [await digestOf(knot.port, name), await digestOf(target.dns.port, name)]
    match(theirs, /^\d+ 1 1 [0-9A-F ]+$/)
    equal(ours, theirs)
  })
}

/** Waits for Knot to log so many transfers: it answers from a zone a moment before. */
async function waitForTransfers(
  knot: StartedKnot,
  name: string,
  { kind, times }: { readonly kind: 'AXFR' | 'IXFR'; readonly times: number },
): Promise<void> {
  const zone = name.replaceAll('.', String.raw`\.`)
  const pattern = new RegExp(String.raw`\[${zone}\.\] ${kind}, incoming.*finished`, 'g')
  await until(
    () => Promise.resolve(knot.log()),
    (log) => (log.match(pattern)?.length ?? 0) >= times,
    knot,
  )
}

async function digestOf(port: number, name: string): Promise<string> {
  return (await run('dig', ['+short', '-p', String(port), '@127.0.0.1', name, 'ZONEMD'])).output.trim()
}

async function judgeMissing(
  world: DigestWorld,
  report: Report,
  knot: StartedKnot,
  peerId: string,
): Promise<void> {
  const name = nameOf('plain')
  const address = { host: '127.0.0.1', port: knot.port }
  await report.check('Knot uses no zone without a digest, until it has one', async () => {
    const { id } = await addZone(world, name, { peerId, lines: ['www 60 IN A 192.0.2.1'], isOn: false })
    await until(
      () => Promise.resolve(knot.log()),
      (log) => /plain\.digests\.example\.\].*(?:ZONEMD|failed)/.test(log),
      knot,
    )
    equal((await ask(address, `www.${name}`, 'A')).answers.length, 0)
    await world.api.call('PATCH', `/zonereeve/zones/${id}/dns_settings`, { zone_digest: true })
    await askUntil(address, `www.${name}`, 'A', isAnswer('192.0.2.1'), ARRIVAL_LIMIT_MS)
  })
}

async function judgeLarge(
  world: DigestWorld,
  report: Report,
  knot: StartedKnot,
  peerId: string,
): Promise<void> {
  const { api, target, largeRecords } = world
  const name = nameOf('large')
  const address = { host: '127.0.0.1', port: knot.port }
  await report.check(
    `a zone of ${largeRecords} records is verified, and others are answered meanwhile`,
    async () => {
      const lines = Array.from(
        { length: largeRecords },
        (_, i) => `h${i} 300 IN A 10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`,
      )
      const { id } = await addZone(world, name, { peerId, lines })
      await askUntil(
        address,
        `h${largeRecords - 1}.${name}`,
        'A',
        ({ answers }) => answers.length > 0,
        LARGE_LIMIT_MS,
      )
      for (const isOn of [true, false]) {
        await api.call('PATCH', `/zonereeve/zones/${id}/dns_settings`, { zone_digest: isOn })
        const took: number[] = []
        let slowest = 0
        for (let i = 0; i < 20; i += 1) {
          const began = performance.now()
          await api.post(`/zones/${id}/dns_records`, {
            type: 'A',
            name: `${String(isOn)}${i}.${name}`,
            content: '192.0.2.1',
          })
          took.push(performance.now() - began)
          const asked = performance.now()
          await ask(target.dns, `www.${nameOf('unsigned')}`, 'A')
          slowest = Math.max(slowest, performance.now() - asked)
        }
        console.log(
          `      a change with the digest ${isOn ? 'on' : 'off'}; slowest answer meanwhile ${slowest.toFixed(1)} ms:`,
        )
        reportTimes(took)
        if (isOn) await askUntil(address, `true19.${name}`, 'A', isAnswer('192.0.2.1'), LARGE_LIMIT_MS)
      }
    },
  )
}

/** Without this, all of the above could pass with a Knot that verifies nothing. */
async function judgeTampered({ target, folder }: DigestWorld, report: Report): Promise<void> {
  const name = nameOf('unsigned')
  await report.check('Knot uses a zone as we send it, and not with one record changed', async () => {
    const key = `hmac-sha256:xfr-key:${SECRET}`
    const shown = ['+nocmd', '+nocomments', '+nostats', '+onesoa']
    const asked = ['-p', String(target.dns.port), '@127.0.0.1', name, 'AXFR']
    const transfer = await run('dig', [...shown, '-y', key, ...asked])
    ok(transfer.ok, transfer.output)
    const sent = transfer.output.split('\n').filter((line) => !line.includes('TSIG'))
    const versions = {
      right: sent,
      wrong: sent.map((line) => line.replace(/\b192\.0\.2\.21$/, '192.0.2.121')),
    }
    ok(versions.right.join() !== versions.wrong.join())
    const answers: string[] = []
    for (const [version, lines] of Object.entries(versions)) {
      const place = {
        folder: join(folder, `digest-${version}`),
        port: await freePort(),
        primaryPort: 0,
        catalog: '',
      }
      put(place.folder, 'zone', `${lines.join('\n')}\n`)
      const zone = `zone:\n  - domain: ${name}\n    file: "${place.folder}/zone"\n    zonemd-verify: on\n`
      const knot = await startKnotWith(place, zone)
      try {
        const { answers: got } = await until(
          () => ask({ host: '127.0.0.1', port: place.port }, `www.${name}`, 'A'),
          ({ answers: those }) => those.length > 0 || /ZONEMD/.test(knot.log()),
          knot,
        )
        answers.push(got.length > 0 ? 'answered' : 'refused')
      } finally {
        await knot.stop()
      }
    }
    equal(answers.join(), 'answered,refused')
  })
}

/** @throws with Knot's log if it takes too long. */
async function until<Found>(
  look: () => Promise<Found>,
  isRight: (found: Found) => boolean,
  knot: StartedKnot,
): Promise<Found> {
  for (const began = performance.now(); ;) {
    const found = await look().catch(() => undefined)
    if (found !== undefined && isRight(found)) return found
    ok(performance.now() - began < ARRIVAL_LIMIT_MS, knot.log().slice(-3_000))
    await sleep(100)
  }
}
