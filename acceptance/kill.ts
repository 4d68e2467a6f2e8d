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
const LOAD_MS = { least: 150, most: 900 } as const
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
  /** What the write under way would leave; `pending` tells that there is one. */
  intended: RecordState | undefined
  pending: boolean
  /** The name it had before its last acknowledged write, if that took it away. */
  former: string | undefined
}

interface Reply {
  readonly success: boolean
  readonly result: { readonly id: string; readonly name: string; readonly content: string }
}

interface ListReply {
  readonly result: readonly {
    readonly id: string
    readonly name: string
    readonly content: string
    readonly type: string
  }[]
  readonly result_info: { readonly total_count: number; readonly count: number }
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
let sequence = 0
let acknowledgedWrites = 0

let program = await startServer(options.program, folder)
try {
  const zoneId = await createZone(program)
  for (let round = 1; round <= rounds; round++) {
    const serialBefore = await serialOf(program)
    const acknowledgedBefore = acknowledgedWrites
    const loadMs = Math.round(LOAD_MS.least + Math.random() * (LOAD_MS.most - LOAD_MS.least))
    await loadAndKill(program, zoneId, loadMs)
    const acknowledged = acknowledgedWrites - acknowledgedBefore
    const interrupted = tracked.filter((record) => record.pending).length
    program = await startServer(options.program, folder)
    await report.check(
      `kill: round ${round}, ${acknowledged} acknowledged and ${interrupted} interrupted in ${loadMs} ms; ready again after ${program.readyAfterMs.toFixed(0)} ms`,
      async () => {
        ok(acknowledged > 0, 'some writes were acknowledged before the kill')
        const applied = await settle(program, zoneId)
        await compareDns(program)
        const serialAfter = await serialOf(program)
        equal((serialAfter - serialBefore) >>> 0, acknowledged + applied, 'the serial moved once per change')
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
  const work = Array.from({ length: writers }, (_, writer) => write(running, zoneId, writer, stopped.signal))
  await sleep(loadMs)
  await running.kill()
  stopped.abort()
  await Promise.all(work)
}

/** Creates, edits, renames and deletes its own records until the server is gone. */
async function write(target: Target, zoneId: string, writer: number, stopped: AbortSignal): Promise<void> {
  const own = tracked.filter((_, index) => index % writers === writer)
  const path = `/zones/${zoneId}/dns_records`
  while (!stopped.aborted) {
    const dice = Math.random()
    const present = own.filter((record) => record.acknowledged !== undefined)
    const record = present[Math.floor(Math.random() * present.length)]
    try {
      if (record === undefined || dice < 0.5) {
        const fresh = newRecord()
        own.push(fresh)
        tracked.push(fresh)
        const reply = await call<Reply>(target, 'POST', path, { type: 'A', ...fresh.intended })
        fresh.id = reply.result.id
        acknowledge(fresh)
      } else if (dice < 0.8) {
        // An edit moves the record to another name too: half of it applied would show as a mix of the two.
        await change(record, nextState(), () =>
          call(target, 'PATCH', `${path}/${record.id}`, record.intended),
        )
      } else {
        await change(record, undefined, () => call(target, 'DELETE', `${path}/${record.id}`))
      }
    } catch (error) {
      if (error instanceof Refused) throw error
      return // the connection broke: the process is dead, and what was under way stays pending
    }
  }
}

async function change(
  record: Tracked,
  intended: RecordState | undefined,
  send: () => Promise<unknown>,
): Promise<void> {
  record.intended = intended
  record.pending = true
  await send()
  acknowledge(record)
}

function newRecord(): Tracked {
  return { id: undefined, acknowledged: undefined, intended: nextState(), pending: true, former: undefined }
}

function acknowledge(record: Tracked): void {
  record.former = record.acknowledged?.name
  record.acknowledged = record.intended
  record.pending = false
  acknowledgedWrites++
}

function nextState(): RecordState {
  const number = sequence++
  const content = [10, (number >> 16) & 255, (number >> 8) & 255, number & 255].join('.')
  return { name: `r${number}.${ZONE}`, content }
}

/**
 * Compares the list with what was acknowledged, decides each interrupted write by what is there, and returns how many
 * of those were applied. @throws when anything acknowledged is missing or changed, or anything else is there.
 */
async function settle(target: Target, zoneId: string): Promise<number> {
  const { result, result_info } = await listAddresses(target, zoneId)
  equal(result_info.total_count, result.length, 'the count of the zone equals its listed records')
  const found = new Map(result.map((record) => [record.name, record]))
  equal(found.size, result.length, 'no record is there twice')

  let applied = 0
  for (const record of tracked) {
    if (record.pending) applied += settleInterrupted(record, found)
    const { acknowledged } = record
    if (acknowledged === undefined) continue
    const served = found.get(acknowledged.name)
    ok(served, `${acknowledged.name} was acknowledged and is gone`)
    equal(served.content, acknowledged.content)
    equal(served.id, record.id)
    found.delete(acknowledged.name)
  }
  deepEqual([...found.keys()], [], 'nothing else is in the zone')
  return applied
}

function settleInterrupted(record: Tracked, found: ReadonlyMap<string, ListReply['result'][number]>): number {
  record.pending = false
  const after = record.intended === undefined ? undefined : found.get(record.intended.name)
  const before = record.acknowledged === undefined ? undefined : found.get(record.acknowledged.name)
  const isApplied = record.intended === undefined ? before === undefined : after !== undefined
  if (!isApplied) return 0
  record.former = record.acknowledged?.name
  record.acknowledged = record.intended
  record.id ??= after?.id
  return 1
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

async function serialOf(target: Target): Promise<number> {
  const { answers } = await ask(target.dns, ZONE, 'SOA')
  equal(answers.length, 1, 'the zone has its SOA')
  return Number(answers[0]?.split(' ').at(-1))
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
