// Kills the real process repeatedly while it deletes a large zone, while it transfers one from a primary, and while it
// writes a snapshot. After a restart a zone must be complete or absent: a deleted zone stays deleted, and a new zone
// with its name has none of its records; a secondary zone has the content of exactly one serial, and catches up with its
// primary; and all acknowledged records are answered.
// Options: --rounds N (3), --records N of a zone (5000), --program PATH (the launcher in this repository).
import { deepEqual, equal, ok } from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createApi, type Api } from './browsers/api.ts'
import { until } from './browsers/site.ts'
import { ask, askUntil } from './dns-client.ts'
import { builtProgram, startServer, temporaryFolder, type Program, type Target } from './program.ts'
import { createReport } from './report.ts'

/** Maximum time from the deletion request to the kill: about as long as the background deletion takes. */
const MAX_DELETION_MS = 1_500
/** Maximum time from a change at the primary to the kill. */
const MAX_TRANSFER_MS = 3_000
const DELETED = 'deleted.example.com'
const SECONDARY = 'followed.example.com'
const SNAPSHOT = 'snapshot.example.com'
/** Enough for snapshots to be written. */
const SNAPSHOT_RECORDS = 21_000
/** Maximum time from the first octets of a snapshot to the kill: about as long as it is written. */
const MAX_SNAPSHOT_MS = 100
const PAGE = 5_000

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    records: { type: 'string', default: '5000' },
    program: { type: 'string', default: builtProgram },
  },
})
const rounds = Number(options.rounds)
const records = Number(options.records)

interface Identified {
  readonly id: string
}

interface ListedZone {
  readonly type: string
  readonly content: string
}

const report = createReport()
const folder = temporaryFolder('kill-large')
const start = (): Promise<Program> => startServer(options.program, join(folder, 'killed'))
let program = await start()
const primary = await startServer(options.program, join(folder, 'primary'))
try {
  for (let round = 1; round <= rounds; round++) await killDeletion(round)
  const secondary = await follow()
  for (let round = 1; round <= rounds; round++) await killTransfer(secondary, round)
  await killSnapshots()
  await report.check('kill: the server still exits cleanly', program.stop)
} finally {
  await program.kill()
  await primary.kill()
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = report.close()

async function killDeletion(round: number): Promise<void> {
  const { id } = await createApi(program).post<Identified>('/zones', { name: DELETED })
  await replace(program, id, round)
  let isAcknowledged = false
  const deletion = createApi(program)
    .call('DELETE', `/zones/${id}`)
    .then(() => (isAcknowledged = true))
    .catch(() => false) // the process died before it replied
  await sleep(Math.random() * MAX_DELETION_MS)
  await program.kill()
  await deletion
  program = await start()
  const api = createApi(program)
  await report.check(`kill: deletion ${round} of ${rounds} is complete or not started`, async () => {
    const [left] = await api.get<readonly Identified[]>(`/zones?name=${DELETED}`)
    console.log(`      ${isAcknowledged ? 'acknowledged' : 'interrupted'}, ${left ? 'there' : 'gone'}`)
    ok(left === undefined || !isAcknowledged, 'an acknowledged deletion is permanent')
    if (left === undefined) return
    deepEqual(await roundsOf(api, id), [round])
    await api.call('DELETE', `/zones/${id}`)
  })
  await report.check(`kill: a new zone can use the name after deletion ${round} of ${rounds}`, async () => {
    const other = await api.post<Identified>('/zones', { name: DELETED })
    deepEqual(await api.get(`/zones/${other.id}/dns_records`), [])
    equal((await ask(program.dns, `r1.${DELETED}`, 'A')).rcode, 'NXDOMAIN')
    await replace(program, other.id, rounds + round)
    deepEqual(await roundsOf(api, other.id), [rounds + round])
    await api.call('DELETE', `/zones/${other.id}`)
  })
}

interface SecondaryZone {
  /** Id of the zone at the primary. */
  readonly sourceId: string
  readonly id: string
}

/** Creates a secondary zone of the primary's zone, and waits for the first transfer. */
async function follow(): Promise<SecondaryZone> {
  const source = createApi(primary)
  const sourceId = (await source.post<Identified>('/zones', { name: SECONDARY })).id
  await replace(primary, sourceId, 0)
  const taker = await addPeer(source, program)
  await source.post(`/zones/${sourceId}/secondary_dns/outgoing`, { name: `${SECONDARY}.`, peers: [taker] })
  await source.post(`/zones/${sourceId}/secondary_dns/outgoing/enable`, {})
  const api = createApi(program)
  const giver = await addPeer(api, primary)
  const { id } = await api.post<Identified>('/zones', { name: SECONDARY, type: 'secondary' })
  await api.post(`/zones/${id}/secondary_dns/incoming`, { name: `${SECONDARY}.`, peers: [giver] })
  await report.check('kill: a large secondary zone is transferred', () => expectSecondary(api, id, 0))
  return { sourceId, id }
}

/** Changes the zone at the primary, triggers a transfer, and kills the process during it. */
async function killTransfer({ sourceId, id }: SecondaryZone, round: number): Promise<void> {
  await replace(primary, sourceId, round)
  await createApi(program).post(`/zones/${id}/secondary_dns/force_axfr`, {})
  await sleep(Math.random() * MAX_TRANSFER_MS)
  await program.kill()
  program = await start()
  const api = createApi(program)
  await report.check(`kill: transfer ${round} of ${rounds} is complete or not applied`, async () => {
    const found = await roundsOf(api, id)
    console.log(`      has the primary's content of round ${found.join()}`)
    ok(found.length === 1 && (found[0] === round || found[0] === round - 1), `rounds ${found.join()}`)
    // The restarted server may have transferred the zone just now, and the zone is stored before DNS answers it.
    const first = `r1.${SECONDARY}`
    const began = performance.now()
    await askUntil(program.dns, first, 'A', ({ answers }) => answers.join() === `A 300 192.0.2.${found[0]}`)
    console.log(`      answered after ${(performance.now() - began).toFixed(0)} ms`)
    await expectAnswered(SECONDARY, found[0] ?? -1)
  })
  await report.check(`kill: transfer ${round} of ${rounds} is repeated after the restart`, async () => {
    await api.post(`/zones/${id}/secondary_dns/force_axfr`, {})
    await expectSecondary(api, id, round)
  })
}

/** Kills the process while it writes the first snapshot, or the next one; and starts it with what is there. */
async function killSnapshots(): Promise<void> {
  const { id } = await createApi(program).post<Identified>('/zones', { name: SNAPSHOT })
  await replace(program, id, 0, SNAPSHOT_RECORDS)
  const data = join(folder, 'killed')
  const files = (end: string): string[] => readdirSync(data).filter((name) => name.endsWith(end))
  for (let round = 1; round <= rounds; round++) {
    await program.kill()
    for (const name of files('.snapshot')) rmSync(join(data, name))
    program = await start()
    const api = createApi(program)
    await api.post(`/zones/${id}/dns_records`, {
      type: 'A',
      name: `kept${round}`,
      content: '192.0.2.250',
      ttl: 300,
    })
    await until(
      async () => files('.unfinished').length + files('.snapshot').length > 0,
      async () => 'no snapshot is written',
    )
    await sleep(Math.random() * MAX_SNAPSHOT_MS)
    await program.kill()
    const left = files('.unfinished').length > 0 ? 'unfinished' : 'finished'
    program = await start()
    await report.check(`kill: all is answered after snapshot ${round} of ${rounds} (${left})`, async () => {
      const names = Array.from({ length: round }, (_, i) => `kept${i + 1}.${SNAPSHOT}`)
      for (const name of names) deepEqual((await ask(program.dns, name, 'A')).answers, ['A 300 192.0.2.250'])
      for (const number of [1, 999, SNAPSHOT_RECORDS])
        deepEqual((await ask(program.dns, `r${number}.${SNAPSHOT}`, 'A')).answers, ['A 300 192.0.2.0'])
      equal((await ask(program.dns, `r0.${SNAPSHOT}`, 'A')).rcode, 'NXDOMAIN')
    })
  }
}

async function expectSecondary(api: Api, zoneId: string, round: number): Promise<void> {
  await until(
    async () => (await roundsOf(api, zoneId).catch(() => [])).join() === String(round),
    async () => JSON.stringify(await api.get(`/zonereeve/zones/${zoneId}/secondary_dns/incoming/status`)),
  )
  // The zone is stored before DNS answers it.
  const first = `r1.${SECONDARY}`
  await askUntil(program.dns, first, 'A', ({ answers }) => answers.join() === `A 300 192.0.2.${round}`)
  await expectAnswered(SECONDARY, round)
}

/** Each record has the number of its round: all records of a zone must have the same number. */
async function roundsOf(api: Api, zoneId: string): Promise<readonly number[]> {
  const found = new Set<number>()
  let count = 0
  for (let page = 1; count === (page - 1) * PAGE; page++) {
    const path = `/zones/${zoneId}/dns_records?type=A&per_page=${PAGE}&page=${page}`
    const some = await api.get<readonly ListedZone[]>(path)
    for (const { content } of some) found.add(Number(content.split('.')[3]))
    count += some.length
    if (some.length === 0) break
  }
  equal(count, records, `${count} records of ${records}`)
  return [...found]
}

async function expectAnswered(zone: string, round: number): Promise<void> {
  for (const number of [1, Math.floor(records / 2), records]) {
    const { answers } = await ask(program.dns, `r${number}.${zone}`, 'A')
    deepEqual(answers, [`A 300 192.0.2.${round}`])
  }
}

/** Replaces a zone's records with those of a round. */
async function replace(
  { http, token }: Target,
  zoneId: string,
  round: number,
  count = records,
): Promise<void> {
  const form = new FormData()
  form.set('file', new Blob([`$GENERATE 1-${count} r$ 300 A 192.0.2.${round}\n`]))
  const reply = await fetch(`${http}/client/v4/zonereeve/zones/${zoneId}/zone_file?force=true`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
}

async function addPeer(api: Api, { dns }: Target): Promise<string> {
  const [account] = await api.get<readonly Identified[]>('/accounts')
  const peer = { name: 'the other', ip: dns.host, port: dns.port }
  return (await api.post<Identified>(`/accounts/${account?.id ?? ''}/secondary_dns/peers`, peer)).id
}
