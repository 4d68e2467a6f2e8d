// Private keys at rest: as they are, or with a secret sealed by AES-256-GCM. What a key belongs to is sealed with it, so that
// rows cannot be exchanged.
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'

/** The first octet of what is stored. */
const PLAIN = 0
const SEALED = 1
const NONCE_OCTETS = 12
const TAG_OCTETS = 16
const KEY_OCTETS = 32
/** Parts this use of the secret from any other; the secret itself is long and random. */
const SALT = 'zonereeve dnssec keys'

export interface KeyVault {
  readonly isSealing: boolean
  /** What is to be stored of a private key. */
  seal(secret: Uint8Array, belongsTo: string): Uint8Array
  /** @throws KeyVaultError: sealed and without the secret, or with another one */
  open(stored: Uint8Array, belongsTo: string): Uint8Array
}

/** Why private keys cannot be used. The program must not start then: it would serve signed zones unsigned. */
export class KeyVaultError extends Error {
  override readonly name = 'KeyVaultError'
}

export const isSealed = (stored: Uint8Array): boolean => stored[0] === SEALED

/** @param secret undefined = keys are stored as they are. */
export function createKeyVault(secret: string | undefined): KeyVault {
  const key = secret === undefined ? undefined : scryptSync(secret, SALT, KEY_OCTETS)
  return { isSealing: key !== undefined, seal, open }

  function seal(plain: Uint8Array, belongsTo: string): Uint8Array {
    if (key === undefined) return Buffer.concat([Buffer.of(PLAIN), plain])
    const nonce = randomBytes(NONCE_OCTETS)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(belongsTo))
    const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
    return Buffer.concat([Buffer.of(SEALED), nonce, cipher.getAuthTag(), sealed])
  }

  function open(stored: Uint8Array, belongsTo: string): Uint8Array {
    if (!isSealed(stored)) return stored.subarray(1)
    if (key === undefined)
      throw new KeyVaultError(
        'DNSSEC keys are encrypted: ZONEREEVE_KEY_ENCRYPTION_SECRET (or _FILE) must be set to the secret that they were encrypted with',
      )
    const nonce = stored.subarray(1, 1 + NONCE_OCTETS)
    const tag = stored.subarray(1 + NONCE_OCTETS, 1 + NONCE_OCTETS + TAG_OCTETS)
    const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(belongsTo))
    decipher.setAuthTag(tag)
    try {
      const sealed = stored.subarray(1 + NONCE_OCTETS + TAG_OCTETS)
      return Buffer.concat([decipher.update(sealed), decipher.final()])
    } catch {
      // Node does not tell a wrong key from changed octets, and there is nothing else that it could be.
      throw new KeyVaultError(
        'DNSSEC keys were encrypted with another secret than ZONEREEVE_KEY_ENCRYPTION_SECRET, or their rows were changed',
      )
    }
  }
}
