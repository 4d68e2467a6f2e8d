// How long answers over UDP wait while the management works: HTTP floods, an import, a replaced zone, a main thread that
// does not yield. Ours with answering threads, ours without, and Knot are asked in the same run, each every 5 ms from a
// process of its own.
// Options: --records N (100000) of the imported file, --seconds N (10) of each flood and loop, --quick.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { builtProgram, startServer, type Program } from '../acceptance/program.ts'
import type { Waited } from './ask-steadily.ts'
import { machineClass, printTable, quantile } from './measure.ts'
import { requirePrograms, startKnot } from './peers.ts'
import { benchRecords, ZONE, zoneFile } from './zone-data.ts'
import { addRecords, connectTo, createZone, numberedRecord } from './zonereeve.ts'

const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '10' },
    quick: { type: 'boolean', default: false },
  },
})
const records = options.quick ? 5_000 : Number(options.records)
const seconds = options.quick ? 3 : Number(options.seconds)

const PER_SECOND = 200
const FLOOD_CONNECTIONS = 8
const PIPELINED = 32
/** Loaded before the program, so that the benchmark can keep its main thread busy. Threads get no signals. */
const spinOnSignal = (millis: number): string =>
  `data:text/javascript,process.on('SIGUSR2',()=>{const end=Date.now()+${millis};while(Date.now()<end);})`

interface Asked {
  readonly name: string
  readonly client: ChildProcess
}

requirePrograms('knotd')
const folder = mkdtempSync(join(tmpdir(), 'zonereeve-isolation-'))
const stops: (() => unknown)[] = []
const rows: string[][] = []
try {
  console.log(`${machineClass()}\n`)
  const threaded = await startOurs('threads', ['--dns-threads', 'auto'])
  const single = await startOurs('single', ['--dns-threads', '0'])
  const knotFolder = join(folder, 'peers')
  mkdirSync(knotFolder)
  const file = join(folder, 'bench.zone')
  writeFileSync(file, zoneFile(benchRecords(100)))
  const knot = await startKnot(knotFolder, { name: ZONE, file, unsignedFile: file, isSigned: false })
  stops.push(knot.stop)
  const ours = [threaded, single]
  const asked = [
    askOf('Zonereeve', threaded.program.dns.port),
    askOf('Zonereeve, --dns-threads 0', single.program.dns.port),
    askOf('Knot', knot.dnsPort),
  ]
  await sleep(2_000)
  const measure = async (title: string, work: (program: Program, zoneId: string) => Promise<unknown>) => {
    await take(asked)
    await Promise.all(ours.map(({ program, zoneId }) => work(program, zoneId)))
    for (const [i, waited] of (await take(asked)).entries()) {
      const { questions, longestMs, waits, unanswered } = waited
      const all = [...waits, ...(unanswered === 0 ? [] : [longestMs])]
      const figures = [quantile(all, 0.5), quantile(all, 0.99)].map((value) => value.toFixed(2))
      rows.push([
        title,
        asked[i]?.name ?? '',
        String(questions),
        ...figures,
        longestMs.toFixed(1),
        String(unanswered),
      ])
      console.error(rows.at(-1)?.join(' | '))
    }
  }
  await measure('idle', () => sleep(seconds * 1000))
  await measure('pipelined lists of records', ({ http, token }, zoneId) =>
    flood(http, `/client/v4/zones/${zoneId}/dns_records?per_page=1000`, token),
  )
  await measure('pipelined requests with wrong tokens', ({ http }) =>
    flood(http, '/client/v4/zones', 'wrong'.repeat(8)),
  )
  await measure(`a zone replaced by a file of ${records.toLocaleString('en')} records`, replaceZone)
  await measure(`the main thread in a loop of ${seconds} s`, async ({ pid }) => {
    process.kill(pid, 'SIGUSR2')
    await sleep(seconds * 1000 + 500)
  })
} finally {
  for (const stop of stops.toReversed()) await stop()
  rmSync(folder, { recursive: true, force: true })
}
console.log('')
printTable(['meanwhile', 'server', 'queries', 'p50 ms', 'p99 ms', 'longest ms', 'unanswered'], rows)

async function startOurs(title: string, flags: readonly string[]) {
  const program = await startServer(builtProgram, join(folder, title), {
    prefix: [process.execPath, '--import', spinOnSignal(seconds * 1000)],
    flags: ['--log-level', 'error', '--max-zone-file', '256M', '--rate-limit', 'off', ...flags],
  })
  stops.push(() => program.kill())
  const connection = connectTo(program)
  const zoneId = await createZone(connection, ZONE)
  const each = Array.from({ length: 1000 }, (_, i) => numberedRecord(ZONE, i))
  await addRecords(connection, zoneId, each)
  connection.close()
  return { program, zoneId }
}

function askOf(name: string, port: number): Asked {
  const script = fileURLToPath(new URL('./ask-steadily.ts', import.meta.url))
  const client = fork(script, [String(port), ZONE, String(PER_SECOND)])
  stops.push(() => client.disconnect())
  return { name, client }
}

function take(asked: readonly Asked[]): Promise<Waited[]> {
  return Promise.all(
    asked.map(async ({ client }) => {
      const reported = once(client, 'message')
      client.send('take')
      return ((await reported) as [Waited])[0] // sent by ask-steadily.ts
    }),
  )
}

/** Keeps as many requests in progress as the connections take, and discards the replies. */
async function flood(http: string, path: string, token: string): Promise<void> {
  const { port, host } = new URL(http)
  const request = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n\r\n`
  const sockets = Array.from({ length: FLOOD_CONNECTIONS }, () => {
    const socket = connect(Number(port), '127.0.0.1')
    const again = (): boolean =>
      socket.writable && socket.writableLength === 0 && socket.write(request.repeat(PIPELINED))
    socket.on('error', () => {}) // a connection that the server closes is no part of the measurement
    socket.on('connect', again)
    socket.on('data', again)
    return socket
  })
  await sleep(seconds * 1000)
  for (const socket of sockets) socket.destroy()
}

async function replaceZone({ http, token }: Program, zoneId: string): Promise<void> {
  const lines = Array.from({ length: records }, (_, i) => {
    const { name, content } = numberedRecord(ZONE, i)
    return `${name}. 300 A ${content}\n`
  })
  const form = new FormData()
  form.set('file', new Blob([lines.join('')]))
  const reply = await fetch(`${http}/client/v4/zonereeve/zones/${zoneId}/zone_file?force=true`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  if (!reply.ok) throw new Error(`${reply.status} ${(await reply.text()).slice(0, 500)}`)
}
