// The files in deploy/ for several nodes: their settings exist and have valid values, and their parts fit together.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { loadConfig } from '../packages/server/src/config/index.ts'

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
  readonly depends_on?: object
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes: object
}

describe('deploy/compose', () => {
  const { services } = parse(read('compose/compose.yaml'), { merge: true }) as Compose // as the file is written

  test('each node has valid settings, its own address, and the same database', () => {
    const nodes = Object.entries(services).filter(([, { image }]) => image === 'zonereeve')
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

  test('the balancer asks every node, and everything that a service depends on exists', () => {
    const servers = [...read('compose/haproxy.cfg').matchAll(/^ {2}server (\w+) (\w+):8080 /gm)]
    expect(servers.map(([, name, host]) => [name, host])).toEqual([
      ['node1', 'node1'],
      ['node2', 'node2'],
    ])
    for (const { depends_on: needed = {} } of Object.values(services))
      for (const name of Array.isArray(needed) ? needed : Object.keys(needed))
        expect(Object.keys(services)).toContain(name)
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

interface Manifest {
  readonly kind: string
  readonly apiVersion: string
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly selector: Readonly<Record<string, unknown>>
    readonly ports?: readonly Port[]
    readonly serviceName?: string
    readonly template?: {
      readonly metadata: { readonly labels: object }
      readonly spec: {
        readonly containers: readonly { readonly env: readonly Variable[]; readonly ports: readonly Port[] }[]
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

  test('has the kinds that are needed', () => {
    expect(manifests.map(({ kind, apiVersion, metadata }) => [kind, apiVersion, metadata.name])).toEqual([
      ['Service', 'v1', 'zonereeve-nodes'],
      ['Service', 'v1', 'zonereeve'],
      ['Service', 'v1', 'zonereeve-dns'],
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
    const own = container?.ports.map(({ containerPort, protocol = 'TCP' }) => `${containerPort} ${protocol}`)
    for (const { spec, kind } of manifests) {
      if (kind !== 'Service') continue
      expect(spec.selector).toEqual(labels)
      for (const { port, targetPort = port, protocol = 'TCP' } of spec.ports ?? [])
        // every service has some
        expect(own).toContain(`${targetPort} ${protocol}`)
    }
  })
})
