// Delays of answers during large operations: a zone is replaced, imported, received, transferred, deleted.
// Options: --records N (100000) of the large zone, --only WORDS in titles, --program PATH (default: pack and install).
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import packet from 'dns-packet'
import { installPackedProgram, startServer, temporaryFolder, type Program } from '../acceptance/program.ts'
import { waitsDuring, type Waits } from './answer-waits.ts'
import { machineClass, printTable } from './measure.ts'
import { callApi } from './zonereeve.ts'

const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '100000' },
    program: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})
const records = Number(options.records)
const LARGE = 'large.example'
/** The zone that is queried. */
const SMALL = 'small.example'
const IMPORTED = 65_536
const MAX_FILE = '256M'

interface Identified {
  readonly id: string
}

const rows: string[][] = []
const folder = temporaryFolder('large')
const launcher = options.program ?? (await installPackedProgram(folder))
const flags = ['--max-zone-file', MAX_FILE]
const server = await startServer(launcher, join(folder, 'server'), { flags })
const follower = await startServer(launcher, join(folder, 'follower'), { flags })
try {
  console.log(`${machineClass()}\n`)
  await callApi(server, 'POST', '/zones', { name: SMALL })
  await callApi(follower, 'POST', '/zones', { name: SMALL })
  const large = await createZone(server, LARGE)
  await measure(server, 'none', () => sleep(3_000))
  await measure(server, `fill an empty zone from a file of ${describeCount(records)}`, () =>
    sendFile(server, large, 'PUT', linesOf('10')),
  )
  await measure(server, `replace by the same file`, () => sendFile(server, large, 'PUT', linesOf('10')))
  await measure(server, 'replace by another file', () => sendFile(server, large, 'PUT', linesOf('11')))
  const imported = await createZone(server, 'imported.example')
  await measure(server, `import ${describeCount(IMPORTED)}`, () =>
    sendFile(server, imported, 'POST', `$GENERATE 1-${IMPORTED} g$ 300 A 192.0.2.1\n`),
  )
  await openTransfers(large)
  await measure(server, 'send it by AXFR', () => transfer(server))
  await measure(follower, 'receive it by AXFR', followLarge)
  await callApi(server, 'PATCH', `/zones/${large}/dnssec`, { status: 'active' })
  await sleep(500)
  await measure(server, 'sign it and send it by AXFR', () => transfer(server))
  await measure(server, 'send it again', () => transfer(server))
  await measure(server, 'delete it', () => deleteZone(large))
} finally {
  await server.kill()
  await follower.kill()
  rmSync(folder, { recursive: true, force: true })
}
printTable(
  [
    'operation',
    'takes, s',
    'longest delay of an answer, ms',
    '99th percentile, ms',
    'lost',
    'peak memory, MiB',
  ],
  rows,
)

async function measure(program: Program, title: string, work: () => Promise<unknown>): Promise<void> {
  if (!title.includes(options.only)) return void (await work())
  const waits = await waitsDuring(program.dns, SMALL, work)
  rows.push(rowOf(title, waits, mostMemoryMib(program.pid)))
  console.log(rows.at(-1)?.join('  '))
}

function rowOf(title: string, { seconds, longestMs, p99Ms, lost }: Waits, memory: number): string[] {
  const figures = [seconds.toFixed(1), longestMs.toFixed(0), p99Ms.toFixed(1), String(lost)]
  return [title, ...figures, memory.toFixed(0)]
}

/** Peak resident memory of the process so far. */
function mostMemoryMib(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}

async function createZone(program: Program, name: string): Promise<string> {
  return (await callApi<Identified>(program, 'POST', '/zones', { name })).id
}

function linesOf(network: string): string {
  const lines = Array.from({ length: records }, (_, index) => {
    const address = [network, (index >> 16) & 255, (index >> 8) & 255, index & 255].join('.')
    return `h${index} 300 A ${address}\n`
  })
  return lines.join('')
}

async function sendFile(
  program: Program,
  zoneId: string,
  method: 'PUT' | 'POST',
  text: string,
): Promise<void> {
  const form = new FormData()
  form.set('file', new Blob([text]))
  const path =
    method === 'PUT'
      ? `/zonereeve/zones/${zoneId}/zone_file?force=true`
      : `/zones/${zoneId}/dns_records/import`
  await callApi(program, method, path, form)
}

/** Allows the secondary and this machine to transfer the zone. */
async function openTransfers(zoneId: string): Promise<void> {
  const peers = [await addPeer(server, { port: follower.dns.port }), await addPeer(server, {})]
  await callApi(server, 'POST', `/zones/${zoneId}/secondary_dns/outgoing`, { name: `${LARGE}.`, peers })
  await callApi(server, 'POST', `/zones/${zoneId}/secondary_dns/outgoing/enable`, {})
}

async function addPeer(program: Program, { port }: { readonly port?: number }): Promise<string> {
  const [account] = await callApi<readonly Identified[]>(program, 'GET', '/accounts')
  const root = `/accounts/${account?.id ?? ''}/secondary_dns`
  const peer = { name: `peer ${port ?? 0}`, ip: '127.0.0.1', ...(port === undefined ? {} : { port }) }
  const { id } = await callApi<Identified>(program, 'POST', `${root}/peers`, peer)
  return id
}

async function followLarge(): Promise<void> {
  const peer = await addPeer(follower, { port: server.dns.port })
  const { id } = await callApi<Identified>(follower, 'POST', '/zones', { name: LARGE, type: 'secondary' })
  await callApi(follower, 'POST', `/zones/${id}/secondary_dns/incoming`, { name: `${LARGE}.`, peers: [peer] })
  for (;;) {
    const path = `/zonereeve/zones/${id}/secondary_dns/incoming/status`
    const { state } = await callApi<{ state: string }>(follower, 'GET', path)
    if (state === 'current') return
    await sleep(50)
  }
}

/** Transfers the whole zone and discards it. */
async function transfer({ dns }: Program): Promise<void> {
  const socket = connect({ port: dns.port, host: dns.host })
  const question = packet.encode({ type: 'query', id: 1, questions: [{ type: 'AXFR', name: LARGE }] })
  const length = Buffer.alloc(2)
  length.writeUInt16BE(question.length)
  socket.write(Buffer.concat([length, question]))
  let octets = 0
  socket.on('data', (chunk: Buffer) => {
    octets += chunk.length
    // The transfer has ended when nothing more arrives; the number of octets shows that it was complete.
    socket.setTimeout(octets > records * 20 ? 1_000 : 60_000)
  })
  socket.on('timeout', () => socket.destroy())
  await once(socket, 'close')
  if (octets < records * 20) throw new Error(`only ${octets} octets were received`)
}

async function deleteZone(zoneId: string): Promise<void> {
  await callApi(server, 'DELETE', `/zones/${zoneId}`)
  // Work after the reply counts too.
  await sleep(5_000)
}

function describeCount(count: number): string {
  return count.toLocaleString('en')
}
