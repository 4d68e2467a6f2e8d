// What the operations on zones that come and go by transfers have in common.
import { Type } from 'typebox'
import { objectId } from './primitives.ts'

export const tag = 'Secondary DNS'
export const nothing = { body: Type.Unknown(), bodyOptional: true } as const
export const zonePath = Type.Object({ zone_id: objectId('the zone') })
export const reading = { on: 'zone', anyOf: ['DNS Read', 'DNS Write'] } as const
export const writing = { on: 'zone', anyOf: ['DNS Write'] } as const

export const sentId = Type.Optional(
  Type.String({ description: 'Takes no part: the path says which. Clients that send what they read do so.' }),
)
/** What an answer says besides: taken no part of, too, and all that is not known is refused by name. */
export const sentTimes = {
  checked_time: Type.Optional(Type.Unknown({ description: 'Takes no part: an answer has it.' })),
  created_time: Type.Optional(Type.Unknown({ description: 'Takes no part: an answer has it.' })),
  soa_serial: Type.Optional(Type.Unknown({ description: 'Takes no part: an answer has it.' })),
} as const
export const closed = { additionalProperties: false } as const

export const peerIds = Type.Array(Type.String({ description: 'Identifier of a peer.' }), {
  maxItems: 100,
  description: 'Peers of the account: nameservers at the other end.',
})
export const zoneName = Type.String({ description: 'Name of the zone.', examples: ['example.com.'] })
export const soaSerial = Type.Integer({ description: 'Serial of the zone’s SOA.' })
