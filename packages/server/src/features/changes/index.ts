export {
  appendChange,
  appendOps,
  changeNumberAt,
  eachOpAfter,
  findChange,
  lastChangeNumber,
  listChanges,
  type ChangeOp,
  type ChangeSummary,
  type NumberedChange,
} from './changes.store.ts'
export { lastNumbers, readSettled } from './settled-read.ts'
