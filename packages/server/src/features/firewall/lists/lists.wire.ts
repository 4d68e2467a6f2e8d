// Lists and their items as the API has them.
import type { WireList, WireListItem } from '@zonereeve/contract'
import type { CountedList } from './lists.service.ts'
import type { ListItem } from './lists.store.ts'

/** Members are in the order of the live API. */
export const toWireList = (list: CountedList): WireList => ({
  id: list.id,
  name: list.name,
  ...(list.description !== null && { description: list.description }),
  kind: list.kind,
  num_items: list.itemCount,
  num_referencing_filters: list.referenceCount,
  created_on: list.createdOn,
  modified_on: list.modifiedOn,
})

export const toWireItem = ({ id, value, comment, createdOn, modifiedOn }: ListItem): WireListItem => ({
  id,
  ...value,
  ...(comment !== null && { comment }),
  created_on: createdOn,
  modified_on: modifiedOn,
})
