// HTTP routes for changes of headers that a zone switches on.
import { managedHeaders as operations, type WireManagedHeaders } from '@zonereeve/contract'
import { MANAGED_HEADER_NAMES, type ManagedHeaderName } from '@zonereeve/firewall'
import { route, type Route } from '../../../http/index.ts'
import type { ManagedHeaders } from './managed-headers.service.ts'

export const managedHeaderRoutes = ({ get, change }: ManagedHeaders): Route[] => [
  route(operations.get, async ({ params }) => ({ result: toWire(await get(params.zone_id)) })),
  route(operations.edit, async ({ params, body, actor }) => {
    const { managed_request_headers: request = [], managed_response_headers: response = [] } = body // both are optional
    const switched = new Map([...request, ...response].map(({ id, enabled }) => [id, enabled]))
    return { result: toWire(await change(params.zone_id, switched, actor)) }
  }),
  route(operations.delete, async ({ params, actor }) => {
    await change(params.zone_id, new Map(MANAGED_HEADER_NAMES.map((name) => [name, false])), actor)
    return { result: null }
  }),
]

const REQUEST = ['add_true_client_ip_headers', 'add_visitor_location_headers'] as const
const RESPONSE = ['remove_x-powered-by_header', 'add_security_headers'] as const satisfies readonly Exclude<
  ManagedHeaderName,
  (typeof REQUEST)[number]
>[]

function toWire(enabled: readonly ManagedHeaderName[]): WireManagedHeaders {
  const listStates = <Name extends ManagedHeaderName>(names: readonly Name[]) =>
    names.map((id) => ({ id, enabled: enabled.includes(id), has_conflict: false }))
  return { managed_request_headers: listStates(REQUEST), managed_response_headers: listStates(RESPONSE) }
}
