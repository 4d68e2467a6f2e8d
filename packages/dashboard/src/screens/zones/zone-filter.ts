// The filter of the zone list: what the URL says, as the server is asked.
import type { ZoneFilter } from '../../api/zones.ts'

export const ZONE_STATUSES = ['active', 'pending', 'initializing', 'moved'] as const
export const ZONE_ORDERS = ['name', '-name', 'status', 'plan'] as const

type Status = (typeof ZONE_STATUSES)[number]
type Order = (typeof ZONE_ORDERS)[number]

const ASKED: Readonly<Record<Order, Pick<ZoneFilter, 'order' | 'direction'>>> = {
  name: {},
  '-name': { order: 'name', direction: 'desc' },
  status: { order: 'status' },
  plan: { order: 'plan.id' },
}

interface ZoneSearch {
  readonly q?: string | undefined
  readonly status?: string | undefined
  readonly sort?: string | undefined
  readonly attention?: string | undefined
}

/** Values that the URL has but that mean nothing are left out, as if they were not there. */
export function readZoneFilter({ q, status, sort, attention }: ZoneSearch): ZoneFilter {
  if (attention === 'yes') return { needsAttention: true }
  const name = q?.trim().toLowerCase()
  return {
    ...(name === undefined || name === '' ? {} : { name: `contains:${name}` }),
    ...(isStatus(status) ? { status } : {}),
    ...ASKED[isOrder(sort) ? sort : 'name'],
  }
}

/** With a filter or another order, pinned zones have their places in the list. */
export const arePinnedFirst = ({ name, status, order, needsAttention }: ZoneFilter): boolean =>
  name === undefined && status === undefined && order === undefined && needsAttention === undefined

const isStatus = (text: string | undefined): text is Status => ZONE_STATUSES.some((status) => status === text)
const isOrder = (text: string | undefined): text is Order => ZONE_ORDERS.some((order) => order === text)
