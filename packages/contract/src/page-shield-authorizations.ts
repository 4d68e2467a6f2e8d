// Authorizations of scripts: who is responsible for each, why the page needs it, and whether that still covers it.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { PAGE_SHIELD_READ, PAGE_SHIELD_WRITE } from './page-shield.ts'
import {
  closedObject,
  namedObject,
  nullable,
  objectId,
  oneOf,
  page,
  perPage,
  sha256Digest,
  timestamp,
  writtenText,
} from './primitives.ts'

const base = '/zonereeve/zones/{zone_id}/page_shield'

export const AUTHORIZATION_STATES = [
  'valid',
  'unverified',
  'expired',
  'changed',
  'bytes_changed',
  'unfetched',
] as const

const WireAuthorization = namedObject('ScriptAuthorization', {
  script_id: objectId('the script'),
  url: Type.String(),
  host: Type.String(),
  owner: Type.String(),
  justification: Type.String(),
  authorized_by: Type.String(),
  authorized_at: timestamp('When it was authorized.'),
  expires_at: nullable(timestamp('null = never.')),
  hash: nullable(Type.String({ description: 'Structure of the authorized content; null = unknown.' })),
  content_sha256: nullable(
    Type.String({
      description:
        'SHA-256 of the authorized content; null = none was fetched at that time, or it was not kept.',
    }),
  ),
  state: oneOf(AUTHORIZATION_STATES, {
    description:
      '`unverified`: the authorized content or the current content is unknown; it stays so until the script was fetched and is authorized again. `changed`: the content has changed since. `bytes_changed`: its bytes have changed, but not its structure: numbers, whitespace or comments. `unfetched`: since then a browser ran a content that was never fetched.',
  }),
})
export type WireAuthorization = Static<typeof WireAuthorization>

/** As many as a page of the dashboard's list of scripts has. */
const MAX_SCRIPT_IDS = 100

const AuthorizationPut = closedObject({
  owner: writtenText(200, { description: 'The person responsible for the script.' }),
  justification: writtenText(2000, { description: 'Why the page needs it.' }),
  authorized_by: Type.Optional(writtenText(200, { description: 'Who authorizes it; default: the caller.' })),
  expires_at: Type.Optional(nullable(timestamp('In the future; null or absent = never.'))),
  content_sha256: Type.Optional(
    sha256Digest('SHA-256 of the reviewed content in hexadecimal; default: the content last fetched.'),
  ),
})
export type AuthorizationPut = Static<typeof AuthorizationPut>

const section = {
  tag: 'Client-side monitoring: extensions',
  params: { zone_id: objectId('the zone'), script_id: objectId('the script') },
}

export const pageShieldAuthorizations = operations('page_shield.authorizations', section, {
  get: {
    route: `GET ${base}/scripts/{script_id}/authorization`,
    summary: 'Get the authorization of a script',
    permission: PAGE_SHIELD_READ,
    result: WireAuthorization,
  },
  list: {
    route: `GET ${base}/authorizations`,
    summary: 'List the authorizations of scripts',
    permission: PAGE_SHIELD_READ,
    query: Type.Object({
      script_ids: Type.Optional(
        Type.String({
          pattern: `^[0-9a-f]{32}(,[0-9a-f]{32}){0,${MAX_SCRIPT_IDS - 1}}$`,
          must: `be at most ${MAX_SCRIPT_IDS} IDs of 32 hexadecimal digits in lower case, separated by commas`,
          description: `Only those of these scripts: at most ${MAX_SCRIPT_IDS} IDs, separated by commas.`,
        }),
      ),
      page,
      per_page: perPage(1, 1000, 50),
    }),
    onceInQuery: 'all',
    result: WireAuthorization,
    list: true,
  },
  put: {
    route: `PUT ${base}/scripts/{script_id}/authorization`,
    summary: 'Authorize a script with a reason',
    description:
      'Applies to the content last fetched, or to the one that `content_sha256` names; if the content changes, the authorization shows it. Before the first fetch it is `unverified`, and must be repeated unless it names the content.',
    permission: PAGE_SHIELD_WRITE,
    body: AuthorizationPut,
    result: WireAuthorization,
  },
  delete: {
    route: `DELETE ${base}/scripts/{script_id}/authorization`,
    summary: 'Withdraw the authorization of a script',
    permission: PAGE_SHIELD_WRITE,
    result: Type.Object({ script_id: Type.String() }),
  },
})
