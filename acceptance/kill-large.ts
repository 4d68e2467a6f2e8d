// Kills the real process while it deletes a large zone, and while it takes one from a primary, again and again. A restart
// must have a zone whole or not at all: what was deleted is gone for good and another of its name has none of its records;
// what follows a primary is as one serial of it has it, and catches up.
// Options: --rounds N (3), --records N of a zone (5000), --program PATH (the launcher in this repository).
import { deepEqual, equal, ok } from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createApi, type Api } from './browsers/api.ts'
import { until } from './browsers/site.ts'
import { ask, askUntil } from './dns-client.ts'
import { sourceProgram, startServer, temporaryFolder, type Program, type Target } from './program.ts'
import { createReport } from './report.ts'

/** From the deletion's request until the process dies, at most: the sweep behind it takes about as long. */
const MAX_DELETION_MS = 1_500
/** The same from a change at the primary. */
const MAX_TRANSFER_MS = 3_000
const DELETED = 'deleted.example.com'
const FOLLOWED = 'followed.example.com'
const PAGE = 5_000

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    records: { type: 'string', default: '5000' },
    program: { type: 'string', default: sourceProgram },
  },
})
const rounds = Number(options.rounds)
const records = Number(options.records)

interface Identified {
  readonly id: string
}

interface Listed {
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
  const followed = await follow()
  for (let round = 1; round <= rounds; round++) await killTransfer(followed, round)
  await report.check('kill: the server still ends cleanly', program.stop)
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
    .catch(() => false) // the process died before it answered
  await sleep(Math.random() * MAX_DELETION_MS)
  await program.kill()
  await deletion
  program = await start()
  const api = createApi(program)
  await report.check(`kill: deletion ${round} of ${rounds}, whole or not at all`, async () => {
    const [left] = await api.get<readonly Identified[]>(`/zones?name=${DELETED}`)
    console.log(`      ${isAcknowledged ? 'acknowledged' : 'interrupted'}, ${left ? 'there' : 'gone'}`)
    ok(left === undefined || !isAcknowledged, 'what was acknowledged is gone')
    if (left === undefined) return
    deepEqual(await roundsOf(api, id), [round])
    await api.call('DELETE', `/zones/${id}`)
  })
  await report.check(`kill: another zone has the name after deletion ${round} of ${rounds}`, async () => {
    const other = await api.post<Identified>('/zones', { name: DELETED })
    deepEqual(await api.get(`/zones/${other.id}/dns_records`), [])
    equal((await ask(program.dns, `r1.${DELETED}`, 'A')).rcode, 'NXDOMAIN')
    await replace(program, other.id, rounds + round)
    deepEqual(await roundsOf(api, other.id), [rounds + round])
    await api.call('DELETE', `/zones/${other.id}`)
  })
}

interface FollowedZone {
  /** At the primary. */
  readonly sourceId: string
  readonly id: string
}

/** Has a zone of the program follow one of the primary, and waits for the first transfer. */
async function follow(): Promise<FollowedZone> {
  const source = createApi(primary)
  const sourceId = (await source.post<Identified>('/zones', { name: FOLLOWED })).id
  await replace(primary, sourceId, 0)
  const taker = await addPeer(source, program)
  await source.post(`/zones/${sourceId}/secondary_dns/outgoing`, { name: `${FOLLOWED}.`, peers: [taker] })
  await source.post(`/zones/${sourceId}/secondary_dns/outgoing/enable`, {})
  const api = createApi(program)
  const giver = await addPeer(api, primary)
  const { id } = await api.post<Identified>('/zones', { name: FOLLOWED, type: 'secondary' })
  await api.post(`/zones/${id}/secondary_dns/incoming`, { name: `${FOLLOWED}.`, peers: [giver] })
  await report.check('kill: a large zone follows its primary', () => expectFollowed(api, id, 0))
  return { sourceId, id }
}

/** Another content at the primary, the zone asked for again, and the end of the process while it takes it. */
async function killTransfer({ sourceId, id }: FollowedZone, round: number): Promise<void> {
  await replace(primary, sourceId, round)
  await createApi(program).post(`/zones/${id}/secondary_dns/force_axfr`, {})
  await sleep(Math.random() * MAX_TRANSFER_MS)
  await program.kill()
  program = await start()
  const api = createApi(program)
  await report.check(`kill: transfer ${round} of ${rounds}, whole or not at all`, async () => {
    const found = await roundsOf(api, id)
    console.log(`      has what the primary had in round ${found.join()}`)
    ok(found.length === 1 && (found[0] === round || found[0] === round - 1), `rounds ${found.join()}`)
    await expectAnswered(FOLLOWED, found[0] ?? -1)
  })
  await report.check(`kill: transfer ${round} of ${rounds} is made up for`, async () => {
    await api.post(`/zones/${id}/secondary_dns/force_axfr`, {})
    await expectFollowed(api, id, round)
  })
}

async function expectFollowed(api: Api, zoneId: string, round: number): Promise<void> {
  await until(
    async () => (await roundsOf(api, zoneId).catch(() => [])).join() === String(round),
    async () => JSON.stringify(await api.get(`/zonereeve/zones/${zoneId}/secondary_dns/incoming/status`)),
  )
  // It is stored before it is answered.
  const first = `r1.${FOLLOWED}`
  await askUntil(program.dns, first, 'A', ({ answers }) => answers.join() === `A 300 192.0.2.${round}`)
  await expectAnswered(FOLLOWED, round)
}

/** Every record of a round has its number: all records of a zone, to the last, must be of the same. */
async function roundsOf(api: Api, zoneId: string): Promise<readonly number[]> {
  const found = new Set<number>()
  let count = 0
  for (let page = 1; count === (page - 1) * PAGE; page++) {
    const path = `/zones/${zoneId}/dns_records?type=A&per_page=${PAGE}&page=${page}`
    const some = await api.get<readonly Listed[]>(path)
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

/** Gives a zone the records of a round, and no others. */
async function replace({ http, token }: Target, zoneId: string, round: number): Promise<void> {
  const form = new FormData()
  form.set('file', new Blob([`$GENERATE 1-${records} r$ 300 A 192.0.2.${round}\n`]))
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
