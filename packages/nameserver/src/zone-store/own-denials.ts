// How a zone that was signed elsewhere denies names and types: by its own NSEC records (RFC 4034 §4), or by its NSEC3
// records with the parameters at its apex (RFC 5155 §4).
import { byteAt, NSEC, NSEC3, NSEC3PARAM, type Nsec3Parameters, uint16At } from '@zonereeve/dns'
import { RDATA_OFFSET } from '../rrset.ts'
import type { RunView } from './run.ts'

export interface OwnDenial {
  readonly type: typeof NSEC | typeof NSEC3
  /** How names are hashed; undefined for NSEC. */
  readonly parameters: Nsec3Parameters | undefined
  /** The same for the same kind with the same parameters. */
  readonly key: string
}

const NSEC_DENIAL: OwnDenial = { type: NSEC, parameters: undefined, key: 'nsec' }

/** SHA-1, the only hash of NSEC3 (RFC 5155 §11). */
const SHA1 = 1
/** Offsets in the rdata of NSEC3PARAM, and in that of NSEC3, which begins with the same fields. */
const FIELD = { HASH: 0, FLAGS: 1, ITERATIONS: 2, SALT_OCTETS: 4, SALT: 5 } as const

/** By the records at the apex; undefined if the zone has no chain of its own. */
export function ownDenialOf(apex: RunView): OwnDenial | undefined {
  for (const rdata of rdatasIn(apex, NSEC3PARAM)) {
    // Other flags mean that its chain is not complete (RFC 5155 §4.1.2).
    if (byteAt(rdata, FIELD.HASH) !== SHA1 || byteAt(rdata, FIELD.FLAGS) !== 0) continue
    const parameters = parametersOf(rdata)
    return { type: NSEC3, parameters, key: keyOf(parameters) }
  }
  return apex.findSet(NSEC) === -1 ? undefined : NSEC_DENIAL
}

/** Whether the name owns a denial of this kind. */
export function hasDenial(name: RunView, { type, parameters, key }: OwnDenial): boolean {
  if (parameters === undefined) return name.findSet(type) !== -1
  for (const rdata of rdatasIn(name, type))
    if (byteAt(rdata, FIELD.HASH) === SHA1 && keyOf(parametersOf(rdata)) === key) return true
  return false
}

const parametersOf = (rdata: Uint8Array): Nsec3Parameters => ({
  iterations: uint16At(rdata, FIELD.ITERATIONS),
  salt: rdata.slice(FIELD.SALT, FIELD.SALT + byteAt(rdata, FIELD.SALT_OCTETS)),
})

const keyOf = ({ iterations, salt }: Nsec3Parameters): string =>
  `nsec3 ${iterations} ${Buffer.from(salt).toString('hex')}`

function* rdatasIn(name: RunView, type: number): Generator<Uint8Array, void, undefined> {
  const set = name.findSet(type)
  if (set === -1) return
  const wire = name.records(set)
  for (let at = 0; at < wire.length;) {
    const rdata = at + RDATA_OFFSET
    at = rdata + uint16At(wire, at + 10)
    // A primary may send anything.
    if (at - rdata >= FIELD.SALT) yield wire.subarray(rdata, at)
  }
}
