export { dnssecRoutes } from './dnssec.routes.ts'
export type { ParentView } from './dnssec.rules.ts'
export {
  allZoneKeys,
  createDnssec,
  removeDnssec,
  sealKeys,
  type Dnssec,
  type DnssecDeps,
  type SigningChanged,
} from './dnssec.service.ts'
export { createKeyVault } from './key-vault.ts'
export type { ZoneKeys } from './zone-keys.ts'
