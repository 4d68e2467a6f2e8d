// What monitoring's header also makes browsers report: frames, images, form targets, and code without a URL.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { ConnectionQuery, PAGE_SHIELD_READ, WireConnection } from './page-shield.ts'
import { namedObject, nullable, objectId, oneOf, page, perPage, timestamp } from './primitives.ts'

const base = '/zonereeve/zones/{zone_id}/page_shield'

const loadKind = oneOf(['frame', 'image', 'form'], {
  description:
    '`frame`: a document in a frame. `image`: a host that images come from. `form`: where a form is sent.',
})

const WireLoad = namedObject('PageShieldLoad', { kind: loadKind, ...WireConnection.properties })
export type WireLoad = Static<typeof WireLoad>

const LoadQuery = Type.Object({ kind: loadKind, ...ConnectionQuery.properties })

const codeKind = oneOf(['inline', 'handler', 'javascript_url', 'eval', 'wasm', 'script', 'worker'], {
  description:
    '`inline`: a script in the page. `handler`: an attribute such as `onclick`. `javascript_url`: a link with code. `eval`: an evaluated string. `wasm`: compiled WebAssembly. `script`, `worker`: from a `data:` or `blob:` URL.',
})

const WireCode = namedObject('PageShieldCode', {
  id: objectId('the code; the same every time it is detected'),
  kind: codeKind,
  host: Type.String({ description: 'Host of the pages that run it.' }),
  sample: Type.String({
    maxLength: 40,
    description:
      'Its first characters, at most 40; empty for `wasm`, `script` and `worker`. Browsers do not report the rest.',
  }),
  sample_sha256: nullable(Type.String({ description: 'SHA-256 of `sample`; null = there is none.' })),
  source_url: nullable(
    Type.String({ description: 'The page or script that last contained or ran it, without query.' }),
  ),
  line: nullable(Type.Integer({ description: 'In `source_url`, from 1.' })),
  first_seen_at: timestamp('When a browser first reported it.'),
  last_seen_at: timestamp('When a browser last reported it.'),
  status: oneOf(['active', 'infrequent', 'inactive']),
  first_page_url: Type.String(),
  page_urls: Type.Array(Type.String(), { maxItems: 10, description: 'The last pages, newest first.' }),
})
export type WireCode = Static<typeof WireCode>

const section = { tag: 'Client-side monitoring: extensions', params: { zone_id: objectId('the zone') } }

export const pageShieldLoads = operations('page_shield.loads', section, {
  listLoads: {
    id: 'page_shield.loads.list',
    route: `GET ${base}/loads`,
    summary: 'List detected frames, images or form targets',
    description:
      'Empty until `also_report` of the sampling settings names them. Active ones only, unless `status` says otherwise.',
    permission: PAGE_SHIELD_READ,
    query: LoadQuery,
    onceInQuery: 'all',
    result: WireLoad,
    list: true,
  },
  listCode: {
    id: 'page_shield.code.list',
    route: `GET ${base}/code`,
    summary: 'List detected code that has no URL, last seen first',
    description:
      'Inline scripts, event handlers and evaluated strings are reported only if `also_report` of the sampling settings names them.',
    permission: PAGE_SHIELD_READ,
    query: Type.Object({ kind: Type.Optional(codeKind), page, per_page: perPage(1, 1000, 50) }),
    onceInQuery: 'all',
    result: WireCode,
    list: true,
  },
})
