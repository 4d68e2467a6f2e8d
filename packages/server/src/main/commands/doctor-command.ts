// zonereeve doctor: gathers the facts, runs the examinations, prints their findings.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Name } from '@zonereeve/dns'
import {
  examineClock,
  examineFiles,
  examineOpenFiles,
  examinePorts,
  examineTls,
  examineZone,
  inOrder,
  problem,
  warning,
  type ExaminedZone,
  type Finding,
  type World,
} from '@zonereeve/doctor'
import { readAttempts } from '@zonereeve/certificates'
import { createAskServer, createStub, DEFAULT_RESOLVER_LIMITS, NoAnswer } from '@zonereeve/resolver'
import { databasePath, type Config } from '@zonereeve/config'
import { describeError } from '@zonereeve/platform'
import { openSqlite } from '@zonereeve/storage'
import { resolverServers } from '../outgoing.ts'
import { ownCertificate } from '../own-certificate.ts'
import type { VerbOptions } from './backup-verbs.ts'
import { readinessOf, reachableHost } from './status-command.ts'

const DNS_PORT = 53
/** Zones that are examined at the same time. */
const CHUNK_SIZE = 8

interface StoredFacts {
  readonly zones: readonly ExaminedZone[]
  readonly newestChange: Date | undefined
}

/** @returns the exit code: 1 if there is a problem. */
export async function doctorCommand(config: Config, options: VerbOptions): Promise<number> {
  const findings = await examine(config, options['zone'])
  const shown = options['all'] === undefined ? findings.filter(({ level }) => level !== 'ok') : findings
  process.stdout.write(
    options['output'] === 'json' ? `${JSON.stringify(shown, undefined, 2)}\n` : describe(shown),
  )
  const count = (level: Finding['level']): number =>
    findings.filter((finding) => finding.level === level).length
  process.stderr.write(
    `${count('ok')} in order, ${count('warning')} warnings, ${count('problem')} problems\n`,
  )
  return count('problem') === 0 ? 0 : 1
}

async function examine(config: Config, zoneName: string | undefined): Promise<Finding[]> {
  const database = databasePath(config)
  const now = new Date()
  const { http, https, dns, dnsTls, dnsHttps, publicUrl } = config
  const own = ownCertificate(config)
  const { certificate, key } =
    own === undefined
      ? { certificate: config.tlsCertificate, key: config.tlsKey }
      : { certificate: own.path, key: own.path }
  const encrypted =
    certificate === undefined
      ? {}
      : { https: https?.port, 'dns-tls': dnsTls?.port, 'dns-https': dnsHttps?.port }
  const ports = Object.entries({ http: http.port, dns: dns.port, ...encrypted }).flatMap(([name, port]) =>
    port === undefined ? [] : [[name, port] as const],
  )
  const host = https !== undefined && publicUrl !== undefined ? new URL(publicUrl).hostname : undefined
  const local = [
    ...examineFiles({ database, isKeyConfigured: config.keyEncryptionSecret !== undefined }),
    ...examinePorts(Object.fromEntries(ports)),
    ...examineOpenFiles(),
    ...examineTls({ certificate, key, host }, now),
    ...(own === undefined ? [] : examineOrders(own.path)),
    ...(await examineServer(config)),
  ]
  if (!existsSync(database)) return local
  const { findings, facts } = await readDatabase(database)
  if (facts === undefined) return [...local, ...findings]
  const zones = facts.zones.filter(({ name }) => zoneName === undefined || name === zoneName.toLowerCase())
  if (zoneName !== undefined && zones.length === 0) throw new Error(`unknown zone ${zoneName}`)
  return [
    ...local,
    ...findings,
    examineClock(now, facts.newestChange),
    ...(await examineZones(config, zones)),
  ]
}

function examineOrders(path: string): Finding[] {
  const failed = readAttempts(path)
  const examined = { check: 'certificate', subject: path }
  if (failed === undefined) return [inOrder(examined, 'the last order did not fail')]
  const next = new Date(failed.nextMillis).toISOString()
  const message = `the last order failed (${failed.failures} in a row; the next one is at ${next}): ${failed.problem}`
  return [warning(examined, message, 'correct it, then: systemctl reload zonereeve')]
}

async function examineServer(config: Config): Promise<Finding[]> {
  const { url, isReady, problems } = await readinessOf(config)
  const examined = { check: 'server', subject: url }
  if (!isReady)
    return [problem(examined, problems.join('; '), 'start it, and read its log: journalctl -u zonereeve')]
  const unreadable = problems.map((line) => problem(examined, line, 'see docs/storage.md, "Unreadable rows"'))
  return unreadable.length > 0 ? unreadable : [inOrder(examined, 'ready')]
}

async function readDatabase(path: string): Promise<{ findings: Finding[]; facts: StoredFacts | undefined }> {
  const examined = { check: 'database', subject: path }
  try {
    const connection = await openSqlite(path, { readOnly: true })
    try {
      const verdict = connection.prepare('PRAGMA quick_check(1)').all().flatMap(valuesOf).join('; ')
      const finding =
        verdict === 'ok'
          ? inOrder(examined, 'its pages are whole')
          : problem(examined, verdict, 'restore a backup: zonereeve backup restore')
      const zones = connection
        .prepare(
          `SELECT name, status, name_servers, vanity_name_servers FROM zones WHERE paused = 0 ORDER BY name`,
        )
        .all() as StoredZone[] // as selected
      const [newest] = connection.prepare('SELECT max(at) AS at FROM changes').all() as {
        at: string | null
      }[] // as selected
      const at = newest?.at
      return {
        findings: [finding],
        facts: {
          zones: zones.map(readZone),
          newestChange: typeof at === 'string' ? new Date(at) : undefined,
        },
      }
    } finally {
      connection.close()
    }
  } catch (error) {
    const remedy = 'run this as the user of the server, and with its version'
    return { findings: [problem(examined, describeError(error), remedy)], facts: undefined }
  }
}

const valuesOf = (row: unknown): unknown[] =>
  typeof row === 'object' && row !== null ? Object.values(row) : []

interface StoredZone {
  readonly name: string
  readonly status: string
  readonly name_servers: string
  readonly vanity_name_servers: string
}

function readZone(row: StoredZone): ExaminedZone {
  const vanity = namesIn(row.vanity_name_servers)
  return {
    name: row.name,
    isActive: row.status === 'active',
    nameServers: vanity.length > 0 ? vanity : namesIn(row.name_servers),
  }
}

const namesIn = (text: string): string[] => JSON.parse(text) as string[] // stored as a list of names

async function examineZones(config: Config, zones: readonly ExaminedZone[]): Promise<Finding[]> {
  if (config.resolver === 'off') {
    const examined = { check: 'delegation', subject: 'all zones' }
    return zones.length === 0
      ? []
      : [problem(examined, 'not examined: --resolver is off', 'run it with --resolver')]
  }
  const world = createWorld(config, resolverServers(config.resolver))
  const findings: Finding[] = []
  for (let at = 0; at < zones.length; at += CHUNK_SIZE) {
    const chunk = zones.slice(at, at + CHUNK_SIZE)
    findings.push(...(await Promise.all(chunk.map((zone) => examineZone(zone, world)))).flat())
    if (process.stderr.isTTY)
      process.stderr.write(`\r${Math.min(at + CHUNK_SIZE, zones.length)} of ${zones.length} zones\r`)
  }
  return findings
}

function createWorld(config: Config, servers: ReturnType<typeof resolverServers>): World {
  const limits = DEFAULT_RESOLVER_LIMITS
  const { signal } = new AbortController()
  const resolve = createStub({ servers, random: randomBytes, limits })
  const askServer = createAskServer({ random: randomBytes, limits, recursion: false })
  const own = { host: reachableHost(config.dns).replaceAll(/[[\]]/g, ''), port: config.dns.port }
  const ask = async (server: typeof own, name: Name, type: number) => {
    const message = await answerOf(askServer(server, name, type, signal))
    // A server that does not serve the zone refers to others, or refuses.
    return message?.aa === true
      ? message.answers.flatMap((record) => (record.type === type ? [record.rdata] : []))
      : undefined
  }
  return {
    resolve: async (name, type) => (await answerOf(resolve(name, type, signal)))?.rdatas,
    askServer: (host, name, type) => ask({ host, port: DNS_PORT }, name, type),
    askOwn: (name, type) => ask(own, name, type),
  }
}

async function answerOf<Answer>(asking: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof NoAnswer) return undefined
    throw error
  }
}

function describe(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ level, check, subject, message, remedy }) => [
    `${level.padEnd(8)} ${check}: ${subject}: ${message}`,
    ...(remedy === null ? [] : [`         ${remedy}`]),
  ])
  return lines.map((line) => `${line.replaceAll(/\p{Cc}/gu, '?')}\n`).join('')
}
