// Scans through the SDK: a nameserver beside the program plays the one that the zone is delegated to.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { BadRequestError, type Cloudflare } from 'cloudflare'
import type { RecordResponse } from 'cloudflare/resources/dns/records'
import type { Answer } from 'dns-packet'
import { ask } from './dns-client.ts'
import type { Target } from './program.ts'
import type { Report } from './report.ts'

/** Records of the scanned zone at its present nameserver. */
export const SCANNED_ZONE = 'scan.example.org'

export const PRESENT_RECORDS: readonly Answer[] = [
  { type: 'A', name: SCANNED_ZONE, ttl: 300, data: '192.0.2.1' },
  { type: 'MX', name: SCANNED_ZONE, ttl: 300, data: { preference: 10, exchange: `mail.${SCANNED_ZONE}` } },
  { type: 'TXT', name: SCANNED_ZONE, ttl: 300, data: ['v=spf1 -all'] },
  { type: 'A', name: `mail.${SCANNED_ZONE}`, ttl: 600, data: '192.0.2.2' },
  { type: 'CNAME', name: `www.${SCANNED_ZONE}`, ttl: 300, data: SCANNED_ZONE },
]

const FOUND_WITHIN_MS = 30_000

/** `scanServers` is the nameserver that the program was configured to query; without one there is nothing to find. */
export async function runScans(client: Cloudflare, target: Target, report: Report): Promise<void> {
  if (target.hasScanServer !== true)
    return report.skip('sdk: scans', 'a program that was started with a nameserver to scan', false)
  const { id: zone_id } = await client.zones.create({ account: await anyAccount(client), name: SCANNED_ZONE })
  const waiting = async (): Promise<RecordResponse[]> => {
    const found: RecordResponse[] = []
    for await (const record of client.dns.records.scanList({ zone_id })) found.push(record)
    return found
  }
  const lines = (records: readonly RecordResponse[]) =>
    records.map(({ type, name, content }) => `${type} ${name} ${content}`).toSorted()
  let found: RecordResponse[] = []

  await report.check(
    'sdk: scanTrigger finds the records of the present nameserver, and adds nothing',
    async () => {
      equal((await client.dns.records.scanTrigger({ zone_id })).success, true)
      const deadline = performance.now() + FOUND_WITHIN_MS
      while (found.length < PRESENT_RECORDS.length && performance.now() < deadline) {
        await sleep(50)
        found = await waiting()
      }
      deepEqual(lines(found), [
        `A mail.${SCANNED_ZONE} 192.0.2.2`,
        `A ${SCANNED_ZONE} 192.0.2.1`,
        `CNAME www.${SCANNED_ZONE} ${SCANNED_ZONE}`,
        `MX ${SCANNED_ZONE} mail.${SCANNED_ZONE}`,
        `TXT ${SCANNED_ZONE} "v=spf1 -all"`,
      ])
      equal((await client.dns.records.list({ zone_id })).result.length, 0)
    },
  )
  await report.check('sdk: scanReview adds accepted records and discards rejected ones', async () => {
    const accepted = found.filter(({ type }) => type === 'A')
    const rejected = found.filter(({ type }) => type === 'MX').map(({ id }) => ({ id }))
    const reviewed = await client.dns.records.scanReview({
      zone_id,
      accepts: accepted as never, // listed records are drafts with more members
      rejects: rejected,
    })
    deepEqual(lines(reviewed.accepts ?? []), lines(accepted))
    deepEqual(
      reviewed.rejects,
      rejected.map(({ id }) => id),
    )
    deepEqual((await ask(target.dns, `mail.${SCANNED_ZONE}`, 'A')).answers, ['A 600 192.0.2.2'])
    equal((await waiting()).length, 2)
  })
  await report.check(
    'sdk: scanReview of records that were not found is rejected, and changes nothing',
    async () => {
      const strange = client.dns.records.scanReview({ zone_id, rejects: [{ id: '0'.repeat(32) }] })
      await rejects(strange, BadRequestError)
      equal((await waiting()).length, 2)
    },
  )
  await report.check('sdk: the deprecated scan adds the rest at once', async () => {
    const counts = await client.dns.records.scan({ zone_id })
    deepEqual(counts, { recs_added: 3, total_records_parsed: 5 })
    ok((await ask(target.dns, SCANNED_ZONE, 'MX')).answers.length === 1)
    await client.zones.delete({ zone_id })
  })
}

async function anyAccount(client: Cloudflare): Promise<{ readonly id: string }> {
  const [account] = (await client.accounts.list()).result
  ok(account, 'there is an account')
  return { id: account.id }
}
