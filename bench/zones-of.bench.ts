// What a node costs that has the zones of some nameservers only, beside one that has all: memory, and the time of a start. And how
// long it takes to move such a database from SQLite to PostgreSQL.
// Options: --zones N (100000), --records N (10) of each zone. Zones are written into the database as rows, because creating them over
// the API would take long, and get one of four sets of nameservers each.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { startPostgres } from '@zonereeve/storage/testing/postgres.ts'
import { createManyZones } from '../acceptance/dashboard/cloned-zones.ts'
import { ask } from '../acceptance/dns-client.ts'
import { installPackedProgram, startServer, temporaryFolder, type Program } from '../acceptance/program.ts'
import { POSTGRESQL } from '../scripts/requirements.ts'
import { machineClass, printTable, residentMib } from './measure.ts'

const { values: options } = parseArgs({
  options: { zones: { type: 'string', default: '100000' }, records: { type: 'string', default: '10' } },
})
const zones = Number(options.zones)
const records = Number(options.records)
const SETS = ['a', 'b', 'c', 'd'].map((letter) => [`ns1.${letter}.example`, `ns2.${letter}.example`])
const PREFIX = 'zz'
const MAX_START_MILLIS = 20 * 60_000

if (POSTGRESQL === '') throw new Error('needs PostgreSQL: apt-get install postgresql')
// The same for all nodes, and for the database that is moved.
process.env['ZONEREEVE_KEY_ENCRYPTION_SECRET'] = 'secret-of-the-nodes-of-this-benchmark-0123'
const folder = temporaryFolder('zones-of')
const postgres = await startPostgres(POSTGRESQL)
const programs: Program[] = []
try {
  const launcher = await installPackedProgram(folder)
  console.log(`${machineClass()}; ${zones.toLocaleString('en')} zones of ${records} records\n`)
  const url = await postgres.createDatabase()
  const data = join(folder, 'data')
  await createManyZones(launcher, data, { count: zones, prefix: PREFIX, records, nameServerSets: SETS })
  const began = performance.now()
  const moved = spawnSync(
    launcher,
    ['migrate-database', '--from', `sqlite:${join(data, 'zonereeve.db')}`, '--to', url],
    { encoding: 'utf8' },
  )
  if (moved.status !== 0) throw new Error(`migrate-database: ${moved.stderr}`)
  const movedSeconds = (performance.now() - began) / 1000
  rmSync(data, { recursive: true })
  const rows = [
    await measure(launcher, url, 4),
    await measure(launcher, url, 2),
    await measure(launcher, url, 1),
  ]
  printTable(['zones of a node', 'its start, s', 'its memory, MiB'], rows)
  console.log(`\nmigrate-database from SQLite to PostgreSQL: ${movedSeconds.toFixed(1)} s`)
} finally {
  for (const program of programs.toReversed()) await program.stop()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** A node with the zones of so many sets. That with all of them is started first, and writes. */
async function measure(launcher: string, database: string, sets: number): Promise<string[]> {
  const own = SETS.slice(0, sets)
  const flags = ['--database', database, '--node-url', 'http://127.0.0.1:0']
  flags.push('--name-servers', SETS.map((names) => names.join()).join('/'))
  if (sets < SETS.length) flags.push('--zones-of', own.map(([name]) => name).join())
  const program = await startServer(launcher, join(folder, `node-${sets}`), {
    flags,
    readyWithinMs: MAX_START_MILLIS,
  })
  programs.push(program)
  for (const [at] of SETS.entries()) {
    const { rcode } = await ask(program.dns, `host-0.${PREFIX}${String(at).padStart(6, '0')}.example`, 'A')
    const expected = at < sets ? 'NOERROR' : 'REFUSED'
    if (rcode !== expected) throw new Error(`a zone of set ${at + 1}: ${rcode}, not ${expected}`)
  }
  const count = `${((zones * sets) / SETS.length).toLocaleString('en')} (${sets} of ${SETS.length} sets)`
  return [count, (program.readyAfterMs / 1000).toFixed(1), residentMib(program.pid).toFixed(0)]
}
