// One-time codes of an authenticator app (RFC 6238), and recovery codes for users who have lost it.
import { hash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const PERIOD_SECONDS = 30
const ISSUER = 'Zonereeve'
/** Codes of the periods before and after are accepted: clocks differ. */
const WINDOW = 1
export const RECOVERY_CODES = 10
const RECOVERY_OCTETS = 10

const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS })

/** A new secret in base32, and the URI that an app reads from a QR code. */
export function createTotpKey(label: string): { readonly secret: string; readonly uri: string } {
  const secret = new Secret({ size: 20 }).base32
  return { secret, uri: totpOf(secret, label).toString() }
}

/** @returns the period of the code if it is valid and later than `lastStep`: each is accepted once. */
export function acceptCode(
  secret: string,
  code: string,
  nowMillis: number,
  lastStep: number,
): number | undefined {
  // A damaged secret accepts no code.
  if (!/^\d{6}$/.test(code) || !/^[A-Z2-7]{16,}$/.test(secret)) return undefined
  const delta = totpOf(secret).validate({ token: code, timestamp: nowMillis, window: WINDOW })
  if (delta === null) return undefined
  const step = Math.floor(nowMillis / 1000 / PERIOD_SECONDS) + delta
  return step > lastStep ? step : undefined
}

/** New codes, each of 80 random bits. */
export const createRecoveryCodes = (): readonly string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    randomBytes(RECOVERY_OCTETS)
      .toString('hex')
      .replaceAll(/(.{5})(?!$)/g, '$1-'),
  )

/** The stored form of a recovery code, which people may type with other case and without dashes. */
export const hashRecoveryCode = (code: string): string =>
  hash('sha256', code.toLowerCase().replaceAll(/[\s-]/g, ''), 'hex')
