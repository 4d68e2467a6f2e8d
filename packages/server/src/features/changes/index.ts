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
