// Verifies a transferred zone by its own digest, if it has one (ZONEMD, RFC 8976 §4).
import { createHash } from 'node:crypto'
import { createYieldIfDue } from '@zonereeve/cooperate'
import {
  compareOctets,
  decodeRdata,
  encodeRdata,
  requireTypeCode,
  ZONEMD_HASH,
  ZONEMD_SIMPLE,
  zoneDigestOctets,
  type Name,
  type PlainRecord,
} from '@zonereeve/dns'
import { TransferFault, type ReceivedTransfer } from '@zonereeve/nameserver'

type ReceivedZone = Extract<ReceivedTransfer, { readonly kind: 'zone' }>
type Contents = ReceivedZone['contents']
type ReceivedRecord = Extract<Contents, { readonly kind: 'whole' }>['records'][number]

const SOA = requireTypeCode('SOA')
const ZONEMD = requireTypeCode('ZONEMD')
const HASHES: Readonly<Record<number, string>> = {
  [ZONEMD_HASH.SHA384]: 'sha384',
  [ZONEMD_HASH.SHA512]: 'sha512',
}

/** Whether a difference changes the digest: then only the whole zone can be verified. */
export const changesDigest = (apex: Name, contents: Contents): boolean =>
  contents.kind === 'difference' &&
  contents.steps.some(({ removed, added }) => [removed, added].some((some) => some.some(isDigestAt(apex))))

/**
 * Does nothing if the zone has no digest, or only digests of unknown kinds. One right digest is enough.
 *
 * @throws TransferFault if all of them are wrong
 */
export async function verifyDigest(apex: Name, received: ReceivedZone): Promise<void> {
  const { contents, soa, soaTtlSeconds } = received
  if (contents.kind !== 'whole') return
  const digests = contents.records
    .filter(isDigestAt(apex))
    .map(({ rdata }) => decodeRdata('ZONEMD', rdata))
    .filter(({ scheme, hashAlgorithm }) => scheme === ZONEMD_SIMPLE && hashAlgorithm in HASHES)
  if (digests.length === 0) return
  // Two of the same kind are not used (RFC 8976 §4).
  const current = digests.filter(
    ({ serial, hashAlgorithm }) =>
      serial === soa.serial && digests.filter((one) => one.hashAlgorithm === hashAlgorithm).length === 1,
  )
  if (current.length === 0)
    throw new TransferFault(`the digest of the zone (ZONEMD) is not for its serial, ${soa.serial}`)
  const records = [
    { name: apex, type: SOA, ttl: soaTtlSeconds, rdata: encodeRdata('SOA', soa) },
    ...contents.records.map(({ ttlSeconds: ttl, ...record }) => ({ ...record, ttl })),
  ]
  for (const { hashAlgorithm, digest } of current) {
    const actual = await hashZone(apex, records, HASHES[hashAlgorithm] ?? '') // only these are left
    if (compareOctets(actual, digest) === 0) return
  }
  throw new TransferFault('the digest of the zone (ZONEMD) does not match its records')
}

async function hashZone(apex: Name, records: readonly PlainRecord[], algorithm: string): Promise<Uint8Array> {
  const hash = createHash(algorithm)
  const yieldIfDue = createYieldIfDue()
  for (const octets of zoneDigestOctets(apex, records)) {
    hash.update(octets)
    await yieldIfDue()
  }
  return hash.digest()
}

const isDigestAt =
  (apex: Name) =>
  ({ name, type }: ReceivedRecord): boolean =>
    type === ZONEMD && name === apex
