// Changes of headers that a zone switches on (managed transforms).
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { closedObject, namedObject, objectId, oneOf } from './primitives.ts'

const requestId = oneOf(['add_true_client_ip_headers', 'add_visitor_location_headers'], {
  description: 'Others of the vendor are refused: nothing here knows what they would add.',
})
const responseId = oneOf(['remove_x-powered-by_header', 'add_security_headers'])
const enabled = Type.Boolean()
const state = { enabled, has_conflict: Type.Boolean({ description: 'Always false.' }) }

const WireManagedHeaders = namedObject('ManagedHeaders', {
  managed_request_headers: Type.Array(Type.Object({ id: requestId, ...state })),
  managed_response_headers: Type.Array(Type.Object({ id: responseId, ...state })),
})
export type WireManagedHeaders = Static<typeof WireManagedHeaders>

const section = { tag: 'Rulesets', params: { zone_id: objectId('the zone') } }
const route = '/zones/{zone_id}/managed_headers'
const MAX_ITEMS = 20

export const managedHeaders = operations('managed_headers', section, {
  get: {
    route: `GET ${route}`,
    summary: 'List the managed changes of headers',
    description: 'They come before the rules of the zone that change headers.',
    permission: { on: 'zone', anyOf: ['Zone Settings Read', 'Zone Settings Write'] },
    result: WireManagedHeaders,
  },
  edit: {
    route: `PATCH ${route}`,
    summary: 'Switch managed changes of headers on or off',
    description: 'Those that are not named stay as they are.',
    permission: { on: 'zone', anyOf: ['Zone Settings Write'] },
    body: closedObject({
      managed_request_headers: Type.Optional(
        Type.Array(closedObject({ id: requestId, enabled }), { maxItems: MAX_ITEMS }),
      ),
      managed_response_headers: Type.Optional(
        Type.Array(closedObject({ id: responseId, enabled }), { maxItems: MAX_ITEMS }),
      ),
    }),
    result: WireManagedHeaders,
  },
  delete: {
    route: `DELETE ${route}`,
    summary: 'Switch all managed changes of headers off',
    permission: { on: 'zone', anyOf: ['Zone Settings Write'] },
    result: Type.Null(),
    noContent: true,
  },
})
