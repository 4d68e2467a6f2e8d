// Scans a zone at the nameservers that it is currently delegated to: queries common names one by one.
import { setMaxListeners } from 'node:events'
import { decodeRdata, isAtOrBelow, joinName, type Name, NameError, parentOf, DATA_TYPE } from '@zonereeve/dns'
import type { AskServer, Resolver, Server } from '@zonereeve/resolver'
import { APEX_TYPES, COMMON_NAMES, HOST_TYPES } from './common-names.ts'
import { findNameservers } from './delegation.ts'
import type { DnsScanLimits } from './limits.ts'
import { createNameserverClient, type NameserverClient } from './nameserver-client.ts'
import { createWildcards, keyOf, type Wildcards } from './wildcards.ts'
import type { FoundRecord } from './zone-answer.ts'

export type DnsScanOutcome =
  /** The name is not delegated, or its nameservers have no address. */
  | { readonly kind: 'undelegated' }
  /** No nameserver answered authoritatively for the zone. */
  | { readonly kind: 'silent' }
  | {
      readonly kind: 'surveyed'
      readonly records: readonly FoundRecord[]
      /** Whether every query was answered, within the limits. */
      readonly isComplete: boolean
      /** A wildcard answers every name differently: names below it cannot be distinguished from it. */
      readonly hasVaryingWildcard: boolean
    }

/** Never rejects because of external nameservers. */
export type DnsScan = (zone: Name, signal: AbortSignal) => Promise<DnsScanOutcome>

export interface DnsScanDeps {
  /** Not needed if servers are given. */
  readonly resolver: Pick<Resolver, 'lookUp'> | undefined
  /** Queried instead of the delegation's nameservers. */
  readonly servers: readonly Server[]
  readonly askServer: AskServer
  readonly random: (octets: number) => Uint8Array
  readonly limits: DnsScanLimits
}

export function createDnsScan({ resolver, servers: named, askServer, random, limits }: DnsScanDeps): DnsScan {
  return async (apex, caller) => {
    const signal = AbortSignal.any([caller, AbortSignal.timeout(limits.totalMs)])
    setMaxListeners(0, signal) // each running query adds a listener; their number is limited
    const servers =
      named.length > 0 || resolver === undefined
        ? named
        : await unlessAborted(findNameservers(apex, resolver, limits.servers), signal, [])
    if (servers.length === 0) return { kind: 'undelegated' }
    const client = createNameserverClient({ apex, servers, askServer, limits, signal })
    const search = createSearch(apex, client, createWildcards(client, random), limits)
    await search.run()
    if (!client.wasHeard) return { kind: 'silent' }
    const { records, hasVaryingWildcard, isFull } = search
    return {
      kind: 'surveyed',
      records: [...records.values()],
      isComplete: client.isComplete && !isFull(),
      hasVaryingWildcard: hasVaryingWildcard(),
    }
  }
}

async function unlessAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  otherwise: Result,
): Promise<Result> {
  if (signal.aborted) return otherwise
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => resolve(otherwise), { once: true })
    work.then(resolve, reject)
  })
}

interface DesiredName {
  readonly name: Name
  readonly types: readonly number[]
}

/** The search through the names of one scan. */
function createSearch(apex: Name, client: NameserverClient, wildcards: Wildcards, limits: DnsScanLimits) {
  const records = new Map<string, FoundRecord>()
  const queriedNames = new Set<Name>()
  let isVarying = false
  let full = false

  return { run, records, hasVaryingWildcard: () => isVarying, isFull: () => full }

  async function run(): Promise<void> {
    await askApex()
    await askWildcards()
    let desired: readonly DesiredName[] = COMMON_NAMES.flatMap(({ name, types }) => below(name, types))
    for (let round = 0; round < limits.rounds && desired.length > 0; round += 1) {
      for (const { name } of desired) queriedNames.add(name)
      await inParallel(desired, limits.concurrency, lookFor)
      desired = pointedTo()
    }
  }

  async function askApex(): Promise<void> {
    queriedNames.add(apex)
    await inParallel(APEX_TYPES, limits.concurrency, async (type) => {
      const answer = await client.ask(apex, type)
      if (answer?.kind === 'records') keep(answer.records)
    })
  }

  /** The wildcard below the apex is a record like others, under its own name. */
  async function askWildcards(): Promise<void> {
    const [name] = below('*', HOST_TYPES)
    if (name === undefined) return
    queriedNames.add(name.name)
    await inParallel(HOST_TYPES, limits.concurrency, async (type) => {
      const answer = await wildcards.answerBelow(apex, type)
      if (answer.kind === 'same') keep(answer.records.map((record) => ({ ...record, name: name.name })))
      if (answer.kind === 'varying') isVarying = true
    })
  }

  async function lookFor({ name, types }: DesiredName): Promise<void> {
    for (const type of types) {
      const answer = await client.ask(name, type)
      if (answer === undefined || answer.kind === 'no_name') return
      if (answer.kind === 'delegation') return keepDelegation(answer.cut, answer.records)
      const isOwn = answer.records.length > 0 && !(await isWildcards(name, type, answer.records))
      if (isOwn) keep(answer.records)
      if (answer.isAlias) return
    }
  }

  /** Whether the records equal, or may equal, a wildcard's answer. */
  async function isWildcards(name: Name, type: number, found: readonly FoundRecord[]): Promise<boolean> {
    const parent = parentOf(name) ?? apex
    const answer = await wildcards.answerBelow(parent, type)
    if (answer.kind === 'varying') isVarying = true
    return (
      answer.kind === 'varying' ||
      (answer.kind === 'same' && found.every((record) => answer.keys.has(keyOf(record))))
    )
  }

  async function keepDelegation(cut: Name, found: readonly FoundRecord[]): Promise<void> {
    const isNew = !records.has(idOf(found[0]))
    keep(found)
    // The DS belongs to the parent side of the delegation (RFC 4035 §3.1.4.1).
    const answer = isNew ? await client.ask(cut, DATA_TYPE.DS) : undefined
    if (answer?.kind === 'records' && !answer.isAlias) keep(answer.records)
  }

  function keep(found: readonly FoundRecord[]): void {
    for (const record of found) {
      if (records.size >= limits.records) full = true
      else records.set(idOf(record), record)
    }
  }

  /** Names of the zone that found records refer to and that have not been queried yet. */
  function pointedTo(): readonly DesiredName[] {
    const targets = [...records.values()].flatMap((record) => targetOf(record))
    const fresh = targets.filter((name) => isAtOrBelow(name, apex) && !queriedNames.has(name))
    return [...new Set(fresh)].map((name) => ({ name, types: HOST_TYPES }))
  }

  function below(name: string, types: readonly number[]): DesiredName[] {
    try {
      return [{ name: joinName(name, apex), types }]
    } catch (error) {
      if (error instanceof NameError) return [] // too long below this apex: it cannot exist
      throw error
    }
  }
}

const idOf = (record: FoundRecord | undefined): string =>
  record === undefined ? '' : `${record.name} ${keyOf(record)}`

function targetOf({ type, rdata }: FoundRecord): Name[] {
  switch (type) {
    case DATA_TYPE.CNAME:
      return [decodeRdata('CNAME', rdata).target]
    case DATA_TYPE.MX:
      return [decodeRdata('MX', rdata).exchange]
    case DATA_TYPE.SRV:
      return [decodeRdata('SRV', rdata).target]
    default:
      return []
  }
}

/** Processes a list with a limited number of concurrent items. */
async function inParallel<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  const worker = async (): Promise<void> => {
    for (const item of rest) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker))
}
