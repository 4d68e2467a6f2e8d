// Tables of records, DNS settings, DNSSEC, scans and transfers.
import {
  bytes,
  flag,
  generated,
  integer,
  json,
  jsonText,
  lines,
  namedColumn,
  nullable,
  oneOf,
  text,
} from '../column.ts'
import {
  STRINGS,
  isNumber,
  isObject,
  isText,
  listOf,
  objectWith,
  orNull,
  type Shape,
} from '../json-shapes.ts'
import { defineTable } from '../table.ts'

export const dns_records = defineTable('dns_records', ['id'], {
  id: text,
  zone_id: text,
  name: text,
  type: text,
  content: text,
  /** For filters: lower case, whitespace collapsed; empty if it is the content. */
  content_search: text,
  /** TXT: the text without quotes and escapes, in lower case. */
  text_search: nullable(text),
  /** Two records with the same name, type and identity are the same record. */
  identity: text,
  /** Wire format of the value, with uncompressed names. */
  rdata: bytes,
  ttl: integer,
  proxied: flag,
  /** Options of the record: names that are on or off. */
  settings: json(isObject),
  comment: nullable(text),
  /** For filters: the comment in lower case (the database itself folds only ASCII); empty without a comment. */
  comment_search: text,
  /** For filters: `\n`, then each tag in lower case followed by `\n`; empty without tags. */
  tags_search: text,
  created_on: text,
  /** Empty if it is the time of creation. */
  modified_on: text,
  /** What the JSON of the record is made of, beside the columns: see migration 40. */
  stored_body: text,
  zone_name_length: integer,
  /** Type and settings as the JSON has them: with a damaged `type` or `settings`, the rest can still be read. */
  shown_type: text,
  /** JSON; empty if there are none. */
  shown_settings: text,
  /** Covers the published columns; null in rows of versions without checksums, like the next one. */
  served_checksum: nullable(integer),
  /** Covers ID and JSON. */
  body_checksum: nullable(integer),
})

export const record_counts = defineTable('record_counts', ['zone_id', 'type'], {
  zone_id: text,
  type: text,
  count: integer,
})

/** Only zones that differ from the defaults. */
export const zone_dns_settings = defineTable('zone_dns_settings', ['zone_id'], {
  zone_id: text,
  settings: json(isObject),
})

/** Only accounts that differ from the defaults. */
export const account_dns_settings = defineTable('account_dns_settings', ['account_id'], {
  account_id: text,
  settings: json(isObject),
})

export const zone_dnssec = defineTable('zone_dnssec', ['zone_id'], {
  zone_id: text,
  status: oneOf<'disabled' | 'pending' | 'active' | 'pending-disabled'>(),
  multi_signer: flag,
  use_nsec3: flag,
  presigned: flag,
  ds_gone_millis: nullable(integer),
  ds_ttl_seconds: nullable(integer),
  modified_on: text,
})

export const dnssec_keys = defineTable('dnssec_keys', ['id'], {
  id: text,
  zone_id: text,
  role: oneOf<'ksk' | 'zsk'>(),
  state: oneOf<'signing' | 'published' | 'ready' | 'active' | 'outgoing' | 'withdrawn'>(),
  since_millis: integer,
  algorithm: integer,
  public_key: bytes,
  /** Sealed by the key vault. */
  secret: bytes,
})

/** The last scan of each scanned zone. */
export const record_scans = defineTable('record_scans', ['zone_id'], {
  zone_id: text,
  state: oneOf<'running' | 'done' | 'undelegated' | 'silent'>(),
  is_complete: flag,
  has_varying_wildcard: flag,
  /** Found records that are not supported, as `TYPE name`. */
  unusable: json(STRINGS),
  started_on: text,
})

/** Records that scans found and that are not reviewed yet. */
export const found_records = defineTable('found_records', ['id'], {
  id: text,
  zone_id: text,
  type: text,
  name: text,
  identity: text,
  found_on: text,
  /** The record as the API returns it, in JSON. */
  body: namedColumn('text', jsonText(isObject)),
})

const NAMED = { id: isText, accountId: isText, name: isText }
const TRANSFER_SHAPES: Readonly<Record<string, Shape>> = {
  tsig: objectWith({ ...NAMED, algorithm: isText, secret: isText }),
  acl: objectWith({ ...NAMED, ipRange: isText }),
  peer: objectWith({ ...NAMED, ip: orNull(isText), port: isNumber, tsigId: orNull(isText) }),
}

/** TSIG keys, ACLs and peers of accounts. */
export const transfer_objects = defineTable('transfer_objects', ['id'], {
  position: generated,
  id: text,
  account_id: text,
  kind: oneOf<'tsig' | 'acl' | 'peer'>(),
  /** For a key: its canonical name, which is unique. */
  name: text,
  /** The whole object. */
  body: json((value) => isObject(value) && TRANSFER_SHAPES[String(value['kind'])]?.(value) === true),
})

export const outgoing_transfers = defineTable('outgoing_transfers', ['zone_id'], {
  zone_id: text,
  peers: namedColumn('peerIds', json(STRINGS)),
  enabled: namedColumn('isEnabled', flag),
  created_on: text,
  checked_on: nullable(text),
  transferred_on: nullable(text),
})

export const incoming_transfers = defineTable('incoming_transfers', ['zone_id'], {
  zone_id: text,
  peers: namedColumn('peerIds', json(STRINGS)),
  auto_refresh_seconds: integer,
  created_on: text,
  modified_on: text,
})

/** What the last contacts with a primary have left. */
const OF_PRIMARY = {
  /** Rdata of the primary's SOA; null before the first transfer. */
  soa: nullable(bytes),
  soa_ttl: namedColumn('soaTtlSeconds', nullable(integer)),
  /** Time of the last query to a primary, successful or not. */
  checked_on: nullable(text),
  /** Milliseconds since 1970: when a primary last confirmed that the zone is current. */
  refreshed_at: namedColumn('refreshedAtMillis', nullable(integer)),
  transferred_on: nullable(text),
  /** Last serial of the primary, transferred or not. */
  primary_serial: nullable(integer),
  /** Why the last attempt failed. */
  problem: nullable(text),
}

export const followed_zones = defineTable('followed_zones', ['zone_id'], { zone_id: text, ...OF_PRIMARY })

export const catalog_zones = defineTable('catalog_zones', ['account_id'], {
  account_id: text,
  name: text,
  serial: integer,
  peers: namedColumn('peerIds', json(STRINGS)),
  created_on: text,
  modified_on: text,
})

/** Catalog zones of other nameservers. */
export const secondary_catalogs = defineTable('secondary_catalogs', ['name'], {
  name: text,
  account_id: text,
  peers: namedColumn('peerIds', json(STRINGS)),
  /** The peers of member zones with these groups. */
  groups: json(listOf(objectWith({ name: isText, peerIds: STRINGS }))),
  auto_refresh_seconds: integer,
  /** Its member zones are being deleted, and then itself. */
  is_ending: flag,
  created_on: text,
  modified_on: text,
  ...OF_PRIMARY,
  /** A version that waits for a confirmation. */
  held: nullable(
    json(
      objectWith({ serial: isNumber, members: isNumber, removed: isNumber, reset: isNumber, zones: STRINGS }),
    ),
  ),
  /** The version that was confirmed. */
  confirmed_serial: nullable(integer),
})

/** What the catalog zones list. */
export const secondary_catalog_entries = defineTable('secondary_catalog_entries', ['catalog', 'label'], {
  catalog: text,
  label: text,
  zone: text,
  groups: lines,
  new_owner: nullable(text),
})

/** Zones that were created for a catalog zone. */
export const catalog_members = defineTable('catalog_members', ['zone_id'], {
  zone_id: text,
  catalog: text,
  label: text,
})
