// Tables of client-side monitoring. Detection times have second precision.
import type { FetchProblem } from '@zonereeve/platform'
import {
  anyJson,
  bytes,
  flag,
  generated,
  integer,
  json,
  lines,
  namedColumn,
  nullable,
  oneOf,
  text,
} from '../column.ts'
import { STRINGS, isNumber, isObject, listOf, orNull, recordOf } from '../json-shapes.ts'
import { defineTable } from '../table.ts'

export const page_shield_settings = defineTable('page_shield_settings', ['zone_id'], {
  zone_id: text,
  enabled: flag,
  use_service_reporting_endpoint: flag,
  use_connection_url_path: flag,
  updated_at: text,
})

/** Only zones that differ from the default. */
export const page_shield_retention = defineTable('page_shield_retention', ['zone_id'], {
  zone_id: text,
  retention: json(recordOf(orNull(isNumber))),
})

/** Only zones that differ from the default. */
export const page_shield_sampling = defineTable('page_shield_sampling', ['zone_id'], {
  zone_id: text,
  sampling: json(isObject),
})

/** Scripts, connections, frames, images and form targets that browsers reported. */
export const page_shield_resources = defineTable('page_shield_resources', ['id'], {
  id: text,
  zone_id: text,
  kind: oneOf<'script' | 'connection' | 'frame' | 'image' | 'form'>(),
  /** Host of the pages. */
  host: text,
  url: text,
  url_host: text,
  has_cdn_cgi: flag,
  added_at: text,
  first_seen_at: text,
  last_seen_at: text,
  page_views: integer,
  first_page_url: text,
  /** The last ten, newest first. */
  page_urls: lines,
  /** null = not reported. */
  domain_categories: nullable(json(STRINGS)),
  url_categories: nullable(json(STRINGS)),
  /** Flagged by a feed, or by its score. */
  is_malicious: flag,
  /** Version of the feeds that it was last compared with. */
  feed_version: integer,
  hash: nullable(text),
  content_sha256: nullable(text),
  sri: nullable(text),
  scores: nullable(json(isObject)),
  fetched_at: nullable(text),
  /** null = never fetched: connections. */
  fetch_due_at: nullable(text),
  /** The site whose fetch queue it waits in; null = not waiting: not due, being fetched, or not examined yet. */
  waiting_site: nullable(text),
  fetch_leased_until: nullable(text),
  fetch_failures: integer,
  /** Problem of the last fetch; null = it succeeded, or there was none. */
  fetch_problem: nullable(text),
  /** null = nothing to compare a fetch with. */
  fetch_memory: nullable(json(isObject)),
  /** Keyed digest of the only network that reported it, which is not enough for a fetch; null = it is. */
  sole_reporter: nullable(text),
})

/** What the reports of networks added today, by keyed digests of zone, day and network. */
export const page_shield_reporters = defineTable('page_shield_reporters', ['digest'], {
  digest: text,
  zone_id: text,
  day: text,
  resources: integer,
  code: integer,
  fetches: integer,
})

export const page_shield_versions = defineTable('page_shield_versions', ['position'], {
  /** Order across all scripts. */
  position: generated,
  script_id: text,
  hash: nullable(text),
  content_sha256: nullable(text),
  sri: nullable(text),
  scores: nullable(json(isObject)),
  fetched_at: text,
  reasons: json(STRINGS),
})

/** Contents of scripts in the order in which they were fetched; a content that came back has another row. */
export const page_shield_contents = defineTable('page_shield_contents', ['position'], {
  position: generated,
  zone_id: text,
  script_id: text,
  content_sha256: text,
  hash: text,
  byte_length: integer,
  first_fetched_at: text,
  last_fetched_at: text,
})

/** Sources of contents, compressed, once per zone. */
export const page_shield_sources = defineTable('page_shield_sources', ['position'], {
  position: generated,
  zone_id: text,
  content_sha256: text,
  /** As sent by the server; null = none. */
  charset: nullable(text),
  /** Compressed. */
  stored_bytes: integer,
  source: bytes,
})

/** Only zones that differ from the default. */
export const page_shield_fetching = defineTable('page_shield_fetching', ['zone_id'], {
  zone_id: text,
  fetching: json(isObject),
})

/** Hashes of script contents that browsers reported to have run. */
export const page_shield_browser_hashes = defineTable('page_shield_browser_hashes', ['script_id', 'hash'], {
  script_id: text,
  hash: text,
  first_seen_at: text,
  last_seen_at: text,
})

/** Code without a URL of its own, by its beginning. */
export const page_shield_code = defineTable('page_shield_code', ['id'], {
  id: text,
  zone_id: text,
  kind: oneOf<'inline' | 'handler' | 'javascript_url' | 'eval' | 'wasm' | 'script' | 'worker'>(),
  /** Host of the pages. */
  host: text,
  sample: text,
  sample_sha256: nullable(text),
  source_url: text,
  line: nullable(integer),
  first_seen_at: text,
  last_seen_at: text,
  page_views: integer,
  first_page_url: text,
  /** As for resources. */
  page_urls: lines,
})

export const page_shield_cookies = defineTable('page_shield_cookies', ['id'], {
  id: text,
  zone_id: text,
  type: oneOf<'first_party' | 'unknown'>(),
  name: text,
  /** Host of the pages. */
  host: text,
  domain_attribute: namedColumn('domain', text),
  is_host_only: flag,
  path_attribute: namedColumn('path', text),
  expires_attribute: namedColumn('expires', nullable(text)),
  max_age_attribute: namedColumn('maxAgeSeconds', nullable(integer)),
  http_only_attribute: namedColumn('httpOnly', flag),
  secure_attribute: namedColumn('secure', flag),
  same_site_attribute: namedColumn('sameSite', nullable(oneOf<'lax' | 'strict' | 'none'>())),
  /** null = not known. */
  set_by: nullable(oneOf<'response' | 'script'>()),
  first_seen_at: text,
  last_seen_at: text,
  first_page_url: text,
  /** As for resources. */
  page_urls: lines,
})

export const page_shield_authorizations = defineTable(
  'page_shield_authorizations',
  ['zone_id', 'script_id'],
  {
    zone_id: text,
    script_id: text,
    url: text,
    host: text,
    owner: text,
    justification: text,
    authorized_by: text,
    authorized_at: text,
    expires_at: nullable(text),
    hash: nullable(text),
    content_sha256: nullable(text),
  },
)

export const page_shield_events = defineTable('page_shield_events', ['number'], {
  number: generated,
  zone_id: text,
  at: text,
  kind: text,
  resource_id: text,
  url: text,
  host: text,
  page_url: text,
  previous_hash: nullable(text),
  hash: nullable(text),
})

export const page_shield_policies = defineTable('page_shield_policies', ['id'], {
  /** Order across all zones. */
  position: generated,
  id: text,
  zone_id: text,
  description: text,
  action: oneOf<'allow' | 'log' | 'add_reporting_directives'>(),
  expression: text,
  enabled: namedColumn('isEnabled', flag),
  /** Whether `enabled` was sent as a string. */
  is_enabled_text: flag,
  value: text,
})

/** Violations, counted per policy, directive and URL. */
export const page_shield_violations = defineTable(
  'page_shield_violations',
  ['zone_id', 'policy_id', 'action', 'directive', 'url'],
  {
    zone_id: text,
    policy_id: text,
    action: oneOf<'allow' | 'log'>(),
    directive: text,
    /** Without query and fragment; empty for the sum of violations beyond the limit of distinct URLs. */
    url: text,
    resource_type: namedColumn('resource', oneOf<'script' | 'connection' | 'other'>()),
    count: integer,
    first_seen_at: text,
    last_seen_at: text,
    last_page_url: text,
  },
)

export const page_shield_webhooks = defineTable('page_shield_webhooks', ['id'], {
  id: text,
  zone_id: text,
  url: text,
  /** null = all. */
  kinds: anyJson(orNull(STRINGS)),
  enabled: namedColumn('isEnabled', flag),
  /** Sealed by the key vault. */
  secret: text,
  created_on: text,
  /** Number of the last delivered event. */
  last_event: integer,
  delivered_at: nullable(text),
  failures: integer,
  problem: nullable(text),
  next_attempt_at: text,
})

export const page_shield_email_alerts = defineTable('page_shield_email_alerts', ['id'], {
  id: text,
  zone_id: text,
  recipients: json(STRINGS),
  /** null = all. */
  kinds: anyJson(orNull(STRINGS)),
  enabled: namedColumn('isEnabled', flag),
  digest_minutes: integer,
  created_on: text,
  /** As for webhooks. */
  last_event: integer,
  delivered_at: nullable(text),
  failures: integer,
  problem: nullable(text),
  next_attempt_at: text,
})

export const page_shield_pages = defineTable('page_shield_pages', ['id'], {
  id: text,
  zone_id: text,
  url: text,
  interval_minutes: integer,
  created_on: text,
  checked_at: nullable(text),
  next_check_at: text,
  failures: integer,
  problem: nullable(oneOf<FetchProblem | 'failure' | 'browser'>()),
  is_scanned: flag,
})

/** What watched pages were; a row while a page stays as it is. */
export const page_shield_page_snapshots = defineTable('page_shield_page_snapshots', ['position'], {
  /** Order across all pages. */
  position: generated,
  zone_id: text,
  page_id: text,
  source: oneOf<'fetch' | 'edge' | 'scan'>(),
  final_url: text,
  headers: json(listOf(isObject)),
  /** null = not known. */
  scripts: anyJson(orNull(listOf(isObject))),
  omitted_scripts: integer,
  missing_policies: json(STRINGS),
  first_seen_at: text,
  last_seen_at: text,
})

export const threat_feeds = defineTable('threat_feeds', ['id'], {
  id: text,
  name: text,
  format: text,
  url: nullable(text),
  categories: nullable(json(STRINGS)),
  interval_minutes: nullable(integer),
  created_on: text,
  state: text,
  problem: nullable(text),
  /** Import whose entries are active. */
  import_id: nullable(integer),
  current_import: namedColumn('current', nullable(json(isObject))),
  /** Import that waits for approval. */
  held_id: nullable(integer),
  held_import: namedColumn('held', nullable(json(isObject))),
  imported_at: nullable(text),
  attempted_at: nullable(text),
  /** With second precision; null = never. */
  next_attempt_at: nullable(text),
  failures: integer,
  validators: nullable(json(isObject)),
  /** The feed is fetched, and its entries are active. */
  is_enabled: flag,
})

export const threat_imports = defineTable('threat_imports', ['id'], { id: generated, feed_id: text })

/** Categories are a bit mask. */
export const threat_entries = defineTable('threat_entries', ['import_id', 'key'], {
  import_id: integer,
  key: text,
  categories: integer,
})
