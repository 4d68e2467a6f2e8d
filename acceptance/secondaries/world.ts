// Our server with third-party secondaries: configures their zones, and waits until they have them.
import { equal, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { missingOf } from '../../scripts/requirements.ts'
import { createApi, type Api } from '../browsers/api.ts'
import { askUntil } from '../dns-client.ts'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'
import type { Target } from '../program.ts'
import type { Report } from '../report.ts'
import { SECONDARIES, type Nameserver } from './nameservers.ts'

const CATALOG = 'catalog.secondaries.example'
/** Secret of `xfr-key` in docs/transfers.md. */
export const SECRET = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
/** Secondaries check catalog zones every few seconds, and transfer new zones after that. */
export const CATALOG_LIMIT_MS = 30_000
/** Time to wait for an answer before servers without notification are synced again. */
const BETWEEN_LOOKS_MS = 1_000

export type SecondaryName = keyof typeof SECONDARIES

export interface World {
  readonly api: Api
  readonly target: Target
  readonly accountId: string
  readonly keyId: string
  readonly peers: readonly string[]
  readonly servers: ReadonlyMap<SecondaryName, Nameserver>
}

/** Secondaries installed on this machine; the others are reported as skipped. */
export function presentSecondaries(report: Report): readonly SecondaryName[] {
  // The keys of a constant match its type.
  return (Object.keys(SECONDARIES) as SecondaryName[]).filter((name) => {
    const missing = missingOf(name === 'pdns' ? [name, 'pdns-sqlite3', 'dig'] : [name, 'dig'])
    if (missing !== undefined) report.skip(`${name} as a secondary`, missing.reason, missing.required)
    return missing === undefined
  })
}

/**
 * Starts these servers, which learn their zones from the catalog zone.
 *
 * @param servers is filled as they start, so that they can be stopped if one fails to start.
 */
export async function startSecondaries(
  target: Target,
  folder: string,
  names: readonly SecondaryName[],
  servers: Map<SecondaryName, Nameserver>,
): Promise<World> {
  const api = createApi(target)
  const [account] = await api.get<{ id: string }[]>('/accounts')
  const accountId = account?.id ?? ''
  const root = `/accounts/${accountId}/secondary_dns`
  const { id: keyId } = await api.post<{ id: string }>(`${root}/tsigs`, {
    name: 'xfr-key',
    secret: SECRET,
    algo: 'hmac-sha256.',
  })
  const ports = new Map<SecondaryName, number>()
  const peers: string[] = []
  for (const name of names) {
    const port = await freePort()
    ports.set(name, port)
    const peer = { name, ip: '127.0.0.1', port, tsig_id: keyId }
    peers.push((await api.post<{ id: string }>(`${root}/peers`, peer)).id)
  }
  await api.call('PUT', `/zonereeve/accounts/${accountId}/catalog_zone`, { name: CATALOG, peers })
  for (const name of names) {
    const place = {
      primaryPort: target.dns.port,
      catalog: CATALOG,
      folder: join(folder, `secondary-${name}`),
    }
    servers.set(name, await SECONDARIES[name]({ ...place, port: ports.get(name) ?? 0 }))
  }
  return { api, target, accountId, keyId, peers, servers }
}

/** Creates a zone that is transferred to all of them. */
export async function enable(
  { api, peers }: World,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<void> {
  await api.post(`/zones/${id}/secondary_dns/outgoing`, { name: `${name}.`, peers })
  equal(await api.call('POST', `/zones/${id}/secondary_dns/outgoing/enable`), 'Enabled')
}

/** Replaces a zone's records with those of these lines. */
export async function importFile(
  { target }: Pick<World, 'target'>,
  zoneId: string,
  lines: readonly string[],
): Promise<void> {
  const reply = await fetch(`${target.http}/client/v4/zonereeve/zones/${zoneId}/zone_file`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${target.token}`, 'content-type': 'text/dns' },
    body: `${lines.join('\n')}\n`,
  })
  ok(reply.ok, `the records were not accepted:  ${reply.status} ${(await reply.text()).slice(0, 500)}`)
}

/** Log pattern of an IXFR. PowerDNS requests whole zones, and NSD's log does not distinguish them. */
export function incrementalTransfer(server: SecondaryName, zone: string): RegExp | undefined {
  const name = zone.replaceAll('.', String.raw`\.`)
  if (server === 'knotd')
    return new RegExp(String.raw`\[${name}\.\] IXFR, incoming, remote .*, finished`, 'g')
  if (server === 'named')
    return new RegExp(String.raw`transfer of '${name}/IN' from .*: got incremental response`, 'g')
  return undefined
}

export const isAnswer =
  (content: string) =>
  ({ answers }: { readonly answers: readonly string[] }): boolean =>
    answers.some((answer) => answer.endsWith(` ${content}`))

export async function appears(server: Nameserver, name: string, content: string): Promise<void> {
  await waitFor(server, name, isAnswer(content))
}

export async function disappears(server: Nameserver, name: string): Promise<void> {
  await waitFor(server, name, ({ answers }) => answers.length === 0)
}

async function waitFor(
  server: Nameserver,
  name: string,
  accept: (reply: { readonly answers: readonly string[] }) => boolean,
): Promise<void> {
  const address = { host: '127.0.0.1', port: server.port }
  for (const began = performance.now(); ;) {
    await server.follow?.().catch((error: unknown) => {
      // NSD may not have opened its control socket yet.
      if (performance.now() - began > CATALOG_LIMIT_MS) throw error
    })
    try {
      await askUntil(address, name, 'A', accept, BETWEEN_LOOKS_MS)
      return
    } catch (error) {
      if (performance.now() - began > CATALOG_LIMIT_MS)
        throw new Error(`${String(error)}\n${server.log().slice(-3000)}`, { cause: error })
    }
  }
}
