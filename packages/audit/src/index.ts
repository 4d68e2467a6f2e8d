// The audit log as a chain of hashes: its entries, their topics, their lines in an export, and the check. No I/O.
export { checkChain, type ChainCheck, type ChainFault, type Link } from './chain-check.ts'
export { CHAIN_START, linkHash, type AuditEntry, type LinkedEntry, type Sha256 } from './entry.ts'
export { formatLine, readLine, type ExportedEntry } from './export-line.ts'
export { topicOf, type ChangeTopic } from './topics.ts'
