// Imports what was read of an account, or plans it: lists first, because rules name them, then rulesets of the account,
// then zones. It never deletes, and may be repeated: what exists already is compared.
import {
  describeIssues,
  isItem,
  itemsOf,
  read,
  readByCursor,
  type Connection,
  type Item,
} from './connection.ts'
import { subjectOf, writeOne, type ImportContext } from './import-context.ts'
import { importRulesets } from './import-rulesets.ts'
import { importZone } from './import-zone.ts'
import type { Outcome } from './outcomes.ts'
import type { AccountSnapshot, ListSnapshot } from './snapshot.ts'
import { readRulesets } from './zone-parts.ts'

export interface ImportOptions {
  readonly target: Connection
  /** Identifier of the account that gets everything. */
  readonly account: string
  /** Nothing is written. */
  readonly isPlan: boolean
  /** Rulesets that exist with other rules are replaced. */
  readonly isReplacing: boolean
  /** @param share from 0 to 1. */
  readonly onProgress: (share: number, text: string) => void
}

/** Items of one request. */
const LIST_ITEMS = 1_000

/** @throws ReadRefused, Error: the target cannot be read, or does not answer. What was written until then stays. */
export async function importAccount(
  snapshot: AccountSnapshot,
  options: ImportOptions,
): Promise<readonly Outcome[]> {
  const { target, account, isPlan, isReplacing, onProgress } = options
  const outcomes: Outcome[] = []
  const context: ImportContext = {
    target,
    isPlan,
    isReplacing,
    ids: new Map(),
    report: (outcome) => void outcomes.push(outcome),
  }
  const path = `/accounts/${account}`
  for (const { zone, part, reason } of snapshot.unread)
    context.report({ ...subjectOf(zone, part, part), action: 'left out', reason: `not read: ${reason}` })
  await importLists(context, path, snapshot.lists)
  const all = await readByCursor(target, `${path}/rulesets`)
  const managed = new Set(all.filter(({ kind }) => kind === 'managed').map(({ id }) => String(id)))
  if (snapshot.rulesets.length > 0)
    await importRulesets(
      context,
      { zone: null, path },
      snapshot.rulesets,
      await readRulesets(target, path),
      managed,
    )
  for (const [index, zone] of snapshot.zones.entries()) {
    onProgress(
      index / snapshot.zones.length,
      `${isPlan ? 'compares' : 'imports'} ${String(zone.zone['name'])}`,
    )
    await importZone(context, account, zone, managed)
  }
  return outcomes
}

/** Lists of the same name and kind are the same; items that only the target has stay. */
async function importLists(
  context: ImportContext,
  path: string,
  lists: readonly ListSnapshot[],
): Promise<void> {
  if (lists.length === 0) return
  const existing = itemsOf(await read(context.target, `${path}/rules/lists`))
  for (const { list, items } of lists) {
    const { name, kind, description } = list
    const subject = subjectOf(null, 'list', String(name), list)
    const present = existing.find((other) => other['name'] === name)
    if (present !== undefined && present['kind'] !== kind) {
      const reason = `there is a list of this name here, of the kind ${String(present['kind'])}`
      context.report({ ...subject, action: 'left out', reason })
      continue
    }
    if (present !== undefined)
      context.report({ ...subject, action: 'unchanged', target_id: String(present['id']) })
    const about = { name, kind, ...(description === undefined ? {} : { description }) }
    const written =
      present ?? (await writeOne(context, subject, 'create', ['POST', `${path}/rules/lists`, about]))
    const created = isItem(written) ? written : undefined
    if (created !== undefined || context.isPlan)
      await importListItems(context, path, String(name), created, items)
  }
}

async function importListItems(
  { target, isPlan, report }: ImportContext,
  path: string,
  name: string,
  list: Item | undefined,
  items: readonly Item[],
): Promise<void> {
  const url = `${path}/rules/lists/${String(list?.['id'])}/items`
  const here = list === undefined ? [] : (await readByCursor(target, url)).map(itemDraft)
  const known = new Set(here.map(itemKey))
  const missing = items.map(itemDraft).filter((item) => !known.has(itemKey(item)))
  const subject = (item: Item) => subjectOf(null, 'list item', `${name}: ${JSON.stringify(item)}`)
  for (let start = 0; start < missing.length; start += LIST_ITEMS) {
    const chunk = missing.slice(start, start + LIST_ITEMS)
    const reply = isPlan ? undefined : await target.send('POST', url, chunk)
    for (const item of chunk) {
      if (reply?.ok === false)
        report({ ...subject(item), action: 'left out', reason: describeIssues(reply.issues) })
      else report({ ...subject(item), action: 'create' })
    }
  }
}

/** Servers may order the members of a redirect or host differently. */
const itemKey = (item: Item): string =>
  JSON.stringify(
    Object.entries(item).map(([name, value]) => [
      name,
      isItem(value) ? Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)) : value,
    ]),
  )

const itemDraft = ({ ip, asn, hostname, redirect, comment }: Item): Item =>
  Object.fromEntries(
    Object.entries({ ip, asn, hostname, redirect, comment }).filter(
      ([, value]) => value !== undefined && value !== null && value !== '',
    ),
  )
