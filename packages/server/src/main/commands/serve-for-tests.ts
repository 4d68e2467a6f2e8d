// zonereeve serve --test-control: a server whose state, clock and faults a test suite controls. Its data is thrown away.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLoopback, systemClock } from '@zonereeve/platform'
import { createControl, createTestClock, SeedError, START, type SeedZone } from '@zonereeve/test-control'
import { ConfigError, postgresOf, type Config, type Endpoint } from '@zonereeve/config'
import type { App, AppOptions } from '../app.ts'
import { startRestartable, type RestartableApp } from '../restartable-app.ts'

/** Marks a folder whose data may be thrown away. */
const MARK = 'test-control'

export interface TestServer {
  readonly app: App
  readonly control: Endpoint
  readonly token: string
  close(): Promise<void>
}

/** @throws ConfigError: the server could be reached from elsewhere, or its data is not that of tests. */
export async function startTestServer(options: AppOptions, control: Endpoint): Promise<TestServer> {
  const { config } = options
  requireTestSettings(config, control)
  const token = config.testToken ?? randomBytes(32).toString('hex')
  const adminToken = config.adminToken ?? randomBytes(32).toString('hex')
  markFolder(config)
  const clock = createTestClock(systemClock())
  const states = mkdtempSync(join(tmpdir(), 'zonereeve-states-'))
  const removeStates = (): void => rmSync(states, { recursive: true, force: true })
  let restartable: RestartableApp | undefined
  try {
    // The watch exists with the control, which listens once the server does.
    const watched: Parameters<Parameters<typeof startRestartable>[0]['watchRequests']>[0][] = []
    let watch = (server: (typeof watched)[number]): void => void watched.push(server)
    const running = await startRestartable({
      ...options,
      config: { ...config, adminToken },
      clock,
      states,
      firstState: START,
      watchRequests: (server) => watch(server),
    })
    restartable = running
    const base = (): string => `http://${running.app.http.host}:${running.app.http.port}/client/v4`
    const listening = await createControl({
      ...control,
      token,
      clock,
      log: options.log,
      controlled: { ...running, seed: (zones) => seedZones(zones, base(), adminToken) },
    })
    watch = listening.watch
    for (const server of watched) listening.watch(server)
    return {
      get app() {
        return running.app
      },
      control: { host: listening.host, port: listening.port },
      token,
      async close() {
        await listening.close()
        await running.close()
        removeStates()
      },
    }
  } catch (error) {
    await restartable?.close()
    removeStates()
    throw error
  }
}

/** The server as one that is not restarted: its endpoints stay the same. */
export const appOf = (server: TestServer): App => ({
  ...server.app,
  reloadCertificate: () => server.app.reloadCertificate(),
  close: server.close,
})

function requireTestSettings(config: Config, control: Endpoint): void {
  const { http, dns, dnsTls, dnsHttps, metrics } = config
  const endpoints = { 'test-control': control, http, dns, 'dns-tls': dnsTls, 'dns-https': dnsHttps, metrics }
  const problems = [
    ...Object.entries(endpoints)
      .filter(([, endpoint]) => endpoint !== undefined && !isLoopback(endpoint.host))
      .map(([name]) => `--${name} must be on loopback, because --test-control can change everything`),
    ...(config.https === undefined ? [] : ['--https must be off: --test-control watches plain HTTP']),
    ...(postgresOf(config) === undefined && config.database === undefined
      ? []
      : ['--database cannot be used with --test-control, which replaces the folder of --data']),
  ]
  const { data } = config
  const isForeign = existsSync(data) && readdirSync(data).length > 0 && !existsSync(join(data, MARK))
  if (isForeign)
    problems.push(`--data must be empty or of a server with --test-control, which throws it away`)
  if (problems.length > 0) throw new ConfigError(problems)
}

function markFolder({ data }: Config): void {
  mkdirSync(data, { recursive: true, mode: 0o700 })
  writeFileSync(join(data, MARK), 'Data of tests: a server with --test-control may throw it away.\n')
}

/** Creates zones through the API, as any client would. */
async function seedZones(zones: readonly SeedZone[], base: string, token: string) {
  const authorization = { authorization: `Bearer ${token}` }
  const call = async (path: string, init: RequestInit, what: string): Promise<unknown> => {
    const response = await fetch(`${base}${path}`, { method: 'POST', ...init })
    const reply = (await response.json()) as { readonly result: unknown } // the API's envelope
    if (!response.ok) throw new SeedError(`${what} was refused`, response.status, reply)
    return reply.result
  }
  const json = (body: unknown): RequestInit => ({
    headers: { ...authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const created: { readonly id: string; readonly name: string }[] = []
  for (const { name, records = [], zone_file: file } of zones) {
    const zone = (await call('/zones', json({ name }), `zone ${name}`)) as { readonly id: string } // of a zone
    created.push({ id: zone.id, name })
    const path = `/zones/${zone.id}/dns_records`
    if (file !== undefined) {
      const body = new FormData()
      body.set('file', new Blob([file]), 'zone.txt')
      await call(`${path}/import`, { headers: authorization, body }, `the zone file of ${name}`)
    }
    for (const record of records) await call(path, json(record), `a record of ${name}`)
  }
  return created
}
