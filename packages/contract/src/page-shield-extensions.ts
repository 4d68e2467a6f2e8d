// Client-side monitoring beyond the vendor's interface: how long things are kept, observations from elsewhere than
// browsers, the collector's counters, and the evidence that an auditor of payment pages asks for.
import { Type, type Static } from 'typebox'
import { operation } from './operation.ts'
import {
  PAGE_SHIELD_READ,
  PAGE_SHIELD_WRITE,
  pageShieldScriptPath,
  pageShieldZonePath,
  ScoreMembers,
} from './page-shield.ts'
import { nullable, objectId, oneOf, page, perPage, timestamp, writtenText } from './primitives.ts'

const tag = 'Client-side monitoring: own additions'
const base = '/zonereeve/zones/{zone_id}/page_shield'

const MAX_DAYS = 3650
const days = (description: string) => Type.Integer({ minimum: 1, maximum: MAX_DAYS, description })

const RetentionMembers = {
  active_page_views: Type.Integer({
    minimum: 1,
    maximum: 1000,
    description: 'Page views that make a resource active; below, it is infrequent.',
  }),
  inactive_after_days: days('Days without a report that make an active resource inactive.'),
  forget_infrequent_after_days: days('Days without a report after which infrequent ones are deleted.'),
  forget_after_days: days('Days without a report after which all others are deleted.'),
  forget_cookies_after_days: days('Days after which a cookie that is not met is deleted.'),
  forget_events_after_days: days('Days for which events are kept.'),
  max_query_variants: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description: 'URLs that differ in their query alone, on one host; more are kept as one, `?*`.',
  }),
}

const WireRetention = Type.Object(RetentionMembers, {
  $id: 'PageShieldRetention',
  title: 'PageShieldRetention',
})
export type WireRetention = Static<typeof WireRetention>

const RetentionPut = Type.Partial(Type.Object(RetentionMembers), { additionalProperties: false })
export type RetentionPut = Static<typeof RetentionPut>

const MAX_ONE_IN = 100
const MAX_WHOLE_PATHS = 50

const samplingMode = oneOf(['adaptive', 'fixed'], {
  description:
    '`adaptive`: every document of a quiet zone, and the fewer of a busy one the more reports it would send.',
})
const oneIn = (description: string) => Type.Integer({ minimum: 1, maximum: MAX_ONE_IN, description })
const wholePaths = Type.Array(
  Type.String({ pattern: '^/[^?#\\s]*$', maxLength: 1024, examples: ['/checkout'] }),
  {
    maxItems: MAX_WHOLE_PATHS,
    uniqueItems: true,
    description: 'Paths whose documents always have it, with all below them.',
  },
)

const WireSampling = Type.Object(
  {
    mode: samplingMode,
    one_in: nullable(oneIn('Of `fixed`: one document of so many has the header. null = adaptive.')),
    whole_paths: wholePaths,
    now: Type.Object(
      {
        one_in: oneIn('What it comes to for other paths.'),
        reports_a_day: Type.Integer({
          description:
            'As many as there would be without sampling; estimated on this node since it was started.',
        }),
      },
      { description: 'As it stands.' },
    ),
  },
  { $id: 'PageShieldSampling', title: 'PageShieldSampling' },
)
export type WireSampling = Static<typeof WireSampling>

const SamplingPut = Type.Object(
  {
    mode: Type.Optional(samplingMode),
    one_in: Type.Optional(oneIn('For `fixed` alone: one document of so many has the header.')),
    whole_paths: Type.Optional(wholePaths),
  },
  { additionalProperties: false },
)
export type SamplingPut = Static<typeof SamplingPut>

const MAX_OBSERVATIONS = 100
const MAX_URLS = 200
const MAX_HEADERS = 100
const MAX_HEADER_CHARACTERS = 8192
const MAX_URL_CHARACTERS = 8192

const urls = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ maxLength: MAX_URL_CHARACTERS }), { maxItems: MAX_URLS, description }),
  )

const WireObservation = Type.Object(
  {
    page_url: Type.String({
      maxLength: MAX_URL_CHARACTERS,
      description: 'The page, on a host of the zone.',
      examples: ['https://www.example.com/checkout'],
    }),
    observed_at: Type.Optional(timestamp('When; now where it is not said. At most a day ago.')),
    scripts: urls('URLs of scripts that the page loaded.'),
    connections: urls('URLs that the page connected to.'),
    set_cookie: Type.Optional(
      Type.Array(Type.String({ maxLength: MAX_HEADER_CHARACTERS }), {
        maxItems: MAX_HEADERS,
        description: 'Values of Set-Cookie headers. Values of cookies are not stored.',
      }),
    ),
    cookie: Type.Optional(
      Type.String({
        maxLength: 4 * MAX_HEADER_CHARACTERS,
        description: 'Value of a Cookie header. Values of cookies are not stored.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type WireObservation = Static<typeof WireObservation>

const Observed = Type.Object({
  scripts: Type.Integer({ description: 'Scripts that were stored or seen again.' }),
  connections: Type.Integer(),
  cookies: Type.Integer(),
  ignored: Type.Integer({
    description: 'What has no place in the inventory: data, blobs, other schemes; or more than it may hold.',
  }),
})

export const AUTHORIZATION_STATES = [
  'valid',
  'unverified',
  'expired',
  'changed',
  'bytes_changed',
  'unfetched',
] as const

const WireAuthorization = Type.Object(
  {
    script_id: objectId('the script'),
    url: Type.String(),
    host: Type.String(),
    owner: Type.String(),
    justification: Type.String(),
    authorized_by: Type.String(),
    authorized_at: timestamp('When it was authorised.'),
    expires_at: nullable(timestamp('null = never.')),
    hash: nullable(
      Type.String({ description: 'Structure of the content that was authorised; null = it is not known.' }),
    ),
    content_sha256: nullable(
      Type.String({
        description:
          'SHA-256 of the content that was authorised; null = none was fetched then, or nobody kept it.',
      }),
    ),
    state: oneOf(AUTHORIZATION_STATES, {
      description:
        '`unverified`: which content was authorised, or which there is, is not known; it stays so until the script was fetched and is authorised again. `changed`: the content is another since. `bytes_changed`: its octets are others, with the same structure: numbers, blanks or comments. `unfetched`: since then a browser ran a content that was never fetched.',
    }),
  },
  { $id: 'ScriptAuthorization', title: 'ScriptAuthorization' },
)
export type WireAuthorization = Static<typeof WireAuthorization>

const AuthorizationPut = Type.Object(
  {
    owner: writtenText(200, { description: 'Who answers for the script.' }),
    justification: writtenText(2000, { description: 'Why the page needs it.' }),
    authorized_by: Type.Optional(
      writtenText(200, { description: 'Who authorises it; the caller where it is not said.' }),
    ),
    expires_at: Type.Optional(nullable(timestamp('In the future; null or not said = never.'))),
    content_sha256: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]*$',
        minLength: 64,
        maxLength: 64,
        description:
          'SHA-256 of the content that was reviewed, hexadecimal; what was last fetched where it is not said.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type AuthorizationPut = Static<typeof AuthorizationPut>

export const PAGE_SHIELD_EVENTS = [
  'script.new',
  'script.changed',
  'script.bytes_changed',
  'script.unfetched',
  'script.inactive',
  'script.analysis_ended',
  'script.reported',
  'script.cleared',
  'connection.new',
  'connection.reported',
  'connection.cleared',
] as const

const WireEvent = Type.Object(
  {
    number: Type.Integer({ description: 'Rises from event to event.' }),
    at: timestamp('When it was noticed.'),
    kind: oneOf(PAGE_SHIELD_EVENTS, {
      description:
        '`script.changed`: its structure is another. `script.bytes_changed`: its octets are others, with the same structure; the hashes are their SHA-256. `script.unfetched`: a browser ran a content, `hash`, that was never fetched; once for each. `script.inactive`: no browser has met it for so long. `script.analysis_ended`: it took too long or too much memory or is nested too deeply, and has no scores of its own. `reported`, `cleared`: it became malicious, or is not any more.',
    }),
    resource_id: objectId('the resource'),
    url: Type.String(),
    host: Type.String(),
    page_url: Type.String(),
    previous_hash: nullable(Type.String()),
    hash: nullable(Type.String()),
  },
  { $id: 'PageShieldEvent', title: 'PageShieldEvent' },
)
export type WireEvent = Static<typeof WireEvent>

/** Why the last fetch of a script failed. */
export const FETCH_PROBLEMS = [
  'url',
  'address',
  'name',
  'network',
  'redirects',
  'status',
  'type',
  'coding',
  'size',
  'silence',
  'time',
  'failure',
] as const

const fetchProblem = nullable(
  oneOf(FETCH_PROBLEMS, {
    description:
      'Why the last fetch failed; null = it did not. `url`: no http or https URL, or a port that is not asked; `address`: a host with an address that is not public; `name`: a host without one; `type`: what no browser runs; `failure`: one of the server itself.',
  }),
)

export const ANALYSIS_STATES = [
  'waiting',
  'scored',
  'too_long',
  'too_deep',
  'no_script',
  'out_of_time',
  'broken_off',
] as const

const analysis = oneOf(ANALYSIS_STATES, {
  description:
    'How far its analysis came. `waiting`: nothing was fetched yet. `too_long`: longer than what is scored. `too_deep`: nested more deeply than can be read. `no_script`: no script is in it, or none that could be read. `out_of_time`, `broken_off` (of memory, most likely): it was ended, and is not tried again before the content or the analysis is another.',
})

const reasons = Type.Array(Type.String(), { description: 'What the scores rest on.' })

const WireContents = Type.Object(
  {
    content_sha256: nullable(Type.String({ description: 'SHA-256 of the octets, as last fetched.' })),
    sri: nullable(Type.String({ description: 'The same as a value of `integrity`, sha384.' })),
    next_fetch_at: nullable(timestamp('When it is due to be fetched.')),
    failures: Type.Integer({ description: 'Fetches that failed since the last that did not.' }),
    problem: fetchProblem,
    analysis,
    reasons,
    browser_hashes: Type.Array(
      Type.Object({
        hash: Type.String({ examples: ['sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='] }),
        first_seen_at: timestamp('When a browser reported it first.'),
        last_seen_at: timestamp('When a browser reported it last.'),
        fetched: Type.Boolean({ description: 'It is the hash of a version that was fetched, too.' }),
      }),
      { description: 'Contents that browsers say they ran.' },
    ),
    versions: Type.Array(
      Type.Object({
        hash: nullable(Type.String()),
        content_sha256: nullable(Type.String()),
        sri: nullable(Type.String()),
        ...ScoreMembers,
        fetched_at: timestamp('When it was fetched.'),
        reasons: Type.Array(Type.String()),
      }),
    ),
  },
  { $id: 'ScriptContents', title: 'ScriptContents' },
)
export type WireContents = Static<typeof WireContents>

const WireExplanation = Type.Object(
  {
    script_id: objectId('the script'),
    url: Type.String(),
    malicious: Type.Boolean(),
    because: Type.Array(oneOf(['js_integrity_score', 'domain', 'url']), {
      description: 'What makes it malicious: its score, a threat feed with its host, one with its URL.',
    }),
    threshold: Type.Integer({ description: 'A js_integrity_score below it is malicious.' }),
    hash: nullable(Type.String()),
    ...ScoreMembers,
    analysis,
    reasons,
    fetched_at: nullable(timestamp('When it was last fetched; null = never.')),
    next_fetch_at: nullable(timestamp('When it is due to be fetched.')),
    problem: fetchProblem,
    versions: Type.Array(
      Type.Object({
        hash: nullable(Type.String()),
        ...ScoreMembers,
        fetched_at: timestamp('When it was last fetched.'),
        reasons,
      }),
      { description: 'The last ten, newest first.' },
    ),
  },
  { $id: 'ScriptExplanation', title: 'ScriptExplanation' },
)
export type WireExplanation = Static<typeof WireExplanation>

export const pageShieldExtensions = {
  getRetention: operation({
    id: 'page_shield.retention.get',
    method: 'GET',
    path: `${base}/retention`,
    summary: 'Get how long monitoring keeps what it found',
    tag,
    permission: PAGE_SHIELD_READ,
    params: pageShieldZonePath,
    result: WireRetention,
  }),
  putRetention: operation({
    id: 'page_shield.retention.put',
    method: 'PUT',
    path: `${base}/retention`,
    summary: 'Set how long monitoring keeps what it found',
    description: 'Members that are not sent stay.',
    tag,
    permission: PAGE_SHIELD_WRITE,
    params: pageShieldZonePath,
    body: RetentionPut,
    result: WireRetention,
  }),
  getSampling: operation({
    id: 'page_shield.sampling.get',
    method: 'GET',
    path: `${base}/sampling`,
    summary: 'Get with which part of the documents monitoring’s header goes',
    tag,
    permission: PAGE_SHIELD_READ,
    params: pageShieldZonePath,
    result: WireSampling,
  }),
  putSampling: operation({
    id: 'page_shield.sampling.put',
    method: 'PUT',
    path: `${base}/sampling`,
    summary: 'Set with which part of the documents monitoring’s header goes',
    description:
      'Members that are not sent stay. Headers that were fetched before hold for the part that they were made for. Policies always go with all.',
    tag,
    permission: PAGE_SHIELD_WRITE,
    params: pageShieldZonePath,
    body: SamplingPut,
    result: WireSampling,
  }),
  observe: operation({
    id: 'page_shield.observations.create',
    method: 'POST',
    path: `${base}/observations`,
    summary: 'Tell of pages, and what they loaded',
    description:
      'For proxies, crawlers and tests. Each observation counts as one page view. At most 2,000 URLs and cookies in a request. Refused while monitoring is off. What is refused stores nothing; what is answered with success is stored; a request that fails otherwise may be stored in part.',
    tag,
    permission: PAGE_SHIELD_WRITE,
    params: pageShieldZonePath,
    body: Type.Object(
      { observations: Type.Array(WireObservation, { minItems: 1, maxItems: MAX_OBSERVATIONS }) },
      { additionalProperties: false },
    ),
    result: Observed,
  }),
  contents: operation({
    id: 'page_shield.scripts.contents',
    method: 'GET',
    path: `${base}/scripts/{script_id}/contents`,
    summary: 'Get what is known of a script’s content',
    tag,
    permission: PAGE_SHIELD_READ,
    params: pageShieldScriptPath,
    result: WireContents,
  }),
  explanation: operation({
    id: 'page_shield.scripts.explanation',
    method: 'GET',
    path: `${base}/scripts/{script_id}/explanation`,
    summary: 'Get why a script has the scores that it has',
    description: 'With the reasons of each version, and why there are none where it could not be fetched.',
    tag,
    permission: PAGE_SHIELD_READ,
    params: pageShieldScriptPath,
    result: WireExplanation,
  }),
  getAuthorization: operation({
    id: 'page_shield.authorizations.get',
    method: 'GET',
    path: `${base}/scripts/{script_id}/authorization`,
    summary: 'Get the authorisation of a script',
    tag,
    permission: PAGE_SHIELD_READ,
    params: pageShieldScriptPath,
    result: WireAuthorization,
  }),
  putAuthorization: operation({
    id: 'page_shield.authorizations.put',
    method: 'PUT',
    path: `${base}/scripts/{script_id}/authorization`,
    summary: 'Authorise a script, with the reason why',
    description:
      'For the content that was last fetched, or that `content_sha256` names: when there is another, the authorisation says so. Before the first fetch it is `unverified`, and has to be given again unless it names the content.',
    tag,
    permission: PAGE_SHIELD_WRITE,
    params: pageShieldScriptPath,
    body: AuthorizationPut,
    result: WireAuthorization,
  }),
  deleteAuthorization: operation({
    id: 'page_shield.authorizations.delete',
    method: 'DELETE',
    path: `${base}/scripts/{script_id}/authorization`,
    summary: 'Withdraw the authorisation of a script',
    tag,
    permission: PAGE_SHIELD_WRITE,
    params: pageShieldScriptPath,
    result: Type.Object({ script_id: Type.String() }),
  }),
  events: operation({
    id: 'page_shield.events.list',
    method: 'GET',
    path: `${base}/events`,
    summary: 'List what was new, changed or reported, newest first',
    tag,
    permission: PAGE_SHIELD_READ,
    params: pageShieldZonePath,
    query: Type.Object({
      kind: Type.Optional(oneOf(PAGE_SHIELD_EVENTS)),
      page,
      per_page: perPage(1, 1000, 50),
    }),
    onceInQuery: 'all',
    result: WireEvent,
    list: true,
  }),
  evidence: operation({
    id: 'page_shield.evidence.get',
    method: 'GET',
    path: `${base}/evidence`,
    summary: 'Export scripts with their authorisations and integrity',
    description: 'What PCI DSS 4.0.1 asks for in 6.4.3 and 11.6.1, as a table or as a page to print.',
    tag,
    permission: PAGE_SHIELD_READ,
    params: pageShieldZonePath,
    query: Type.Object({
      format: Type.Optional(
        oneOf(['csv', 'csv_events', 'html'], {
          default: 'csv',
          description: '`csv`: the scripts. `csv_events`: what was new or changed. `html`: both.',
        }),
      ),
    }),
    onceInQuery: 'all',
    result: Type.String(),
    files: ['text/csv', 'text/html'],
  }),
}
