export { appendChange } from './changes.store.ts'
