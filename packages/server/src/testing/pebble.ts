// Debian's pebble: a certificate authority for tests, which asks a nameserver of ours about its challenges.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { FIRST } from '@zonereeve/nameserver/certificate.cases.ts'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'

export interface Pebble {
  /** URL of its directory; it has the certificate that is in `authorityFile`. */
  readonly directory: string
  readonly authorityFile: string
  /** PEM of the certificate that the certificates lead to. */
  readonly root: () => Promise<string>
  readonly stop: () => Promise<void>
}

export interface PebbleOptions {
  readonly folder: string
  readonly dnsPort: number
  readonly port: number
  readonly validitySeconds?: number
  /** Orders for names with fewer labels than these end pebble's connection. */
  readonly refusedNames?: readonly string[]
  /** Before it looks at a challenge. */
  readonly delaySeconds?: number
}

const READY = 'ACME directory available at'

export function pebbleFiles(folder: string, port: number): Pick<Pebble, 'directory' | 'authorityFile'> {
  const authorityFile = join(folder, 'pebble.crt')
  writeFileSync(authorityFile, FIRST.cert)
  return { directory: `https://localhost:${port}/dir`, authorityFile }
}

export async function startPebble({
  folder,
  dnsPort,
  port,
  validitySeconds = 86_400,
  refusedNames = [],
  delaySeconds = 0,
}: PebbleOptions): Promise<Pebble> {
  const files = pebbleFiles(folder, port)
  const key = join(folder, 'pebble.key')
  writeFileSync(key, FIRST.key)
  const managementPort = await freePort()
  const config = join(folder, `pebble-${port}.json`)
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: files.authorityFile,
    privateKey: key,
    httpPort: port,
    tlsPort: port,
    domainBlocklist: refusedNames,
    certificateValidityPeriod: validitySeconds,
  }
  writeFileSync(config, JSON.stringify({ pebble }))
  const waiting =
    delaySeconds === 0 ? { PEBBLE_VA_NOSLEEP: '1' } : { PEBBLE_VA_SLEEPTIME: String(delaySeconds) }
  const child = spawn('pebble', ['-config', config, '-dnsserver', `127.0.0.1:${dnsPort}`, '-strict'], {
    env: { PATH: '/usr/bin:/bin', ...waiting },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  let output = ''
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString()
      if (output.includes(READY)) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void ended.then(() => reject(new Error(`pebble ended: ${output}`)))
  })
  return {
    ...files,
    root: () => read(`https://localhost:${managementPort}/roots/0`),
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function read(url: string): Promise<string> {
  const sent = request(url, { ca: FIRST.cert, agent: new Agent() }).end()
  const [reply] = (await once(sent, 'response')) as [AsyncIterable<Buffer>]
  let text = ''
  for await (const chunk of reply) text += chunk.toString()
  return text
}
