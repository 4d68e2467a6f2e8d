// Client-side monitoring beyond the vendor's interface: retention, observations from sources other than browsers, the
// collector's counters, and the evidence for audits of payment pages.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { PAGE_SHIELD_READ, PAGE_SHIELD_WRITE, ScoreMembers } from './page-shield.ts'
import {
  closedObject,
  namedObject,
  nullable,
  objectId,
  oneOf,
  page,
  perPage,
  timestamp,
} from './primitives.ts'

const base = '/zonereeve/zones/{zone_id}/page_shield'

const MAX_DAYS = 3650
const days = (description: string) => Type.Integer({ minimum: 1, maximum: MAX_DAYS, description })

const RetentionMembers = {
  active_page_views: Type.Integer({
    minimum: 1,
    maximum: 1000,
    description: 'Page views that make a resource active; with fewer, it is infrequent.',
  }),
  inactive_after_days: days('Days without a report that make an active resource inactive.'),
  forget_infrequent_after_days: days('Days without a report after which infrequent ones are deleted.'),
  forget_after_days: days('Days without a report after which all others are deleted.'),
  forget_cookies_after_days: days('Days without detection after which a cookie is deleted.'),
  forget_events_after_days: days('Days that events are kept.'),
  max_query_variants: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description:
      'Limit of URLs on one host that differ only in their query; further ones are merged into one, `?*`.',
  }),
}

const WireRetention = namedObject('PageShieldRetention', RetentionMembers)
export type WireRetention = Static<typeof WireRetention>

const RetentionPut = Type.Partial(Type.Object(RetentionMembers), { additionalProperties: false })
export type RetentionPut = Static<typeof RetentionPut>

const MAX_ONE_IN = 100
const MAX_WHOLE_PATHS = 50

const samplingMode = oneOf(['adaptive', 'fixed'], {
  description:
    '`adaptive`: every document of a quiet zone; for busy zones the share falls as the expected number of reports rises.',
})
const oneIn = (description: string) => Type.Integer({ minimum: 1, maximum: MAX_ONE_IN, description })
const pathOfPage = (options: object) =>
  Type.String({
    pattern: '^/[^?#\\s]*$',
    must: 'be a path that begins with /, without query and whitespace',
    maxLength: 1024,
    ...options,
  })
const wholePaths = Type.Array(pathOfPage({ examples: ['/checkout'] }), {
  maxItems: MAX_WHOLE_PATHS,
  uniqueItems: true,
  description: 'Paths whose documents always have the header, including everything below them.',
})

export const ALSO_REPORTED = ['about_frames', 'frames', 'images', 'forms', 'inline', 'eval'] as const

const alsoReport = Type.Array(oneOf(ALSO_REPORTED), {
  maxItems: ALSO_REPORTED.length,
  uniqueItems: true,
  description:
    'What the header also makes browsers report. `about_frames`: what frames without an address load on pages with TLS; each report is then a request of its own. `frames`, `images`, `forms`: documents in frames, hosts of images, targets of forms. `inline`: inline scripts and event handlers. `eval`: evaluated strings and WebAssembly.',
})

const beacon = Type.Boolean({
  description:
    'Whether the monitoring script is served, and pages may report names of cookies by it. Off by default.',
})

const WireBeacon = namedObject('PageShieldBeacon', {
  enabled: Type.Boolean({
    description: 'Whether it is served: monitoring and `beacon` of the sampling are on.',
  }),
  script_url: Type.String({ description: 'Never has other content: a new version has another URL.' }),
  integrity: Type.String({ description: 'Of the script, sha384.' }),
  report_url: Type.String({ description: 'Where the script reports to; signed, the same for a day.' }),
  expires_at: timestamp('Until when reports to this address are accepted.'),
  one_in: oneIn('One in this many pages is reported.'),
  element: Type.String({
    description: 'To be added to pages.',
    examples: [
      '<script async src="…" integrity="sha384-…" crossorigin="anonymous" data-report="…"></script>',
    ],
  }),
})
export type WireBeacon = Static<typeof WireBeacon>

const WireSampling = namedObject('PageShieldSampling', {
  mode: samplingMode,
  one_in: nullable(oneIn('For `fixed`: one in this many documents has the header. null = adaptive.')),
  whole_paths: wholePaths,
  also_report: alsoReport,
  beacon,
  now: Type.Object(
    {
      one_in: oneIn('The resulting rate for all other paths.'),
      reports_a_day: Type.Integer({
        description:
          'Reports that would be received without sampling; an estimate of this node since it started.',
      }),
    },
    { description: 'The current state.' },
  ),
})
export type WireSampling = Static<typeof WireSampling>

const SamplingPut = closedObject({
  mode: Type.Optional(samplingMode),
  one_in: Type.Optional(oneIn('Only for `fixed`: one in this many documents has the header.')),
  whole_paths: Type.Optional(wholePaths),
  also_report: Type.Optional(alsoReport),
  beacon: Type.Optional(beacon),
})
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

const WireObservation = closedObject({
  page_url: Type.String({
    maxLength: MAX_URL_CHARACTERS,
    description: 'The page, on a host of the zone.',
    examples: ['https://www.example.com/checkout'],
  }),
  observed_at: Type.Optional(timestamp('Time of the observation; default: now. At most one day ago.')),
  scripts: urls('URLs of scripts that the page loaded.'),
  connections: urls('URLs that the page connected to.'),
  frames: urls('URLs of documents in its frames.'),
  set_cookie: Type.Optional(
    Type.Array(Type.String({ maxLength: MAX_HEADER_CHARACTERS }), {
      maxItems: MAX_HEADERS,
      description: 'Values of Set-Cookie headers. Values of cookies are not stored.',
    }),
  ),
  script_cookies: Type.Optional(
    Type.Array(Type.String({ maxLength: MAX_HEADER_CHARACTERS }), {
      maxItems: MAX_HEADERS,
      description: 'Cookies that scripts have set, written like Set-Cookie headers.',
    }),
  ),
  cookie: Type.Optional(
    Type.String({
      maxLength: 4 * MAX_HEADER_CHARACTERS,
      description: 'Value of a Cookie header. Values of cookies are not stored.',
    }),
  ),
})
export type WireObservation = Static<typeof WireObservation>

export const ObservedMembers = {
  scripts: Type.Integer({ description: 'Scripts that were stored or detected again.' }),
  connections: Type.Integer(),
  frames: Type.Integer(),
  cookies: Type.Integer(),
  ignored: Type.Integer({
    description:
      'Items that the inventory does not store: data, blobs and other schemes, or items beyond its limit.',
  }),
}
const Observed = Type.Object(ObservedMembers)

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
  'frame.new',
  'frame.reported',
  'frame.cleared',
  'image.new',
  'image.reported',
  'image.cleared',
  'form.new',
  'form.reported',
  'form.cleared',
  'page.headers_changed',
  'page.scripts_changed',
  'page.policy_drift',
  'page.failed',
] as const

const WireEvent = namedObject('PageShieldEvent', {
  number: Type.Integer({ description: 'Increases with each event.' }),
  at: timestamp('When it was detected.'),
  kind: oneOf(PAGE_SHIELD_EVENTS, {
    description:
      '`script.changed`: its structure has changed. `script.bytes_changed`: its bytes have changed, but not its structure; the hashes are their SHA-256. `script.unfetched`: a browser ran a content, `hash`, that was never fetched; once for each content. `script.inactive`: no browser has loaded it for the configured time. `script.analysis_ended`: its analysis took too long or too much memory, or it is nested too deeply; it has no scores of its own. `reported`, `cleared`: it became malicious, or no longer is. `page.headers_changed`, `page.scripts_changed`: a watched page has other security-relevant headers, or other scripts in its HTML. `page.policy_drift`: it is sent without a policy that is deployed for it. `page.failed`: three checks in a row failed.',
  }),
  resource_id: objectId('the resource'),
  url: Type.String(),
  host: Type.String(),
  page_url: Type.String(),
  previous_hash: nullable(Type.String()),
  hash: nullable(Type.String()),
})
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
      'Why the last fetch failed; null = it did not. `url`: no http or https URL, or a port that is not fetched; `address`: a host with an address that is not public; `name`: a host without an address; `type`: a content type that no browser runs; `failure`: an error of this server.',
  }),
)

export const ANALYSIS_STATES = [
  'waiting',
  'unconfirmed',
  'scored',
  'too_long',
  'too_deep',
  'no_script',
  'out_of_time',
  'broken_off',
] as const

const analysis = oneOf(ANALYSIS_STATES, {
  description:
    'State of its analysis. `waiting`: not fetched yet. `unconfirmed`: not fetched, because only one address has reported it, and many others. `too_long`: longer than the scoring limit.  `too_deep`: nested more deeply than can be parsed. `no_script`: it is not a script, or not one that can be parsed.  `out_of_time`, `broken_off` (probably out of memory): the analysis was stopped, and is repeated only after the content or the analysis has changed.',
})

const reasons = Type.Array(Type.String(), { description: 'The findings that the scores are based on.' })

const WireContents = namedObject('ScriptContents', {
  content_sha256: nullable(Type.String({ description: 'SHA-256 of the bytes last fetched.' })),
  sri: nullable(Type.String({ description: 'The same content as a value of `integrity`, sha384.' })),
  next_fetch_at: nullable(timestamp('When the next fetch is due.')),
  failures: Type.Integer({ description: 'Failed fetches since the last successful one.' }),
  problem: fetchProblem,
  analysis,
  reasons,
  history: Type.Array(
    Type.Object({
      content_sha256: Type.String(),
      hash: Type.String({ description: 'Of its structure.' }),
      bytes: Type.Integer({ description: 'Length.' }),
      first_fetched_at: timestamp('When it was first fetched.'),
      last_fetched_at: timestamp('When it was last fetched, before another content was.'),
      first_run_at: nullable(timestamp('When a browser first reported to have run it; null = none did.')),
      last_run_at: nullable(timestamp('When a browser last reported to have run it.')),
      source: Type.Boolean({ description: 'Whether its source is stored.' }),
    }),
    {
      description: 'Fetched contents, newest first: the last fifty, also those that differ only in numbers.',
    },
  ),
  browser_hashes: Type.Array(
    Type.Object({
      hash: Type.String({ examples: ['sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='] }),
      first_seen_at: timestamp('When a browser first reported it.'),
      last_seen_at: timestamp('When a browser last reported it.'),
      fetched: Type.Boolean({ description: 'Whether it is also the hash of a fetched version.' }),
    }),
    { description: 'Contents that browsers reported to have run.' },
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
})
export type WireContents = Static<typeof WireContents>

const WireExplanation = namedObject('ScriptExplanation', {
  script_id: objectId('the script'),
  url: Type.String(),
  malicious: Type.Boolean(),
  because: Type.Array(oneOf(['js_integrity_score', 'domain', 'url']), {
    description: 'Why it is malicious: its score, a threat feed with its host, or one with its URL.',
  }),
  threshold: Type.Integer({ description: 'A js_integrity_score below this is malicious.' }),
  hash: nullable(Type.String()),
  ...ScoreMembers,
  analysis,
  reasons,
  fetched_at: nullable(timestamp('When it was last fetched; null = never.')),
  next_fetch_at: nullable(timestamp('When the next fetch is due.')),
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
})
export type WireExplanation = Static<typeof WireExplanation>

const WireRequirement = namedObject('PageShieldRequirement', {
  requirement: oneOf(['6.4.3', '11.6.1']),
  description: Type.String({ description: 'What it asks for, in short.' }),
  state: oneOf(['answered', 'incomplete']),
  data: Type.Array(Type.String()),
  missing: Type.Array(Type.String(), { description: 'Empty if it is answered.' }),
})
export type WireRequirement = Static<typeof WireRequirement>

const section = {
  tag: 'Client-side monitoring: extensions',
  params: { zone_id: objectId('the zone'), script_id: objectId('the script') },
}

export const pageShieldExtensions = operations('page_shield.scripts', section, {
  getRetention: {
    id: 'page_shield.retention.get',
    route: `GET ${base}/retention`,
    summary: 'Get the retention settings of monitoring',
    permission: PAGE_SHIELD_READ,
    result: WireRetention,
  },
  putRetention: {
    id: 'page_shield.retention.put',
    route: `PUT ${base}/retention`,
    summary: 'Set the retention settings of monitoring',
    description: 'Members that are not sent are not changed.',
    permission: PAGE_SHIELD_WRITE,
    body: RetentionPut,
    result: WireRetention,
  },
  getSampling: {
    id: 'page_shield.sampling.get',
    route: `GET ${base}/sampling`,
    summary: 'Get the sampling of monitoring’s header',
    permission: PAGE_SHIELD_READ,
    result: WireSampling,
  },
  putSampling: {
    id: 'page_shield.sampling.put',
    route: `PUT ${base}/sampling`,
    summary: 'Set the sampling of monitoring’s header',
    description:
      'Members that are not sent are not changed. Headers that were fetched before stay valid for the rate that they were made for. Policies are always sent with all documents.',
    permission: PAGE_SHIELD_WRITE,
    body: SamplingPut,
    result: WireSampling,
  },
  beacon: {
    id: 'page_shield.beacon.get',
    route: `GET ${base}/beacon`,
    summary: 'Get the element that makes pages report names of cookies',
    description:
      'For sites without an edge. URLs without a host are for proxies that forward `/cdn-cgi/script_monitor/` of the site. Get the element once a day and after an upgrade.',
    permission: PAGE_SHIELD_READ,
    query: Type.Object({
      path: Type.Optional(
        pathOfPage({
          default: '/',
          description: 'Of the page: `whole_paths` are always reported.',
          examples: ['/checkout'],
        }),
      ),
    }),
    onceInQuery: 'all',
    result: WireBeacon,
  },
  observe: {
    isAutomatic: true,
    id: 'page_shield.observations.create',
    route: `POST ${base}/observations`,
    summary: 'Report pages and what they loaded',
    description:
      'For proxies, crawlers and tests. Each observation counts as one page view. At most 2,000 URLs and cookies in a request. Refused while monitoring is off. A refused request stores nothing; a successful one stores everything; one that fails otherwise may be stored in part.',
    permission: PAGE_SHIELD_WRITE,
    body: closedObject({
      observations: Type.Array(WireObservation, { minItems: 1, maxItems: MAX_OBSERVATIONS }),
    }),
    result: Observed,
  },
  contents: {
    route: `GET ${base}/scripts/{script_id}/contents`,
    summary: 'Get the details of a script’s content',
    permission: PAGE_SHIELD_READ,
    result: WireContents,
  },
  fetchNow: {
    id: 'page_shield.scripts.fetch',
    route: `POST ${base}/scripts/{script_id}/fetch`,
    summary: 'Fetch a script as soon as possible',
    description:
      'It is then due at once, and waits for its turn among the scripts of its site. Refused while monitoring is off, for scripts that browsers no longer load, and within a minute of the last fetch.',
    permission: PAGE_SHIELD_WRITE,
    body: closedObject({}),
    result: WireContents,
  },
  explanation: {
    route: `GET ${base}/scripts/{script_id}/explanation`,
    summary: 'Get the reasons for a script’s scores',
    description:
      'With the findings of each version, or why there are none, for example because it could not be fetched.',
    permission: PAGE_SHIELD_READ,
    result: WireExplanation,
  },
  events: {
    id: 'page_shield.events.list',
    route: `GET ${base}/events`,
    summary: 'List new, changed and reported resources, newest first',
    permission: PAGE_SHIELD_READ,
    query: Type.Object({
      kind: Type.Optional(oneOf(PAGE_SHIELD_EVENTS)),
      page,
      per_page: perPage(1, 1000, 50),
    }),
    onceInQuery: 'all',
    result: WireEvent,
    list: true,
  },
  requirements: {
    id: 'page_shield.requirements.get',
    route: `GET ${base}/requirements`,
    summary: 'List what there is for each line of PCI DSS 4.0.1, 6.4.3 and 11.6.1, and what is missing',
    description: 'The state of the zone now. It is also the first table of the evidence as a page.',
    permission: PAGE_SHIELD_READ,
    result: Type.Array(WireRequirement),
  },
  evidence: {
    id: 'page_shield.evidence.get',
    route: `GET ${base}/evidence`,
    summary: 'Export scripts with their authorizations and integrity',
    description:
      'The evidence for PCI DSS 4.0.1 requirements 6.4.3 and 11.6.1, as a table or as a page to print.',
    permission: PAGE_SHIELD_READ,
    query: Type.Object({
      format: Type.Optional(
        oneOf(['csv', 'csv_events', 'csv_contents', 'html'], {
          default: 'csv',
          description:
            '`csv`: the scripts. `csv_events`: new and changed resources. `csv_contents`: which content of a script was fetched and run when. `html`: all of them.',
        }),
      ),
    }),
    onceInQuery: 'all',
    result: Type.String(),
    files: ['text/csv', 'text/html'],
  },
})
