// An authenticator of the tests: one ES256 passkey, as browsers send it (WebAuthn, attestation "none").
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export interface TestAuthenticator {
  readonly credentialId: string
  /** The reply to `navigator.credentials.create`. */
  readonly create: (options: Options, origin: string, changes?: Changes) => object
  /** The reply to `navigator.credentials.get`. @param count signatures so far, this one included. */
  readonly get: (options: Options, origin: string, count: number, changes?: Changes) => object
}

/** Of the options, what it reads. */
interface Options {
  readonly challenge: string
  readonly rpId?: string
  readonly rp?: { readonly id: string }
}

interface Changes {
  readonly isVerified?: boolean
}

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 }
const base64 = (octets: Uint8Array): string => Buffer.from(octets).toString('base64url')
const sha256 = (octets: string | Uint8Array): Buffer => createHash('sha256').update(octets).digest()

export function createTestAuthenticator(): TestAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  // COSE: kty EC2, alg ES256, crv P-256, x, y.
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const dataOf = (options: Options, flags: number, count: number): Buffer => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(count)
    const rpId = options.rpId ?? options.rp?.id ?? 'none'
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter])
  }
  const clientData = (type: string, { challenge }: Options, origin: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const flagsOf = ({ isVerified = true }: Changes): number =>
    FLAGS.present | (isVerified ? FLAGS.verified : 0)
  const replyOf = (response: object): object => ({
    id: base64(id),
    rawId: base64(id),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })
  return {
    credentialId: base64(id),
    create(options, origin, changes = {}) {
      const data = Buffer.concat([
        dataOf(options, flagsOf(changes) | FLAGS.attested, 0),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        cose,
      ])
      // CBOR: {"fmt": "none", "attStmt": {}, "authData": bytes}.
      const head = Buffer.from('a363666d74646e6f6e656761747453746d74a06861757468446174615800', 'hex')
      head[head.length - 1] = data.length
      return replyOf({
        clientDataJSON: base64(clientData('webauthn.create', options, origin)),
        attestationObject: base64(Buffer.concat([head, data])),
        transports: ['internal'],
      })
    },
    get(options, origin, count, changes = {}) {
      const data = dataOf(options, flagsOf(changes), count)
      const client = clientData('webauthn.get', options, origin)
      return replyOf({
        clientDataJSON: base64(client),
        authenticatorData: base64(data),
        signature: base64(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
      })
    },
  }
}
