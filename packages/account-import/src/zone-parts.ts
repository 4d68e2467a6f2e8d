// The parts of a zone that are read, in the order in which they are imported.
import {
  isItem,
  read,
  readAll,
  readByCursor,
  RECORDS_PER_PAGE,
  type Connection,
  type Item,
} from './connection.ts'

type Reader = (connection: Connection, zone: string) => Promise<unknown>

/** A list whose items are created one by one. */
export interface ListPart {
  readonly path: string
  /** What is sent to create one, without what the server assigns. */
  readonly draft: (item: Item) => Item
  /** The members that make a draft the same object as another. */
  readonly identity: (draft: Item) => unknown
  /** The firewall rules of one request are a list. */
  readonly sendsList?: boolean
  /** The list has no pages, and its parameters would be refused. */
  readonly isWhole?: boolean
  /** In the order of creation. */
  readonly order?: (a: Item, b: Item) => number
}

/** Members that a server assigns. */
const ASSIGNED = new Set(['id', 'created_on', 'modified_on', 'scope', 'allowed_modes', 'is_managed'])

/** Without what the server assigns, and without members that are not set. */
const ownMembers = (item: Item): Item =>
  Object.fromEntries(
    Object.entries(item).filter(
      ([name, value]) => !ASSIGNED.has(name) && value !== null && value !== undefined,
    ),
  )

const firewallRule = (item: Item): Item => {
  const { filter, ...rule } = ownMembers(item)
  return { ...rule, filter: ownMembers(filter as Item) } // every rule has one
}

const priorityOf = ({ priority }: Item): number => (typeof priority === 'number' ? priority : 0) // 0: before all others

export const LIST_PARTS: Readonly<Record<string, ListPart>> = {
  'access rules': {
    path: '/firewall/access_rules/rules',
    draft: ownMembers,
    identity: ({ configuration }) => configuration,
  },
  'user-agent rules': {
    path: '/firewall/ua_rules',
    draft: ownMembers,
    identity: ({ configuration }) => configuration,
  },
  'lockdown rules': {
    path: '/firewall/lockdowns',
    draft: ownMembers,
    identity: ({ urls, configurations }) => [urls, configurations],
  },
  'firewall rules': {
    path: '/firewall/rules',
    draft: firewallRule,
    identity: ({ action, filter }) => [action, isItem(filter) ? filter['expression'] : undefined],
    sendsList: true,
  },
  'page rules': {
    path: '/pagerules',
    isWhole: true,
    draft: ownMembers,
    identity: ({ targets }) => targets,
    // A new page rule with a priority that is taken moves the others up.
    order: (a, b) => priorityOf(a) - priorityOf(b),
  },
  'monitoring policies': {
    path: '/page_shield/policies',
    draft: ownMembers,
    identity: ({ action, expression, value }) => [action, expression, value],
  },
}

const listReaders = Object.fromEntries(
  Object.entries(LIST_PARTS).map(([name, { path, isWhole }]): [string, Reader] => [
    name,
    (connection, zone) => (isWhole === true ? read : readAll)(connection, `/zones/${zone}${path}`),
  ]),
)

const one =
  (path: string): Reader =>
  (connection, zone) =>
    read(connection, `/zones/${zone}${path}`)

export const ZONE_READERS: Readonly<Record<string, Reader>> = {
  records: (connection, zone) => readAll(connection, `/zones/${zone}/dns_records`, RECORDS_PER_PAGE),
  'DNS settings': one('/dns_settings'),
  DNSSEC: one('/dnssec'),
  settings: one('/settings'),
  'URL normalization': one('/url_normalization'),
  rulesets: (connection, zone) => readRulesets(connection, `/zones/${zone}`),
  'monitoring settings': one('/page_shield'),
  ...listReaders,
}

/** The rulesets that belong to the owner, with their rules: not those that are managed. */
export async function readRulesets(connection: Connection, owner: string): Promise<Item[]> {
  const level = owner.startsWith('/zones/') ? 'zone' : 'root'
  const found = await readByCursor(connection, `${owner}/rulesets`)
  const own = found.filter(({ kind }) => kind === level || kind === 'custom')
  const rulesets: Item[] = []
  // A list shows rulesets without their rules.
  for (const { id } of own) rulesets.push((await read(connection, `${owner}/rulesets/${String(id)}`)) as Item)
  return rulesets
}
