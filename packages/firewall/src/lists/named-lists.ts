// The named lists of an account, compiled: a look-up never goes through the items of a list one by one.
import {
  addressBits,
  asciiLower,
  compileIpSet,
  type IpRange,
  lastAddress,
  type ListFacts,
  networkAddress,
  parseIp,
  type Scheme,
  type Type,
  typeName,
  type Value,
} from '@zonereeve/expr'
import type { ListedHostname, ListKind, ListValue, RedirectItem } from './list-item.ts'
import { compileRedirects, type RedirectTable } from './redirect-table.ts'

/** A list with its items, as JSON has it. */
export interface NamedList {
  readonly name: string
  readonly kind: ListKind
  readonly items: readonly ListValue[]
}

type Contains = (value: Value) => boolean

const NOTHING: Contains = () => false

/** @throws Error for items that the server would not have accepted. */
export function compileLists(lists: readonly NamedList[]): ListFacts {
  const sets = new Map<string, Contains>()
  const tables = new Map<string, RedirectTable>()
  for (const list of lists) {
    if (list.kind === 'redirect') {
      const table = compileRedirects(valuesOf<RedirectItem>(list, 'redirect'))
      tables.set(list.name, table)
      sets.set(list.name, (value) => typeof value === 'string' && table(value) !== undefined)
    } else sets.set(list.name, compileSet(list))
  }
  return {
    // Stored rules name only lists that exist; one whose type does not fit contains nothing.
    contains: (_type, name, value) => (sets.get(name) ?? NOTHING)(value),
    redirectOf: (name, url) => tables.get(name)?.(url),
  }
}

function compileSet(list: NamedList): Contains {
  if (list.kind === 'ip') return compileIpSet(valuesOf<string>(list, 'ip').map(rangeOf))
  if (list.kind === 'asn') {
    const numbers = new Set<Value>(valuesOf<number>(list, 'asn'))
    return (value) => numbers.has(typeof value === 'bigint' ? Number(value) : value)
  }
  return compileHostnames(valuesOf<ListedHostname>(list, 'hostname'))
}

/** Items of a list have the member of its kind. */
function valuesOf<T>({ name, items }: NamedList, member: string): readonly T[] {
  return items.map((item) => {
    const value = (item as unknown as Readonly<Record<string, T | undefined>>)[member] // looked up by name, and checked
    if (value === undefined) throw new Error(`the list ${name} has an item without ${member}`)
    return value
  })
}

function rangeOf(text: string): IpRange {
  const [address = '', prefix] = text.split('/')
  const ip = parseIp(address)
  if (ip === undefined) throw new Error('a list of addresses has an invalid item')
  const length = prefix === undefined ? addressBits(ip) : Number(prefix)
  return { first: networkAddress(ip, length), last: lastAddress(ip, length) }
}

function compileHostnames(hostnames: readonly ListedHostname[]): Contains {
  const exact = new Set<string>()
  const parents = new Set<string>()
  for (const { url_hostname: name, exclude_exact_hostname: isExcluded = true } of hostnames) {
    if (!name.startsWith('*.')) exact.add(name)
    else {
      parents.add(name.slice(2))
      if (!isExcluded) exact.add(name.slice(2))
    }
  }
  return (value) => typeof value === 'string' && isListed(hostOf(value), exact, parents)
}

const hostOf = (text: string): string => asciiLower(text).replace(/:\d*$/, '').replace(/\.$/, '')

function isListed(host: string, exact: ReadonlySet<string>, parents: ReadonlySet<string>): boolean {
  if (exact.has(host)) return true
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1))
    if (parents.has(host.slice(dot + 1))) return true
  return false
}

/** The kinds of lists whose items have a type. */
const KINDS_OF: Readonly<Record<string, readonly ListKind[]>> = {
  ip: ['ip'],
  int: ['asn'],
  bytes: ['hostname', 'redirect'],
}

/** A scheme in which expressions may name only these lists, each with a field of its type. */
export function schemeWithLists(scheme: Scheme, known: ReadonlyMap<string, ListKind>): Scheme {
  const listProblem = (type: Type, name: string): string | undefined => {
    const kind = known.get(name)
    if (kind === undefined) return `there is no list $${name}`
    const kinds = KINDS_OF[type.kind] ?? [] // lists are for these types only
    return kinds.includes(kind)
      ? undefined
      : `$${name} is a list of kind ${kind}; a value of type ${typeName(type)} needs one of kind ${kinds.join(' or ')}`
  }
  return { ...scheme, listProblem }
}

/** Whether a source can name a list; only then it is worth parsing. */
export const mayNameList = (source: string): boolean => source.includes('$')
