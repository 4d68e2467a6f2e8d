// What was read of an account: one JSON document, which is also the file that can be imported later.
import { isItem, type Item } from './connection.ts'

const FORMAT = 'zonereeve.account'
const VERSION = 1

/** A part of the account that could not be read, and why: it is not imported. */
export interface Unread {
  /** Name of the zone; null: of the account. */
  readonly zone: string | null
  readonly part: string
  readonly reason: string
}

export interface ListSnapshot {
  readonly list: Item
  readonly items: readonly Item[]
}

export interface ZoneSnapshot {
  /** As `GET /zones/{zone_id}` shows it. */
  readonly zone: Item
  /** Results of reads by the name of the part (zone-parts.ts); a part that could not be read is missing. */
  readonly parts: Readonly<Record<string, unknown>>
}

export interface AccountSnapshot {
  readonly format: typeof FORMAT
  readonly version: typeof VERSION
  readonly account: Item
  readonly lists: readonly ListSnapshot[]
  /** Of the account, with their rules. */
  readonly rulesets: readonly Item[]
  readonly zones: readonly ZoneSnapshot[]
  readonly unread: readonly Unread[]
}

export const snapshotOf = (content: Omit<AccountSnapshot, 'format' | 'version'>): AccountSnapshot => ({
  format: FORMAT,
  version: VERSION,
  ...content,
})

/** @throws Error naming the first member that is not as a snapshot has it. */
export function parseSnapshot(text: string): AccountSnapshot {
  const value = parseJson(text)
  if (!isItem(value) || value['format'] !== FORMAT)
    throw new Error(`/format must be "${FORMAT}": the file is not one that --save wrote`)
  if (value['version'] !== VERSION) throw new Error(`/version must be ${VERSION}`)
  requireThat(isItem(value['account']), '/account', 'an object')
  requireList(
    value,
    '/lists',
    (list) => isItem(list['list']) && isItems(list['items']),
    'a list with its items',
  )
  requireList(value, '/rulesets', isNamed, 'a ruleset with its name')
  requireList(
    value,
    '/zones',
    (zone) => isNamed(zone['zone']) && isItem(zone['parts']),
    'a zone with its parts',
  )
  requireList(
    value,
    '/unread',
    ({ part, reason }) => typeof part === 'string' && typeof reason === 'string',
    'an unread part',
  )
  return value as unknown as AccountSnapshot // its members were checked; parts are checked where they are used
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error('the file is not JSON', { cause: error })
  }
}

const isItems = (value: unknown): boolean => Array.isArray(value) && value.every(isItem)
const isNamed = (value: unknown): boolean => isItem(value) && typeof value['name'] === 'string'

function requireList(value: Item, pointer: string, isRight: (item: Item) => boolean, what: string): void {
  const list = value[pointer.slice(1)]
  if (!Array.isArray(list)) throw new Error(`${pointer} must be a list`)
  for (const [index, item] of list.entries())
    requireThat(isItem(item) && isRight(item), `${pointer}/${index}`, what)
}

function requireThat(isTrue: boolean, pointer: string, what: string): void {
  if (!isTrue) throw new Error(`${pointer} must be ${what}`)
}
