// Encryption of a backup by a passphrase: scrypt, then AES-256-GCM in chunks, so that nothing unauthenticated is passed
// on. The chunks are numbered and the last one is marked (the STREAM construction): chunks that are missing, repeated or
// in another order are found.
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { Transform } from 'node:stream'
import { BackupError } from './backup-error.ts'

/** How the key was derived; part of the header of a backup. */
export interface KeyDerivation {
  readonly kind: 'scrypt'
  readonly cost: number
  readonly blockSize: number
  readonly parallelization: number
  /** Hexadecimal. */
  readonly salt: string
}

/** Octets of plaintext in every chunk but the last. */
const CHUNK_OCTETS = 65_536
const TAG_OCTETS = 16
const NONCE_OCTETS = 12
const KEY_OCTETS = 32
const SALT_OCTETS = 16
const CIPHER = 'aes-256-gcm'
/** 64 MiB of memory and some tenths of a second. */
const COST = 65_536
const BLOCK_SIZE = 8
/** A file must not make its reader use more memory than this. */
const MAX_MEMORY_OCTETS = 256 * 1_048_576

export const newKeyDerivation = (): KeyDerivation => ({
  kind: 'scrypt',
  cost: COST,
  blockSize: BLOCK_SIZE,
  parallelization: 1,
  salt: randomBytes(SALT_OCTETS).toString('hex'),
})

/** @throws BackupError: the parameters need more than 256 MiB. */
export function deriveKey(passphrase: string, derivation: KeyDerivation): Promise<Buffer> {
  const { cost, blockSize, parallelization, salt } = derivation
  const options = { N: cost, r: blockSize, p: parallelization, maxmem: MAX_MEMORY_OCTETS }
  return new Promise((resolve, reject) => {
    try {
      scrypt(passphrase, Buffer.from(salt, 'hex'), KEY_OCTETS, options, (error, key) => {
        if (error === null) resolve(key)
        else reject(error)
      })
    } catch {
      reject(new BackupError('the backup asks for a key derivation that is not supported'))
    }
  })
}

/** @param header authenticated with every chunk. */
export function encrypt(key: Buffer, header: Buffer): Transform {
  return inChunks(CHUNK_OCTETS, (chunk, number, isLast) => {
    const cipher = createCipheriv(CIPHER, key, nonce(number, isLast))
    cipher.setAAD(header)
    return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
  })
}

/** The stream fails with a BackupError for a wrong passphrase and for changed bytes. */
export function decrypt(key: Buffer, header: Buffer): Transform {
  return inChunks(CHUNK_OCTETS + TAG_OCTETS, (chunk, number, isLast) => {
    if (chunk.length < TAG_OCTETS) throw wrongKey(number)
    const decipher = createDecipheriv(CIPHER, key, nonce(number, isLast))
    decipher.setAAD(header)
    decipher.setAuthTag(chunk.subarray(chunk.length - TAG_OCTETS))
    const plain = decipher.update(chunk.subarray(0, chunk.length - TAG_OCTETS))
    try {
      decipher.final()
    } catch {
      throw wrongKey(number)
    }
    return plain
  })
}

const wrongKey = (number: number): BackupError =>
  new BackupError(
    number === 0
      ? 'the passphrase is wrong, or the backup was changed'
      : 'the backup was changed or is damaged',
  )

function nonce(number: number, isLast: boolean): Buffer {
  const bytes = Buffer.alloc(NONCE_OCTETS)
  bytes.writeUIntBE(number, 0, 6)
  bytes[NONCE_OCTETS - 1] = isLast ? 1 : 0
  return bytes
}

/** Every chunk has `octets`, but the last may have less, and exists even if there is nothing. */
function inChunks(
  octets: number,
  convert: (chunk: Buffer, number: number, isLast: boolean) => Buffer,
): Transform {
  let waiting: Buffer[] = []
  let waitingOctets = 0
  let number = 0
  return new Transform({
    transform(given: Buffer, _, done) {
      waiting.push(given)
      waitingOctets += given.length
      try {
        // A chunk is converted once more octets follow: only then it is not the last.
        if (waitingOctets > octets) {
          let rest = Buffer.concat(waiting)
          for (; rest.length > octets; rest = rest.subarray(octets))
            this.push(convert(rest.subarray(0, octets), number++, false))
          waiting = [rest]
          waitingOctets = rest.length
        }
        done()
      } catch (error) {
        done(error as Error) // thrown by `convert`
      }
    },
    flush(done) {
      try {
        this.push(convert(Buffer.concat(waiting), number, true))
        done()
      } catch (error) {
        done(error as Error) // thrown by `convert`
      }
    },
  })
}
