// Named lists of an account: addresses, host names, autonomous systems, and redirects. Rules name them: `$name`.
import { Type, type Static } from 'typebox'
import { storedText } from './filters.ts'
import { operations } from './operation.ts'
import { closedObject, Deleted, namedObject, objectId, oneOf, perPage, timestamp } from './primitives.ts'

/** Maximum items of a list, and of a request. */
export const MAX_LIST_ITEMS = 10_000
/** Room for so many redirects with ordinary URLs. */
const MAX_BODY_BYTES = 8 * 1_048_576

const kind = oneOf(['ip', 'redirect', 'hostname', 'asn'], {
  description:
    '`ip`: addresses and networks. `hostname`: host names, with all names below them if they begin with `*.`. `asn`: numbers of autonomous systems. `redirect`: URLs, and where each leads.',
})
const name = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: '^[a-z0-9_]+$',
  must: 'have only lower-case letters, digits and underscores',
  description: 'Expressions name it: `$name`.',
  examples: ['office'],
})
const description = storedText(500)

export const WireList = namedObject('List', {
  id: objectId('the list'),
  name,
  kind,
  num_items: Type.Integer(),
  num_referencing_filters: Type.Integer({ description: 'Rules and filters that name it.' }),
  created_on: timestamp('When it was created.'),
  modified_on: timestamp('When it or an item was last changed.'),
  description: Type.Optional(description),
})
export type WireList = Static<typeof WireList>

const ip = Type.String({
  maxLength: 50,
  description: 'An address, or a network: IPv4 from /8 to /32, IPv6 from /12 to /64.',
  examples: ['192.0.2.0/24'],
})
const asn = Type.Integer({ description: 'Number of an autonomous system.', examples: [64_500] })
const flag = (about: string, fallback: boolean) =>
  Type.Optional(Type.Boolean({ description: about, default: fallback }))

const hostname = closedObject({
  url_hostname: Type.String({ maxLength: 260, examples: ['*.example.com'] }),
  exclude_exact_hostname: flag('For names with `*.`: the name after it is not in the list.', true),
})
const redirect = closedObject({
  source_url: Type.String({
    maxLength: 32_768,
    description: 'Host and path; without a scheme it is for both.',
    examples: ['example.com/old'],
  }),
  target_url: Type.String({ maxLength: 32_768, examples: ['https://example.com/new'] }),
  include_subdomains: flag('Also for all names below the host.', false),
  preserve_path_suffix: flag('With `subpath_matching`: the rest of the path is added to the target.', true),
  preserve_query_string: flag('The query of the request is added to the target.', false),
  status_code: Type.Optional(
    Type.Unsafe<number>({ type: 'integer', enum: [301, 302, 307, 308], default: 301 }),
  ),
  subpath_matching: flag('Also for all paths below the path.', false),
})
const values = {
  ip: Type.Optional(ip),
  asn: Type.Optional(asn),
  hostname: Type.Optional(hostname),
  redirect: Type.Optional(redirect),
}
const comment = storedText(500)

export const WireListItem = namedObject('ListItem', {
  id: objectId('the item'),
  ...values,
  comment: Type.Optional(comment),
  created_on: timestamp('When it was added.'),
  modified_on: timestamp('When it was last changed.'),
})
export type WireListItem = Static<typeof WireListItem>

const SentItem = closedObject({ ...values, comment: Type.Optional(comment) })
export type SentListItem = Static<typeof SentItem>

const Started = Type.Object({ operation_id: objectId('the bulk operation') })

const section = {
  tag: 'Lists',
  params: {
    account_id: objectId('the account'),
    list_id: objectId('the list'),
    item_id: objectId('the item'),
    operation_id: objectId('the bulk operation'),
  },
}
const reading = {
  on: 'account',
  anyOf: ['Account Rule Lists Read', 'Account Rule Lists Write'],
} as const
const writing = { on: 'account', anyOf: ['Account Rule Lists Write'] } as const
const items = '/accounts/{account_id}/rules/lists/{list_id}/items'
const send = {
  permission: writing,
  body: Type.Array(SentItem, { minItems: 1, maxItems: MAX_LIST_ITEMS }),
  maxBodyBytes: MAX_BODY_BYTES,
  result: Started,
}

export const lists = operations('lists', section, {
  list: {
    route: 'GET /accounts/{account_id}/rules/lists',
    summary: 'List the lists of an account',
    permission: reading,
    result: Type.Array(WireList),
  },
  create: {
    route: 'POST /accounts/{account_id}/rules/lists',
    summary: 'Create a list',
    permission: writing,
    body: closedObject({ kind, name, description: Type.Optional(description) }),
    result: WireList,
  },
  getOperation: {
    route: 'GET /accounts/{account_id}/rules/lists/bulk_operations/{operation_id}',
    summary: 'Get the status of a bulk operation',
    description: 'An operation is complete when the request that started it is answered.',
    permission: reading,
    result: Type.Object({
      id: objectId('the bulk operation'),
      status: oneOf(['completed']),
      completed: timestamp('When it was completed.'),
    }),
  },
  get: {
    route: 'GET /accounts/{account_id}/rules/lists/{list_id}',
    summary: 'Get a list',
    permission: reading,
    result: WireList,
  },
  update: {
    route: 'PUT /accounts/{account_id}/rules/lists/{list_id}',
    summary: 'Set the description of a list',
    permission: writing,
    body: closedObject({ description: Type.Optional(description) }),
    result: WireList,
  },
  delete: {
    route: 'DELETE /accounts/{account_id}/rules/lists/{list_id}',
    summary: 'Delete a list and its items',
    description: 'Refused while a rule or filter names it.',
    permission: writing,
    result: Deleted,
  },
  listItems: {
    route: `GET ${items}`,
    summary: 'List the items of a list',
    permission: reading,
    query: Type.Object({
      search: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 2_048,
          description:
            'Addresses that begin with it; host names and source URLs that contain it; exactly this autonomous system.',
        }),
      ),
      per_page: perPage(1, 1_000, 100),
      cursor: Type.Optional(Type.String({ minLength: 1, description: 'End of the previous page.' })),
    }),
    result: WireListItem,
    list: 'cursor',
  },
  createItems: {
    route: `POST ${items}`,
    summary: 'Add items to a list',
    description: 'All or nothing. An item that is in the list already gets the new comment and value.',
    ...send,
  },
  replaceItems: {
    route: `PUT ${items}`,
    summary: 'Replace all items of a list',
    description: 'All or nothing. Items that stay the same keep their identifiers.',
    ...send,
    body: Type.Array(SentItem, { maxItems: MAX_LIST_ITEMS }),
  },
  deleteItems: {
    route: `DELETE ${items}`,
    summary: 'Remove items from a list',
    description: 'All or nothing.',
    permission: writing,
    body: closedObject({
      items: Type.Optional(
        Type.Array(closedObject({ id: Type.String() }), {
          minItems: 1,
          maxItems: MAX_LIST_ITEMS,
          description: 'Required: without it, nothing is removed.',
        }),
      ),
    }),
    bodyOptional: true,
    result: Started,
  },
  getItem: {
    route: `GET ${items}/{item_id}`,
    summary: 'Get an item of a list',
    permission: reading,
    result: WireListItem,
  },
})
