export { appendChange, type ChangeOp, type ChangeSet } from './changes.store.ts'
