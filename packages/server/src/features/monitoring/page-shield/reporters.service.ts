// Holds what reports add to the budgets of the networks that sent them. A network is stored as a keyed digest, for a
// day; the digest beside a script is another one, so that scripts do not show who shares a network.
import { createHmac } from 'node:crypto'
import {
  NOTHING_SPENT,
  spendEntry,
  spendFetch,
  type AddressBudget,
  type Spending,
} from '@zonereeve/browser-reports'
import type { Clock } from '@zonereeve/platform'
import type { Transaction } from '@zonereeve/storage'
import { countSpending, findSpending, saveSpending } from './reporters.store.ts'

/** Networks (IPv6: /48), a few at most; null = the source is trusted: an edge, a scan, or a request with a token. */
export type Reporters = readonly string[] | null

export interface BudgetDeps {
  readonly clock: Clock
  /** Keys the digests of networks. */
  readonly reportingKey: Uint8Array
  /** undefined = unlimited. */
  readonly reportBudget: AddressBudget | undefined
}

/** Networks counted separately per zone and day; all further ones share one budget. */
const MAX_NETWORKS = 20_000
const OTHER_CLIENTS = 'other clients'
const DIGEST_CHARACTERS = 22

export type ReporterBudget = ReturnType<typeof createReporterBudget>

/** Budgets of one zone for one transaction; `save` stores them. */
export function createReporterBudget(tx: Transaction, deps: BudgetDeps, zoneId: string) {
  const { reportBudget, clock } = deps
  const day = clock.timestamp().slice(0, '2026-01-05'.length)
  const spent = new Map<string, Spending>()
  const changed = new Set<string>()
  let networks: number | undefined

  return { admits, soleReporter, confirms, save }

  /** Charges a new entry to the first network that can afford it. */
  async function admits(reporters: Reporters, kind: 'resources' | 'code'): Promise<boolean> {
    if (reporters === null || reportBudget === undefined) return true
    for (const network of reporters) if (await charge(network, spendEntry, kind)) return true
    return false
  }

  /** The digest of the only network that reported a new script; null if it may be fetched at once. */
  async function soleReporter(scriptId: string, reporters: Reporters): Promise<string | null> {
    const network = onlyOne(reporters)
    if (network === undefined || (await charge(network, spendFetch))) return null
    return digestOf(scriptId, network)
  }

  /** Whether a script that only one network has reported may be fetched now. */
  async function confirms(scriptId: string, sole: string, reporters: Reporters): Promise<boolean> {
    const network = onlyOne(reporters)
    if (network === undefined || digestOf(scriptId, network) !== sole) return true
    return charge(network, spendFetch)
  }

  function onlyOne(reporters: Reporters): string | undefined {
    return reporters === null || reporters.length > 1 || reportBudget === undefined ? undefined : reporters[0]
  }

  async function charge<Args extends readonly unknown[]>(
    network: string,
    spend: (budget: AddressBudget, before: Spending, ...args: Args) => Spending | undefined,
    ...args: Args
  ): Promise<boolean> {
    if (reportBudget === undefined) return true
    const digest = await digestOfDay(network)
    const before = spent.get(digest) ?? NOTHING_SPENT
    const after = spend(reportBudget, before, ...args)
    if (after === undefined) return false
    spent.set(digest, after)
    changed.add(digest)
    return true
  }

  async function digestOfDay(network: string): Promise<string> {
    const own = digestOf(`${day} ${zoneId}`, network)
    if (spent.has(own)) return own
    const known = await findSpending(tx, own)
    if (known === undefined) {
      networks ??= await countSpending(tx, zoneId, day)
      if (networks >= MAX_NETWORKS && network !== OTHER_CLIENTS) return digestOfDay(OTHER_CLIENTS)
      networks += 1
    }
    spent.set(own, known ?? NOTHING_SPENT) // the network's first new entry today
    return own
  }

  function digestOf(scope: string, network: string): string {
    const hmac = createHmac('sha256', deps.reportingKey).update(`reporter ${scope} ${network}`)
    return hmac.digest('base64url').slice(0, DIGEST_CHARACTERS)
  }

  async function save(): Promise<void> {
    for (const digest of changed) {
      const { resources, code, fetches } = spent.get(digest) ?? NOTHING_SPENT // it is there: it was changed
      await saveSpending(tx, { digest, zoneId, day, resources, code, fetches })
    }
    changed.clear()
  }
}
