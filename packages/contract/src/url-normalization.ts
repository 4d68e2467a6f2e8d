// How the paths of requests are normalized before rules see them.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { closedObject, namedObject, objectId, oneOf } from './primitives.ts'

const members = {
  scope: oneOf(['incoming', 'both', 'none'], {
    description:
      '`incoming`: rules see normalized paths, the origin gets them as sent. `both`: so does the origin, behind the embedded proxy. `none`: rules see them as sent.',
  }),
  type: oneOf(['cloudflare', 'rfc3986'], {
    description:
      '`rfc3986`: unreserved characters decoded, dot segments removed. `cloudflare`: in addition, backslashes become slashes, and repeated slashes become one.',
  }),
}

export const WireUrlNormalization = namedObject('UrlNormalization', members)
export type WireUrlNormalization = Static<typeof WireUrlNormalization>

const section = { tag: 'Rulesets', params: { zone_id: objectId('the zone') } }
const route = '/zones/{zone_id}/url_normalization'

export const urlNormalization = operations('url_normalization', section, {
  get: {
    route: `GET ${route}`,
    summary: 'Get how paths are normalized',
    permission: { on: 'zone', anyOf: ['Zone Settings Read', 'Zone Settings Write'] },
    result: WireUrlNormalization,
  },
  set: {
    route: `PUT ${route}`,
    summary: 'Set how paths are normalized',
    permission: { on: 'zone', anyOf: ['Zone Settings Write'] },
    body: closedObject(members),
    result: WireUrlNormalization,
  },
  delete: {
    route: `DELETE ${route}`,
    summary: 'Normalize paths as by default',
    description: 'Afterwards the scope is `incoming` and the type `cloudflare`.',
    permission: { on: 'zone', anyOf: ['Zone Settings Write'] },
    result: Type.Null(),
    noContent: true,
  },
})
