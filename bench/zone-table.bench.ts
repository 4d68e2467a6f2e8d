// What a zone costs in memory, to look up and to change: one zone in one process, without sockets and database.
// Options: --names N (100000), --zones N: that many zones of five records instead, --beside DIR: measures the zones of
// another checkout in the same run, and first compares the answers of both over random zones and histories, byte for
// byte (--runs N, 20).
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { nameToWire, parseName } from '@zonereeve/dns'
import * as fc from 'fast-check'
import { opt, queryOf, recordOf, zoneOf } from '../packages/nameserver/src/asking.cases.ts'
import type * as FastPath from '../packages/nameserver/src/fast-path.ts'
import type * as Index from '../packages/nameserver/src/index.ts'
import type { ZoneContents, ZoneRecord, ZoneTable } from '../packages/nameserver/src/index.ts'
import { QUESTIONS, RECORD_LINE } from '../packages/nameserver/src/random-zone.cases.ts'
import { machineClass, printTable } from './measure.ts'

const HERE = fileURLToPath(new URL('..', import.meta.url))
const ASKED = 200_000
const CHANGES = 20_000
const ROUNDS = 7
const PEER = { transport: 'udp' as const, address: '198.51.100.1' }
const ZONE_ID = 'zone-bench.example'
const DNSSEC_OK = 0x8000
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

const { values: options } = parseArgs({
  options: {
    names: { type: 'string', default: '100000' },
    zones: { type: 'string', default: '0' },
    beside: { type: 'string' },
    runs: { type: 'string', default: '20' },
    measured: { type: 'string' },
  },
})
const names = Number(options.names)
const zones = Number(options.zones)

if (options.measured !== undefined)
  console.log(JSON.stringify(await (zones > 0 ? measureZones : measure)(options.measured)))
else {
  console.log(`${machineClass()}; ${zones > 0 ? `${zones} zones` : `${names} names`}`)
  if (options.beside !== undefined) console.log(await compareAnswers(options.beside, Number(options.runs)))
  const sides = [options.beside ?? [], HERE].flat().map((checkout) => measureApart(checkout))
  const rows = Object.keys(sides[0] ?? {}).map((title) => {
    const values = sides.map((side) => side[title] ?? Number.NaN)
    const ratio = values.length < 2 ? [] : [`${((values[1] ?? 0) / (values[0] ?? 0)).toFixed(2)}x`]
    return [title, ...values.map((value) => value.toFixed(value < 100 ? 1 : 0)), ...ratio]
  })
  printTable(['', ...(sides.length < 2 ? ['here'] : ['beside', 'here', 'here : beside'])], rows)
}

/** Memory is measured in a process that has done nothing else. */
function measureApart(checkout: string): Record<string, number> {
  const args = ['--expose-gc', '--max-old-space-size=8000', '--import', 'tsx', fileURLToPath(import.meta.url)]
  const { stdout } = spawnSync(
    process.execPath,
    [...args, '--measured', checkout, '--names', options.names, '--zones', options.zones],
    { encoding: 'utf8', cwd: checkout, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  return JSON.parse(stdout) as Record<string, number> // printed above
}

async function sideOf(checkout: string) {
  const source = `${checkout}/packages/nameserver/src`
  const index = (await import(`${source}/index.ts`)) as typeof Index
  const fast = (await import(`${source}/fast-path.ts`)) as typeof FastPath
  const { createZoneTable, createResponder, DEFAULT_LIMITS, noMetrics } = index
  return () => {
    const table = createZoneTable()
    const limits = { ...DEFAULT_LIMITS, madeSignaturesPerSecond: 1_000_000_000 }
    const respond = createResponder({ table, log: silent, limits, metrics: noMetrics })
    return { table, respond, fastPath: fast.createFastPath({ table, limits, metrics: noMetrics }) }
  }
}

async function measure(checkout: string): Promise<Record<string, number>> {
  const make = await sideOf(checkout)
  const collect = globalThis.gc ?? (() => {})
  collect()
  const residentBefore = process.memoryUsage().rss
  const { table, respond, fastPath } = make()
  const records = { [Symbol.iterator]: () => numberedRecords() }
  const loadMicros = cpuMicros(() => table.load({ ...zoneOf('bench.example', ''), records }))
  for (let i = 0; i < 4; i += 1) {
    collect()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const residentAfter = process.memoryUsage().rss
  const queries = Array.from({ length: ASKED }, (_, i) => queryFor((i * 7919) % names))
  const out = Buffer.alloc(1232)
  const asked = (answer: (query: Uint8Array) => void): number =>
    (Math.min(...Array.from({ length: ROUNDS }, () => cpuMicros(() => queries.forEach(answer)))) * 1000) /
    ASKED
  return {
    'resident octets per name': (residentAfter - residentBefore) / names,
    'CPU seconds to load': loadMicros / 1e6,
    'fast path, ns': asked((query) => void fastPath(query, query.length, PEER, out)),
    'full path, ns': asked((query) => void respond(query, query.length, PEER, out)),
    'change of one record, us': cpuMicros(() => change(table)) / CHANGES,
  }
}

/** Many small zones. The first and the last tenth are timed apart. */
async function measureZones(checkout: string): Promise<Record<string, number>> {
  const make = await sideOf(checkout)
  const collect = async (): Promise<number> => {
    for (let i = 0; i < 4; i += 1) {
      globalThis.gc?.()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return process.memoryUsage().rss
  }
  const { table } = make()
  const loadTenth = async (tenth: number): Promise<number> => {
    let micros = 0
    for (let zone = (tenth * zones) / 10; zone < ((tenth + 1) * zones) / 10; zone += 1) {
      micros += cpuMicros(() => table.load(smallZone(zone)))
      // Objects are collected between turns.
      if (zone % 100 === 0) await new Promise(setImmediate)
    }
    return micros / (zones / 10)
  }
  const before = await collect()
  const micros: number[] = []
  for (let tenth = 0; tenth < 10; tenth += 1) micros.push(await loadTenth(tenth))
  const after = await collect()
  const changed = cpuMicros(() => {
    for (let i = 0; i < CHANGES; i += 1) {
      const { zoneId, apex } = smallZone((i * 7919) % zones)
      const added = [{ ...numberedRecord(i), id: `more ${i}`, name: `more-${i}.${apex}` }]
      table.apply({ zoneId, serial: i + 2, removed: [], added })
    }
  })
  return {
    'resident octets per zone': (after - before) / zones,
    'CPU us to load a zone, second tenth': micros[1] ?? 0,
    'CPU us to load a zone, last tenth': micros[9] ?? 0,
    'change of one record in any zone, us': changed / CHANGES,
  }
}

function smallZone(number: number): ZoneContents {
  const apex = `z${number}.bench.example`
  const records = Array.from({ length: 5 }, (_, i) => ({
    ...numberedRecord(number),
    id: (number * 5 + i).toString(16).padStart(32, '0'),
    name: `host-${i}.${apex}`,
  }))
  return { ...zoneOf(apex, ''), zoneId: number.toString(16).padStart(32, '0'), records }
}

function change(table: ZoneTable): void {
  for (let i = 0; i < CHANGES; i += 1) {
    const number = (i * 7919) % names
    const [removed, added] = [[numberedRecord(number)], [numberedRecord(number, 1)]]
    table.apply({ zoneId: ZONE_ID, serial: i + 2, removed, added })
  }
}

function cpuMicros(run: () => void): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

function* numberedRecords(): Generator<ZoneRecord> {
  for (let number = 0; number < names; number += 1) yield numberedRecord(number)
}

/** Two thirds addresses, one third text. */
function numberedRecord(number: number, version = 0): ZoneRecord {
  const isText = number % 3 === 0
  const octets = [version, (number >> 16) & 255, (number >> 8) & 255, number & 255]
  return {
    id: number.toString(16).padStart(32, '7'),
    name: `host-${number}.bench.example`,
    type: isText ? 16 : 1,
    ttl: 300,
    rdata: Uint8Array.from(isText ? [20, ...Buffer.alloc(16, 'text'), ...octets] : octets),
  }
}

function queryFor(number: number): Uint8Array {
  const { name, type } = numberedRecord(number)
  return Uint8Array.from([0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, ...nameToWire(parseName(name)), 0, type, 0, 1])
}

/** Asks both sides every question after every step. @throws at the first difference */
async function compareAnswers(checkout: string, runs: number): Promise<string> {
  const [there, here] = [await sideOf(checkout), await sideOf(HERE)]
  const apex = parseName('example.com')
  const step = fc.dictionary(fc.constantFrom(...'12345678'), fc.option(RECORD_LINE), {
    minKeys: 1,
    maxKeys: 4,
  })
  const questions = QUESTIONS.flatMap((question) => [
    queryOf(question),
    queryOf(question, { tail: opt(1232, { flags: DNSSEC_OK }) }),
  ])
  const [first, second] = [Buffer.alloc(65_535), Buffer.alloc(65_535)]
  let compared = 0
  const history = fc.array(step, { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(fc.array(RECORD_LINE, { maxLength: 12 }), history, (lines, steps) => {
      const sides = [there(), here()] as const
      const held = new Map(lines.map((line, i) => [`l${i}`, recordOf(line, apex, `l${i}`)]))
      for (const { table } of sides) table.load(zoneOf(apex, '', { records: [...held.values()] }))
      for (const [i, changes] of steps.entries()) {
        const removed = Object.keys(changes).flatMap((id) => held.get(id) ?? [])
        const added = Object.entries(changes).flatMap(([id, line]) =>
          line === null ? [] : [recordOf(line, apex, id)],
        )
        for (const { table } of sides) table.apply({ zoneId: `zone-${apex}`, serial: i + 2, removed, added })
        for (const { id } of removed) held.delete(id)
        for (const record of added) held.set(record.id, record)
        for (const query of questions) {
          const [a, b] = sides.map(({ respond }, side) =>
            respond(query, query.length, PEER, side === 0 ? first : second),
          )
          if (!first.subarray(0, a).equals(second.subarray(0, b)))
            throw new Error(`different answers to ${Buffer.from(query).toString('hex')}`)
          compared += 1
        }
      }
    }),
    { numRuns: runs },
  )
  return `${compared} answers are the same`
}
