// Checks the items of a request.
import {
  LIST_KINDS,
  type ListedHostname,
  type ListKind,
  type ListValue,
  readValue,
  type RedirectItem,
} from '@zonereeve/firewall'
import type { Issue } from '@zonereeve/platform'

/** Maximum items of a list. */
export const MAX_LIST_ITEMS = 10_000

/** An item as sent, with the value of its list's kind. */
export interface SentItem {
  readonly ip?: string
  readonly asn?: number
  readonly hostname?: ListedHostname
  readonly redirect?: RedirectItem
  readonly comment?: string
}

interface ItemContent {
  readonly value: ListValue
  /** null = not set. */
  readonly comment: string | null
}

export interface ItemDraft extends ItemContent {
  /** Two items of a list never have the same. */
  readonly key: string
  /** JSON pointer to it. */
  readonly at: string
}

/** Maximum issues reported in one error; more would not help the client. */
const MAX_ISSUES = 100

export interface ReadItems {
  readonly drafts: readonly ItemDraft[]
  readonly issues: readonly Issue[]
}

/** Reports all issues at once. */
export function readItems(sent: readonly SentItem[], kind: ListKind): ReadItems {
  const drafts: ItemDraft[] = []
  const issues: Issue[] = []
  for (const [index, item] of sent.entries()) {
    const at = `/${index}`
    const value = valueOf(item, kind)
    const read = value && readValue(value)
    if (read === undefined)
      issues.push({ reason: 'list.item_kind', pointer: `${at}/${kind}`, values: { kind } })
    else if ('problem' in read)
      issues.push({ reason: 'list.item', pointer: at + read.at, values: { problem: read.problem } })
    else drafts.push({ at, key: read.key, value: read.value, comment: item.comment ?? null })
    if (issues.length >= MAX_ISSUES) break
  }
  return { drafts, issues }
}

/** undefined unless the item has the member of the kind and no other. */
function valueOf(item: SentItem, kind: ListKind): ListValue | undefined {
  const sent = LIST_KINDS.filter((name) => item[name] !== undefined)
  if (sent.length !== 1 || sent[0] !== kind) return undefined
  return { [kind]: item[kind] } as unknown as ListValue // the member of its kind, which the schema has checked
}

export function repeatedIssues(drafts: readonly ItemDraft[]): Issue[] {
  const first = new Map<string, string>()
  const issues: Issue[] = []
  for (const { key, at } of drafts) {
    const other = first.get(key)
    if (other === undefined) first.set(key, at)
    else issues.push({ reason: 'list.item_repeated', pointer: at, values: { other: other.slice(1) } })
  }
  return issues.slice(0, MAX_ISSUES)
}

/** The order of members does not count. */
export const isSameItem = (a: ItemContent, b: ItemContent): boolean =>
  a.comment === b.comment && sortMembers(a.value) === sortMembers(b.value)

const sortMembers = (value: ListValue): string => {
  if ('ip' in value || 'asn' in value) return JSON.stringify(value)
  const content = 'hostname' in value ? value.hostname : value.redirect
  return JSON.stringify(Object.entries(content).toSorted())
}
