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
export const peerIds = Type.Array(Type.String({ description: 'Identifier of a peer.' }), {
  maxItems: 100,
  description: 'Peers of the account: nameservers at the other end.',
})
export const zoneName = Type.String({ description: 'Name of the zone.', examples: ['example.com.'] })
export const soaSerial = Type.Integer({ description: 'Serial of the zone’s SOA.' })
