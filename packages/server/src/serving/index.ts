// From stored records to what the nameserver serves: proxied names, flattened CNAMEs, HTTPS on the fly.
export { readEdgeAddresses } from './edge-addresses.ts'
export { createExplainAnswer } from './explain-answer.ts'
export { createServing } from './serving.ts'
export type { Serving, ZoneToServe } from './serving.ts'
export type { ServedZone } from './live-zone.ts'
export type { StoredRecord } from './stored-record.ts'
export { createTargetCheck } from './target-check.ts'
