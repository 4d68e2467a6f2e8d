// Tables, as the SQL compiler sees them. Text timestamps are UTC ISO 8601 with microseconds; booleans are 0 or 1.
import type { Generated } from 'kysely'
import type { DeletedZoneTables } from './deleted-zone-tables.ts'
import type { IncomingTables } from './incoming-tables.ts'
import type { WebhookTables } from './webhook-tables.ts'

export interface Database extends IncomingTables, DeletedZoneTables, WebhookTables {
  users: {
    id: string
    email: string
    key_hash: string | null
    created_on: string
    modified_on: string
  }
  accounts: {
    id: string
    name: string
    /** What filters compare: the name in lower case (the database itself folds ASCII only). */
    name_search: string
    type: string
    /** JSON. */
    settings: string
    created_on: string
  }
  memberships: { id: string; user_id: string; account_id: string }
  tokens: {
    id: string
    owner_kind: 'user' | 'account'
    owner_id: string
    name: string
    status: 'active' | 'disabled'
    /** SHA-256 of the secret, hexadecimal. */
    value_hash: string
    /** JSON. */
    policies: string
    /** JSON. */
    condition: string | null
    not_before: string | null
    expires_on: string | null
    issued_on: string
    modified_on: string
    last_used_on: string | null
  }
  zones: {
    id: string
    account_id: string
    /** Name of the apex in A-labels. */
    name: string
    /** The name as its owner wrote it (U-labels kept). */
    display_name: string
    status: 'initializing' | 'pending' | 'active' | 'moved'
    paused: number
    type: string
    plan: string
    /** JSON. */
    name_servers: string
    /** JSON: host names that are answered in their place; empty where there are none. */
    vanity_name_servers: string
    /** Serial of the SOA: moves once for each change set. */
    serial: number
    record_count: number
    /** How many of the records are A or AAAA. */
    address_count: number
    created_on: string
    modified_on: string
    activated_on: string | null
  }
  dns_records: {
    id: string
    zone_id: string
    name: string
    type: string
    content: string
    /** What filters compare: lower case, blanks collapsed. */
    content_search: string
    /** TXT: the text without quotes and escapes, lower case. */
    text_search: string | null
    /** What makes two records of one name and type the same record. */
    identity: string
    /** Wire form of the value, names uncompressed. */
    rdata: Uint8Array
    ttl: number
    proxied: number
    /** Options of the record, JSON: names that are on or off. */
    settings: string
    comment: string | null
    /** What filters compare: the comment in lower case (the database itself folds ASCII only), empty without one. */
    comment_search: string
    /** `\n`, then each tag in lower case followed by `\n`; empty without tags. */
    tags_search: string
    created_on: string
    modified_on: string
    /** The record as the API shows it, JSON. Kept in step with the columns. */
    body: string
  }
  record_counts: { zone_id: string; type: string; count: number }
  changes: {
    /** Order over all scopes. */
    position: Generated<number>
    /** Id of the zone, account or user that changed. */
    scope_id: string
    /** Order within the scope, from 1, without gaps. */
    number: number
    at: string
    actor_kind: string
    actor_id: string
    actor_name: string
    request_id: string
    /** The zone's serial after the change. */
    serial: number | null
  }
  change_ops: {
    position: number
    ordinal: number
    kind: string
    object_id: string
    /** JSON. */
    before: string | null
    /** JSON. */
    after: string | null
  }
  /** Of zones that differ from the usual ones, JSON. */
  zone_dns_settings: { zone_id: string; settings: string }
  zone_dnssec: {
    zone_id: string
    status: 'disabled' | 'pending' | 'active' | 'pending-disabled'
    multi_signer: number
    use_nsec3: number
    ds_gone_millis: number | null
    ds_ttl_seconds: number | null
    modified_on: string
  }
  dnssec_keys: {
    id: string
    zone_id: string
    role: 'ksk' | 'zsk'
    state: 'signing' | 'published' | 'ready' | 'active' | 'outgoing' | 'withdrawn'
    since_millis: number
    algorithm: number
    public_key: Uint8Array
    /** As the key vault keeps it. */
    secret: Uint8Array
  }
  /** Of accounts that differ from the usual ones, JSON. */
  account_dns_settings: { account_id: string; settings: string }
  /** Values (JSON) of settings that were ever set. */
  zone_settings: { zone_id: string; name: string; value: string; modified_on: string }
  /** How far each zone is on its way from the previous managed rules to rulesets; those that never began have no row. */
  waf_migrations: { zone_id: string; state: string }
  /** The previous firewall as it was when the zone left it, JSON. */
  waf_migration_snapshots: { zone_id: string; taken_on: string; content: string }
  /** What differs from the catalogue of the previous managed rules: of a package, a group or a rule, JSON. */
  waf_choices: { zone_id: string; package_id: string; kind: string; object_id: string; choice: string }
  waf_overrides: {
    id: string
    zone_id: string
    priority: number
    paused: number
    description: string | null
    /** JSON. */
    urls: string
    /** JSON. */
    groups: string
    /** JSON. */
    rules: string
    /** JSON. */
    rewrite_action: string
  }
  filters: {
    id: string
    zone_id: string
    expression: string
    paused: number
    description: string | null
    ref: string | null
  }
  firewall_rules: {
    id: string
    zone_id: string
    filter_id: string
    action: string
    /** JSON; null but for the action that names them. */
    products: string | null
    /** Lower first, null last. */
    priority: number | null
    paused: number
    description: string | null
    ref: string | null
    created_on: string
    modified_on: string
  }
  page_rules: {
    id: string
    zone_id: string
    /** Higher first. */
    priority: number
    status: string
    /** JSON. */
    targets: string
    /** JSON. */
    actions: string
    created_on: string
    modified_on: string
  }
  /** Of a zone or of an account. */
  rulesets: {
    /** Order of lists. */
    position: Generated<number>
    id: string
    zone_id: string | null
    account_id: string | null
    kind: string
    phase: string
    /** The present one. */
    version: number
    rule_count: number
  }
  ruleset_versions: {
    ruleset_id: string
    version: number
    name: string
    description: string
    last_updated: string
    /** JSON: id and version of each rule, in order. */
    rules: string
  }
  /** Each version of each rule, once however many versions of its ruleset have it. */
  ruleset_rules: {
    ruleset_id: string
    rule_id: string
    version: number
    ref: string
    last_updated: string
    /** Estimated size of its regular expressions' automatons. */
    regex_bytes: number
    /** JSON. */
    definition: string
  }
  /** The last scan of each zone that was scanned. */
  record_scans: {
    zone_id: string
    state: 'running' | 'done' | 'undelegated' | 'silent'
    is_complete: number
    has_varying_wildcard: number
    /** JSON: what was found and cannot be a record here, as `TYPE name`. */
    unusable: string
    started_on: string
  }
  /** What scans found and nobody has reviewed. */
  found_records: {
    id: string
    zone_id: string
    type: string
    name: string
    identity: string
    found_on: string
    /** The record as the API shows it, JSON. */
    body: string
  }
  settings: { name: string; value: string }
  /** Keys, ACLs and peers of accounts. */
  update_keys: {
    id: string
    /** Canonical name without a dot at its end. */
    name: string
    algorithm: string
    /** Base64. */
    secret: string
    token_id: string
    user_id: string
    created_on: string
  }
  transfer_objects: {
    position: Generated<number>
    id: string
    account_id: string
    kind: 'tsig' | 'acl' | 'peer'
    /** Of a key, its canonical name, which no other key has. */
    name: string
    /** What else there is, JSON. */
    body: string
  }
  outgoing_transfers: {
    zone_id: string
    /** JSON: ids of peers. */
    peers: string
    enabled: number
    created_on: string
    checked_on: string | null
    transferred_on: string | null
  }
  catalog_zones: {
    account_id: string
    name: string
    serial: number
    /** JSON: ids of peers. */
    peers: string
    created_on: string
    modified_on: string
  }
  page_shield_settings: {
    zone_id: string
    enabled: number
    use_service_reporting_endpoint: number
    use_connection_url_path: number
    updated_at: string
  }
  /** Of zones that differ from the usual one, JSON. */
  page_shield_retention: { zone_id: string; retention: string }
  /** Of zones that differ from the usual one, JSON. */
  page_shield_sampling: { zone_id: string; sampling: string }
  /** Scripts and connections that browsers met. Times of sightings are in whole seconds. */
  page_shield_resources: {
    id: string
    zone_id: string
    kind: 'script' | 'connection'
    /** Of the pages. */
    host: string
    url: string
    url_host: string
    has_cdn_cgi: number
    added_at: string
    first_seen_at: string
    last_seen_at: string
    page_views: number
    first_page_url: string
    /** `\n`, then each of the last ten pages followed by `\n`, newest first. */
    page_urls: string
    /** Reported by a feed, or by its score. */
    is_malicious: number
    /** JSON; null = not reported. */
    domain_categories: string | null
    url_categories: string | null
    /** Version of the feeds that it was last held against. */
    feed_version: number
    hash: string | null
    content_sha256: string | null
    sri: string | null
    /** JSON. */
    scores: string | null
    fetched_at: string | null
    /** null = never to be fetched: connections. */
    fetch_due_at: string | null
    /** The site that it waits to be fetched from; null = it does not wait: not due, under way, or not looked at yet. */
    waiting_site: string | null
    fetch_leased_until: string | null
    fetch_failures: number
    /** Of the last fetch; null = it went well, or there was none. */
    fetch_problem: string | null
    /** JSON; null = nothing to compare a fetch with. */
    fetch_memory: string | null
  }
  page_shield_versions: {
    /** Order over all scripts. */
    position: Generated<number>
    script_id: string
    hash: string | null
    content_sha256: string | null
    sri: string | null
    /** JSON. */
    scores: string | null
    fetched_at: string
    /** JSON. */
    reasons: string
  }
  /** Contents that browsers report to have run. */
  page_shield_browser_hashes: {
    script_id: string
    hash: string
    first_seen_at: string
    last_seen_at: string
  }
  page_shield_cookies: {
    id: string
    zone_id: string
    type: 'first_party' | 'unknown'
    name: string
    /** Of the pages. */
    host: string
    domain_attribute: string
    is_host_only: number
    path_attribute: string
    expires_attribute: string | null
    max_age_attribute: number | null
    http_only_attribute: number
    secure_attribute: number
    same_site_attribute: 'lax' | 'strict' | 'none' | null
    first_seen_at: string
    last_seen_at: string
    first_page_url: string
    /** As of resources. */
    page_urls: string
  }
  page_shield_authorizations: {
    zone_id: string
    script_id: string
    url: string
    host: string
    owner: string
    justification: string
    authorized_by: string
    authorized_at: string
    expires_at: string | null
    hash: string | null
    content_sha256: string | null
  }
  page_shield_events: {
    number: Generated<number>
    zone_id: string
    at: string
    kind: string
    resource_id: string
    url: string
    host: string
    page_url: string
    previous_hash: string | null
    hash: string | null
  }
  threat_feeds: {
    id: string
    name: string
    format: string
    url: string | null
    /** JSON. */
    categories: string | null
    interval_minutes: number | null
    created_on: string
    state: string
    problem: string | null
    /** Import whose entries flag now. */
    import_id: number | null
    /** JSON. */
    current_import: string | null
    /** Import that waits to be accepted. */
    held_id: number | null
    held_import: string | null
    imported_at: string | null
    attempted_at: string | null
    /** In whole seconds; null = never. */
    next_attempt_at: string | null
    failures: number
    /** JSON. */
    validators: string | null
    /** 1 = its entries flag, and it is fetched. */
    is_enabled: number
  }
  threat_imports: { id: Generated<number>; feed_id: string }
  /** Categories are one bit each. */
  threat_entries: { import_id: number; key: string; categories: number }
  page_shield_policies: {
    /** Order over all zones. */
    position: Generated<number>
    id: string
    zone_id: string
    description: string
    action: 'allow' | 'log' | 'add_reporting_directives'
    expression: string
    enabled: number
    /** 1 where `enabled` was sent as a text. */
    is_enabled_text: number
    value: string
  }
  /** Violations, counted together where policy, directive and URL are the same. */
  page_shield_violations: {
    zone_id: string
    policy_id: string
    action: 'allow' | 'log'
    directive: string
    /** Without query and fragment; empty for all that are too many to be told apart. */
    url: string
    resource_type: 'script' | 'connection' | 'other'
    count: number
    first_seen_at: string
    last_seen_at: string
    last_page_url: string
  }
  /** What the firewall did about requests. Zones that are gone may have some until the next sweep. */
  security_events: {
    number: Generated<number>
    zone_id: string
    ray_id: string
    at: string
    action: string
    source: string
    /** null, as phase and ruleset, for the previous managed rules. */
    level: string | null
    phase: string | null
    ruleset_id: string | null
    rule_id: string
    /** null for an account's own rules, as the expression. */
    description: string | null
    expression: string | null
    matched_field: string | null
    method: string
    host: string
    /** Without the query, of bounded length. */
    path: string
    ip: string
  }
}
