// Everything that once ended the program or stopped its answers, all at once and for the given time: floods over HTTP,
// idle connections, guessed tokens, restores, whole lists, a feed that expands, a log on a full disk, a data disk that
// fills up, an unreachable resolver, an unreadable record, few descriptors. Meanwhile DNS is queried every 5 ms. At the
// end, acknowledged writes are compared, also after kill -9. Runs in its own network and mount namespace; needs root.
// Options: --minutes N (1), --program PATH (this repository's launcher),  --judge: fail if an answer takes over 250 ms.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { fork, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { missingOf } from '../scripts/requirements.ts'
import { createApi, type Api } from './browsers/api.ts'
import { ask } from './dns-client.ts'
import { builtProgram, startServer, temporaryFolder, type Program } from './program.ts'
import { createReport } from './report.ts'
import type { Measured } from './endurance/ask-all-the-time.ts'
import { guess, holdIdle, neverRead, pipeline, type HttpAddress } from './endurance/floods.ts'
import { trackWrites } from './endurance/tracked-writes.ts'

const INSIDE = 'ZONEREEVE_ENDURANCE_FOLDER'
const LONGEST_MS = 250
const WRITERS = 4
const LARGE = 100_000
const RESTORED = 20_000
const DATA_DISK_MIB = 3_000
/** The history of what is written for a minute, restores of 20,000 records among it, has room in this. */
const MIB_PER_MINUTE = 120
const LOG_DISK = '64k'
const DESCRIPTORS = 1024
/** Space left free for the program while the disk is being filled. */
const MARGIN_BYTES = 64 * 1024 * 1024
/** An address of a documentation network (RFC 5737), without a route to it. */
const RESOLVER = '192.0.2.53:53'

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    program: { type: 'string', default: builtProgram },
    judge: { type: 'boolean', default: false },
  },
})

const report = createReport()
const missing = missingOf(['private-mounts', 'pdns-sqlite3', 'private-network'])
if (missing !== undefined) {
  report.skip('endurance', missing.reason, missing.required)
  console.log(`0 passed, ${missing.required ? 1 : 0} failed, 1 skipped`)
  process.exitCode = missing.required ? 1 : 0
} else if (process.env[INSIDE] === undefined) process.exitCode = runInNamespace()
else process.exitCode = await runInside(process.env[INSIDE])

/** Runs this file again in namespaces where nothing is reachable and mounts are private. */
function runInNamespace(): number {
  const folder = temporaryFolder('endurance')
  try {
    const self = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
    const { status } = spawnSync('unshare', ['--net', '--mount', '--propagation', 'private', ...self], {
      stdio: 'inherit',
      env: { ...process.env, [INSIDE]: folder },
    })
    return status ?? 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Seeded {
  readonly large: string
  readonly restored: string
  readonly written: string
  readonly outside: string
  readonly feed: string
  readonly restorePoints: readonly [number, number]
}

async function runInside(folder: string): Promise<number> {
  command('ip', 'link', 'set', 'lo', 'up')
  for (const [name, size] of [
    ['data', `${DATA_DISK_MIB + Math.ceil(Number(options.minutes)) * MIB_PER_MINUTE}m`],
    ['log', LOG_DISK],
  ]) {
    mkdirSync(join(folder, name ?? ''))
    command('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', join(folder, name ?? ''))
  }
  const warnings = join(folder, 'warnings')
  process.env['NODE_REDIRECT_WARNINGS'] = warnings // for child processes, because their log disk is full
  const ownWarnings: string[] = []
  process.on('warning', (warning) => ownWarnings.push(String(warning)))
  const start = (): Promise<Program> =>
    startServer(options.program, join(folder, 'data'), {
      prefix: ['prlimit', `--nofile=${DESCRIPTORS}:${DESCRIPTORS}`],
      flags: ['--resolver', RESOLVER],
      logFile: join(folder, 'log', 'log'),
    })
  let program = await start()
  const seeded = await seed(program)
  await program.stop()
  command(
    'sqlite3',
    join(folder, 'data', 'zonereeve.db'),
    "update dns_records set name = '..bad..' where name = 'broken.bad.example.com'",
  )
  // With its snapshot, the server would serve the zone as it was before the edit.
  for (const name of readdirSync(join(folder, 'data')))
    if (name.endsWith('.snapshot')) rmSync(join(folder, 'data', name))
  writeFileSync(join(folder, 'log', 'ballast'), Buffer.alloc(32_768)) // the log itself fills the rest
  await report.check(
    'starts with an unreadable record, an unreachable resolver and a small log disk',
    async () => {
      program = await start()
    },
  )
  const tracked = trackWrites('written.example.com', seeded.written)
  const client = fork(fileURLToPath(new URL('./endurance/ask-all-the-time.ts', import.meta.url)), [
    program.dns.host,
    String(program.dns.port),
    'www.written.example.com',
  ])
  try {
    const work = [
      ...Array.from({ length: WRITERS }, () => begin((signal) => tracked.write(program, signal))),
      ...disturbances(program, seeded, folder).map((disturb) => begin((signal) => repeat(disturb, signal))),
    ]
    const total = await measure(client, program)
    const outcomes = await Promise.allSettled(work.map((end) => end()))
    await report.check('answers: every query was answered, none with an error', () => {
      deepEqual({ lost: total.lost, refused: total.refused }, { lost: 0, refused: 0 })
    })
    if (options.judge)
      await report.check(`answers: none took over ${LONGEST_MS} ms`, () =>
        ok(total.longestMs <= LONGEST_MS, `${total.longestMs.toFixed(0)} ms`),
      )
    await report.check('no disturbance failed', () =>
      deepEqual(
        outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : [])),
        [],
      ),
    )
    const { acknowledged, refused, failures } = tracked.counts
    console.log(`      ${acknowledged} writes acknowledged, ${refused} temporarily refused`)
    await report.check('writes: all were acknowledged, or refused with a temporary status', () => {
      deepEqual(failures, [])
      ok(acknowledged > 0)
    })
    await report.check('writes: acknowledged records exist', () => tracked.compare(program))
    await report.check('only the zone with the unreadable record answers SERVFAIL', async () => {
      equal((await ask(program.dns, 'bad.example.com', 'SOA')).rcode, 'SERVFAIL')
      equal((await ask(program.dns, 'written.example.com', 'SOA')).rcode, 'NOERROR')
    })
    await program.kill()
    program = await start()
    await report.check('writes: acknowledged records exist after kill -9', () => tracked.compare(program))
    await report.check('the program ends with code 0 on SIGTERM', program.stop)
    await report.check('neither the program nor this suite leaks listeners', () =>
      deepEqual([leakWarnings(readWarnings(warnings)), leakWarnings(ownWarnings)], [[], []]),
    )
  } finally {
    client.disconnect()
    await program.kill()
  }
  return report.close()
}

/** Zones, a feed, and the change sets that restores switch between. */
async function seed(program: Program): Promise<Seeded> {
  const api = createApi(program)
  const zone = async (name: string): Promise<string> =>
    (await api.post<{ id: string }>('/zones', { name })).id
  const [large, restored, written, bad] = [
    await zone('large.example.com'),
    await zone('restored.example.com'),
    await zone('written.example.com'),
    await zone('bad.example.com'),
  ]
  await api.post(`/zones/${written}/dns_records`, { type: 'A', name: 'www', content: '192.0.2.1' })
  await api.post(`/zones/${bad}/dns_records`, { type: 'A', name: 'broken', content: '192.0.2.1' })
  await replace(
    program,
    large,
    `$GENERATE 1-${LARGE / 2} r$ 300 A 192.0.2.1\n$GENERATE 1-${LARGE / 2} s$ 300 A 192.0.2.1\n`,
  )
  await replace(program, restored, `$GENERATE 1-${RESTORED} r$ 300 A 192.0.2.1\n`)
  const first = await lastChange(api, restored)
  await replace(program, restored, `$GENERATE 1-${RESTORED} r$ 300 A 192.0.2.2\n`)
  const outside = await zone('outside.example.com')
  await api.post(`/zones/${outside}/dns_records`, {
    type: 'CNAME',
    name: 'www',
    content: 'www.example.org',
    proxied: true,
  })
  const feed = await api.post<{ id: string }>('/zonereeve/threat_feeds', {
    name: 'expanding',
    format: 'hosts',
    categories: ['Malware'],
  })
  return {
    large,
    restored,
    written,
    outside,
    feed: feed.id,
    restorePoints: [first, await lastChange(api, restored)],
  }
}

async function lastChange(api: Api, zoneId: string): Promise<number> {
  const [last] = await api.get<readonly { number: number }[]>(`/zonereeve/zones/${zoneId}/changes?per_page=1`)
  return last?.number ?? 0
}

interface Disturbance {
  readonly everyMs: number
  readonly act: (round: number) => Promise<unknown>
}

function disturbances(program: Program, seeded: Seeded, folder: string): readonly Disturbance[] {
  const { hostname, port } = new URL(program.http)
  const http: HttpAddress = { host: hostname, port: Number(port) }
  const api = createApi(program)
  const { token } = program
  const list = `/client/v4/zones/${seeded.large}/dns_records?per_page=5000`
  const bomb = gzipSync(Buffer.from('0.0.0.0 a.example\n'.repeat(500_000)))
  /** Temporarily refused, or the connection was closed: the behavior of an overloaded server. */
  const tolerant = (work: Promise<unknown>): Promise<unknown> =>
    work.catch((error: unknown) => {
      const text = String(error)
      if (/: (413|429|503|507) |fetch failed|terminated|409/.test(text)) return undefined
      throw error
    })
  return [
    { everyMs: 1_500, act: () => pipeline(http, { path: '/openapi.json', count: 200, readMs: 100 }) },
    { everyMs: 4_000, act: () => pipeline(http, { path: list, token, count: 300, readMs: 1_000 }) },
    { everyMs: 6_000, act: () => neverRead(http, { path: list, token, count: 300, holdMs: 5_000 }) },
    {
      everyMs: 15_000,
      act: () => tolerant(api.get(`/zones/${seeded.large}/dns_records?per_page=${LARGE}`)),
    },
    {
      everyMs: 20_000,
      act: (round) =>
        tolerant(
          api.post(`/zonereeve/zones/${seeded.restored}/restore${round % 2 === 0 ? '?dry_run=true' : ''}`, {
            number: seeded.restorePoints[Math.floor(round / 2) % 2],
          }),
        ),
    },
    { everyMs: 30_000, act: () => tolerant(uploadFeed(program, seeded.feed, bomb)) },
    { everyMs: 10_000, act: () => guess(http, 150) },
    { everyMs: 20_000, act: () => holdIdle(http, { count: 1_500, holdMs: 10_000 }) },
    {
      everyMs: 20_000,
      act: () => holdIdle(program.dns, { count: 1_500, holdMs: 10_000, from: loopbackAddress }),
    },
    {
      everyMs: 5_000,
      act: () => tolerant(api.post(`/zones/${seeded.outside}/dns_records/scan/trigger`, {})),
    },
    {
      everyMs: 3_000,
      act: (round) =>
        tolerant(
          api.post(`/zones/${seeded.outside}/dns_records`, {
            type: 'CNAME',
            name: `c${round}`,
            content: `t${round}.example.org`,
            proxied: true,
          }),
        ),
    },
    { everyMs: 45_000, act: () => fillDisk(join(folder, 'data')) },
  ]
}

/** A source address in 127.1.0.0/16 for each connection. */
function loopbackAddress(index: number): string {
  return `127.1.${Math.floor(index / 250)}.${(index % 250) + 1}`
}

/**
 * Begins work that runs until the returned function is called, which waits for its end. Each has its own signal: many
 * listeners on one signal look like a listener leak.
 */
function begin(work: (until: AbortSignal) => Promise<void>): () => Promise<void> {
  const ending = new AbortController()
  const done = work(ending.signal)
  done.catch(() => undefined) // the returned function reports the error
  return () => {
    ending.abort()
    return done
  }
}

function readWarnings(path: string): readonly string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
}

function leakWarnings(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => line.includes('MaxListenersExceededWarning'))
}

async function repeat({ everyMs, act }: Disturbance, until: AbortSignal): Promise<void> {
  for (let round = 0; !until.aborted; round++) {
    const began = performance.now()
    await act(round)
    const rest = Math.max(100, everyMs - (performance.now() - began))
    await sleep(rest, undefined, { signal: until }).catch(() => undefined)
  }
}

/** Fills the disk completely for five seconds. */
async function fillDisk(folder: string): Promise<void> {
  const ballast = join(folder, 'ballast')
  try {
    const { bavail, bsize } = statfsSync(folder)
    const bytes = bavail * bsize - MARGIN_BYTES
    if (bytes > 0) command('fallocate', '-l', String(bytes), ballast)
    // The program also writes meanwhile: repeat until no space is left.
    await once(spawn('sh', ['-c', 'cat /dev/zero >> "$0"', ballast], { stdio: 'ignore' }), 'exit')
    await sleep(5_000)
  } finally {
    rmSync(ballast, { force: true })
  }
}

async function uploadFeed(
  { http, token }: Program,
  feed: string,
  body: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const form = new FormData()
  form.set('file', new Blob([body]))
  const path = `/client/v4/zonereeve/threat_feeds/${feed}/entries`
  const reply = await fetch(`${http}${path}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  const text = await reply.text()
  if (reply.status >= 500 && reply.status !== 503 && reply.status !== 507)
    throw new Error(`PUT entries: ${reply.status} ${text}`)
}

async function replace({ http, token }: Program, zoneId: string, text: string): Promise<void> {
  const form = new FormData()
  form.set('file', new Blob([text]))
  const reply = await fetch(`${http}/client/v4/zonereeve/zones/${zoneId}/zone_file?force=true`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
}

/** Prints a line every ten seconds, and returns the totals. */
async function measure(client: ChildProcess, program: Program): Promise<Measured> {
  let total: Measured = {
    questions: 0,
    lost: 0,
    refused: 0,
    medianMs: 0,
    p99Ms: 0,
    longestMs: 0,
    ownDelayMs: 0,
  }
  const intervals = Math.ceil(Number(options.minutes) * 6)
  for (let interval = 1; interval <= intervals; interval++) {
    await sleep(10_000)
    client.send('measure')
    const [message] = await once(client, 'message')
    const measured = message as Measured // sent by ask-all-the-time.ts
    total = {
      questions: total.questions + measured.questions,
      lost: total.lost + measured.lost,
      refused: total.refused + measured.refused,
      medianMs: Math.max(total.medianMs, measured.medianMs),
      p99Ms: Math.max(total.p99Ms, measured.p99Ms),
      longestMs: Math.max(total.longestMs, measured.longestMs),
      ownDelayMs: Math.max(total.ownDelayMs, measured.ownDelayMs),
    }
    console.log(`      ${interval * 10} s: ${inWords(measured)}, ${residentMiB(program.pid)} MiB resident`)
  }
  console.log(`      worst of all intervals: ${inWords(total)}`)
  return total
}

function inWords(measured: Measured): string {
  const { questions, lost, refused } = measured
  const times = [measured.medianMs, measured.p99Ms, measured.longestMs, measured.ownDelayMs]
  const [median, p99, longest, own] = times.map((ms) => ms.toFixed(1))
  return (
    `${questions} questions, ${lost} lost, ${refused} refused; ` +
    `median ${median} ms, p99 ${p99} ms, longest ${longest} ms; the client itself was delayed by ${own} ms`
  )
}

function residentMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024)
}

function command(program: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`)
}
