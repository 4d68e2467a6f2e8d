// The files in deploy/ for several nodes: their settings exist and have valid values, and their parts fit together.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { loadConfig } from '../packages/config/src/index.ts'
import { COMPOSE, MANIFESTS, misshapen } from './deployment-shapes.ts'
import { run } from './process.ts'
import { describeWith } from './test-requirements.ts'

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../deploy/${path}`, import.meta.url)), 'utf8')

/** What the files leave to their users. */
const GIVEN = 'a-secret-that-the-user-of-the-file-sets-0123'

/** @throws ConfigError: a value is wrong. @returns warnings about variables that are no settings. */
function warningsOf(environment: Readonly<Record<string, string>>): readonly string[] {
  const config = loadConfig({ flags: {}, environment: { ...environment, ZONEREEVE_CONFIG: '' } })
  expect(config.nodeUrl).toMatch(/^http:\/\/[\w.-]+:8080$/)
  expect(config.keyEncryptionSecret).toBe(GIVEN)
  return config.warnings
}

interface ComposeService {
  readonly environment?: Readonly<Record<string, string>>
  readonly image: string
  readonly command?: string | readonly string[]
  readonly networks?: { readonly default: { readonly ipv4_address: string } }
  readonly depends_on?: object
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes: object
  readonly configs: { readonly knot: { readonly content: string } }
}

describe('deploy/compose', () => {
  const { services } = parse(read('compose/compose.yaml'), { merge: true }) as Compose // as the file is written

  test('each node has valid settings, its own address, and the same database', () => {
    const nodes = Object.entries(services).filter(
      ([, { image, command }]) => image === 'zonereeve' && command === undefined,
    )
    expect(nodes.map(([name]) => name)).toEqual(['node1', 'node2'])
    for (const [name, { environment = {} }] of nodes) {
      const filled = Object.fromEntries(
        Object.entries(environment).map(([key, value]) => [key, value.replace(/\$\{\w+:\?\}/, GIVEN)]),
      )
      expect(warningsOf(filled)).toEqual([])
      expect(environment['ZONEREEVE_NODE_URL']).toBe(`http://${name}:8080`)
    }
    expect(new Set(nodes.map(([, { environment }]) => environment?.['ZONEREEVE_DATABASE'])).size).toBe(1)
  })

  test('has only members that Compose knows, with values of their types', () => {
    const text = read('compose/compose.yaml')
    const check = (changed: string) => misshapen(parse(changed, { merge: true }), COMPOSE)
    expect(check(text)).toEqual([])
    expect(check(text.replace('    restart: always', '    restarts: always'))).toEqual([
      '.services.database.restarts',
    ])
    expect(check(text.replace('- 5301:5353/udp', '- 5301/udp'))).toEqual(['.services.node1.ports[0]'])
    expect(check(text.replace('retries: 12', 'retries: twelve'))).toEqual([
      '.services.database.healthcheck.retries',
    ])
  })

  test('the balancer asks every node, and everything that a service depends on exists', () => {
    const servers = [...read('compose/haproxy.cfg').matchAll(/^ {2}server (\w+) (\w+):(\d+)/gm)]
    expect(servers.map(([, name, host, port]) => [name, host, port])).toEqual([
      ['node1', 'node1', '8080'],
      ['node2', 'node2', '8080'],
      ['site', 'site', '80'],
      ['edge', 'edge', '8091'],
      ['edge', 'edge', '8090'],
    ])
    for (const [, , host = ''] of servers) expect(Object.keys(services)).toContain(host)
    for (const { depends_on: needed = {} } of Object.values(services))
      for (const name of Array.isArray(needed) ? needed : Object.keys(needed))
        expect(Object.keys(services)).toContain(name)
  })
})

describeWith(['haproxy', 'knotd'], 'deploy/compose, as its programs read it', () => {
  const { services, configs } = parse(read('compose/compose.yaml'), { merge: true }) as Compose // as the file is written
  const folder = mkdtempSync(join(tmpdir(), 'zonereeve-deploy-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const write = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }

  test('HAProxy accepts its configuration, and that of the filter', async () => {
    const spoe = write('spoe.conf', read('compose/spoe.conf'))
    const text = read('compose/haproxy.cfg')
    const own = text
      .replace(/^( {2}server \w+) \w+:/gm, '$1 127.0.0.1:')
      .replace('/usr/local/etc/haproxy/spoe.conf', spoe)
    const checked = await run('haproxy', ['-c', '-f', write('haproxy.cfg', own)])
    expect([checked.output, checked.ok]).toEqual([expect.any(String), true])
    const wrong = await run('haproxy', [
      '-c',
      '-f',
      write('wrong.cfg', own.replace('use_backend stopped', 'use_backend gone')),
    ])
    expect(wrong.ok).toBe(false)
  })

  test('Knot accepts its configuration, whose primaries are the nodes', async () => {
    const { content } = configs.knot
    const text = content
      .replace(/\$\{\w+:\?\}/, Buffer.alloc(32, 1).toString('base64'))
      .replaceAll('"/storage"', `"${folder}"`)
    const checked = await run('knotc', ['--config', write('knot.conf', text), 'conf-check'])
    expect([checked.output, checked.ok]).toEqual([expect.stringContaining('valid'), true])
    const addresses = [...content.matchAll(/address: ([\d.]+)@5353/g)].map(([, address]) => address)
    expect(addresses).toEqual(
      ['node1', 'node2'].map((name) => services[name]?.networks?.default.ipv4_address),
    )
  })
})

interface Port {
  readonly port?: number
  readonly targetPort?: number
  readonly containerPort?: number
  readonly protocol?: string
}

interface Variable {
  readonly name: string
  readonly value?: string
}

interface Probe {
  readonly httpGet: { readonly path: string }
}

/** The label that a StatefulSet gives each of its pods. */
const POD_NAME = 'statefulset.kubernetes.io/pod-name'

interface Manifest {
  readonly kind: string
  readonly apiVersion: string
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly selector: Readonly<Record<string, unknown>>
    readonly ports?: readonly Port[]
    readonly serviceName?: string
    readonly replicas?: number
    readonly template?: {
      readonly metadata: { readonly labels: object }
      readonly spec: {
        readonly enableServiceLinks?: boolean
        readonly containers: readonly {
          readonly env: readonly Variable[]
          readonly ports: readonly Port[]
          readonly startupProbe: Probe
          readonly readinessProbe: Probe
        }[]
      }
    }
  }
}

describe('deploy/kubernetes', () => {
  const manifests = parseAllDocuments(read('kubernetes/zonereeve.yaml')).map(
    (document) => document.toJS() as Manifest, // as the file is written
  )
  const set = manifests.find(({ kind }) => kind === 'StatefulSet')
  const [container] = set?.spec.template?.spec.containers ?? [] // checked below

  test('has only members that Kubernetes knows, with values of their types', () => {
    const check = (changed: string) =>
      parseAllDocuments(changed).flatMap((document) => {
        const manifest = document.toJS() as Manifest // as the file is written
        return misshapen(manifest, MANIFESTS[manifest.kind] ?? {}, manifest.kind)
      })
    const text = read('kubernetes/zonereeve.yaml')
    expect(check(text)).toEqual([])
    expect(check(text.replace('readinessProbe:', 'readynessProbe:'))).toEqual([
      'StatefulSet.spec.template.spec.containers[0].readynessProbe',
    ])
    expect(check(text.replace('replicas: 2', 'replicas: two'))).toEqual(['StatefulSet.spec.replicas'])
    expect(check(text.replace('serviceName:', 'service:'))).toEqual(['StatefulSet.spec.service'])
  })

  test('has the kinds that are needed', () => {
    expect(manifests.map(({ kind, apiVersion, metadata }) => [kind, apiVersion, metadata.name])).toEqual([
      ['Service', 'v1', 'zonereeve-nodes'],
      ['Service', 'v1', 'zonereeve'],
      ['Service', 'v1', 'zonereeve-dns'],
      ['Service', 'v1', 'zonereeve-0-dns'],
      ['Service', 'v1', 'zonereeve-1-dns'],
      ['PodDisruptionBudget', 'policy/v1', 'zonereeve'],
      ['StatefulSet', 'apps/v1', 'zonereeve'],
    ])
  })

  test('nodes have valid settings, and are reached by the name that their service gives them', () => {
    const settings = container?.env.filter(({ name }) => name.startsWith('ZONEREEVE_')) ?? [] // compared below
    const filled = settings.map(({ name, value = GIVEN }) => [
      name,
      value.replace('$(POD_NAME)', 'zonereeve-0'),
    ])
    const environment: Record<string, string> = Object.fromEntries(filled)
    expect(warningsOf(environment)).toEqual([])
    expect(environment['ZONEREEVE_NODE_URL']).toBe(`http://zonereeve-0.${set?.spec.serviceName}:8080`)
  })

  test('services select the nodes, and lead to ports that they have', () => {
    const labels = set?.spec.template?.metadata.labels
    const pods = Array.from({ length: Number(set?.spec.replicas) }, (_, n) => ({
      ...labels,
      [POD_NAME]: `zonereeve-${n}`,
    }))
    const selected: (readonly [service: string, pods: string])[] = []
    const own = container?.ports.map(({ containerPort, protocol = 'TCP' }) => `${containerPort} ${protocol}`)
    for (const { spec, kind, metadata } of manifests) {
      if (kind !== 'Service') continue
      const chosen = pods.filter((pod) => isDeepStrictEqual({ ...pod, ...spec.selector }, pod))
      selected.push([metadata.name, chosen.map((pod) => pod[POD_NAME]).join(' ')])
      for (const { port, targetPort = port, protocol = 'TCP' } of spec.ports ?? [])
        // every service has some
        expect(own).toContain(`${targetPort} ${protocol}`)
    }
    const all = pods.map((pod) => pod[POD_NAME])
    expect(selected).toEqual([
      ...['zonereeve-nodes', 'zonereeve', 'zonereeve-dns'].map((name) => [name, all.join(' ')]),
      ...all.map((name) => [`${name}-dns`, name]),
    ])
  })

  test('nodes stay in the services for DNS while the database is away, and get no settings from services', () => {
    expect(container?.readinessProbe.httpGet.path).toBe('/livez')
    expect(container?.startupProbe.httpGet.path).toBe('/readyz')
    expect(set?.spec.template?.spec.enableServiceLinks).toBe(false)
  })
})
