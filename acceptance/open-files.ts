// Tests system limits with the packed program: few open files, too many connections, a folder that cannot be created.
import { equal, match, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { run } from '../scripts/process.ts'
import { createApi } from './browsers/api.ts'
import { ask } from './dns-client.ts'
import { onFreePorts, startServer, type Program } from './program.ts'
import type { Report } from './report.ts'

/** Fewer than the program asks for, also those that load it only in part. */
const TOO_FEW = [64, 128, 160, 255]
/** Enough to load the program, with about 75 connections. */
const FEW = 300
const ZONE = 'few.example'

const allowing = (openFiles: number): string[] => ['sh', '-c', `ulimit -n ${openFiles} && exec "$@"`, 'sh']

export async function runOpenFiles(launcher: string, report: Report, folder: string): Promise<void> {
  for (const openFiles of TOO_FEW)
    await report.check(`${openFiles} open files: the start fails with a clear message`, async () => {
      const refusal = await refusalOf(launcher, allowing(openFiles), join(folder, 'too-few'))
      match(refusal, /^zonereeve: this process may open too few files to start: [^\n]*ulimit -n[^\n]*\n$/)
    })
  await report.check('a data folder that cannot be created is named in the error', async () => {
    const refusal = await refusalOf(launcher, [], '/proc/nope')
    match(refusal, /^zonereeve: (?:database \S+: )?the folder \/proc\/nope cannot be used: ENOENT[^\n]*\n$/)
  })
  let log = ''
  const onLog = (text: string): void => void (log += text)
  const program = await startServer(launcher, join(folder, 'few'), { prefix: allowing(FEW), onLog })
  const sockets: Socket[] = []
  try {
    await report.check(`${FEW} open files: it starts with fewer connections, and logs that`, () =>
      match(log, /"msg":"fewer connections than configured/),
    )
    await report.check(`${FEW} open files: excess idle connections block no other client`, () =>
      crowd(program, sockets),
    )
    await report.check(`${FEW} open files: reached limits are logged, at most one line per minute`, () => {
      for (const listener of ['http', 'dns']) {
        const lines = log.split(`"msg":"${listener} connections at their limit"`).length - 1
        ok(lines > 0 && lines < 20, `${lines} lines of ${listener}`)
      }
      ok(!/EMFILE|"level":"error"/.test(log), log)
    })
  } finally {
    for (const socket of sockets) socket.destroy()
    await report.check(`${FEW} open files: a clean exit`, program.stop)
  }
}

/** Returns its stderr; it must exit by itself, with code 1. */
async function refusalOf(launcher: string, prefix: readonly string[], data: string): Promise<string> {
  const [command = launcher, ...rest] = [...prefix, launcher, 'serve', ...onFreePorts, '--data', data]
  const finished = await run(command, rest)
  ok(!finished.ok)
  return finished.output
}

async function crowd(program: Program, sockets: Socket[]): Promise<void> {
  const api = createApi(program)
  const { id } = await api.post<{ id: string }>('/zones', { name: ZONE })
  // Too large for UDP, so queried over TCP.
  await api.post(`/zones/${id}/dns_records`, { type: 'TXT', name: '@', content: 'x'.repeat(2000) })
  const http = new URL(program.http)
  for (let i = 0; i < FEW; i++) {
    sockets.push(await opened({ host: http.hostname, port: Number(http.port) }))
    const localAddress = `127.0.2.${(i % 250) + 1}`
    sockets.push(await opened({ ...program.dns, localAddress }))
    if (i % 50 !== 0) continue
    equal((await ask(program.dns, ZONE, 'TXT')).answers.length, 1)
    // A keep-alive connection would itself be idle.
    const headers = { connection: 'close' }
    equal((await fetch(`${program.http}/readyz`, { headers })).status, 200)
  }
  const headers = { authorization: `Bearer ${program.token}` }
  const metrics = await (await fetch(`${program.http}/metrics`, { headers })).text()
  match(metrics, /zonereeve_http_connections_closed_total\{how="evicted"\} [1-9]/)
  match(metrics, /zonereeve_dns_dropped_total\{transport="tcp",reason="evicted"\} [1-9]/)
}

async function opened(to: { host: string; port: number; localAddress?: string }): Promise<Socket> {
  const socket = connect(to)
  // It may be evicted at any time.
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}
