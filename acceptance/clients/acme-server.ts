// Debian's pebble: an ACME server that queries our nameserver for the challenge. A certificate proves a DNS answer.
import { deepEqual } from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'
import type { ClientSession } from './client-suite.ts'
import { createAuthority } from './authority.ts'

export interface AcmeServer {
  /** URL of its directory. */
  readonly directory: string
  /** Certificate of the authority that signed the server's certificate. */
  readonly authorityFile: string
}

const READY = 'ACME directory available at'
const READY_TIMEOUT_MS = 15_000

/** Runs `body` with an ACME server whose resolver is the target's nameserver. */
export async function withAcmeServer(
  session: ClientSession,
  body: (server: AcmeServer) => Promise<void>,
): Promise<void> {
  const authority = await createAuthority(session.folder)
  const own = await authority.issue('localhost')
  const [port, managementPort] = [await freePort(), await freePort()]
  const settings = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: own.certFile,
    privateKey: own.keyFile,
    httpPort: port,
    tlsPort: port,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
  }
  const config = join(session.folder, 'pebble.json')
  writeFileSync(config, JSON.stringify({ pebble: settings }))
  const { host, port: dnsPort } = session.target.dns
  const child = spawn('pebble', ['-config', config, '-dnsserver', `${host}:${dnsPort}`], {
    // By default it waits before it queries, and rejects one nonce in twenty to test whether clients retry.
    env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    await ready(child)
    await body({ directory: `https://localhost:${port}/dir`, authorityFile: authority.certFile })
  } finally {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
}

/** Checks that the certificate in `file` is for exactly these names. */
export function certificateNames(file: string, expected: readonly string[]): void {
  const { subjectAltName } = new X509Certificate(readFileSync(file))
  const names = (subjectAltName ?? '').split(', ').map((name) => name.replace(/^DNS:/, ''))
  deepEqual(names.toSorted(), expected.toSorted())
}

async function ready(child: ChildProcess): Promise<void> {
  let output = ''
  const timer = new AbortController()
  const announced = new Promise<void>((resolve, reject) => {
    const read = (chunk: string): void => {
      output += chunk
      if (output.includes(READY)) resolve()
    }
    child.stdout?.setEncoding('utf8').on('data', read)
    child.stderr?.setEncoding('utf8').on('data', read)
    child.on('error', reject)
    child.on('exit', () => reject(new Error(`pebble ended before it was ready\n${output}`)))
  })
  const tooLate = sleep(READY_TIMEOUT_MS, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`pebble was not ready within ${READY_TIMEOUT_MS} ms\n${output}`)
  })
  tooLate.catch(() => {}) // aborted if the server is ready first
  try {
    await Promise.race([announced, tooLate])
  } finally {
    timer.abort()
  }
}
