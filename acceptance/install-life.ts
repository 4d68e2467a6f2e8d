// What every installed artifact must survive, in its empty root: answers on its ports as its own user, a backup under load,
// the loss of its data, an upgrade with data, a rollback.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import Cloudflare from 'cloudflare'
import { Agent, fetch } from 'undici'
import { ask } from './dns-client.ts'
import { ADMIN_TOKEN } from './program.ts'
import type { Report } from './report.ts'

const execute = promisify(execFile)
const ZONE = 'install.example'
const DNS = { host: '127.0.0.1', port: 53 }
/** Writes that are acknowledged before the backup begins. */
const WRITES_BEFORE = 10
const PAUSE_MILLIS = 20

export interface Running {
  readonly pid: number
  readonly output: () => string
  readonly stop: () => Promise<void>
}

export interface Artifact {
  readonly name: string
  readonly root: string
  /** Below the root; a volume stays when the program is replaced. */
  readonly data: string
  /** Effective capabilities of the process, as the kernel prints them. */
  readonly capabilities: string
  readonly environment: Readonly<Record<string, string>>
  readonly start: () => Promise<Running>
  readonly install: (version: 'older' | 'current') => void
}

export async function judgeLife(artifact: Artifact, report: Report): Promise<void> {
  const { name, root, data } = artifact
  const ca = readFileSync(join(root, 'etc/zonereeve/cert.pem'), 'utf8')
  let program: Running | undefined
  const start = async (): Promise<Running> => (program = await artifact.start())
  const end = async (): Promise<void> => {
    await program?.stop()
    program = undefined
  }
  let written: readonly string[] = []
  const findEverything = async (): Promise<void> => {
    deepEqual((await ask(DNS, `www.${ZONE}`, 'A')).answers, ['A 300 192.0.2.1'])
    for (const owner of written) deepEqual((await ask(DNS, owner, 'A')).answers, ['A 300 192.0.2.2'], owner)
  }
  const check = (what: string, body: () => Promise<void>): Promise<void> =>
    report.check(`${name}: ${what}`, body)

  await check('it answers on ports 53 and 443 as its own user', async () => {
    const { pid } = await start()
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    equal(/^Uid:\s+(\d+)/m.exec(status)?.[1], inRoot(root, ['id', '-u', 'zonereeve']).trim())
    equal(/^CapEff:\s+(\w+)/m.exec(status)?.[1], artifact.capabilities)
    await createZone(ca)
    await findEverything()
    const digged = ['@127.0.0.1', '+short', '+tries=1', `www.${ZONE}`, 'A']
    equal(execFileSync('dig', digged, { encoding: 'utf8' }), '192.0.2.1\n')
    const https = ['@127.0.0.1', '-p', '8443', '+https', '+short', '+tries=1', `www.${ZONE}`, 'A']
    equal(execFileSync('dig', https, { encoding: 'utf8' }), '192.0.2.1\n')
  })
  await check('a backup under load; the data is destroyed, restored, and everything is found', async () => {
    match(await asService(artifact, 'zonereeve', 'status'), /: ready\n/)
    const load = startWriting(ca)
    while (load.names.length < WRITES_BEFORE) await sleep(PAUSE_MILLIS)
    written = [...load.names]
    const backup = await asService(
      artifact,
      'zonereeve',
      'backup',
      'create',
      '--to',
      '/tmp/backups',
      '--include-key',
    )
    await load.stop()
    ok(load.names.length > written.length, 'writes were acknowledged during the backup')
    await end()
    for (const entry of readdirSync(join(root, data))) rmSync(join(root, data, entry), { recursive: true })
    await asService(artifact, 'zonereeve', 'backup', 'restore', backup.trim())
    await start()
    await findEverything()
  })
  await check('an upgrade keeps the data', async () => {
    await end()
    artifact.install('current')
    await start()
    await findEverything()
  })
  await check('a rollback to the version before', async () => {
    await end()
    artifact.install('older')
    await start()
    await findEverything()
  })
  await end()
  rmSync(join(root, 'tmp/backups'), { recursive: true, force: true })
}

/** Runs a command as the user of the service, while this process goes on. @throws with the output if it fails. */
async function asService({ root, environment }: Artifact, ...command: string[]): Promise<string> {
  const given = [root, 'runuser', '-u', 'zonereeve', '--', ...command]
  const { stdout } = await execute('chroot', given, { env: { ...CHROOT_ENVIRONMENT, ...environment } })
  return stdout
}

const CHROOT_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/tmp',
}

function inRoot(root: string, command: readonly string[]): string {
  return execFileSync('chroot', [root, ...command], { encoding: 'utf8', env: CHROOT_ENVIRONMENT })
}

/** With the SDK, over HTTP/2 and TLS. */
async function createZone(ca: string): Promise<void> {
  const { client, close, dispatcher } = connect(ca)
  try {
    const zone = await client.zones.create({ name: ZONE, account: {} })
    const record = { type: 'A', name: 'www', content: '192.0.2.1', ttl: 300 } as const
    await client.dns.records.create({ zone_id: zone.id, ...record })
    const response = await fetch('https://127.0.0.1/livez', { dispatcher })
    match(response.headers.get('strict-transport-security') ?? '', /^max-age=\d+$/) // without one, it fails
  } finally {
    await close()
  }
}

/** Creates one record after another until it is stopped. `names` are those that the server has acknowledged. */
function startWriting(ca: string): { readonly names: readonly string[]; readonly stop: () => Promise<void> } {
  const { client, close } = connect(ca)
  const names: string[] = []
  let isStopped = false
  const writing = (async () => {
    const zone = (await client.zones.list({ name: ZONE })).result[0]
    if (zone === undefined) throw new Error(`${ZONE} is gone`)
    for (let number = 1; !isStopped; number++) {
      const name = `load-${number}.${ZONE}`
      await client.dns.records.create({ zone_id: zone.id, type: 'A', name, content: '192.0.2.2', ttl: 300 })
      names.push(name)
    }
  })()
  writing.catch(() => {}) // reported by stop()
  return {
    names,
    async stop() {
      isStopped = true
      await writing.finally(close)
    },
  }
}

function connect(ca: string) {
  const dispatcher = new Agent({ allowH2: true, connect: { ca, servername: 'ns1.example.com' } })
  const client = new Cloudflare({
    baseURL: 'https://127.0.0.1/client/v4',
    apiToken: ADMIN_TOKEN,
    maxRetries: 0,
    // The types of the SDK are those of another version of undici.
    fetch: ((url: string, init: object) => fetch(url, { ...init, dispatcher })) as never,
  })
  return { client, dispatcher, close: () => dispatcher.close() }
}
