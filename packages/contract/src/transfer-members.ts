// Shared members of the operations on incoming and outgoing zone transfers.
import { Type } from 'typebox'
import { oneOf, page, perPage } from './primitives.ts'

export const tag = 'Secondary DNS'
export const nothing = { body: Type.Unknown(), bodyOptional: true } as const
export const reading = { on: 'zone', anyOf: ['DNS Read', 'DNS Write'] } as const
export const writing = { on: 'zone', anyOf: ['DNS Write'] } as const

export const sentId = Type.Optional(
  Type.String({
    description: 'Ignored: the path identifies it. Clients that send back what they read include it.',
  }),
)
/** Other members of replies: ignored too, while all unknown ones are refused by name. */
export const sentTimes = {
  checked_time: Type.Optional(Type.Unknown({ description: 'Ignored: a member of replies.' })),
  created_time: Type.Optional(Type.Unknown({ description: 'Ignored: a member of replies.' })),
  soa_serial: Type.Optional(Type.Unknown({ description: 'Ignored: a member of replies.' })),
} as const

export const peerIds = Type.Array(Type.String({ description: 'Identifier of a peer.' }), {
  maxItems: 100,
  description: 'Peers of the account: nameservers at the other end.',
})
export const zoneName = Type.String({ description: 'Name of the zone.', examples: ['example.com.'] })
export const soaSerial = Type.Integer({ description: 'Serial of the zone’s SOA.' })

export const paged = Type.Object({ page, per_page: perPage(1, 1_000, 100) })
/** Members of a catalog zone: one statement looks for what is known of a page of them. */
export const pagedMembers = Type.Object({ page, per_page: perPage(1, 500, 100) })
export const accountReading = {
  on: 'account',
  anyOf: ['Account DNS Settings Read', 'Account DNS Settings Write'],
} as const
export const accountWriting = { on: 'account', anyOf: ['Account DNS Settings Write'] } as const

export const autoRefresh = Type.Number({
  minimum: 300,
  default: 86_400,
  reason: 'incoming.refresh',
  description:
    'Seconds between two refresh queries to the primary, unless its SOA has a lower value: an integer from 300 to 2419200.',
})

export const incomingState = oneOf(['waiting', 'current', 'expired'], {
  description:
    '`waiting` for the first transfer, or without contact to a primary for too long: in both states the zone is not answered.',
})
