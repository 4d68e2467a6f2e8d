export { appendChange, appendOps, type ChangeOp } from './changes.store.ts'
