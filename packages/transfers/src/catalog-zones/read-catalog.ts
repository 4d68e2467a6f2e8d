// Reads catalog zones of other nameservers (RFC 9432, version 2): as a whole, or not at all.
import type { Chunked } from '@zonereeve/cooperate'
import { decodeRdata, isAtOrBelow, joinName, labelsOf, WireError, type Name } from '@zonereeve/dns'
import type { ReceivedTransfer } from '@zonereeve/nameserver'

const PTR = 12
const TXT = 16

/** A member zone as the catalog lists it. */
export interface CatalogEntry {
  /** The unique label: another label for the same zone means that its state is reset (RFC 9432 §5.4). */
  readonly label: string
  readonly zone: Name
  /** Values of its group property, sorted. */
  readonly groups: readonly string[]
  /** The catalog zone that may take the zone over (its property coo); null if there is none. */
  readonly newOwner: Name | null
}

/** The zone of an entry that has properties only: kept, because a later difference may add the zone, and is not one. */
export const NO_ZONE = '' as Name // no name is empty: the root is `.`

/** Why a catalog zone is not used (RFC 9432 §5.1). The message is shown to users. */
export class UnusableCatalog extends Error {
  override readonly name = 'UnusableCatalog'
}

/** Member zones of one catalog zone: all of them are in memory while it is read. */
export const MAX_CATALOG_MEMBERS = 200_000

/** What a catalog zone says with one of its records. Records that say nothing else are ignored. */
interface Statement {
  readonly about: 'version' | 'zone' | 'group' | 'owner'
  readonly label: string
  readonly value: string
}

/** Statements by their text, so that a difference can be applied. */
type Statements = Map<string, Statement>

/** The whole catalog zone, or the differences from the last version. */
export type CatalogContents = Extract<ReceivedTransfer, { readonly kind: 'zone' }>['contents']

type TransferredRecord = Extract<CatalogContents, { readonly kind: 'whole' }>['records'][number]

/**
 * The members after a transfer, by label, and properties of members that are not there ({@link NO_ZONE}).
 *
 * @param before the members that a difference starts from.
 * @throws UnusableCatalog if the catalog zone is invalid, or the difference does not apply.
 */
export function* readCatalog(
  apex: Name,
  contents: CatalogContents,
  before: Iterable<CatalogEntry>,
): Chunked<ReadonlyMap<string, CatalogEntry>> {
  const statements: Statements = new Map()
  const add = (statement: Statement): unknown => statements.set(keyOf(statement), statement)
  if (contents.kind === 'whole') {
    yield* eachStatement(apex, contents.records, add)
  } else {
    add({ about: 'version', label: '', value: VERSION })
    for (const entry of before) {
      for (const statement of statementsOf(entry)) add(statement)
      yield
    }
    for (const { removed, added } of contents.steps) {
      yield* eachStatement(apex, removed, (statement) => {
        if (!statements.delete(keyOf(statement)))
          throw new UnusableCatalog(`the difference removes ${keyOf(statement)}, which is not there`)
      })
      yield* eachStatement(apex, added, add)
    }
  }
  return yield* readEntries(apex, statements)
}

const VERSION = '2'

const keyOf = ({ about, label, value }: Statement): string => `${about} ${label} ${value}`

function statementsOf({ label, zone, groups, newOwner }: CatalogEntry): Statement[] {
  return [
    ...(zone === NO_ZONE ? [] : [{ about: 'zone', label, value: zone } as const]),
    ...groups.map((value) => ({ about: 'group', label, value }) as const),
    ...(newOwner === null ? [] : [{ about: 'owner', label, value: newOwner } as const]),
  ]
}

function* eachStatement(
  apex: Name,
  records: readonly TransferredRecord[],
  take: (statement: Statement) => unknown,
): Chunked<void> {
  for (const record of records) {
    const statement = statementIn(apex, record)
    if (statement !== undefined) take(statement)
    yield
  }
}

/** Properties that are unknown here, other types and other names are ignored (RFC 9432 §4.5, §5.1). */
function statementIn(apex: Name, { name, type, rdata }: TransferredRecord): Statement | undefined {
  if ((type !== PTR && type !== TXT) || name === apex || !isAtOrBelow(name, apex)) return undefined
  const relative = name.slice(0, -apex.length - 1) as Name // whole labels of a canonical name
  try {
    return type === TXT ? statementOfText(relative, rdata) : statementOfPointer(relative, rdata)
  } catch (error) {
    if (error instanceof WireError)
      throw new UnusableCatalog(`the record at ${name} is malformed: ${error.message}`)
    throw error
  }
}

function statementOfText(relative: Name, rdata: Uint8Array): Statement | undefined {
  if (relative === 'version') return { about: 'version', label: '', value: textOf(rdata) }
  const node = memberNode(relative)
  if (node?.property !== 'group') return undefined
  const value = textOf(rdata)
  // Settings cannot name such a group.
  return CONTROL_CHARACTERS.test(value) ? undefined : { about: 'group', label: node.label, value }
}

function statementOfPointer(relative: Name, rdata: Uint8Array): Statement | undefined {
  const node = memberNode(relative)
  if (node === undefined || (node.property !== undefined && node.property !== 'coo')) return undefined
  const { target: value } = decodeRdata('PTR', rdata)
  return { about: node.property === 'coo' ? 'owner' : 'zone', label: node.label, value }
}

/** The unique label of a name below `zones`, and the property; undefined for the member node itself. */
function memberNode(relative: Name): { readonly label: string; readonly property?: string } | undefined {
  const [zones, label, property, ...rest] = labelsOf(relative).toReversed()
  if (zones !== 'zones' || label === undefined || rest.length > 0) return undefined
  return property === undefined ? { label } : { label, property }
}

// eslint-disable-next-line no-control-regex -- what is looked for
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f]/

const UTF8 = new TextDecoder()

const textOf = (rdata: Uint8Array): string =>
  decodeRdata('TXT', rdata)
    .strings.map((string) => UTF8.decode(string))
    .join('')

interface OpenEntry {
  readonly label: string
  zone: Name | undefined
  readonly groups: string[]
  newOwner: Name | null
}

function* readEntries(apex: Name, statements: Statements): Chunked<ReadonlyMap<string, CatalogEntry>> {
  const versions: string[] = []
  const open = new Map<string, OpenEntry>()
  for (const { about, label, value } of statements.values()) {
    yield
    if (about === 'version') {
      versions.push(value)
      continue
    }
    let entry = open.get(label)
    if (entry === undefined) open.set(label, (entry = { label, zone: undefined, groups: [], newOwner: null }))
    if (about === 'group') entry.groups.push(value)
    else if (about === 'zone') {
      if (entry.zone !== undefined) throw severalRecords(`${label}.zones`, apex)
      entry.zone = value as Name // decoded from a record, like the next one
    } else {
      if (entry.newOwner !== null) throw severalRecords(`coo.${label}.zones`, apex)
      entry.newOwner = value as Name // as above
    }
  }
  requireVersion(apex, versions)
  return yield* complete(open.values())
}

const severalRecords = (relative: string, apex: Name): UnusableCatalog =>
  new UnusableCatalog(`there are several PTR records at ${joinName(relative, apex)}`)

function requireVersion(apex: Name, versions: readonly string[]): void {
  const owner = joinName('version', apex)
  const [version] = versions
  if (version === undefined) throw new UnusableCatalog(`there is no TXT record at ${owner}`)
  if (versions.length > 1) throw new UnusableCatalog(`there are several TXT records at ${owner}`)
  if (version !== VERSION)
    throw new UnusableCatalog(
      `the version of the catalog zone is "${version}"; only "${VERSION}" is supported`,
    )
}

function* complete(open: Iterable<OpenEntry>): Chunked<ReadonlyMap<string, CatalogEntry>> {
  const entries = new Map<string, CatalogEntry>()
  const labels = new Map<Name, string>()
  for (const { label, zone, groups, newOwner } of open) {
    yield
    const other = zone && labels.get(zone)
    if (other !== undefined)
      throw new UnusableCatalog(`the zone ${zone} is listed twice, with the labels ${other} and ${label}`)
    if (zone !== undefined) labels.set(zone, label)
    entries.set(label, { label, zone: zone ?? NO_ZONE, groups: groups.toSorted(), newOwner })
    if (entries.size > MAX_CATALOG_MEMBERS)
      throw new UnusableCatalog(`the catalog zone has more than ${MAX_CATALOG_MEMBERS} members`)
  }
  return entries
}
