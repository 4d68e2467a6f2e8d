// A question to the nameserver, its answer and the reasons. Zonereeve's own, outside the vendor's paths.
import { Type, type Static } from 'typebox'
import { operation } from './operation.ts'
import { nullable, objectId, oneOf } from './primitives.ts'

const recordIds = Type.Array(objectId('a stored record'), { description: 'Stored records behind it.' })

const lines = (what: string) =>
  Type.Array(Type.String({ examples: ['www.example.com. 300 IN A 192.0.2.1'] }), {
    description: `${what} section, in zone-file text.`,
  })

const WireQueryAnswer = Type.Object(
  {
    name: Type.String(),
    type: Type.String(),
    rcode: Type.String({ examples: ['NOERROR', 'NXDOMAIN'] }),
    flags: Type.Array(oneOf(['qr', 'aa', 'tc', 'rd', 'ra', 'ad', 'cd'])),
    truncated_over_udp: Type.Boolean({
      description: 'Whether a client with a buffer of 1232 octets has to ask again over TCP.',
    }),
    answer: lines('Answer'),
    authority: lines('Authority'),
    additional: lines('Additional'),
    rrsets: Type.Array(
      Type.Object({
        section: oneOf(['answer', 'authority', 'additional']),
        name: Type.String(),
        type: Type.String(),
        ttl: Type.Integer(),
        source: oneOf(
          ['stored', 'edge', 'https_on_the_fly', 'flattened', 'zone', 'any_stand_in', 'other_zone'],
          { description: 'What the rrset was made of.' },
        ),
        record_ids: recordIds,
      }),
    ),
    steps: Type.Array(
      Type.Object({
        outcome: oneOf(['answer', 'alias', 'no_data', 'failing', 'no_name', 'referral', 'outside']),
        name: Type.String({ description: 'The name that was looked up.' }),
        zone_name: nullable(Type.String()),
        owner: nullable(
          Type.String({
            description: 'Whose records answer: the name, a wildcard, or the cut of a delegation.',
          }),
        ),
        closest_encloser: nullable(Type.String({ description: 'The longest existing name at or above it.' })),
        empty_non_terminal: Type.Boolean(),
        derivation: nullable(oneOf(['edge', 'flattened', 'withheld'])),
        record_ids: recordIds,
        chains: Type.Array(
          Type.Object({
            type: Type.String(),
            names: Type.Array(Type.Object({ name: Type.String(), served_here: Type.Boolean() })),
            end: oneOf(['addresses', 'none', 'failed', 'pending', 'unresolved']),
          }),
          { description: 'The way from a flattened CNAME to addresses.' },
        ),
        explanation: Type.String({ description: 'All of this in words.' }),
      }),
      { description: 'The names that were looked up, in order.' },
    ),
  },
  { $id: 'QueryAnswer', title: 'QueryAnswer' },
)
export type WireQueryAnswer = Static<typeof WireQueryAnswer>

export const query = {
  ask: operation({
    id: 'query.ask',
    method: 'GET',
    path: '/zonereeve/zones/{zone_id}/query',
    summary: 'Ask the nameserver, and be told why it answers so',
    description:
      'The answer is made by the code that answers on the wire. `source` and `record_ids` say which stored records each rrset comes from, `steps` which names were looked up and how that ended.',
    tag: 'Query',
    permission: { on: 'zone', anyOf: ['DNS Read', 'DNS Write'] },
    params: Type.Object({ zone_id: objectId('the zone') }),
    query: Type.Object({
      name: Type.String({ minLength: 1, description: '`@`, a name relative to the zone, or a full name.' }),
      type: Type.String({ minLength: 1, description: 'Mnemonic or TYPEn, ANY too.', examples: ['A'] }),
    }),
    result: WireQueryAnswer,
  }),
}
