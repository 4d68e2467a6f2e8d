// Which lists the rules and filters of an account use: such lists cannot be deleted, and edges get them.
import { parseExpression, usageOf } from '@zonereeve/expr'
import { type NamedList, REQUEST_SCHEME } from '@zonereeve/firewall'
import type { Reader } from '@zonereeve/storage'
import { filtersWithLists } from '../filters/index.ts'
import { type ListScope, namedLists } from '../lists/index.ts'
import { listNamesOf, rulesWithLists } from '../rulesets/index.ts'

/** How many rules and filters of an account name each list. */
export const listReferences = (db: Reader, accountId: string): Promise<ReadonlyMap<string, number>> =>
  referencesIn(db, { accountId })

/** The lists that decisions about a zone need, with their items. */
export async function listsForZone(
  db: Reader,
  zone: { readonly id: string; readonly accountId: string },
): Promise<readonly NamedList[]> {
  const { id: zoneId, accountId } = zone
  const names = await referencesIn(db, { accountId, zoneId })
  return namedLists(db, accountId, [...names.keys()].toSorted())
}

async function referencesIn(db: Reader, scope: ListScope): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  const count = (names: readonly string[]): void => {
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1) // the first one
  }
  for (const { rule, ...place } of await rulesWithLists(db, scope)) count(listNamesOf(rule.definition, place))
  for (const { expression } of await filtersWithLists(db, scope))
    count(usageOf(parseExpression(expression, REQUEST_SCHEME)).lists.map(({ name }) => name))
  return counts
}
