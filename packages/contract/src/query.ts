// A query to the nameserver, its answer and an explanation. A Zonereeve extension, outside the vendor's paths.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { namedObject, nullable, objectId, oneOf } from './primitives.ts'

const recordIds = Type.Array(objectId('a stored record'), {
  description: 'The stored records it was made from.',
})

const lines = (what: string) =>
  Type.Array(Type.String({ examples: ['www.example.com. 300 IN A 192.0.2.1'] }), {
    description: `${what} section, in zone-file text.`,
  })

const WireQueryAnswer = namedObject('QueryAnswer', {
  name: Type.String(),
  type: Type.String(),
  rcode: Type.String({ examples: ['NOERROR', 'NXDOMAIN'] }),
  flags: Type.Array(oneOf(['qr', 'aa', 'tc', 'rd', 'ra', 'ad', 'cd'])),
  truncated_over_udp: Type.Boolean({
    description: 'Whether a client with a buffer of 1232 octets has to retry over TCP.',
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
        [
          'stored',
          'edge',
          'https_on_the_fly',
          'flattened',
          'redirection',
          'zone',
          'any_stand_in',
          'other_zone',
        ],
        { description: 'What the rrset was made from.' },
      ),
      record_ids: recordIds,
    }),
  ),
  steps: Type.Array(
    Type.Object({
      outcome: oneOf([
        'answer',
        'alias',
        'no_data',
        'failing',
        'no_name',
        'redirected',
        'referral',
        'outside',
      ]),
      name: Type.String({ description: 'The name that was looked up.' }),
      zone_name: nullable(Type.String()),
      owner: nullable(
        Type.String({
          description:
            'The name whose records answer: the name itself, a wildcard, the cut of a delegation, or the owner of a DNAME above it.',
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
        { description: 'The chain from a flattened CNAME to its addresses.' },
      ),
      explanation: Type.String({ description: 'The explanation as text.' }),
    }),
    { description: 'The names that were looked up, in order.' },
  ),
})
export type WireQueryAnswer = Static<typeof WireQueryAnswer>

const section = { tag: 'Query', params: { zone_id: objectId('the zone') } }

export const query = operations('query', section, {
  ask: {
    route: 'GET /zonereeve/zones/{zone_id}/query',
    summary: 'Query the nameserver and explain the answer',
    description:
      'The answer is made by the code that answers on the wire. `source` and `record_ids` name the stored records of each rrset, `steps` the names that were looked up and the outcomes.',
    permission: { on: 'zone', anyOf: ['DNS Read', 'DNS Write'] },
    query: Type.Object({
      name: Type.String({ minLength: 1, description: '`@`, a name relative to the zone, or a full name.' }),
      type: Type.String({ minLength: 1, description: 'Mnemonic or TYPEn; also ANY.', examples: ['A'] }),
    }),
    result: WireQueryAnswer,
  },
})
