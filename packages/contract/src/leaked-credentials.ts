// Checks of credentials in requests against leaks: the switch of a zone, and where its application sends credentials.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { closedObject, Deleted, namedObject, objectId } from './primitives.ts'

const Status = Type.Object({
  enabled: Type.Boolean({ description: 'Whether the fields `cf.waf.credential_check.*` are computed.' }),
})

const username = Type.String({
  maxLength: 4_096,
  description: 'An expression that gives the user name; empty if there is none.',
  examples: ['lookup_json_string(http.request.body.raw, "user")'],
})
const password = Type.String({
  minLength: 1,
  maxLength: 4_096,
  description: 'An expression that gives the password.',
  examples: ['lookup_json_string(http.request.body.raw, "secret")'],
})

export const WireCredentialLocation = namedObject('LeakedCredentialDetection', {
  id: objectId('the location'),
  username,
  password,
})
export type WireCredentialLocation = Static<typeof WireCredentialLocation>

const Location = closedObject({ username: Type.Optional(username), password })

const section = {
  tag: 'Rulesets',
  params: { zone_id: objectId('the zone'), detection_id: objectId('the location') },
}
const reading = { on: 'zone', anyOf: ['Zone WAF Read', 'Zone WAF Write'] } as const
const writing = { on: 'zone', anyOf: ['Zone WAF Write'] } as const

export const leakedCredentials = operations('leaked_credentials', section, {
  status: {
    route: 'GET /zones/{zone_id}/leaked-credential-checks',
    summary: 'Get whether credentials are checked against leaks',
    permission: reading,
    result: Status,
  },
  setStatus: {
    route: 'POST /zones/{zone_id}/leaked-credential-checks',
    summary: 'Turn the check of credentials on or off',
    permission: writing,
    body: closedObject({ enabled: Type.Boolean() }),
    result: Status,
  },
  list: {
    route: 'GET /zones/{zone_id}/leaked-credential-checks/detections',
    summary: 'List where credentials are looked for',
    description: 'In addition to the usual names of form fields and JSON members.',
    permission: reading,
    result: Type.Array(WireCredentialLocation),
  },
  create: {
    route: 'POST /zones/{zone_id}/leaked-credential-checks/detections',
    summary: 'Add a place where credentials are looked for',
    permission: writing,
    body: Location,
    result: WireCredentialLocation,
  },
  get: {
    route: 'GET /zones/{zone_id}/leaked-credential-checks/detections/{detection_id}',
    summary: 'Get a place where credentials are looked for',
    permission: reading,
    result: WireCredentialLocation,
  },
  replace: {
    route: 'PUT /zones/{zone_id}/leaked-credential-checks/detections/{detection_id}',
    summary: 'Replace a place where credentials are looked for',
    permission: writing,
    body: closedObject({
      ...Location.properties,
      id: Type.Optional(Type.String({ description: 'Ignored.' })),
    }),
    result: WireCredentialLocation,
  },
  delete: {
    route: 'DELETE /zones/{zone_id}/leaked-credential-checks/detections/{detection_id}',
    summary: 'Remove a place where credentials are looked for',
    permission: writing,
    result: Deleted,
  },
})
