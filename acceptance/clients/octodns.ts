// octoDNS's workflow: dump a zone, edit it, plan, apply, and plan again without changes.
import { deepEqual, equal, rejects } from 'node:assert/strict'
import { ask } from '../dns-client.ts'
import type { Target } from '../program.ts'
import { expectAnswers } from './answers.ts'
import type { ClientSession, ClientSuite } from './client-suite.ts'
import { createSync, type RecordSet, type Sync } from './octodns-sync.ts'
import { removeZone } from './zone.ts'

const ZONE = 'octodns.example.com'

export const octodns: ClientSuite = { name: 'octodns', needs: [], run: runOctodns }

/** More than a page of records, and one value of each type that requests encode differently. */
const FIRST: readonly RecordSet[] = [
  { name: '', type: 'MX', ttl: 300, values: [{ preference: 10, exchange: 'mail.example.net.' }] },
  { name: '', type: 'CAA', ttl: 300, values: [{ flags: 0, tag: 'issue', value: 'ca.example.net' }] },
  { name: 'www', type: 'A', ttl: 300, values: ['192.0.2.1', '192.0.2.2'] },
  { name: 'www', type: 'AAAA', ttl: 300, values: ['2001:db8::1'] },
  { name: 'alias', type: 'CNAME', ttl: 300, values: ['www.example.net.'] },
  { name: 'below', type: 'NS', ttl: 300, values: ['ns1.example.net.', 'ns2.example.net.'] },
  { name: 'pointer', type: 'PTR', ttl: 300, values: ['host.example.net.'] },
  { name: 'text', type: 'TXT', ttl: 300, values: ['v=DKIM1\\; p=abc', 'two words'] },
  {
    name: '_sip._tcp',
    type: 'SRV',
    ttl: 300,
    values: [{ priority: 1, weight: 2, port: 5060, target: 'sip.example.net.' }],
  },
  {
    name: '_443._tcp.www',
    type: 'TLSA',
    ttl: 300,
    // Upper case as in replies, because octoDNS compares strings.
    values: [{ usage: 3, selector: 1, matching_type: 1, certificate: 'AB'.repeat(32) }],
  },
  {
    name: 'service',
    type: 'HTTPS',
    ttl: 300,
    values: [{ svcpriority: 1, targetname: 'www.example.net.', svcparams: 'alpn="h3,h2"' }],
  },
  {
    name: 'place',
    type: 'LOC',
    ttl: 300,
    values: [
      {
        lat_degrees: 37,
        lat_minutes: 46,
        lat_seconds: 46,
        lat_direction: 'N',
        long_degrees: 122,
        long_minutes: 23,
        long_seconds: 35,
        long_direction: 'W',
        altitude: 10,
        size: 100,
        precision_horz: 0,
        precision_vert: 0,
      },
    ],
  },
  ...Array.from({ length: 110 }, (_, index): RecordSet => ({
    name: `page-${index}`,
    type: 'A',
    ttl: 300,
    values: [`198.51.100.${index + 1}`],
  })),
]

/** An edit of the dumped file: changed values, a ttl, a removed set, an added set, and a changed type. */
function edit(dumped: readonly RecordSet[]): readonly RecordSet[] {
  const changed = dumped
    .filter((set) => set.name !== 'pointer')
    .map((set): RecordSet => {
      if (set.name === 'www' && set.type === 'A')
        return { ...set, ttl: 600, values: ['192.0.2.2', '192.0.2.3'] }
      if (set.name === 'alias') return { ...set, values: ['elsewhere.example.net.'] }
      if (set.name === 'page-0') return { ...set, type: 'CNAME', values: ['www.example.net.'] }
      return set
    })
  return [...changed, { name: 'new', type: 'TXT', ttl: 300, values: ['just made'] }]
}

async function runOctodns(session: ClientSession): Promise<void> {
  const { report, target } = session
  const sync = createSync(target, ZONE)
  await report.check('octodns: a first sync creates the zone and all its record sets', async () => {
    equal((await sync.apply(FIRST)).length, FIRST.length)
    await expectAnswers(target, `www.${ZONE}`, 'A', ['A 300 192.0.2.1', 'A 300 192.0.2.2'])
    await expectAnswers(target, `_sip._tcp.${ZONE}`, 'SRV', ['SRV 300 1 2 5060 sip.example.net'])
    await expectAnswers(target, `page-109.${ZONE}`, 'A', ['A 300 198.51.100.110'])
  })
  await report.check('octodns: a second sync changes nothing', () => isSettled(sync, target, FIRST))
  let edited: readonly RecordSet[] = []
  await report.check('octodns: dump, edit, apply', async () => {
    edited = edit(await sync.dump())
    deepEqual((await sync.apply(edited)).toSorted(), [
      'create new TXT',
      'create page-0 CNAME',
      'delete page-0 A',
      'delete pointer PTR',
      'update alias CNAME',
      'update www A',
    ])
    await expectAnswers(target, `www.${ZONE}`, 'A', ['A 600 192.0.2.2', 'A 600 192.0.2.3'])
    await expectAnswers(target, `alias.${ZONE}`, 'CNAME', ['CNAME 300 elsewhere.example.net'])
    await expectAnswers(target, `page-0.${ZONE}`, 'A', ['CNAME 300 www.example.net'])
    equal((await ask(target.dns, `pointer.${ZONE}`, 'PTR')).rcode, 'NXDOMAIN')
  })
  await report.check('octodns: applied again, nothing changes', () => isSettled(sync, target, edited))
  await report.check('octodns: a bad value stops with its message; earlier changes remain', async () => {
    const bad: RecordSet = { name: 'bad', type: 'A', ttl: 300, values: ['192.0.2.256'] }
    await rejects(sync.apply([...edited, bad]), /400 .*9005/)
    await isSettled(sync, target, edited)
  })
  await checkForwards(session, sync)
  await report.check('octodns: an empty zone', async () => {
    await sync.apply([])
    deepEqual(await sync.dump(), [])
    equal((await ask(target.dns, `www.${ZONE}`, 'A')).rcode, 'NXDOMAIN')
  })
  await removeZone(target, ZONE)
}

/** Checks that neither plan nor apply has a change, and that the serial does not change. */
async function isSettled(sync: Sync, target: Target, desired: readonly RecordSet[]): Promise<void> {
  const { answers: before } = await ask(target.dns, ZONE, 'SOA')
  deepEqual(await sync.plan(desired), [])
  deepEqual(await sync.apply(desired), [])
  deepEqual((await ask(target.dns, ZONE, 'SOA')).answers, before)
}

/** The provider maps URLFWD records to page rules. */
async function checkForwards({ report }: ClientSession, sync: Sync): Promise<void> {
  await report.check('octodns: forwarded URLs', async () => {
    deepEqual(await sync.forwards(), [])
    await sync.forward('/old', 'https://www.example.net/new', 302)
    deepEqual(await sync.forwards(), [`${ZONE}/old -> https://www.example.net/new (302)`])
    await sync.forward('/old', 'https://www.example.net/newer', 301)
    deepEqual(await sync.forwards(), [`${ZONE}/old -> https://www.example.net/newer (301)`])
    await sync.stopForwarding()
    deepEqual(await sync.forwards(), [])
  })
}
