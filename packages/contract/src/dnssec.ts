// DNSSEC of a zone: whether answers are signed, and what its parent must publish. Key rollovers are a Zonereeve
// extension.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { closedObject, namedObject, nullable, objectId, oneOf } from './primitives.ts'

const reading = { on: 'zone', anyOf: ['DNS Read', 'DNS Write'] } as const
const writing = { on: 'zone', anyOf: ['DNS Write'] } as const

const STATUSES = ['active', 'pending', 'disabled', 'pending-disabled', 'error'] as const

const status = oneOf(STATUSES, {
  description:
    '`pending`: signed, the parent has no DS yet. `active`: the parent has the DS. `pending-disabled`: still signed, until the parent’s DS is removed. `disabled`: not signed.',
})

export const WireDnssec = namedObject('Dnssec', {
  status,
  flags: nullable(Type.Integer({ description: 'Of the key that the parent must trust.', examples: [257] })),
  algorithm: nullable(Type.String({ examples: ['13', '15'] })),
  key_type: nullable(Type.String({ examples: ['ECDSAP256SHA256', 'ED25519'] })),
  digest_type: nullable(Type.String({ examples: ['2'] })),
  digest_algorithm: nullable(Type.String({ examples: ['SHA256'] })),
  digest: nullable(Type.String({ description: 'In upper-case hexadecimal.' })),
  ds: nullable(
    Type.String({
      description: 'The DS record that the parent must publish.',
      examples: [
        'example.com. 3600 IN DS 55648 13 2 B4C8C1FE2E7477127B27115656AD6256F424625BF5C1E2770CE6D6E37DF61D17',
      ],
    }),
  ),
  key_tag: nullable(Type.Integer()),
  public_key: nullable(Type.String({ description: 'In base64.' })),
  modified_on: nullable(Type.String({ format: 'date-time' })),
  dnssec_multi_signer: Type.Boolean(),
  dnssec_presigned: Type.Boolean({
    description: 'The zone is answered with the signatures of its primary, or is to be.',
  }),
  dnssec_use_nsec3: Type.Boolean(),
})
export type WireDnssec = Static<typeof WireDnssec>

export const DnssecPatch = closedObject({
  status: Type.Optional(
    oneOf(['active', 'disabled'], {
      description: '`active` signs the zone; `disabled` stops signing after the parent’s DS is removed.',
    }),
  ),
  dnssec_multi_signer: Type.Optional(
    Type.Boolean({
      description:
        'Other providers sign the zone too (RFC 8901): DNSKEY records at the apex are served in addition to the zone’s own.',
    }),
  ),
  dnssec_presigned: Type.Optional(
    Type.Boolean({
      description:
        'For secondary zones that their primary signs. Such zones are always answered as they are signed; with true, signing here is refused also before the first transfer.',
    }),
  ),
  dnssec_use_nsec3: Type.Optional(Type.Boolean({ description: 'Denies with NSEC3 instead of NSEC.' })),
})
export type DnssecPatch = Static<typeof DnssecPatch>

const readOnlyText = nullable(Type.String())
const readOnlyNumber = nullable(Type.Integer())

export const WireZsk = namedObject('DnssecZsk', {
  DNSKEY: Type.Object({
    Algorithm: readOnlyNumber,
    Flags: readOnlyNumber,
    Hdr: Type.Object({
      Class: readOnlyNumber,
      Name: readOnlyText,
      Rdlength: readOnlyNumber,
      Rrtype: readOnlyNumber,
      Ttl: readOnlyNumber,
    }),
    Protocol: readOnlyNumber,
    PublicKey: readOnlyText,
  }),
  Location: oneOf(['database']),
  Name: Type.String(),
  SigningKey: Type.Object({
    kek: Type.Null(),
    privkey: Type.Null({ description: 'Never shown.' }),
    pubkey: readOnlyText,
  }),
  Tag: oneOf(['active', 'publish'], { description: '`publish`: during a rollover.' }),
})
export type WireZsk = Static<typeof WireZsk>

const KEY_ROLES = ['ksk', 'zsk'] as const

export const WireDnssecKeys = namedObject('DnssecKeys', {
  status,
  ds_gone_since: nullable(
    Type.String({
      format: 'date-time',
      description: 'Time since which the parent is known to have no DS.',
    }),
  ),
  keys: Type.Array(
    Type.Object({
      id: objectId('the key'),
      role: oneOf(KEY_ROLES, { description: '`ksk` signs the keys, `zsk` everything else.' }),
      state: oneOf(['signing', 'published', 'ready', 'active', 'outgoing', 'withdrawn'], {
        description:
          '`published`: new, not in all caches yet. `ready`: the parent must publish its DS. `outgoing`: the parent has another DS, but caches may still have this one. In an algorithm rollover, a key is `signing` before it is among the DNSKEY records and `withdrawn` after it: it signs, because caches may have the other state.',
      }),
      key_tag: Type.Integer(),
      algorithm: Type.Integer(),
      ds: nullable(Type.String({ description: 'Only for a `ksk`.' })),
      since: Type.String({ format: 'date-time' }),
      next_on: nullable(
        Type.String({
          format: 'date-time',
          description: 'When the state next changes by time alone; null = never.',
        }),
      ),
    }),
  ),
})
export type WireDnssecKeys = Static<typeof WireDnssecKeys>

export const DnssecRoll = Type.Object(
  {
    role: Type.Optional(oneOf(KEY_ROLES, { description: 'The key to roll over.' })),
    algorithm: Type.Optional(
      oneOf(['ECDSAP256SHA256', 'ED25519'], { description: 'The new algorithm for both keys.' }),
    ),
  },
  { additionalProperties: false, description: 'Exactly one of the two.' },
)
export type DnssecRoll = Static<typeof DnssecRoll>

export const DnssecParent = closedObject({
  key_tags: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0, maximum: 65_535 }), {
      maxItems: 100,
      uniqueItems: true,
      description:
        'Tags of the DS records that the parent publishes, as confirmed by you; empty = it has no DS. Without it the parent is queried.',
    }),
  ),
})

const section = { tag: 'DNSSEC', params: { zone_id: objectId('the zone') } }

export const dnssec = operations('dnssec', section, {
  get: {
    route: 'GET /zones/{zone_id}/dnssec',
    summary: 'Get a zone’s DNSSEC',
    permission: reading,
    result: WireDnssec,
  },
  patch: {
    route: 'PATCH /zones/{zone_id}/dnssec',
    summary: 'Start or stop signing a zone',
    description: 'Answers change before the reply is sent, and the serial increases by one.',
    permission: writing,
    body: DnssecPatch,
    result: WireDnssec,
  },
  delete: {
    route: 'DELETE /zones/{zone_id}/dnssec',
    summary: 'Delete the keys of an unsigned zone',
    permission: writing,
    result: Type.Literal(''),
  },
  zsk: {
    route: 'GET /zones/{zone_id}/dnssec/zsk',
    summary: 'List the keys that sign a zone’s data',
    permission: reading,
    result: Type.Array(WireZsk),
  },
})

export const dnssecKeys = operations('dnssec_keys', section, {
  list: {
    route: 'GET /zonereeve/zones/{zone_id}/dnssec/keys',
    summary: 'List all keys of a zone with their rollover state',
    permission: reading,
    result: WireDnssecKeys,
  },
  roll: {
    route: 'POST /zonereeve/zones/{zone_id}/dnssec/roll',
    summary: 'Start a key rollover or an algorithm rollover',
    description:
      'The new key signs together with the old one until every cache has both. Then the old `zsk` is removed automatically; the old `ksk` is removed after the parent has the new DS. With `algorithm`, two keys of the new algorithm sign before they are among the zone’s keys. The old two are removed after the parent has the new DS and none of the old algorithm, and sign until no cache has them. Only one rollover at a time for each role, or one algorithm rollover.',
    permission: writing,
    body: DnssecRoll,
    result: WireDnssecKeys,
  },
  parent: {
    route: 'POST /zonereeve/zones/{zone_id}/dnssec/parent_check',
    summary: 'Check which DS the parent publishes, or confirm it',
    permission: writing,
    body: DnssecParent,
    result: WireDnssecKeys,
  },
})
