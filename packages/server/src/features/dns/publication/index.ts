// From stored records to what the nameserver publishes: proxied names, flattened CNAMEs, synthesized HTTPS records.
export { createDnsFeed } from './dns-feed.ts'
export { readEdgeAddresses } from './edge-addresses.ts'
export { createExplainAnswer } from './explain-answer.ts'
export { createAskParent } from './parent-ds.ts'
export type { QuarantinedZone } from './quarantine.ts'
export { createPublication } from './publication.ts'
export type { Publication } from './publication.ts'
export { createTargetCheck } from './target-check.ts'
