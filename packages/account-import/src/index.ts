// Brings an account along from another server with the same API.
export { withPatience, type Connection, type Issue, type Reply } from './connection.ts'
export { importAccount } from './import-account.ts'
export { KNOWN_SETTINGS } from './import-zone.ts'
export { countOutcomes, findUndone, type Outcome, type OutcomeCounts } from './outcomes.ts'
export { findAccount, readAccount } from './read-account.ts'
export { parseSnapshot, type AccountSnapshot } from './snapshot.ts'
