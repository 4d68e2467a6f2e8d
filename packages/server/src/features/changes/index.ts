export {
  appendChange,
  appendOps,
  changeNumberAt,
  eachOpAfter,
  findChange,
  lastChangeNumber,
  listChanges,
  openChange,
  type ChangeOp,
  type ChangeSummary,
  type NumberedChange,
  type OpenChange,
} from './changes.store.ts'
export { lastNumbers, readSettled } from './settled-read.ts'
