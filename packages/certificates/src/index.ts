// Certificates by ACME: ordered with DNS-01 challenges in our own zones, stored, renewed.
export { createKeeper, type Challenges, type Keeper } from './keeper.ts'
export type { KeptCertificate } from './known-certificates.ts'
export type { AuthoritySettings } from './authority.ts'
export { readAttempts } from './attempts.ts'
export { certificatePath, ensurePlaceholder } from './stored-certificate.ts'
export { parseCertificateNames, readAuthoritySettings } from './settings.ts'
