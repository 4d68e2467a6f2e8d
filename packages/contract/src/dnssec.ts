// DNSSEC of a zone: whether answers are signed, and what its parent is to publish. Roll-overs are Zonereeve's own.
import { Type, type Static } from 'typebox'
import { operation } from './operation.ts'
import { nullable, objectId, oneOf } from './primitives.ts'

const tag = 'DNSSEC'
const zonePath = Type.Object({ zone_id: objectId('the zone') })
const reading = { on: 'zone', anyOf: ['DNS Read', 'DNS Write'] } as const
const writing = { on: 'zone', anyOf: ['DNS Write'] } as const

// A misspelt member must not pass for one that is honoured.
const closed = { additionalProperties: false } as const

const STATUSES = ['active', 'pending', 'disabled', 'pending-disabled', 'error'] as const

const status = oneOf(STATUSES, {
  description:
    '`pending`: signed, the parent has no DS yet. `active`: the parent has it. `pending-disabled`: still signed, until the parent’s DS is gone. `disabled`: not signed.',
})

export const WireDnssec = Type.Object(
  {
    status,
    flags: nullable(
      Type.Integer({ description: 'Of the key that the parent is to trust.', examples: [257] }),
    ),
    algorithm: nullable(Type.String({ examples: ['13', '15'] })),
    key_type: nullable(Type.String({ examples: ['ECDSAP256SHA256', 'ED25519'] })),
    digest_type: nullable(Type.String({ examples: ['2'] })),
    digest_algorithm: nullable(Type.String({ examples: ['SHA256'] })),
    digest: nullable(Type.String({ description: 'In upper-case hexadecimal.' })),
    ds: nullable(
      Type.String({
        description: 'What the parent is to publish.',
        examples: [
          'example.com. 3600 IN DS 55648 13 2 B4C8C1FE2E7477127B27115656AD6256F424625BF5C1E2770CE6D6E37DF61D17',
        ],
      }),
    ),
    key_tag: nullable(Type.Integer()),
    public_key: nullable(Type.String({ description: 'In base64.' })),
    modified_on: nullable(Type.String({ format: 'date-time' })),
    dnssec_multi_signer: Type.Boolean(),
    dnssec_presigned: Type.Literal(false),
    dnssec_use_nsec3: Type.Boolean(),
  },
  { $id: 'Dnssec', title: 'Dnssec' },
)
export type WireDnssec = Static<typeof WireDnssec>

export const DnssecPatch = Type.Object(
  {
    status: Type.Optional(
      oneOf(['active', 'disabled'], {
        description: '`active` signs the zone; `disabled` ends that once the parent’s DS is gone.',
      }),
    ),
    dnssec_multi_signer: Type.Optional(
      Type.Boolean({
        description:
          'Other providers sign the zone too (RFC 8901): DNSKEY records at the apex are served beside the zone’s own.',
      }),
    ),
    dnssec_presigned: Type.Optional(
      Type.Boolean({ description: 'For zones that are transferred signed. Not offered: true is refused.' }),
    ),
    dnssec_use_nsec3: Type.Optional(Type.Boolean({ description: 'Denies by NSEC3 in place of NSEC.' })),
  },
  closed,
)
export type DnssecPatch = Static<typeof DnssecPatch>

const readOnlyText = nullable(Type.String())
const readOnlyNumber = nullable(Type.Integer())

export const WireZsk = Type.Object(
  {
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
    Tag: oneOf(['active', 'publish'], { description: '`publish`: of a roll-over that is under way.' }),
  },
  { $id: 'DnssecZsk', title: 'DnssecZsk' },
)
export type WireZsk = Static<typeof WireZsk>

const KEY_ROLES = ['ksk', 'zsk'] as const

export const WireDnssecKeys = Type.Object(
  {
    status,
    ds_gone_since: nullable(
      Type.String({ format: 'date-time', description: 'Since when the parent is known to have no DS.' }),
    ),
    keys: Type.Array(
      Type.Object({
        id: objectId('the key'),
        role: oneOf(KEY_ROLES, { description: '`ksk` signs the keys, `zsk` all else.' }),
        state: oneOf(['signing', 'published', 'ready', 'active', 'outgoing', 'withdrawn'], {
          description:
            '`published`: new, caches may not have it. `ready`: the parent is to take it. `outgoing`: the parent has another, caches may not. Of another algorithm a key is `signing` before it is among the keys, and `withdrawn` after it was: it signs, and caches may not know.',
        }),
        key_tag: Type.Integer(),
        algorithm: Type.Integer(),
        ds: nullable(Type.String({ description: 'Of a key that signs keys.' })),
        since: Type.String({ format: 'date-time' }),
        next_on: nullable(
          Type.String({ format: 'date-time', description: 'When time alone moves it on; null = never.' }),
        ),
      }),
    ),
  },
  { $id: 'DnssecKeys', title: 'DnssecKeys' },
)
export type WireDnssecKeys = Static<typeof WireDnssecKeys>

export const DnssecRoll = Type.Object(
  {
    role: Type.Optional(oneOf(KEY_ROLES, { description: 'Which of the zone’s keys is to be exchanged.' })),
    algorithm: Type.Optional(
      oneOf(['ECDSAP256SHA256', 'ED25519'], {
        description: 'For keys of which other algorithm both are to be exchanged.',
      }),
    ),
  },
  { ...closed, description: 'One of the two.' },
)
export type DnssecRoll = Static<typeof DnssecRoll>

export const DnssecParent = Type.Object(
  {
    key_tags: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: 65_535 }), {
        maxItems: 100,
        uniqueItems: true,
        description:
          'Tags of the DS records that the parent publishes, on your word; none = it has no DS. Without it the parent is asked.',
      }),
    ),
  },
  closed,
)

export const dnssec = {
  get: operation({
    id: 'dnssec.get',
    method: 'GET',
    path: '/zones/{zone_id}/dnssec',
    summary: 'Get a zone’s DNSSEC',
    tag,
    permission: reading,
    params: zonePath,
    result: WireDnssec,
  }),
  patch: operation({
    id: 'dnssec.patch',
    method: 'PATCH',
    path: '/zones/{zone_id}/dnssec',
    summary: 'Sign a zone, or end that',
    description: 'Answers are signed, or not, before the reply is sent, and the serial moves by one.',
    tag,
    permission: writing,
    params: zonePath,
    body: DnssecPatch,
    result: WireDnssec,
  }),
  delete: operation({
    id: 'dnssec.delete',
    method: 'DELETE',
    path: '/zones/{zone_id}/dnssec',
    summary: 'Delete the keys of a zone that is not signed',
    tag,
    permission: writing,
    params: zonePath,
    result: Type.Literal(''),
  }),
  zsk: operation({
    id: 'dnssec.zsk',
    method: 'GET',
    path: '/zones/{zone_id}/dnssec/zsk',
    summary: 'List the keys that sign a zone’s data',
    tag,
    permission: reading,
    params: zonePath,
    result: Type.Array(WireZsk),
  }),
}

export const dnssecKeys = {
  list: operation({
    id: 'dnssec_keys.list',
    method: 'GET',
    path: '/zonereeve/zones/{zone_id}/dnssec/keys',
    summary: 'List all keys of a zone, and what they wait for',
    tag,
    permission: reading,
    params: zonePath,
    result: WireDnssecKeys,
  }),
  roll: operation({
    id: 'dnssec_keys.roll',
    method: 'POST',
    path: '/zonereeve/zones/{zone_id}/dnssec/roll',
    summary: 'Begin to exchange a key, or the algorithm',
    description:
      'A new key signs beside the old one until every cache has both. The old `zsk` then goes by itself; the old `ksk` after the parent has taken the new DS. With `algorithm` the two keys of another one sign before they are among the zone’s keys; the old two go after the parent has taken the new DS and has none of the old algorithm, and sign until no cache has them. One at a time, of each role or of the algorithm.',
    tag,
    permission: writing,
    params: zonePath,
    body: DnssecRoll,
    result: WireDnssecKeys,
  }),
  parent: operation({
    id: 'dnssec_keys.parent',
    method: 'POST',
    path: '/zonereeve/zones/{zone_id}/dnssec/parent_check',
    summary: 'Look now at what the parent publishes, or say it',
    tag,
    permission: writing,
    params: zonePath,
    body: DnssecParent,
    result: WireDnssecKeys,
  }),
}
