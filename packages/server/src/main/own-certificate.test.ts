// Certificates by ACME, from a real authority that asks our nameserver: of the server, and of the embedded edge.
import { X509Certificate } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type PeerCertificate } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { certificatePath, readAttempts } from '@zonereeve/certificates'
import { startEdge, type Edge, type EdgeOptions } from '@zonereeve/edge'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { ConfigError, loadConfig } from '@zonereeve/config'
import { randomIds, systemClock } from '@zonereeve/platform'
import { ADMIN_TOKEN, BASE } from '../testing/app.ts'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { pebbleFiles, startPebble, type Pebble } from '../testing/pebble.ts'
import { callProgram, mustOf } from '../testing/program-calls.ts'
import { runProgram } from '../testing/run-program.ts'
import { startApp, type App } from './app.ts'
import { ownCertificate } from './own-certificate.ts'

const HOST = '127.0.0.1'
const ZONE = 'own.example'
const NAMES = ['dns.own.example', '*.own.example']
/** Busy machines are slow, and orders need seconds. */
const PATIENCE = { timeout: 300_000, interval: 100 }

interface Logged {
  readonly fields: Readonly<Record<string, unknown>>
  readonly event: string
}

const configOf = (folder: string, flags: Readonly<Record<string, string>>) =>
  loadConfig({
    flags: { http: `${HOST}:0`, dns: `${HOST}:0`, resolver: 'off', data: folder, ...flags },
    environment: { ZONEREEVE_ADMIN_TOKEN: ADMIN_TOKEN },
    file: '',
  })

/** What a client gets that asks for this name. */
const peerOf = (port: number, servername: string, ca?: string): Promise<PeerCertificate> =>
  new Promise((resolve, reject) => {
    const trust = ca === undefined ? { rejectUnauthorized: false } : { ca }
    const socket = connect({ host: HOST, port, servername, ...trust }, () => {
      resolve(socket.getPeerCertificate())
      socket.destroy()
    })
    socket.once('error', reject)
  })

const MANUAL = readFileSync(fileURLToPath(new URL('../../../../docs/operations.md', import.meta.url)), 'utf8')
/** The settings that docs/operations.md shows for certificates by ACME. */
const DOCUMENTED = JSON.parse(/```json\n(\{\n {2}"acme-[^]*?)```/.exec(MANUAL)?.[1] ?? '') as Readonly<
  Record<string, string>
>

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

describeWith('pebble', 'certificates by ACME', () => {
  const folder = mkdtempSync(join(tmpdir(), 'own-certificate-'))
  const certificates = join(folder, 'certificates')
  const path = certificatePath(certificates, NAMES)
  const logged: Logged[] = []
  const note = (fields: object, event: string): void => void logged.push({ fields: { ...fields }, event })
  const eventsOf = (event: string): readonly Logged[] => logged.filter((line) => line.event === event)
  let app: App
  let pebble: Pebble | undefined
  let port = 0
  let zoneId = ''

  const challengesLeft = async (): Promise<number> => {
    const records = await mustOf<readonly unknown[]>(app, 'GET', `/zones/${zoneId}/dns_records?type=TXT`)
    return records.length
  }
  const restartPebble = async (options: { refusedNames?: readonly string[]; validitySeconds?: number }) => {
    await pebble?.stop()
    pebble = await startPebble({ folder, dnsPort: app.dns.port, port, ...options })
    return pebble
  }

  beforeAll(async () => {
    port = await freePort()
    const { directory, authorityFile } = pebbleFiles(folder, port)
    app = await startApp({
      config: configOf(folder, {
        https: `${HOST}:0`,
        'dns-tls': `${HOST}:0`,
        'dns-https': `${HOST}:0`,
        'dns-threads': '1',
        ...DOCUMENTED,
        'acme-directory': directory,
        'acme-names': NAMES.join(),
        'acme-ca': authorityFile,
      }),
      clock: systemClock(),
      ids: randomIds(),
      log: { debug: () => undefined, info: note, warn: note, error: note },
    })
  }, 60_000)
  afterAll(async () => {
    await app.close()
    await pebble?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('while the authority is away, everything else works, and the failure is named', async () => {
    await vi.waitFor(() => expect(eventsOf('certificate not issued')).toHaveLength(1), PATIENCE)
    expect(eventsOf('certificate not issued')[0]?.fields).toMatchObject({ names: NAMES, failures: 1 })
    expect(eventsOf('certificate not issued')[0]?.fields['problem']).toMatch(/ECONNREFUSED/)
    zoneId = (await mustOf(app, 'POST', '/zones', { name: ZONE })).id
    // A self-signed certificate.
    await expect(peerOf(app.secure?.port ?? 0, 'dns.own.example')).resolves.toMatchObject({
      issuer: { CN: 'dns.own.example' },
    })
  })

  test('a name and a wildcard are in one file that only its owner reads, and nothing stays in the zone', async () => {
    // Soon due: the next test is a renewal.
    await restartPebble({ validitySeconds: 60 })
    await app.reloadCertificate()
    await vi.waitFor(() => expect(eventsOf('certificate issued').length).toBeGreaterThan(0), PATIENCE)
    const { subjectAltName, issuer } = new X509Certificate(readFileSync(path))
    expect(subjectAltName?.split(', ').toSorted()).toEqual(['DNS:*.own.example', 'DNS:dns.own.example'])
    expect(issuer).toMatch(/Pebble/)
    await vi.waitFor(async () => expect(await challengesLeft()).toBe(0), PATIENCE)
    const files = readdirSync(certificates)
    expect(files.map((file) => [file, modeOf(join(certificates, file))])).toEqual(
      files.map((file) => [file, '600']),
    )
    expect(modeOf(certificates)).toBe('700')
    const metrics = await fetch(`http://${HOST}:${app.http.port}/metrics`, {
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
    }).then((reply) => reply.text())
    expect(metrics).toMatch(/zonereeve_certificate_end_timestamp_seconds\{name="dns\.own\.example"\} 1\d{9}/)
    expect(metrics).toContain('zonereeve_certificate_order_failures{name="dns.own.example"} 0')
  })

  test('it is renewed when it is due, used by all listeners without a restart, and then left alone', async () => {
    // It does not know the account any more.
    const { root } = await restartPebble({ refusedNames: ['refused.example'] })
    const ca = await root()
    const renewed = async (): Promise<void> => {
      await app.reloadCertificate()
      for (const [endpoint, name] of [
        [app.secure, 'dns.own.example'],
        [app.tls, 'other.own.example'],
        [app.https, 'dns.own.example'],
      ] as const)
        expect((await peerOf(endpoint?.port ?? 0, name, ca)).issuer.CN).toMatch(/^Pebble/)
    }
    await vi.waitFor(renewed, PATIENCE)
    const issued = eventsOf('certificate issued').length
    expect(issued).toBeGreaterThan(1)
    await renewed()
    expect(eventsOf('certificate issued')).toHaveLength(issued)
    // The same account key for all orders.
    expect(readdirSync(certificates).filter((file) => file.startsWith('account-'))).toHaveLength(1)
  })

  async function edgeWith(
    permissions: readonly string[],
    names: readonly string[] | undefined,
    own: string,
  ): Promise<{ edge: Edge; lines: Logged[] }> {
    const groups = await mustOf<readonly { id: string; name: string }[]>(
      app,
      'GET',
      '/user/tokens/permission_groups',
    )
    const { value } = await mustOf<{ value: string }>(app, 'POST', '/user/tokens', {
      name: 'edge',
      policies: [
        {
          effect: 'allow',
          resources: { 'com.cloudflare.api.account.zone.*': '*' },
          permission_groups: groups
            .filter(({ name }) => permissions.includes(name))
            .map(({ id }) => ({ id })),
        },
      ],
    })
    const lines: Logged[] = []
    const write = (fields: object, event: string): void => void lines.push({ fields: { ...fields }, event })
    const options: EdgeOptions = {
      server: { baseUrl: `http://${HOST}:${app.http.port}${BASE}`, token: value },
      folder: undefined,
      undecided: { mode: 'closed', phases: new Map() },
      decisions: { host: HOST, port: 0 },
      appSecKey: undefined,
      proxy: undefined,
      proxyTls: { host: HOST, port: 0, certificates: own },
      ownCertificates: {
        authority: {
          directory: `https://localhost:${port}/dir`,
          email: 'hostmaster@own.example',
          authorityCertificate: readFileSync(join(folder, 'pebble.crt'), 'utf8'),
        },
        names,
      },
      origins: { origin: undefined, scheme: 'http', isPrivateAllowed: true },
      log: { info: write, warn: write },
    }
    return { edge: await startEdge(options), lines }
  }

  const statusOf = async (edge: Edge): Promise<unknown> =>
    (await (await fetch(`http://${HOST}:${edge.decisions?.port}/status`)).json()) as unknown

  test('an edge gets one for each of its zones, with a token that writes nothing else', async () => {
    const own = join(folder, 'edge')
    const { edge, lines } = await edgeWith(['Edge Decide', 'ACME Challenges Write'], undefined, own)
    try {
      await vi.waitFor(
        () => expect(lines).toContainEqual(expect.objectContaining({ event: 'certificate issued' })),
        PATIENCE,
      )
      const ca = await pebble?.root()
      for (const name of [ZONE, `www.${ZONE}`])
        expect((await peerOf(edge.proxyTls?.port ?? 0, name, ca)).issuer.CN).toMatch(/^Pebble/)
      await expect(peerOf(edge.proxyTls?.port ?? 0, 'www.other.example')).rejects.toThrow(
        /socket|alert|handshake/i,
      )
      expect(await statusOf(edge)).toMatchObject({
        certificates: [{ names: [ZONE, `*.${ZONE}`], failures: 0, problem: null }],
      })
      expect(await challengesLeft()).toBe(0)
    } finally {
      await edge.close()
    }
  })

  test.each([
    [
      'a name that the authority refuses',
      ['Edge Decide', 'ACME Challenges Write'],
      'www.refused.example',
      /www\.refused\.example|policy|blocklist/i,
    ],
    ['a token without the permission', ['Edge Decide'], 'a.own.example', /permission ACME Challenges Write/],
    [
      'a name of no zone',
      ['Edge Decide', 'ACME Challenges Write'],
      'www.other.example',
      /--acme-names: no zone .* www\.other\.example/,
    ],
  ])('an edge says why there is none: %s', async (_, permissions, name, problem) => {
    const { edge, lines } = await edgeWith(permissions, [name], join(folder, name))
    try {
      const failed = await vi.waitFor(() => {
        const found = lines.find(({ event }) => event === 'certificate not issued')
        expect(found).toBeDefined()
        return found
      }, PATIENCE)
      expect(failed?.fields['problem']).toMatch(problem)
      expect(await statusOf(edge)).toMatchObject({
        certificates: [{ names: [name], ends: null, failures: 1 }],
      })
      expect(await challengesLeft()).toBe(0)
    } finally {
      await edge.close()
    }
  })

  test.each([
    ['a name of another zone', { host: 'www.other.example', value: 'a'.repeat(43) }, 19923],
    ['a value that is no hash', { host: 'www.own.example', value: 'spf' }, 6008],
    ['a delegated name', { host: 'www.sub.own.example', value: 'b'.repeat(43) }, 19924],
  ])('a challenge is refused, and changes nothing: %s', async (_, body, code) => {
    if (code === 19924)
      await mustOf(app, 'POST', `/zones/${zoneId}/dns_records`, {
        type: 'NS',
        name: 'sub',
        content: 'ns.other.example',
      })
    const { status, envelope } = await callProgram(
      app,
      'POST',
      `/zonereeve/zones/${zoneId}/acme_challenges`,
      body,
    )
    expect([status >= 400, envelope.errors[0]?.code]).toEqual([true, code])
    expect(await challengesLeft()).toBe(0)
  })

  test('a challenge can be published and removed twice', async () => {
    const [host, value] = ['www.own.example', 'c'.repeat(43)]
    const base = `/zonereeve/zones/${zoneId}/acme_challenges`
    for (const left of [1, 1]) {
      const published = await mustOf(app, 'POST', base, { host, value })
      expect([published, await challengesLeft()]).toEqual([{ name: `_acme-challenge.${host}`, value }, left])
    }
    for (const left of [0, 0]) {
      await mustOf(app, 'DELETE', `${base}/${host}/${value}`)
      expect(await challengesLeft()).toBe(left)
    }
  })
})

describeWith('pebble', 'a server that is killed while the authority looks', () => {
  test('removes its challenge when it starts again, and gets its certificate', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'own-certificate-'))
    const [port, dnsPort] = [await freePort(), await freePort()]
    const slow = await startPebble({ folder, dnsPort, port, delaySeconds: 20 })
    const environment = { ZONEREEVE_ADMIN_TOKEN: ADMIN_TOKEN }
    const settings = {
      data: join(folder, 'data'),
      http: `${HOST}:0`,
      dns: `${HOST}:${dnsPort}`,
      resolver: 'off',
      'dns-tls': 'off',
      'dns-https': 'off',
    }
    const command = (more: Readonly<Record<string, string>>): string[] => [
      'serve',
      ...Object.entries({ ...settings, ...more }).flatMap(([name, value]) => [`--${name}`, value]),
    ]
    const first = runProgram(environment, command({}))
    const zone = await mustOf({ http: { host: HOST, port: (await first.ready).port } }, 'POST', '/zones', {
      name: ZONE,
    })
    first.child.kill('SIGTERM')
    await first.ended
    const { directory, authorityFile } = slow
    const acme = {
      'acme-directory': directory,
      'acme-terms': 'agreed',
      'acme-ca': authorityFile,
      'acme-names': ZONE,
    }
    const killed = runProgram(environment, command(acme))
    const { resolver } = await killed.ready
    const challenge = `_acme-challenge.${ZONE}`
    await vi.waitFor(async () => expect(await resolver.resolveTxt(challenge)).toHaveLength(1), PATIENCE)
    killed.child.kill('SIGKILL')
    await killed.ended
    await slow.stop()
    const pebble = await startPebble({ folder, dnsPort, port })
    try {
      const again = runProgram(environment, command(acme))
      const http = { host: HOST, port: (await again.ready).port }
      const path = certificatePath(join(folder, 'data/certificates'), [ZONE])
      // The order in progress at the kill is counted; a reload does not wait.
      expect(readAttempts(path)?.failures).toBe(1)
      again.child.kill('SIGHUP')
      await vi.waitFor(() => {
        expect(new X509Certificate(readFileSync(path)).issuer).toMatch(/Pebble/)
      }, PATIENCE)
      await vi.waitFor(async () => {
        const records = await mustOf<readonly unknown[]>(
          { http },
          'GET',
          `/zones/${zone.id}/dns_records?type=TXT`,
        )
        expect(records).toEqual([])
      }, PATIENCE)
      again.child.kill('SIGTERM')
      expect(await again.ended).toBe(0)
      expect(existsSync(`${path}.attempts.json`)).toBe(false)
    } finally {
      await pebble.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

test.each<[string, Readonly<Record<string, string>>, RegExp]>([
  ['no agreement', { 'acme-names': ZONE }, /^acme-terms must be "agreed"/],
  ['another word', { 'acme-names': ZONE, 'acme-terms': 'yes' }, /^acme-terms must be "agreed"/],
  ['no name', { 'acme-terms': 'agreed' }, /^acme-names: needed, because there is no public-url/],
  [
    'an address',
    { 'acme-terms': 'agreed', 'public-url': 'https://192.0.2.1' },
    /^acme-names: needed, because 192\.0\.2\.1/,
  ],
  [
    'plain http',
    { 'acme-directory': 'http://ca.example', 'acme-terms': 'agreed', 'acme-names': ZONE },
    /^acme-directory must be the https URL/,
  ],
  [
    'a certificate from files, too',
    { 'tls-certificate': '/etc/c', 'tls-key': '/etc/k' },
    /^acme-directory: cannot be used with tls-certificate/,
  ],
  [
    'two addresses',
    { 'acme-terms': 'agreed', 'acme-names': ZONE, 'acme-email': 'a@b.c,d@e.f' },
    /^acme-email must be one address/,
  ],
  [
    'no such file',
    { 'acme-terms': 'agreed', 'acme-names': ZONE, 'acme-ca': '/nowhere/ca.pem' },
    /^acme-ca: \/nowhere\/ca\.pem cannot be read/,
  ],
  [
    'a file without a certificate',
    { 'acme-terms': 'agreed', 'acme-names': ZONE, 'acme-ca': '/dev/null' },
    /^acme-ca: \/dev\/null has no certificate/,
  ],
  [
    'several nodes',
    { 'acme-terms': 'agreed', 'acme-names': ZONE, 'node-url': 'http://192.0.2.1' },
    /^acme-directory: cannot be used with node-url/,
  ],
  ['no directory', { 'acme-directory': '', 'acme-terms': 'agreed' }, /^acme-terms: needs acme-directory/],
])('a setting is refused by name: %s', (_, flags, message) => {
  const config = configOf(tmpdir(), { 'acme-directory': 'https://ca.example/dir', ...flags })
  expect(() => ownCertificate(config)).toThrow(ConfigError)
  expect(() => ownCertificate(config)).toThrow(message)
})

test('the hook that docs/operations.md has for other clients copies the files for the user of the service alone', () => {
  const hook =
    /```sh\n(#!\/bin\/sh\n# \/etc\/zonereeve\/install-certificate\n[^]*?)```/.exec(MANUAL)?.[1] ?? ''
  const folder = scratchFolder()
  const renewed = join(folder, 'renewed')
  mkdirSync(renewed)
  for (const file of ['fullchain.pem', 'privkey.pem'])
    writeFileSync(join(renewed, file), `content of ${file}`)
  writeFileSync(join(folder, 'systemctl'), `#!/bin/sh\necho "$@" > ${folder}/asked\n`, { mode: 0o755 })
  expect(hook.match(/install .*/g)).toEqual(hook.match(/install .*-o zonereeve .*/g))
  const script = hook.replaceAll('/etc/zonereeve/tls', join(folder, 'tls')).replaceAll('-o zonereeve', '')
  expect(script).toContain(folder)
  execFileSync('sh', ['-c', script], {
    env: { PATH: `${folder}:/usr/bin:/bin`, RENEWED_LINEAGE: renewed },
  })
  const installed = ['fullchain.pem', 'privkey.pem'].map((file) => join(folder, 'tls', file))
  expect(installed.map((file) => [readFileSync(file, 'utf8'), modeOf(file)])).toEqual([
    ['content of fullchain.pem', '600'],
    ['content of privkey.pem', '600'],
  ])
  expect(modeOf(join(folder, 'tls'))).toBe('700')
  expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe('reload zonereeve\n')
})
