// Kills the real process in the middle of concurrent writes, again and again, and holds what a restart serves against
// every write that was acknowledged: over HTTP, over DNS, and in the zone's serial.
// Options: --rounds N (12), --writers N (16), --program PATH (the launcher in this repository).
import { deepEqual, equal, ok } from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ask } from './dns-client.ts'
import { sourceProgram, startServer, temporaryFolder, type Program, type Target } from './program.ts'
import { createReport } from './report.ts'

const ZONE = 'kill.example.com'
/** How long after the first acknowledged write the process dies. */
const LOAD_MS = { least: 50, most: 800 } as const
/** A machine too busy for one write in this time cannot be judged. */
const FIRST_WRITE_LIMIT_MS = 20_000
/** Names asked over DNS after each restart: all, up to this many. */
const MAX_DNS_QUESTIONS = 1500

interface RecordState {
  readonly name: string
  readonly content: string
}

/** One record through all its life, owned by one writer at a time. */
interface Tracked {
  id: string | undefined
  /** What the last acknowledged write left; undefined = not there. */
  acknowledged: RecordState | undefined
  /** What the last write that was sent would leave. */
  intended: RecordState | undefined
  /** The name it had before its last acknowledged write, if that took it away. */
  former: string | undefined
}

/** One request: all of its records change, or none. */
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

/** The server answered, and said no. */
class Refused extends Error {}

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '12' },
    writers: { type: 'string', default: '16' },
    program: { type: 'string', default: sourceProgram },
  },
})
const rounds = Number(options.rounds)
const writers = Number(options.writers)

const report = createReport()
const folder = temporaryFolder('kill')
const tracked: Tracked[] = []
/** Sent, and neither acknowledged nor refused. */
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
        }
        deepEqual(
          moved,
          { serial: writes, changes: writes },
          `once per write; interrupted: ${JSON.stringify(applied)}`,
        )
        await compareDns(program)
      },
    )
  }
  await report.check('kill: the server still ends cleanly', program.stop)
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
  // Dealt out before any writer starts, since each adds to `tracked` as it goes.
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

/** Creates, edits, renames and deletes records of its own, one by one and in batches, until the server is gone. */
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
      return // the connection broke: the process is dead, and what was under way stays pending
    }
  }
}

async function create(target: Target, path: string, record: Tracked): Promise<void> {
  await send([record], async () => {
    const { result } = await call<Reply>(target, 'POST', path, { type: 'A', ...record.intended })
    record.id = result.id
  })
}

/** Moves the record to another name too: half of it applied would show as a mix of the two. */
async function edit(target: Target, path: string, record: Tracked): Promise<void> {
  record.intended = nextState()
  await send([record], () => call(target, 'PATCH', `${path}/${record.id}`, record.intended))
}

async function remove(target: Target, path: string, record: Tracked): Promise<void> {
  record.intended = undefined
  await send([record], () => call(target, 'DELETE', `${path}/${record.id}`))
}

/** Two creates, an edit and a deletion that are one change set. */
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

/** What was intended is so. */
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
 * Compares the list with what was acknowledged, decides each interrupted write by what is there, and returns those that
 * were applied. @throws when anything acknowledged is missing or changed, anything else is there, or a write
 * was applied by half.
 */
async function settle(target: Target, zoneId: string): Promise<Write[]> {
  const { result, result_info } = await listAddresses(target, zoneId)
  equal(result_info.total_count, result.length, 'the count of the zone equals its listed records')
  const found = new Map(result.map((record) => [record.name, record]))
  equal(found.size, result.length, 'no record is there twice')

  const applied = [...pending].filter((records) => settleWrite(records, found))
  pending.clear()
  for (const { id, acknowledged } of tracked) {
    if (acknowledged === undefined) continue
    const served = found.get(acknowledged.name)
    ok(served, `${acknowledged.name} was acknowledged and is gone`)
    equal(served.content, acknowledged.content)
    equal(served.id, id)
    found.delete(acknowledged.name)
  }
  deepEqual([...found.keys()], [], 'nothing else is in the zone')
  return applied
}

/** Takes the write for made, and says so, if all of it is there. @throws if only a part of it is. */
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

/** What moves by one with each change set: the serial that DNS answers, and the length of the zone's history. */
async function countersOf(target: Target, zoneId: string): Promise<{ serial: number; changes: number }> {
  const { answers } = await ask(target.dns, ZONE, 'SOA')
  equal(answers.length, 1, 'the zone has its SOA')
  const history = await call<ListReply>(target, 'GET', `/zonereeve/zones/${zoneId}/changes?per_page=1`)
  return { serial: Number(answers[0]?.split(' ').at(-1)), changes: history.result_info.total_count }
}

/** @throws Refused when the server answers no; whatever fetch throws when it does not answer at all. */
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
