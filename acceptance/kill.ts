// Kills the real process repeatedly during concurrent writes. After each restart compares every acknowledged write with
// what is served over HTTP and DNS, and with the zone's serial.
// Options: --rounds N (12), --writers N (16), --program PATH (the launcher in this repository).
import { deepEqual, equal, ok } from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ask } from './dns-client.ts'
import { builtProgram, startServer, temporaryFolder, type Program, type Target } from './program.ts'
import { createReport } from './report.ts'

const ZONE = 'kill.example.com'
/** Time from the first acknowledged write to the kill. */
const LOAD_MS = { least: 50, most: 800 } as const
/** If a single write takes longer, the machine is too busy for a valid result. */
const FIRST_WRITE_LIMIT_MS = 20_000
/** Maximum number of names queried over DNS after each restart. */
const MAX_DNS_QUESTIONS = 1500

interface RecordState {
  readonly name: string
  readonly content: string
}

/** One record throughout its life, owned by one writer at a time. */
interface Tracked {
  id: string | undefined
  /** State after the last acknowledged write; undefined if deleted or not created. */
  acknowledged: RecordState | undefined
  /** State after the last write sent. */
  intended: RecordState | undefined
  /** Its name before the last acknowledged write, if that write changed or removed it. */
  former: string | undefined
}

/** One request: either all of its records change or none. */
type Write = readonly Tracked[]

interface Reply {
  readonly result: { readonly id: string }
}

interface BatchReply {
  readonly result: { readonly posts: readonly { readonly id: string }[] }
}

interface ListedRecord {
  readonly id: string
  readonly name: string
  readonly content: string
}

interface ListReply {
  readonly result: readonly ListedRecord[]
  readonly result_info: { readonly total_count: number }
}

/** The server replied with an error. */
class Refused extends Error {}

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '12' },
    writers: { type: 'string', default: '16' },
    program: { type: 'string', default: builtProgram },
  },
})
const rounds = Number(options.rounds)
const writers = Number(options.writers)

const report = createReport()
const folder = temporaryFolder('kill')
const tracked: Tracked[] = []
/** Writes sent, but neither acknowledged nor refused. */
const pending = new Set<Write>()
let sequence = 0
let acknowledgedWrites = 0

let program = await startServer(options.program, folder)
try {
  const zoneId = await createZone(program)
  for (let round = 1; round <= rounds; round++) {
    const before = await countersOf(program, zoneId)
    const acknowledgedBefore = acknowledgedWrites
    const loadMs = Math.round(LOAD_MS.least + Math.random() * (LOAD_MS.most - LOAD_MS.least))
    await loadAndKill(program, zoneId, loadMs)
    const acknowledged = acknowledgedWrites - acknowledgedBefore
    const interrupted = pending.size
    program = await startServer(options.program, folder)
    await report.check(
      `kill: round ${round}, ${acknowledged} acknowledged and ${interrupted} interrupted in ${loadMs} ms; ready again after ${program.readyAfterMs.toFixed(0)} ms`,
      async () => {
        const applied = await settle(program, zoneId)
        const writes = acknowledged + applied.length
        const after = await countersOf(program, zoneId)
        const moved = {
          serial: (after.serial - before.serial) >>> 0,
          changes: after.changes - before.changes,
          audited: after.audited - before.audited,
        }
        deepEqual(
          moved,
          { serial: writes, changes: writes, audited: writes },
          `once per write; interrupted: ${JSON.stringify(applied)}`,
        )
        await compareDns(program)
      },
    )
  }
  await report.check('kill: the server still exits cleanly', program.stop)
} finally {
  await program.kill()
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${acknowledgedWrites} writes acknowledged over ${rounds} kills`)
process.exitCode = report.close()

async function createZone(target: Target): Promise<string> {
  const reply = await call<Reply>(target, 'POST', '/zones', { name: ZONE })
  return reply.result.id
}

async function loadAndKill(running: Program, zoneId: string, loadMs: number): Promise<void> {
  const stopped = new AbortController()
  // Assigned before any writer starts, because writers add to `tracked`.
  const shares = Array.from({ length: writers }, (_, writer) =>
    tracked.filter((_record, index) => index % writers === writer),
  )
  const work = Promise.allSettled(shares.map((own) => write(running, zoneId, own, stopped.signal)))
  const began = performance.now()
  const before = acknowledgedWrites
  while (acknowledgedWrites === before && performance.now() - began < FIRST_WRITE_LIMIT_MS) await sleep(1)
  await sleep(loadMs)
  await running.kill()
  stopped.abort()
  for (const outcome of await work) if (outcome.status === 'rejected') throw outcome.reason
}

/** Creates, edits, renames and deletes its own records, singly and in batches, until the server is killed. */
async function write(target: Target, zoneId: string, own: Tracked[], stopped: AbortSignal): Promise<void> {
  const path = `/zones/${zoneId}/dns_records`
  while (!stopped.aborted) {
    const present = own.filter((record) => record.acknowledged !== undefined)
    const pick = (): Tracked | undefined =>
      present.splice(Math.floor(Math.random() * present.length), 1).find(() => true)
    const dice = Math.random()
    const [record, other] = [pick(), pick()]
    try {
      if (record === undefined || other === undefined || dice < 0.4)
        await create(target, path, newRecord(own))
      else if (dice < 0.65) await edit(target, path, record)
      else if (dice < 0.8) await remove(target, path, record)
      else await batch(target, path, [newRecord(own), newRecord(own)], record, other)
    } catch (error) {
      if (error instanceof Refused) throw error
      return // the connection broke: the process was killed, and the write stays pending
    }
  }
}

async function create(target: Target, path: string, record: Tracked): Promise<void> {
  await send([record], async () => {
    const { result } = await call<Reply>(target, 'POST', path, { type: 'A', ...record.intended })
    record.id = result.id
  })
}

/** Also renames the record: a partly applied write would show as a mix of both states. */
async function edit(target: Target, path: string, record: Tracked): Promise<void> {
  record.intended = nextState()
  await send([record], () => call(target, 'PATCH', `${path}/${record.id}`, record.intended))
}

async function remove(target: Target, path: string, record: Tracked): Promise<void> {
  record.intended = undefined
  await send([record], () => call(target, 'DELETE', `${path}/${record.id}`))
}

/** Two creates, an edit and a deletion in one change set. */
async function batch(
  target: Target,
  path: string,
  created: readonly Tracked[],
  edited: Tracked,
  removed: Tracked,
): Promise<void> {
  edited.intended = nextState()
  removed.intended = undefined
  await send([...created, edited, removed], async () => {
    const { result } = await call<BatchReply>(target, 'POST', `${path}/batch`, {
      deletes: [{ id: removed.id }],
      patches: [{ id: edited.id, ...edited.intended }],
      posts: created.map(({ intended }) => ({ type: 'A', ...intended })),
    })
    for (const [index, record] of created.entries()) record.id = result.posts[index]?.id
  })
}

async function send(records: Write, request: () => Promise<unknown>): Promise<void> {
  pending.add(records)
  await request()
  pending.delete(records)
  for (const record of records) apply(record)
  acknowledgedWrites++
}

function newRecord(own: Tracked[]): Tracked {
  const record: Tracked = { id: undefined, acknowledged: undefined, intended: nextState(), former: undefined }
  own.push(record)
  tracked.push(record)
  return record
}

/** Marks the intended state as acknowledged. */
function apply(record: Tracked): void {
  record.former = record.acknowledged?.name
  record.acknowledged = record.intended
}

function nextState(): RecordState {
  const number = sequence++
  const content = [10, (number >> 16) & 255, (number >> 8) & 255, number & 255].join('.')
  return { name: `r${number}.${ZONE}`, content }
}

/**
 * Compares the listed records with the acknowledged ones, and returns the interrupted writes that were applied.
 * @throws if an acknowledged record is missing or changed, an unknown record exists, or a write was applied partly.
 */
async function settle(target: Target, zoneId: string): Promise<Write[]> {
  const { result, result_info } = await listAddresses(target, zoneId)
  equal(result_info.total_count, result.length, 'the count of the zone equals its listed records')
  const found = new Map(result.map((record) => [record.name, record]))
  equal(found.size, result.length, 'no record is listed twice')

  const applied = [...pending].filter((records) => settleWrite(records, found))
  pending.clear()
  for (const { id, acknowledged } of tracked) {
    if (acknowledged === undefined) continue
    const served = found.get(acknowledged.name)
    ok(served, `${acknowledged.name} was acknowledged but is missing`)
    equal(served.content, acknowledged.content)
    equal(served.id, id)
    found.delete(acknowledged.name)
  }
  deepEqual([...found.keys()], [], 'the zone has no other records')
  return applied
}

/** Returns true and marks the write as applied if all of its changes exist. @throws if only some exist. */
function settleWrite(records: Write, found: ReadonlyMap<string, ListedRecord>): boolean {
  const isThere = ({ acknowledged, intended }: Tracked): boolean =>
    intended === undefined ? !found.has(acknowledged?.name ?? '') : found.has(intended.name)
  const [first = false, ...others] = records.map(isThere)
  ok(
    others.every((other) => other === first),
    'a batch is applied as a whole',
  )
  for (const record of first ? records : []) {
    record.id ??= found.get(record.intended?.name ?? '')?.id
    apply(record)
  }
  return first
}

async function listAddresses(target: Target, zoneId: string): Promise<ListReply> {
  return call<ListReply>(target, 'GET', `/zones/${zoneId}/dns_records?type=A&per_page=1000000`)
}

async function compareDns(target: Target): Promise<void> {
  const questions = tracked.slice(-MAX_DNS_QUESTIONS)
  for (let start = 0; start < questions.length; start += 50) {
    await Promise.all(questions.slice(start, start + 50).map((record) => compareAnswer(target, record)))
  }
}

async function compareAnswer(target: Target, { acknowledged, intended, former }: Tracked): Promise<void> {
  if (acknowledged !== undefined) {
    const reply = await ask(target.dns, acknowledged.name, 'A')
    deepEqual(reply.answers, [`A 300 ${acknowledged.content}`], acknowledged.name)
  }
  for (const name of [former, intended?.name]) {
    if (name === undefined || name === acknowledged?.name) continue
    equal((await ask(target.dns, name, 'A')).rcode, 'NXDOMAIN', name)
  }
}

/**
 * Counters that each change set increases by one: the serial in DNS, the length of the zone's history, and its entries of
 * the audit log.
 */
async function countersOf(
  target: Target,
  zoneId: string,
): Promise<{ serial: number; changes: number; audited: number }> {
  const { answers } = await ask(target.dns, ZONE, 'SOA')
  equal(answers.length, 1, 'the zone has its SOA')
  const history = await call<ListReply>(target, 'GET', `/zonereeve/zones/${zoneId}/changes?per_page=1`)
  const { result: zone } = await call<{ result: { account: { id: string } } }>(
    target,
    'GET',
    `/zones/${zoneId}`,
  )
  const audit = await call<ListReply>(
    target,
    'GET',
    `/accounts/${zone.account.id}/audit_logs?zone.name=${ZONE}&per_page=1`,
  )
  return {
    serial: Number(answers[0]?.split(' ').at(-1)),
    changes: history.result_info.total_count,
    audited: audit.result_info.total_count,
  }
}

/** @throws Refused if the server replies with an error; the error of fetch if there is no reply. */
async function call<Answer>(target: Target, method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${target.http}/client/v4${path}`, {
    method,
    headers: {
      authorization: `Bearer ${target.token}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  if (!response.ok) throw new Refused(`${method} ${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}
