export { listReferences, listsForZone } from './list-references.ts'
