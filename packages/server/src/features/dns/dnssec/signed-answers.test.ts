// Signed answers of the whole program, validated by BIND's delv with the zone's DS as its only trust anchor.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../../../../../scripts/test-requirements.ts'
import { loadConfig } from '@zonereeve/config'
import { startApp, type App } from '../../../main/app.ts'
import { manualClock, randomIds, silentLog } from '@zonereeve/platform'
import { ADMIN_TOKEN } from '../../../testing/app.ts'
import { mustOf } from '../../../testing/program-calls.ts'

const folder = mkdtempSync(join(tmpdir(), 'zonereeve-dnssec-'))
/** Clock of the program that was started last. */
let clock = manualClock(Date.now())
afterAll(() => {
  rmSync(folder, { recursive: true })
})

function start(algorithm: string, hoursAgo = 0): Promise<App> {
  clock = manualClock(Date.now() - hoursAgo * HOUR_MILLIS)
  return startApp({
    config: loadConfig({
      flags: {
        http: '127.0.0.1:0',
        dns: '127.0.0.1:0',
        'dns-threads': '0',
        resolver: 'off',
        'edge-addresses': '192.0.2.80,2001:db8::80',
        'dnssec-algorithm': algorithm,
      },
      environment: { ZONEREEVE_ADMIN_TOKEN: ADMIN_TOKEN },
    }),
    clock,
    ids: randomIds(),
    log: silentLog,
    inMemory: true,
  })
}

const RECORDS: readonly object[] = [
  { type: 'A', name: 'www', content: '192.0.2.1', ttl: 300 },
  { type: 'A', name: 'www', content: '192.0.2.2', ttl: 300 },
  { type: 'MX', name: '@', content: 'mail.signed.test', priority: 10, ttl: 300 },
  { type: 'A', name: 'mail', content: '192.0.2.3', ttl: 300 },
  { type: 'CNAME', name: 'alias', content: 'www.signed.test', ttl: 300 },
  { type: 'CNAME', name: 'dangling', content: 'nothing.signed.test', ttl: 300 },
  { type: 'CNAME', name: 'flat', content: 'www.signed.test', ttl: 300, settings: { flatten_cname: true } },
  { type: 'A', name: 'edge', content: '198.51.100.1', proxied: true },
  { type: 'TXT', name: '*.wild', content: 'wild', ttl: 300 },
  { type: 'CNAME', name: '*.wildalias', content: 'www.signed.test', ttl: 300 },
  { type: 'A', name: 'a.b.c', content: '192.0.2.4', ttl: 300 },
  { type: 'NS', name: 'insecure', content: 'ns.insecure.signed.test', ttl: 300 },
  { type: 'A', name: 'ns.insecure', content: '192.0.2.5', ttl: 300 },
  { type: 'NS', name: 'secure', content: 'ns1.zonereeve.internal', ttl: 300 },
]

interface Question {
  readonly name: string
  readonly asked: string
  readonly said: RegExp
}
const VALIDATED = /; fully validated/
const DENIED = /; negative response, fully validated/
const HOUR_MILLIS = 3_600_000
const DAY_MILLIS = 86_400_000

const QUESTIONS: readonly Question[] = [
  { name: 'an rrset', asked: 'www A', said: VALIDATED },
  { name: 'the SOA', asked: '@ SOA', said: VALIDATED },
  { name: 'the name servers', asked: '@ NS', said: VALIDATED },
  { name: 'the keys', asked: '@ DNSKEY', said: VALIDATED },
  { name: 'CDS and CDNSKEY', asked: '@ CDS', said: VALIDATED },
  { name: 'its keys', asked: '@ CDNSKEY', said: VALIDATED },
  { name: 'an rrset with additional addresses', asked: '@ MX', said: VALIDATED },
  {
    name: 'a CNAME and its target',
    asked: 'alias A',
    said: /validated[^]*CNAME[^]*RRSIG[^]*192\.0\.2\.1[^]*RRSIG/,
  },
  { name: 'the CNAME itself', asked: 'alias CNAME', said: VALIDATED },
  { name: 'a flattened alias', asked: 'flat A', said: /validated[^]*flat\S*\s+300\s+IN\s+A/ },
  { name: 'a proxied name', asked: 'edge AAAA', said: /validated[^]*2001:db8::80/ },
  { name: 'a synthesized HTTPS record', asked: 'edge HTTPS', said: VALIDATED },
  { name: 'a name of a wildcard', asked: 'x.wild TXT', said: VALIDATED },
  { name: 'a name several labels below a wildcard', asked: 'y.x.wild TXT', said: VALIDATED },
  { name: 'the wildcard itself', asked: '*.wild TXT', said: VALIDATED },
  {
    name: 'a CNAME from a wildcard',
    asked: 'x.wildalias A',
    said: /validated[^]*CNAME \d+ 4[^]*192\.0\.2\.1/,
  },
  { name: 'no such type', asked: 'www TXT', said: DENIED },
  { name: 'no such type at the apex', asked: '@ A', said: DENIED },
  { name: 'no such type by wildcard', asked: 'x.wild A', said: DENIED },
  { name: 'no such name', asked: 'nothing A', said: DENIED },
  { name: 'no such name, deep', asked: 'a.b.nothing A', said: DENIED },
  {
    name: 'a CNAME to no such name',
    asked: 'dangling A',
    said: /; fully validated[^]*NXRRSET[^]*RRSIG NSEC/,
  },
  { name: 'an empty non-terminal', asked: 'b.c A', said: DENIED },
  { name: 'a delegation without DS', asked: 'insecure DS', said: DENIED },
  { name: 'a delegation with DS', asked: 'secure DS', said: VALIDATED },
  { name: 'data of the child zone', asked: 'www.secure A', said: VALIDATED },
  { name: 'a denial of the child zone', asked: 'nothing.secure A', said: DENIED },
]

for (const [title, algorithm, useNsec3] of [
  ['P-256 and NSEC', 'ECDSAP256SHA256', false],
  ['Ed25519 and NSEC', 'ED25519', false],
  ['NSEC3', 'ECDSAP256SHA256', true],
] as const)
  describeWith('delv', `delv validates: ${title}`, () => {
    let app: App
    let anchors: string
    beforeAll(async () => {
      app = await start(algorithm)
      const zone = await signedZone('signed.test', RECORDS)
      const child = await signedZone('secure.signed.test', [
        { type: 'A', name: 'www', content: '192.0.2.7', ttl: 300 },
      ])
      const ds = child.ds.split(' ')
      const [keyTag, keyAlgorithm, digestType] = ds.slice(4, 7).map(Number)
      await mustOf(app, 'POST', `/zones/${zone.id}/dns_records`, {
        type: 'DS',
        name: 'secure',
        ttl: 300,
        data: { key_tag: keyTag, algorithm: keyAlgorithm, digest_type: digestType, digest: ds[7] },
      })
      anchors = anchorFile(zone.ds)
    })
    afterAll(() => app.close())

    async function signedZone(name: string, records: readonly object[]) {
      const { id } = await mustOf(app, 'POST', '/zones', { name })
      for (const record of records) await mustOf(app, 'POST', `/zones/${id}/dns_records`, record)
      const patch = { status: 'active', dnssec_use_nsec3: useNsec3 }
      const { ds } = await mustOf<{ ds: string }>(app, 'PATCH', `/zones/${id}/dnssec`, patch)
      return { id, ds }
    }

    test.each(QUESTIONS)('$name', async ({ asked, said: given }) => {
      expect(await delv(app, anchors, asked)).toMatch(given)
    })

    test('no other trust anchor: with another one there is no answer', async () => {
      const other = anchorFile(`x. 3600 IN DS 1 13 2 ${'00'.repeat(32)}`)
      expect(await delv(app, other, 'www A')).not.toMatch(/validated/)
    })
  })

describeWith('delv', 'delv on a zone that is no longer signed', () => {
  test('answers are unsigned, and there is no DS', async () => {
    const app = await start('ECDSAP256SHA256')
    try {
      const { id } = await mustOf(app, 'POST', '/zones', { name: 'signed.test' })
      await mustOf(app, 'POST', `/zones/${id}/dns_records`, RECORDS[0])
      const { ds } = await mustOf<{ ds: string }>(app, 'PATCH', `/zones/${id}/dnssec`, { status: 'active' })
      const anchors = anchorFile(ds)
      expect(await delv(app, anchors, 'www A')).toMatch(VALIDATED)
      await mustOf(app, 'PATCH', `/zones/${id}/dnssec`, { status: 'disabled' })
      // The parent may have the DS: the zone stays signed.
      expect(await delv(app, anchors, 'www A')).toMatch(VALIDATED)
      for (let day = 0; day < 2; day += 1) {
        await mustOf(app, 'POST', `/zonereeve/zones/${id}/dnssec/parent_check`, { key_tags: [] })
        clock.advance(DAY_MILLIS)
      }
      expect(await mustOf(app, 'GET', `/zones/${id}/dnssec`)).toMatchObject({ status: 'disabled' })
      expect(await delv(app, anchors, 'www A')).not.toMatch(VALIDATED)
      const insecure = await delv(app, undefined, 'www A')
      expect(insecure).toContain('192.0.2.1')
      expect(insecure).not.toMatch(/RRSIG|DNSKEY/)
    } finally {
      await app.close()
    }
  })
})

let files = 0
/** Writes a file that makes delv trust a DS. */
function anchorFile(ds: string): string {
  const [keyTag, algorithm, digestType, digest] = ds.split(' ').slice(4)
  const path = join(folder, `anchors${(files += 1)}`)
  writeFileSync(
    path,
    `trust-anchors { signed.test. static-ds ${keyTag} ${algorithm} ${digestType} "${digest}"; };\n`,
  )
  return path
}

/** Returns the output of delv. Without anchors it does not validate. */
function delv(app: App, anchors: string | undefined, asked: string): Promise<string> {
  const [owner = '', type = ''] = asked.split(' ')
  const name = owner === '@' ? 'signed.test' : `${owner}.signed.test`
  const trust = anchors === undefined ? ['-i'] : ['-a', anchors, '+root=signed.test']
  const args = ['@127.0.0.1', '-p', String(app.dns.port), ...trust, '+nomtrace', name, type]
  return say('delv', args)
}

const axfr = (app: App, form: string): Promise<string> =>
  say('dig', ['@127.0.0.1', '-p', String(app.dns.port), '+onesoa', '+nocmd', 'signed.test', form])

/** Allows transfers to this host. */
async function allowTransfers(app: App, zoneId: string): Promise<void> {
  const [account] = await mustOf<{ id: string }[]>(app, 'GET', '/accounts')
  const peers = `/accounts/${account?.id}/secondary_dns/peers`
  const peer = await mustOf(app, 'POST', peers, { name: 'secondary' })
  await mustOf(app, 'PUT', `${peers}/${peer.id}`, { name: 'secondary', ip: '127.0.0.1', port: 53 })
  const outgoing = `/zones/${zoneId}/secondary_dns/outgoing`
  await mustOf(app, 'POST', outgoing, { name: 'signed.test', peers: [peer.id] })
  await mustOf(app, 'POST', `${outgoing}/enable`, {})
}

/** Returns the output of a program. */
function say(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let given = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (given += chunk.toString()))
    child.on('close', () => resolve(given))
  })
}

describeWith(
  ['dig', 'ldns-verify-zone', 'dnssec-verify'],
  'a signed zone as transferred to other nameservers',
  () => {
    test.each([
      ['NSEC', false],
      ['NSEC3', true],
    ])('%s', async (_, useNsec3) => {
      const app = await start('ECDSAP256SHA256')
      try {
        const { id } = await mustOf(app, 'POST', '/zones', { name: 'signed.test' })
        for (const record of RECORDS) await mustOf(app, 'POST', `/zones/${id}/dns_records`, record)
        await mustOf(app, 'PATCH', `/zones/${id}/dnssec`, { status: 'active', dnssec_use_nsec3: useNsec3 })
        await allowTransfers(app, id)
        for (const form of ['AXFR', 'IXFR=1']) {
          const zone = await axfr(app, form)
          const path = join(folder, `zone${(files += 1)}`)
          writeFileSync(path, zone)
          expect(zone).toMatch(/RRSIG\s+DNSKEY/)
          expect(await say('ldns-verify-zone', [path])).toMatch(/^Zone is verified and complete\s*$/)
          expect(await say('dnssec-verify', ['-q', '-o', 'signed.test', path])).toBe('')
        }
        const serial = /SOA\s\S+ \S+ (\d+)/.exec(await axfr(app, 'AXFR'))?.[1] ?? ''
        await mustOf(app, 'PATCH', `/zones/${id}/dnssec`, { status: 'disabled' })
        for (const millis of [0, DAY_MILLIS]) {
          clock.advance(millis)
          await mustOf(app, 'POST', `/zonereeve/zones/${id}/dnssec/parent_check`, { key_tags: [] })
        }
        // A zone that is no longer signed is transferred as a whole, too: no difference removes signatures.
        const unsigned = await axfr(app, `IXFR=${serial}`)
        expect(unsigned).toContain('192.0.2.4')
        expect(unsigned).not.toMatch(/RRSIG|NSEC|DNSKEY/)
      } finally {
        await app.close()
      }
    })
  },
)

describeWith(
  ['dig', 'delv', 'ldns-verify-zone', 'dnssec-verify'],
  'a zone during an algorithm rollover',
  () => {
    test.each([
      ['NSEC', 'ECDSAP256SHA256', 'ED25519', false],
      ['NSEC3', 'ED25519', 'ECDSAP256SHA256', true],
    ])('%s, from %s to %s', async (_, from, to, useNsec3) => {
      // Verifiers use the wall clock: signatures created on the way must be valid then.
      const app = await start(from, 80)
      try {
        const { id } = await mustOf(app, 'POST', '/zones', { name: 'signed.test' })
        for (const record of RECORDS) await mustOf(app, 'POST', `/zones/${id}/dns_records`, record)
        await mustOf(app, 'PATCH', `/zones/${id}/dnssec`, { status: 'active', dnssec_use_nsec3: useNsec3 })
        await allowTransfers(app, id)
        const keys = `/zonereeve/zones/${id}/dnssec`
        const shown = () => mustOf<{ ds: string; key_tag: number }>(app, 'GET', `/zones/${id}/dnssec`)
        let parent = await shown()
        const states: string[] = []
        const look = async (hours: number): Promise<void> => {
          clock.advance(hours * HOUR_MILLIS)
          const reported = await mustOf<Keys>(app, 'POST', `${keys}/parent_check`, {
            key_tags: [parent.key_tag],
          })
          states.push([...new Set(reported.keys.map(({ state }) => state))].toSorted().join(' '))
          await verifiesEverywhere(app, id, parent.ds, reported.keys.length / 2)
        }
        await look(0)
        await mustOf(app, 'POST', `${keys}/roll`, { algorithm: to })
        for (const hours of [0, 28, 5]) await look(hours)
        parent = await shown()
        for (const hours of [0, 28, 5]) await look(hours)
        expect(states).toEqual([
          'active',
          'active signing',
          'active published',
          'active ready',
          'active outgoing',
          'active withdrawn',
          'active',
        ])
        expect((await shown()).ds).toMatch(to === 'ED25519' ? / DS \d+ 15 2 / : / DS \d+ 13 2 /)
      } finally {
        await app.close()
      }
    })

    interface Keys {
      readonly keys: readonly { readonly state: string }[]
    }

    /** One name of each way to be signed. */
    const ASKED = new Set(['www A', '@ DNSKEY', '@ CDS', 'flat A', 'x.wild TXT', 'www TXT', 'nothing A'])

    /**
     * Verifies the whole zone, a difference, and single answers; each rrset but the keys has this number of
     * signatures.
     */
    async function verifiesEverywhere(app: App, id: string, ds: string, signatures: number): Promise<void> {
      const name = `n${(files += 1)}.signed.test`
      const add = (content: string) =>
        mustOf(app, 'POST', `/zones/${id}/dns_records`, { type: 'A', name, content, ttl: 300 })
      await axfr(app, 'AXFR')
      // After a change of keys, a difference leads from the second serial to the third.
      await add('192.0.2.8')
      const whole = recordsIn(await axfr(app, 'AXFR'))
      await add('192.0.2.9')
      const difference = recordsIn(await axfr(app, `IXFR=${whole.find(isSoa)?.split(' ')[6] ?? ''}`))
      expect(difference.length).toBeLessThan(whole.length / 2)
      for (const zone of [whole, applied(whole, difference)]) {
        for (const owner of ['signed.test. SOA', 'signed.test. CDS', 'www.signed.test. A', `${name}. A`])
          expect([owner, signaturesOf(zone, owner)]).toEqual([owner, signatures])
        const path = join(folder, `zone${(files += 1)}`)
        writeFileSync(path, `${zone.join('\n')}\n`)
        expect(await say('dnssec-verify', ['-q', '-o', 'signed.test', path])).toBe('')
        expect(await say('ldns-verify-zone', [path])).toMatch(/^Zone is verified and complete\s*$/)
      }
      const anchors = anchorFile(ds)
      const questions = QUESTIONS.filter((each) => ASKED.has(each.asked))
      expect(questions).toHaveLength(ASKED.size)
      for (const { asked, said: given } of questions) expect(await delv(app, anchors, asked)).toMatch(given)
    }

    /** As dig prints them, with single spaces between fields. */
    const recordsIn = (text: string): string[] =>
      text
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith(';'))
        .map((line) => line.replaceAll(/\s+/g, ' '))
    const isSoa = (line: string): boolean => line.split(' ')[3] === 'SOA'

    /** Applies a difference of one step to the zone (RFC 1995 §4). */
    function applied(zone: readonly string[], difference: readonly string[]): string[] {
      const [, from = 0, to = 0, end = difference.length] = difference.flatMap((line, at) =>
        isSoa(line) ? [at] : [],
      )
      const gone = new Set(difference.slice(from, to))
      expect([...gone].filter((line) => !zone.includes(line))).toEqual([])
      return [...difference.slice(to, end), ...zone.filter((line) => !gone.has(line))]
    }

    const signaturesOf = (zone: readonly string[], owner: string): number => {
      const [name, covered] = owner.split(' ')
      return zone.filter((line) => {
        const fields = line.split(' ')
        return fields[0] === name && fields[3] === 'RRSIG' && fields[4] === covered
      }).length
    }
  },
)
