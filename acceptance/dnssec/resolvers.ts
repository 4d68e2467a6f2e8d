// Unbound as third-party resolvers, on loopback ports, with a clock that tests move.
//
// The worst case of combined caches: a validator without a cache queries a cache that keeps each record for its full
// TTL. The validator then sees old keys with new signatures, and a new DS with old keys.
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import { run } from '../../scripts/process.ts'
import type { DnsAddress } from '../dns-client.ts'
import { daemon, put, type Nameserver } from '../secondaries/nameservers.ts'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'
import type { MovedTime } from './moved-time.ts'

const START_LIMIT_MS = 30_000

export interface ResolverPlace {
  readonly folder: string
  readonly time: MovedTime
  /** Address of the nameserver that answers all of `zones`. */
  readonly authority: DnsAddress
  readonly zones: readonly string[]
  /** DS of the first zone: the only trust anchor. */
  readonly ds: string
}

export interface Resolvers {
  /** By the name used in reports. */
  readonly validating: ReadonlyMap<string, Nameserver>
  readonly stop: () => Promise<void>
}

/** Starts an ordinary validating resolver, and a validator without a cache behind a cache that does not validate. */
export async function startResolvers(place: ResolverPlace): Promise<Resolvers> {
  const { zones, authority, ds } = place
  const started: Nameserver[] = []
  const stop = async (): Promise<void> => {
    for (const each of started) await each.stop()
  }
  const start = async (name: string, settings: string, clauses: string): Promise<Nameserver> => {
    const resolver = await startUnbound(place, { name, settings, clauses })
    started.push(resolver)
    await answers(resolver)
    return resolver
  }
  const stubs = zones.map(
    (zone) => `stub-zone:\n name: "${zone}"\n stub-addr: ${authority.host}@${authority.port}\n`,
  )
  // The strictest setting: the zone must be signed with every algorithm that a DS names.
  const trusting = ` module-config: "validator iterator"\n harden-algo-downgrade: yes\n trust-anchor: "${ds}"\n`
  try {
    const cache = await start('cache', ' module-config: "iterator"\n', stubs.join(''))
    const behind = `forward-zone:\n name: "."\n forward-addr: 127.0.0.1@${cache.port}\n`
    const validating = new Map([
      ['a resolver', await start('resolver', trusting, stubs.join(''))],
      ['a validator behind a cache', await start('validator', `${trusting} cache-max-ttl: 0\n`, behind)],
    ])
    return { validating, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startUnbound(
  { folder: parent, time }: ResolverPlace,
  { name, settings, clauses }: { readonly name: string; readonly settings: string; readonly clauses: string },
): Promise<Nameserver> {
  const folder = join(parent, name)
  const port = await freePort()
  const file = put(
    folder,
    'unbound.conf',
    `server:\n interface: 127.0.0.1\n port: ${port}\n directory: "${folder}"\n pidfile: "${folder}/pid"\n` +
      ` chroot: ""\n username: ""\n use-syslog: no\n logfile: ""\n log-time-ascii: yes\n verbosity: 1\n` +
      ` val-log-level: 2\n do-not-query-localhost: no\n do-ip6: no\n num-threads: 1\n${settings}` +
      `remote-control:\n control-enable: no\n${clauses}`,
  )
  return daemon('unbound', ['-d', '-c', file], { folder, port }, time.environment)
}

async function answers({ port, log }: Nameserver): Promise<void> {
  for (const began = performance.now(); ; await sleep(100)) {
    const asked = ['-p', String(port), '@127.0.0.1', '+tries=1', '+time=1', 'localhost', 'A']
    if ((await run('dig', asked)).output.includes('NOERROR')) return
    if (performance.now() - began > START_LIMIT_MS) throw new Error(`unbound does not answer\n${log()}`)
  }
}
