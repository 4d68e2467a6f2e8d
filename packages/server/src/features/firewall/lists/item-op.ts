// Change log operations of items.
import { changeOp, subjectOf, verbOf, type ChangeOp } from '../../changes/index.ts'
import type { ListItem } from './lists.store.ts'

/** Change log operation for an item that was added, changed or removed. */
export function itemOp(listId: string, before: ListItem | null, after: ListItem | null): ChangeOp {
  const inList = (item: ListItem | null) => item && { ...item, listId }
  return changeOp(
    `list_item.${verbOf(before, after)}`,
    subjectOf(before, after).id,
    inList(before),
    inList(after),
  )
}
