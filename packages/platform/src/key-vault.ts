// Secrets at rest, sealed with AES-256-GCM. The owner of a secret is authenticated with it, so that rows cannot
// be swapped.
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'

/** The first byte of a stored secret. */
const PLAIN = 0
const SEALED = 1
/** Prefix of sealed strings; plain secrets are base64 or alphanumeric and contain no colon. */
const SEALED_TEXT = 'sealed:'
const NONCE_OCTETS = 12
const TAG_OCTETS = 16
const KEY_OCTETS = 32
/** Domain separation from other uses of the secret; the secret itself is long and random. */
const SALT = 'zonereeve dnssec keys'

export interface KeyVault {
  readonly isSealing: boolean
  /** Returns the form in which to store a secret. */
  seal(secret: Uint8Array, belongsTo: string): Uint8Array
  /** @throws KeyVaultError: sealed, and the key is missing or wrong */
  open(stored: Uint8Array, belongsTo: string): Uint8Array
  sealText(secret: string, belongsTo: string): string
  /** @throws KeyVaultError like open */
  openText(stored: string, belongsTo: string): string
  /**
   * Whether it is stored plain or sealed with the former key.
   * @throws KeyVaultError like open
   */
  isStale(stored: Uint8Array | string, belongsTo: string): boolean
}

/** Why a secret cannot be opened. */
export class KeyVaultError extends Error {
  override readonly name = 'KeyVaultError'
}

export const isSealed = (stored: Uint8Array | string): boolean =>
  typeof stored === 'string' ? stored.startsWith(SEALED_TEXT) : stored[0] === SEALED

/**
 * @param secret undefined = secrets are stored in plain.
 * @param formerSecret opens what was sealed with it; never used for sealing.
 */
export function createKeyVault(secret: string | undefined, formerSecret?: string): KeyVault {
  const isSealing = secret !== undefined
  const keyOf = { current: createLazyKey(secret), former: createLazyKey(formerSecret) }
  return {
    isSealing,
    seal,
    open,
    sealText: (plain, belongsTo) =>
      isSealing ? `${SEALED_TEXT}${base64(seal(Buffer.from(plain), belongsTo))}` : plain,
    openText: (stored, belongsTo) =>
      isSealed(stored) ? Buffer.from(open(octetsOf(stored), belongsTo)).toString() : stored,
    isStale(stored, belongsTo) {
      if (!isSealed(stored)) return isSealing
      const octets = octetsOf(stored)
      const key = keyOf.current()
      if (key !== undefined && tryOpen(key, octets, belongsTo) !== undefined) return false
      open(octets, belongsTo)
      return isSealing
    },
  }

  function seal(plain: Uint8Array, belongsTo: string): Uint8Array {
    const key = keyOf.current()
    if (key === undefined) return Buffer.concat([Buffer.of(PLAIN), plain])
    const nonce = randomBytes(NONCE_OCTETS)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(belongsTo))
    const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
    return Buffer.concat([Buffer.of(SEALED), nonce, cipher.getAuthTag(), sealed])
  }

  function open(stored: Uint8Array, belongsTo: string): Uint8Array {
    if (!isSealed(stored)) return stored.subarray(1)
    for (const keyIfKnown of [keyOf.current, keyOf.former]) {
      const each = keyIfKnown()
      const plain = each && tryOpen(each, stored, belongsTo)
      if (plain !== undefined) return plain
    }
    // Node does not distinguish a wrong key from modified bytes.
    throw new KeyVaultError('sealed with another key, or modified since')
  }
}

function tryOpen(key: Buffer, stored: Uint8Array, belongsTo: string): Uint8Array | undefined {
  const nonce = stored.subarray(1, 1 + NONCE_OCTETS)
  const tag = stored.subarray(1 + NONCE_OCTETS, 1 + NONCE_OCTETS + TAG_OCTETS)
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(belongsTo))
    decipher.setAuthTag(tag)
    const sealed = stored.subarray(1 + NONCE_OCTETS + TAG_OCTETS)
    return Buffer.concat([decipher.update(sealed), decipher.final()])
  } catch {
    // Wrong key, or modified or missing bytes: the caller reports it.
    return undefined
  }
}

/** Derived with the first secret that is sealed or opened: it takes a tenth of a second, and many servers have none. */
function createLazyKey(secret: string | undefined): () => Buffer | undefined {
  let key: Buffer | undefined
  return () => (secret === undefined ? undefined : (key ??= scryptSync(secret, SALT, KEY_OCTETS)))
}

const base64 = (octets: Uint8Array): string => Buffer.from(octets).toString('base64')

const octetsOf = (stored: Uint8Array | string): Uint8Array =>
  typeof stored === 'string' ? Buffer.from(stored.slice(SEALED_TEXT.length), 'base64') : stored
