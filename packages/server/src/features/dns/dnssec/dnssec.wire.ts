// DNSSEC between wire and domain form.
import type {
  DnssecPatch as WirePatch,
  DnssecRoll,
  WireDnssec,
  WireDnssecKeys,
  WireZsk,
} from '@zonereeve/contract'
import {
  base64FromOctets,
  encodeRdata,
  hexFromOctets,
  keyTag,
  rdataToText,
  SIGNING_ALGORITHM,
  type Ds,
} from '@zonereeve/dns'
import { DomainError } from '@zonereeve/platform'
import type { Zone } from '../../zones/index.ts'
import { dueAt, entryPoint, KEY_TTL_SECONDS } from './dnssec.rules.ts'
import type { DnssecPatch, RollOver, ZoneDnssec } from './dnssec.service.ts'
import type { StoredKey } from './dnssec.store.ts'
import { dnskeyOfStored, dsOfStored } from './zone-keys.ts'

const DNSKEY = 48
const CLASS_IN = 1
/** TTL in the presentation text of a DS; parents choose their own. */
const DS_TTL = 3600

export function toWireDnssec({ zone, dnssec, isSignedByPrimary }: ZoneDnssec): WireDnssec {
  const key = dnssec && entryPoint(dnssec.keys)
  return {
    status: dnssec?.status ?? 'disabled',
    ...(key === undefined ? NO_KEY : describeKey(zone, key)),
    modified_on: key === undefined ? null : (dnssec?.modifiedOn ?? null),
    dnssec_multi_signer: dnssec?.multiSigner ?? false,
    dnssec_presigned: isSignedByPrimary || (dnssec?.presigned ?? false),
    dnssec_use_nsec3: dnssec?.useNsec3 ?? false,
  }
}

const NO_KEY = {
  flags: null,
  algorithm: null,
  key_type: null,
  digest_type: null,
  digest_algorithm: null,
  digest: null,
  ds: null,
  key_tag: null,
  public_key: null,
}

function describeKey(zone: Zone, key: StoredKey) {
  const { flags, algorithm, publicKey } = dnskeyOfStored(key)
  const ds = dsOfStored(zone.name, key)
  return {
    flags,
    algorithm: String(algorithm),
    key_type: algorithmName(algorithm),
    digest_type: String(ds.digestType),
    digest_algorithm: 'SHA256',
    digest: hexFromOctets(ds.digest).toUpperCase(),
    ds: dsLine(zone, ds),
    key_tag: ds.keyTag,
    public_key: base64FromOctets(publicKey),
  }
}

function algorithmName(algorithm: number): string {
  const [name] = Object.entries(SIGNING_ALGORITHM).find(([, number]) => number === algorithm) ?? []
  if (name === undefined) throw new Error(`a key has the algorithm ${algorithm}, which has no name`)
  return name
}

const dsLine = ({ name }: Zone, ds: Ds): string => `${name}. ${DS_TTL} IN DS ${rdataToText('DS', ds)}`

export function toWireZsks({ zone, dnssec }: ZoneDnssec): WireZsk[] {
  if (dnssec === undefined) return []
  return dnssec.keys.filter(({ role }) => role === 'zsk').map((key) => toWireZsk(zone, key))
}

function toWireZsk({ name }: Zone, key: StoredKey): WireZsk {
  const dnskey = dnskeyOfStored(key)
  const publicKey = base64FromOctets(dnskey.publicKey)
  return {
    DNSKEY: {
      Algorithm: dnskey.algorithm,
      Flags: dnskey.flags,
      Hdr: {
        Class: CLASS_IN,
        Name: `${name}.`,
        Rdlength: encodeRdata('DNSKEY', dnskey).length,
        Rrtype: DNSKEY,
        Ttl: KEY_TTL_SECONDS,
      },
      Protocol: dnskey.protocol,
      PublicKey: publicKey,
    },
    Location: 'database',
    Name: name,
    SigningKey: { kek: null, privkey: null, pubkey: publicKey },
    Tag: key.state === 'active' ? 'active' : 'publish',
  }
}

export function toWireKeys({ zone, dnssec, propagationSeconds }: ZoneDnssec): WireDnssecKeys {
  const timestamp = (millis: number) => new Date(millis).toISOString()
  const { status = 'disabled', keys = [], dsGoneMillis = null, dsTtlSeconds = null } = dnssec ?? {}
  const facts = { propagationSeconds, parent: { kind: 'unknown' } } as const
  return {
    status,
    ds_gone_since: dsGoneMillis === null ? null : timestamp(dsGoneMillis),
    keys: keys.map((key) => {
      const due = dueAt(key, { keys, dsTtlSeconds }, facts)
      return {
        id: key.id,
        role: key.role,
        state: key.state,
        key_tag: keyTag(dnskeyOfStored(key)),
        algorithm: key.algorithm,
        ds: key.role === 'ksk' ? dsLine(zone, dsOfStored(zone.name, key)) : null,
        since: timestamp(key.sinceMillis),
        next_on: due === undefined ? null : timestamp(due),
      }
    }),
  }
}

export function toPatch(patch: WirePatch): DnssecPatch {
  return {
    status: patch.status,
    multiSigner: patch.dnssec_multi_signer,
    presigned: patch.dnssec_presigned,
    useNsec3: patch.dnssec_use_nsec3,
  }
}

/** @throws DomainError: request.invalid, if both role and algorithm are given, or neither. */
export function toRollOver({ role, algorithm }: DnssecRoll): RollOver {
  if (role !== undefined && algorithm === undefined) return { role }
  if (role === undefined && algorithm !== undefined) return { algorithm }
  const [pointer, problem] =
    role === undefined
      ? ['/role', 'role or algorithm is required']
      : ['/algorithm', 'algorithm must be sent without role: it rolls over both keys']
  throw new DomainError({ reason: 'request.invalid', pointer, values: { problem } })
}
