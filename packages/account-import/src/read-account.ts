// Reads an account over the API. What its token may not read is listed, not guessed.
import { isItem, read, readAll, readByCursor, ReadRefused, type Connection, type Item } from './connection.ts'
import {
  snapshotOf,
  type AccountSnapshot,
  type ListSnapshot,
  type Unread,
  type ZoneSnapshot,
} from './snapshot.ts'
import { readRulesets, ZONE_READERS } from './zone-parts.ts'

export interface ReadOptions {
  /** Identifier of the account; undefined: the only one that the token can read. */
  readonly account: string | undefined
  /** Names of zones; empty: all. */
  readonly zones: readonly string[]
  /** @param share from 0 to 1. */
  readonly onProgress: (share: number, text: string) => void
}

/** Statuses by which an account says that it does not have a product, or that the token may not read it. */
const UNREADABLE = new Set([400, 401, 403, 404])

/** @throws Error: there is no such account or zone, or the server does not answer. */
export async function readAccount(
  connection: Connection,
  { account: givenAccount, zones: names, onProgress }: ReadOptions,
): Promise<AccountSnapshot> {
  const unread: Unread[] = []
  const part = createPartReader(unread)
  const account = await findAccount(connection, givenAccount)
  const path = `/accounts/${String(account['id'])}`
  const found = await readAll(connection, `/zones?account.id=${String(account['id'])}`)
  const chosen = names.length === 0 ? found : names.map((name) => requireZone(found, name))
  const lists = await part(null, 'lists', () => readLists(connection, path))
  const rulesets = await part(null, 'rulesets', () => readRulesets(connection, path))
  const zones: ZoneSnapshot[] = []
  for (const zone of chosen) {
    onProgress(zones.length / chosen.length, `reads ${String(zone['name'])}`)
    zones.push(await readZone(connection, zone, part))
  }
  // Those that could not be read are named in `unread`.
  const none = { lists: [], rulesets: [] }
  return snapshotOf({
    ...none,
    account,
    ...(lists && { lists }),
    ...(rulesets && { rulesets }),
    zones,
    unread,
  })
}

type PartReader = <Result>(
  zone: string | null,
  part: string,
  body: () => Promise<Result>,
) => Promise<Result | undefined>

function createPartReader(unread: Unread[]): PartReader {
  return async (zone, part, body) => {
    try {
      return await body()
    } catch (error) {
      if (!(error instanceof ReadRefused) || !UNREADABLE.has(error.status)) throw error
      unread.push({ zone, part, reason: error.message })
      return undefined
    }
  }
}

async function readZone(connection: Connection, zone: Item, part: PartReader): Promise<ZoneSnapshot> {
  const parts: Record<string, unknown> = {}
  for (const [name, reader] of Object.entries(ZONE_READERS)) {
    const result = await part(String(zone['name']), name, () => reader(connection, String(zone['id'])))
    if (result !== undefined) parts[name] = result
  }
  return { zone, parts }
}

async function readLists(connection: Connection, account: string): Promise<ListSnapshot[]> {
  const found = await read(connection, `${account}/rules/lists`)
  const lists: ListSnapshot[] = []
  for (const list of Array.isArray(found) ? found.filter(isItem) : [])
    lists.push({
      list,
      items: await readByCursor(connection, `${account}/rules/lists/${String(list['id'])}/items`),
    })
  return lists
}

/** @throws Error naming the accounts to choose from. */
export async function findAccount(connection: Connection, given: string | undefined): Promise<Item> {
  const accounts = await readAll(connection, '/accounts')
  const matching =
    given === undefined ? accounts : accounts.filter(({ id, name }) => id === given || name === given)
  const [account] = matching
  if (account !== undefined && matching.length === 1) return account
  const known = accounts.map(({ id, name }) => `${String(id)} (${String(name)})`).join(', ')
  const problem = given === undefined ? 'the token reaches several accounts' : `unknown account ${given}`
  if (accounts.length === 0) throw new Error('the token reaches no account')
  throw new Error(`${problem}: choose one of ${known}`)
}

function requireZone(zones: readonly Item[], name: string): Item {
  const zone = zones.find((one) => one['name'] === name)
  if (zone === undefined) throw new Error(`the account has no zone ${name}`)
  return zone
}
