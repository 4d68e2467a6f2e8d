// The packed program with other versions of Node, which npm has as packages: it starts without a warning, stores,
// answers over HTTP, DNS and TLS, and has everything after a restart.
// Options: --program PATH (default: pack and install the program).
import { deepEqual, equal, match } from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { parseArgs } from 'node:util'
import { Agent, fetch } from 'undici'
import { run } from '../scripts/process.ts'
import { missingOf } from '../scripts/requirements.ts'
import { createApi } from './browsers/api.ts'
import { createAuthority, type Authority } from './clients/authority.ts'
import { ask } from './dns-client.ts'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'
import { installPackedProgram, startServer, temporaryFolder } from './program.ts'
import { createReport } from './report.ts'

/** Those that are supported besides the one that runs this, with fixed versions: a run tests the same as the one before. */
const VERSIONS = ['22.23.3', '24.9.0'] as const
const ZONE = 'node.example'
const HOST = 'dns.node.example'

const { values: options } = parseArgs({ options: { program: { type: 'string' } } })
const report = createReport()
const folder = temporaryFolder('node-versions')
try {
  const launcher = options.program ?? (await installPackedProgram(mkdirIn('program')))
  const missing = missingOf(['openssl'])
  if (missing !== undefined) report.skip('other versions of Node', missing.reason, missing.required)
  else {
    const authority = await createAuthority(mkdirIn('authority'))
    for (const version of VERSIONS)
      await report.check(`Node ${version}`, async () =>
        smoke({ launcher, authority, version, binaries: await installNode(version) }),
      )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = report.close()

function mkdirIn(name: string): string {
  const path = join(folder, name)
  mkdirSync(path)
  return path
}

/** @returns the folder of the binary. */
async function installNode(version: string): Promise<string> {
  const path = mkdirIn(version)
  writeFileSync(join(path, 'package.json'), '{ "private": true }\n')
  const name = `node-${process.platform}-${process.arch}`
  const args = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    `${name}@${version}`,
  ]
  const { ok, output } = await run('npm', args, { cwd: path })
  if (!ok) throw new Error(output)
  return join(path, 'node_modules', name, 'bin')
}

interface Tried {
  readonly launcher: string
  readonly authority: Authority
  readonly version: string
  /** Folder of the binary. */
  readonly binaries: string
}

async function smoke({ launcher, authority, version, binaries }: Tried): Promise<void> {
  const prefix = ['env', `PATH=${binaries}${delimiter}${process.env['PATH']}`]
  const { output } = await run('env', [...prefix.slice(1), 'node', '--version'])
  equal(output, `v${version}\n`)
  const { certFile: cert, keyFile: key } = await authority.issue(HOST)
  const ca = readFileSync(authority.certFile, 'utf8')
  const https = `127.0.0.1:${await freePort()}`
  const off = ['--dns-tls', 'off', '--dns-https', 'off']
  const flags = ['--https', https, '--tls-certificate', cert, '--tls-key', key, ...off]
  const data = join(folder, `data-${version}`)
  let log = ''
  const start = () => startServer(launcher, data, { prefix, flags, onLog: (text) => void (log += text) })

  const first = await start()
  const api = createApi(first)
  const { id } = await api.post<{ id: string }>('/zones', { name: ZONE })
  await api.post(`/zones/${id}/dns_records`, { type: 'A', name: 'www', content: '192.0.2.1', ttl: 300 })
  await api.call('PATCH', `/zones/${id}/dnssec`, { status: 'active' })
  await first.stop()

  const second = await start()
  try {
    deepEqual((await ask(second.dns, `www.${ZONE}`, 'A')).answers, ['A 300 192.0.2.1'])
    for (const allowH2 of [true, false]) {
      const dispatcher = new Agent({ allowH2, connect: { ca, servername: HOST } })
      const headers = { authorization: `Bearer ${second.token}` }
      const reply = await fetch(`https://${https}/client/v4/zones?name=${ZONE}`, { dispatcher, headers })
      match(await reply.text(), new RegExp(`"id":"${id}"`))
      await dispatcher.close()
    }
  } finally {
    await second.stop()
  }
  // Warnings of Node are not JSON. Its SQLite was an experiment in the first versions of 24.
  const isExpected = (line: string): boolean =>
    line === '' || / ExperimentalWarning: SQLite |^\(Use `node --trace-warnings/.test(line)
  const lines = log.split('\n').filter((line) => !isExpected(line))
  deepEqual(
    lines.filter((line) => !line.startsWith('{') || /"level":"error"/.test(line)),
    [],
  )
}
