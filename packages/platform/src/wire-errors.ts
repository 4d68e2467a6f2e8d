// The table of wire errors: reason -> status, code, message. No other code sets a status or a code. Its keys are all
// domain error codes.
//
// `source` is the origin of an entry: `recorded` (seen from the live API), `reported` (quoted in public issue threads
// or client fixtures), `documented` (vendor prose or schema), `inferred` (from a similar entry), `ours` (no counterpart
// is known; codes 19000..19999 are Zonereeve's own).

export interface WireError {
  readonly status: number
  readonly code: number
  /** `{placeholders}` are replaced with the values. */
  readonly message: string
  readonly chain?: readonly { readonly code: number; readonly message: string }[]
  /** Gateway errors have `result` last, record errors first: clients that search the body as a string expect both. */
  readonly layer?: 'gateway'
  readonly source: 'recorded' | 'reported' | 'documented' | 'inferred' | 'ours'
}

const SAME_NAME_HELP =
  'For more details, refer to <https://developers.cloudflare.com/dns/manage-dns-records/troubleshooting/records-with-same-name/>.'

/** Returns a constructor for the errors of one origin; the default status is 400. */
const errorsFrom =
  (source: WireError['source']) =>
  (code: number, message: string, status = 400): WireError => ({ status, code, message, source })

const ours = errorsFrom('ours')
const recorded = errorsFrom('recorded')
const reported = errorsFrom('reported')
const inferred = errorsFrom('inferred')
const gateway = (error: WireError): WireError => ({ ...error, layer: 'gateway' })

/** A gateway error whose real reason is in `chain`. */
const malformedHeaders = (reason: WireError): WireError => ({
  ...gateway(reason),
  code: 6003,
  message: 'Invalid request headers',
  chain: [{ code: reason.code, message: reason.message }],
})

export const WIRE_ERRORS = {
  'request.body_missing': reported(
    9207,
    'Failed to parse request body, content-type must be application/json',
  ),
  'request.content_type': malformedHeaders(
    reported(6105, 'Invalid Content-Type header, valid values are application/json,multipart/form-data', 415),
  ),
  'request.if_match': ours(19400, 'If-Match is not supported here'),
  'request.file_too_large': ours(19821, 'The file is larger than {limit} bytes', 413),
  'request.form': ours(
    19820,
    'Failed to parse form data. Make sure the Content-Type is multipart/form-data.',
  ),
  'request.headers_too_large': gateway(ours(19431, 'Request headers are larger than {limit} bytes', 431)),
  'request.invalid': reported(6008, 'Invalid request parameter: {problem}'),
  'request.surrogate': ours(
    19681,
    'A string has a lone surrogate, which is not a character and cannot be stored',
  ),
  'request.malformed': gateway(inferred(6007, 'Malformed request')),
  'request.json_depth': gateway(
    ours(19682, 'The body nests arrays and objects more than {limit} levels deep'),
  ),
  'request.malformed_json': gateway(reported(6007, 'Malformed JSON in request body')),
  'request.too_large': gateway(ours(19413, 'Request body is larger than {limit} bytes', 413)),
  'request.precondition': ours(19412, 'The object has changed: its entity tag is now {etag}', 412),
  'request.host': gateway(ours(19815, 'Host {host} is not allowed; add it with --allowed-hosts', 421)),
  'request.timeout': gateway(ours(19408, 'Request was not received in time', 408)),
  // Proxies log this status; no client receives it.
  'request.abandoned': ours(19880, 'The client closed the connection before the reply', 499),
  'route.identifier': reported(7003, 'Could not route to {path}, perhaps your object identifier is invalid?'),
  'route.method': reported(10000, '{method} method not allowed for the api_token authentication scheme', 405),
  'route.unknown': reported(7000, 'No route for that URI', 404),
  'server.internal': gateway(ours(19500, 'Internal error; see the log for request {request}', 500)),
  'server.stopping': gateway(ours(19503, 'The server is stopping; try again', 503)),

  'page_shield_policy.other_id': ours(19661, 'id must equal the id in the path'),
  'page_shield_policy.page_url': ours(19641, 'url must be an http or https URL on {zone} or a name below it'),
  'page_shield_policy.action': ours(19642, 'action must be allow, log or add_reporting_directives'),
  'page_shield_policy.enabled': ours(19643, 'enabled must be true or false, or one of these as a string'),
  'page_shield_policy.hash': ours(
    19644,
    '{hash} is not a hash; expected a hash such as sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  ),
  'page_shield_policy.quota': ours(
    19640,
    '1 validation errors: exceeded the maximum number of rules in the phase http_response_page_shield: {count} out of {quota}',
  ),
  'page_shield_policy.unknown': ours(19645, 'Policy does not exist', 404),
  'page_shield_policy.value': ours(19646, 'value, at character {place}: {text}: {problem}'),
  'page_shield_policy.value_length': ours(19647, 'value must have at most {limit} characters; got {length}'),
  'page_shield_policy.value_unused': ours(
    19648,
    'value must be empty: add_reporting_directives changes the policies that the origin sends',
  ),

  'page_shield_webhook.unknown': ours(19666, 'Webhook does not exist', 404),
  'page_shield_webhook.quota': ours(19667, 'A zone can have at most {limit} webhooks: delete one first'),
  'page_shield_webhook.url': ours(19668, 'url must be an http or https URL without credentials'),
  'page_shield_email.unknown': ours(19650, 'E-mail alert does not exist', 404),
  'page_shield_email.quota': ours(19651, 'A zone can have at most {limit} e-mail alerts: delete one first'),
  'page_shield_email.not_configured': ours(
    19652,
    'This server sends no e-mail: start it with --smtp-url and --smtp-from',
  ),
  'page_shield_page.unknown': ours(19654, 'Watched page does not exist', 404),
  'page_shield_page.quota': ours(19655, 'A zone can have at most {limit} watched pages: delete one first'),
  'page_shield_page.exists': ours(19656, 'The page is watched already'),
  'page_shield_page.check_again': ours(
    19657,
    'The page was checked at {checkedAt}: it can be checked again a minute later',
  ),
  'page_shield_test.too_soon': ours(19653, 'It can be tested again after {seconds} seconds', 429),

  'threat_feed.unknown': ours(19670, 'Threat feed does not exist', 404),
  'threat_feed.quota': ours(19671, 'There are at most {limit} threat feeds'),
  'threat_feed.url': ours(19672, 'url must be an http or https URL without user and password'),
  'threat_feed.categories_missing': ours(
    19673,
    'categories is required: entries of the format {format} have no categories',
  ),
  'threat_feed.categories_unused': ours(
    19674,
    'categories must be omitted: entries of the format {format} have their own categories',
  ),
  'threat_feed.interval_unused': ours(
    19675,
    'interval_minutes requires url: an uploaded feed is not fetched',
  ),
  'threat_feed.uploaded': ours(19676, 'The feed has no url: upload its entries'),
  'threat_feed.disabled': ours(19660, 'The feed is disabled and is not fetched: set enabled to true first'),
  'threat_feed.fetched': ours(19677, 'The feed is fetched from its url: uploads are not allowed'),
  'threat_feed.file': ours(19678, 'The file is not a valid feed of this format: {problem}'),
  'threat_feed.nothing_held': ours(19679, 'No import was held back'),

  'auth.forbidden': gateway(reported(10000, 'Authentication error', 403)),
  'auth.location': gateway(reported(9109, 'Cannot use the access token from location: {ip}', 403)),
  'auth.malformed_authorization': malformedHeaders(recorded(6111, 'Invalid format for Authorization header')),
  'auth.malformed_email': malformedHeaders(inferred(6102, 'Invalid format for X-Auth-Email header')),
  'auth.malformed_key': malformedHeaders(reported(6103, 'Invalid format for X-Auth-Key header')),
  'auth.missing': gateway(reported(9106, 'Missing X-Auth-Key, X-Auth-Email or Authorization headers')),
  'auth.throttled': gateway(reported(10502, 'Too many authentication failures', 429)),
  'auth.token_unverified': reported(1000, 'Invalid API Token', 401),
  'auth.unknown_key': gateway(reported(9103, 'Unknown X-Auth-Key or X-Auth-Email', 403)),
  'auth.unknown_token': gateway(recorded(9109, 'Invalid access token', 403)),
  'auth.unknown_token_account': gateway(recorded(10000, 'Authentication error', 401)),
  'auth.zone_create': reported(
    0,
    'Requires permission "com.cloudflare.api.account.zone.create" to create zones for the selected account',
    403,
  ),
  'auth.zone_list': reported(
    0,
    "Actor 'com.cloudflare.api.token.{token}' requires permission 'com.cloudflare.api.account.zone.list' to list zones",
    403,
  ),
  'session.none': gateway(ours(19890, 'Not signed in: this needs the cookie of a session', 401)),
  'session.unknown': gateway(ours(19891, 'The session has ended: sign in again', 401)),
  'session.origin': gateway(
    ours(19892, 'Requests with a session must come from {origin}: send its Origin, or Sec-Fetch-Site', 403),
  ),
  'session.insecure': ours(
    19893,
    'Signing in needs HTTPS, except on localhost: use a proxy with HTTPS and --public-url https://{host}, or choose HTTP with --public-url http://{host}',
    403,
  ),
  'session.not_listed': ours(19894, 'Session does not exist', 404),
  'sign_in.link': ours(
    19895,
    'The link is unknown, used or expired: make another with zonereeve admin link',
    403,
  ),
  'sign_in.throttled': gateway(
    ours(19896, 'Too many attempts to sign in: try again in {minutes} minutes', 429),
  ),
  'session.confirm': gateway(
    ours(19897, 'Confirm that it is you: this needs a sign-in within the last 5 minutes', 403),
  ),
  'sign_in.password': ours(
    19898,
    'E-mail or password is wrong. {left} attempts left before a {minutes} minute lock',
    403,
  ),
  'sign_in.code_missing': ours(
    19899,
    'A code of the authenticator app, or a recovery code, is required',
    403,
  ),
  'sign_in.code': ours(
    19900,
    'The code is wrong or was used. {left} attempts left before a {minutes} minute lock',
    403,
  ),
  'sign_in.no_password': ours(19901, 'The user has no password: set one first'),
  'sign_in.no_totp_key': ours(19902, 'No key waits for a code, or it has expired: create one first'),
  'sign_in.no_totp': ours(19903, 'Codes are not required: create a key for an authenticator app first'),
  'password.too_short': ours(19904, 'The password must have at least {limit} characters'),
  'password.too_long': ours(19905, 'The password must have at most {limit} characters'),
  'password.common': ours(19906, 'The password is too common, or a simple pattern: choose another'),
  'passkey.unsupported': ours(
    19910,
    'Passkeys need HTTPS and a host name, or localhost: open the dashboard at --public-url, not at {host}',
  ),
  'passkey.registration': ours(
    19911,
    'The passkey was not accepted, or it took longer than 5 minutes: start again',
  ),
  'passkey.known': ours(19912, 'This passkey was added before'),
  'passkey.unknown': ours(19913, 'Passkey does not exist', 404),
  'passkey.limit': ours(19914, 'A user has at most {limit} passkeys: delete one first'),
  'sign_in.passkey': ours(
    19915,
    'The passkey was not accepted: it is unknown here, or it took longer than 5 minutes. Start again',
    403,
  ),
  'provider.none': ours(19916, 'No identity provider is configured: set --oidc-issuer', 404),
  'provider.unreachable': gateway(
    ours(19917, 'The identity provider does not answer: try again, or sign in another way', 503),
  ),
  'provider.refused': ours(
    19918,
    'The identity provider did not confirm who you are, or it took longer than 10 minutes: start again',
    403,
  ),
  'provider.domain': ours(19919, 'A verified e-mail address of an allowed domain is required', 403),
  'provider.role': ours(19920, 'The identity provider gives you no role here: ask its administrator', 403),
  'provider.email': ours(
    19921,
    'The first sign-in needs an e-mail address that the identity provider has verified',
    403,
  ),
  'provider.no_user': ours(19922, 'There is no user {email} here: ask an owner to invite you', 403),
  'user.unknown': ours(19908, 'User does not exist', 404),
  'user.last_owner': ours(19909, 'The last owner cannot be deleted or get another role'),
  'user.email_taken': ours(19907, 'Another user has this e-mail address'),
  'rate.exceeded': gateway(
    reported(
      10100,
      'More than {limit} requests per {seconds} seconds reached. Please wait and consider throttling your request speed',
      429,
    ),
  ),

  'account.has_zones': ours(19101, 'The account still has zones; delete them first'),
  'account.only_one': ours(19102, 'The only account cannot be deleted'),
  'account_webhook.quota': ours(19103, 'An account can have at most {limit} webhooks: delete one first'),
  'account.has_catalogs': ours(
    19105,
    'The account still follows catalog zones of other nameservers; delete its secondary catalogs first',
  ),
  'account_webhook.kinds': ours(19104, 'kinds are those of changes; a webhook for security events has none'),
  'account.unknown': inferred(1003, 'Account not found', 404),
  'token.expiry': ours(
    19201,
    '{member} must be a time in ISO 8601, and not_before must lie before expires_on',
  ),
  'token.ip': ours(19202, '"{value}" is not an IP address or a network in CIDR form'),
  'token.not_a_token': ours(19203, 'This request was not made with an API token'),
  'token.permission_group': ours(19204, 'Permission group {value} does not exist'),
  'token.resource': ours(19205, 'Resource {value} is not valid'),
  'token.stronger_address': ours(
    19872,
    'The token of this request is valid only from {networks}; a token created with it must be limited to them',
    403,
  ),
  'token.stronger_end': ours(
    19874,
    'The token of this request expires on {end}; a token created with it must expire by then',
    403,
  ),
  'token.stronger_policy': ours(
    19870,
    'The token of this request does not hold "{group}" on all of {resources}, so it cannot give it',
    403,
  ),
  'token.stronger_than_denied': ours(
    19871,
    'The token of this request is denied "{group}" on a part of {resources}; deny it there, too',
    403,
  ),
  'token.stronger_than_excluded': ours(
    19873,
    'The token of this request is not valid from {networks}; exclude them in not_in, too',
    403,
  ),
  'token.unknown': inferred(1003, 'Token not found', 404),

  'update_key.name': ours(19780, 'The name of a key must be a domain name, like acme.update.'),
  'update_key.taken': ours(19781, 'There is already a key called {name}.'),
  'update_key.token': ours(19782, '{id} is not one of your tokens.'),
  'update_key.quota': ours(19783, 'You can have at most {limit} keys; delete one first.'),
  'update_key.unknown': ours(19784, 'You have no key {id}.', 404),
  'tsig.name': ours(19710, 'The name of a key must be a domain name.'),
  'tsig.secret': ours(
    19711,
    'The secret must be {octets} octets or more in base64, with padding and without whitespace.',
  ),
  'tsig.algorithm': ours(
    19712,
    'The algorithm must be hmac-sha256, hmac-sha384, hmac-sha512 or, for old peers, hmac-sha1.',
  ),
  'tsig.taken': ours(19713, 'There is already a key called {name}; key names must be unique.'),
  'tsig.in_use': ours(19714, 'Peers use the key {id}: assign them another key first.'),
  'tsig.unknown': ours(19715, 'There is no TSIG key {id}.', 404),
  'acl.ip_range': ours(
    19716,
    'ip_range must be an address with a prefix length of /{ipv4} to /32 for IPv4, or of /{ipv6} to /128 for IPv6.',
  ),
  'acl.unknown': ours(19717, 'There is no ACL {id}.', 404),
  'peer.ip': ours(19718, 'ip must be an IPv4 or IPv6 address.'),
  'peer.tls': ours(
    19737,
    'tls must have a server_name (a host name) or pins (SHA-256 of public keys, 32 octets in base64): {problem}.',
  ),
  'peer.tsig': ours(19719, 'There is no TSIG key {id} for the peer to sign with.'),
  'peer.unknown': ours(19720, 'There is no peer {id}.', 404),
  'peer.in_use': ours(19721, 'Zones use the peer {id}: remove it from their transfers first.'),
  'transfers.name': ours(19722, 'name must be the name of the zone, {name}.'),
  'transfers.peer': ours(19723, 'peers must be ids of peers of the account, each once: {problem}.'),
  'outgoing.unknown': ours(19724, 'The zone has no outgoing transfers.', 404),
  'outgoing.exists': ours(19725, 'The zone {name} already has outgoing transfers: change them with PUT.'),
  'outgoing.disabled': ours(19726, 'Outgoing transfers of this zone are disabled: enable them first.'),
  'zone.follows': ours(19730, 'The zone {name} is a secondary zone: change its records on the primary.'),
  'zone.type_change': ours(19731, 'The type of a zone cannot change: this one is {type}.'),
  'incoming.unknown': ours(19732, 'No primary is configured for this zone.', 404),
  'incoming.exists': ours(19733, 'Primaries of {name} are already configured: change them with PUT.'),
  'incoming.not_secondary': ours(
    19734,
    'Only zones of type secondary can have a primary; this one is {type}.',
  ),
  'incoming.peer_address': ours(19735, 'The peer {id} has no ip; a primary needs one.'),
  'incoming.refresh': ours(19736, 'auto_refresh_seconds must be an integer from 300 to 2419200.'),
  'catalog.name': ours(19727, 'The catalog zone cannot have this name: {problem}.'),
  'catalog.unknown': ours(19728, 'The account has no catalog zone.', 404),
  'secondary_catalog.name': ours(19738, 'A secondary catalog zone cannot have this name: {problem}.'),
  'secondary_catalog.unknown': ours(19739, 'The account does not follow a catalog zone {name}.', 404),
  'secondary_catalog.group': ours(19740, 'groups must have each name once: "{name}" is there twice.'),
  'secondary_catalog.quota': ours(
    19741,
    'An account can follow at most {limit} catalog zones; delete one first.',
  ),
  'secondary_catalog.serial': ours(
    19742,
    'serial must be the last known serial of the primary, {serial}: look at the status, then confirm that one.',
  ),
  'secondary_catalog.ending': ours(
    19743,
    'The secondary catalog zone {name} is being deleted with its member zones.',
  ),
  'zone.catalog_member': ours(
    19744,
    'The zone {name} is a member of the catalog zone {catalog}: change it there, or stop following that catalog zone.',
  ),
  'transfer_object.quota': ours(19729, 'An account can have at most {limit} of them; delete one first.'),
  'filter.expression': ours(19701, '{frame}'),
  // Clients read the ID of the existing one from `meta`.
  'filter.duplicate': reported(10102, 'config duplicates an already existing config'),
  'filter.in_use': ours(19557, 'Filter {id} belongs to a firewall rule; delete that first'),
  'filter.quota': ours(19558, 'A zone has at most {limit} filters'),
  'filter.unknown': reported(1000, 'not_found', 404),

  // Codes of the three products without rulesets are the live API's where they are known, and so are their messages.
  'access_rule.unknown': reported(10001, 'firewallaccessrules.api.not_found', 404),
  'access_rule.duplicate': reported(10009, 'firewallaccessrules.api.duplicate_of_existing'),
  'access_rule.value': ours(20720, 'firewallaccessrules.api.validation_error:{problem}'),
  'access_rule.location': ours(
    20721,
    'firewallaccessrules.api.validation_error:the target {target} needs a database of locations (--geoip)',
  ),
  'access_rule.fixed': ours(
    20722,
    'firewallaccessrules.api.validation_error:the configuration of a rule cannot change: delete it and create another one',
  ),
  'access_rule.quota': ours(20723, 'There can be at most {limit} IP access rules.'),
  'ua_rule.unknown': reported(10001, 'firewalluablock.api.not_found', 404),
  'ua_rule.duplicate': reported(10009, 'firewalluablock.api.duplicate_of_existing'),
  'ua_rule.quota': ours(20724, 'A zone of plan {plan} has at most {limit} user-agent rules.'),
  'lockdown.unknown': reported(10001, 'zonelockdown.api.not_found', 404),
  'lockdown.duplicate': reported(10009, 'zonelockdown.api.duplicate_of_existing'),
  'lockdown.quota': ours(
    20725,
    'zonelockdown.api.not_entitled.max_rules: a zone of plan {plan} has at most {limit} lockdown rules',
  ),
  'lockdown.invalid': ours(20726, 'zonelockdown.api.validation_error:{problem}'),

  'list.unknown': ours(20700, 'The account has no such list.', 404),
  'list.name_taken': ours(20701, 'The account already has a list with the name {name}.'),
  'list.quota': ours(20702, 'An account has at most {limit} lists.'),
  'list.in_use': reported(10031, 'filters.api.ip_list_in_use: {count} rules or filters name ${name}'),
  'list.items_quota': ours(20703, 'A list has at most {limit} items; it would have {count}.'),
  'list.item': ours(20704, '{problem}.'),
  'list.item_kind': ours(20705, 'Items of this list must have the member {kind}, and no other value.'),
  'list.item_repeated': ours(20706, 'The item is the same as item {other} of the request.'),
  'list.item_unknown': ours(20707, 'The list has no such item.', 404),
  'list.operation_unknown': ours(20708, 'The account has no such bulk operation.', 404),

  'leaked_credentials.unknown': ours(20351, 'The zone has no such location of credentials.', 404),
  'leaked_credentials.quota': ours(20352, 'A zone has at most {limit} locations of credentials.'),
  'leaked_credentials.unavailable': ours(
    20353,
    'Credentials cannot be checked: the server has no collection of leaked passwords (--leaked-passwords).',
  ),

  'firewall_rule.filter': ours(
    19559,
    'filter must have the id of a filter of the zone, or an expression to create one',
  ),
  // The code is the live API's; the message is the one for filters.
  'firewall_rule.filter_duplicate': reported(10202, 'filter: config duplicates an already existing config'),
  'firewall_rule.log_plan': ours(
    19560,
    'The action log is for zones of plan enterprise only; this one is {plan}',
    403,
  ),
  // The messages of these two are the live API's; its codes are unknown.
  'firewall_rule.products': ours(19561, "products is only valid for the 'bypass' action"),
  'firewall_rule.products_missing': ours(19562, "products must be specified for the 'bypass' action"),
  'firewall_rule.quota': ours(19563, 'A zone of plan {plan} has at most {limit} firewall rules'),
  'firewall_rule.unknown': ours(19564, 'Firewall rule does not exist', 404),

  'storage.damaged': ours(19829, 'Stored data is damaged: {problem}; {remedy}', 503),
  'storage.full': ours(
    19827,
    "The disk of the database is full: nothing was changed; free space on the server's disk, then repeat",
    507,
  ),
  'storage.text': ours(19833, 'PostgreSQL cannot store a text with the character NUL: {problem}'),
  'storage.unavailable': ours(
    19832,
    'The database does not answer, repeat the request later: {problem}',
    503,
  ),
  'storage.unwritable': ours(
    19828,
    'The database cannot be written: {problem}; this change is not stored',
    503,
  ),

  'audit.export': ours(
    20380,
    'export=true (CSV) is not supported; GET /zonereeve/audit_logs/export and zonereeve audit export give NDJSON',
  ),
  'audit.time': ours(20381, '{name} must be a date, like 2026-01-31, or a time, like 2026-01-31T10:20:30Z'),
  'audit.last_event_id': ours(20382, 'Last-Event-ID must be the number of an event; got {value}'),
  'audit.streams': ours(
    20383,
    'All {limit} streams of events are in use; close one, or try again later',
    429,
  ),

  'change.conflict': ours(
    19601,
    '{name} has changed since (record {id}); restore to a point in time instead',
  ),
  'change.deleted': ours(
    19857,
    'The history before change set {floor} was deleted (setting history-days); the earliest number that can be restored or compared is {earliest}',
    410,
  ),
  'change.kind': ours(19602, 'Change set {number} contains {kind}, which cannot be reverted separately'),
  'change.point': ours(19603, 'Send either number, or at with a time when the zone existed'),
  'change.range': ours(
    19605,
    'There are more than {limit} operations between change sets {older} and {newer}: compare a shorter range',
  ),
  'change.unknown': ours(19604, 'Change set {number} does not exist', 404),

  'firewall.trace': ours(19540, 'The request to trace is invalid: {problem}'),
  // Messages about single values follow reported ones; most of the codes are unknown.
  'ruleset.action_required': ours(19520, 'action is required for action parameters'),
  'ruleset.excluding': ours(19521, '{one} and {other} exclude each other'),
  'ruleset.expression': inferred(
    20127,
    "'{expression}' is not a valid value for {member} because could not parse filter expression: {frame}",
  ),
  'ruleset.expression_blank': reported(
    20125,
    "'' is not a valid value for expression because the expression cannot be blank",
  ),
  'ruleset.in_use': ours(
    19522,
    'The ruleset is executed by rule {rule} of ruleset {ruleset}; delete that rule first',
  ),
  'ruleset.kind_taken': reported(
    20217,
    "'{kind}' is not a valid value for kind because exceeded maximum number of {kind} rulesets for phase {phase}",
  ),
  'ruleset.logging': reported(20018, 'logging options only allowed in the skip action'),
  'ruleset.managed': ours(19523, 'Managed rulesets cannot be changed; execute them with overrides'),
  'ruleset.no_entry_point': reported(10003, 'could not find entrypoint ruleset in the {phase} phase', 404),
  'ruleset.not_entitled': ours(19524, 'not entitled: {problem}'),
  'ruleset.not_offered': ours(19525, '{member} is not supported: {problem}'),
  'ruleset.old_product': ours(
    19526,
    'The zone still uses legacy managed rules: until it is migrated, rules that execute managed rulesets must be disabled',
  ),
  'ruleset.parameters_required': reported(20113, 'action parameters are required for the {action} action'),
  'ruleset.phase': reported(50002, 'not entitled to use the phase {phase}'),
  'ruleset.phase_two': ours(19680, 'phase_two is valid only together with waf_migration'),
  'ruleset.position': ours(
    19527,
    'position must have one of before and after, the id of another rule of the ruleset or an empty string, and index, a position in the list starting at 1',
  ),
  'ruleset.regex_quota': ours(
    19528,
    'The regular expressions of the ruleset compile to {bytes} bytes together, more than {limit}',
  ),
  'ruleset.required': ours(19529, '{member} is required'),
  'ruleset.rule_id': ours(19530, 'The ruleset has no rule {rule}; leave out the id of a new rule'),
  'ruleset.rule_unknown': ours(19531, 'could not find rule {rule} in the ruleset', 404),
  'ruleset.rules_quota': reported(
    50001,
    'exceeded the maximum number of rules in the phase {phase}: {count} out of {limit}',
  ),
  'ruleset.rulesets_quota': ours(
    19532,
    'exceeded the maximum number of custom rulesets: {count} out of {limit}',
  ),
  'ruleset.unknown': reported(10001, 'ruleset not found', 404),
  'ruleset.unknown_member': ours(19533, 'invalid JSON: unknown field "{member}"'),
  'ruleset.unknown_phase': ours(19534, "'{phase}' is not a valid value for phase"),
  'ruleset.value': ours(19535, "'{value}' is not a valid value for {member} because {problem}"),
  'ruleset.version_present': ours(19536, 'Version {version} is the current one and cannot be deleted'),
  'ruleset.version_unknown': ours(19537, 'could not find version {version} of the ruleset', 404),
  'ruleset.waf_migration': ours(19538, 'waf_migration is not supported here'),
  'scan.busy': ours(19855, 'Too many scans are running; try again in a minute.', 429),
  'scan.record_unknown': ours(
    19856,
    'No found record with this id, or this type, name and content, is waiting for review; GET …/scan/review lists them.',
  ),
  'scan.silent': ours(19854, 'None of the current nameservers of {zone} answers authoritatively for it.'),
  'scan.unavailable': ours(
    19852,
    'The current nameservers cannot be found without a resolver: configure the setting resolver or scan-servers.',
  ),
  'scan.undelegated': ours(19853, '{zone} is not delegated to any nameserver that can be found now.'),

  'acme_challenge.host': ours(19923, '{host} is neither {zone} nor a name below it.'),
  'acme_challenge.unanswered': ours(
    19924,
    'The nameserver does not answer {name} with this record: the name may be delegated, or belong to another zone.',
  ),

  'query.name': ours(19850, 'name is not a valid domain name: {problem}.'),
  'query.type': ours(19851, 'type "{type}" is not a record type; use a mnemonic such as AAAA, or TYPEn.'),

  'zone.account': reported(1067, 'Invalid account identifier passed in your organization variable'),
  'zone.exists': reported(1061, '{name} already exists'),
  'zone.name': reported(1002, 'Invalid domain: {problem}'),
  'zone.plan': ours(19301, 'plan must be one of free, pro, business, enterprise'),
  'zone.type': inferred(1104, 'Zone type {value} is not offered here; use full or secondary'),
  // 404, although the live API's text is known with 400: tools that refresh their state treat only 404 as "gone".
  'zone.unknown': reported(1001, 'Invalid zone identifier', 404),
  'zone.vanity_name_servers': ours(
    19302,
    'Vanity name servers are host names below the zone, each once: {problem}',
  ),

  // The live API's codes for these are not known.
  'dnssec.multi_signer': ours(
    19756,
    'The algorithm cannot be changed with dnssec_multi_signer: all signers of a zone must use the same one (RFC 8901 §5).',
  ),
  'dnssec.not_signed': ours(
    19750,
    'The zone is not signed: it has no keys to roll over and no DS records for its parent.',
  ),
  'dnssec.presigned': ours(
    19751,
    'dnssec_presigned must be false for a zone of type {type}: only a secondary zone can be signed by its primary.',
  ),
  'dnssec.rolling': ours(
    19752,
    'A rollover of the {role} has been running since {since}; it must end before the next one begins.',
  ),
  'dnssec.same_algorithm': ours(19755, 'The zone is already signed with {algorithm}.'),
  'dnssec.signed': ours(
    19753,
    'The zone is signed (status {status}): its keys can be deleted once it is disabled.',
  ),
  'dnssec.signed_by_primary': ours(
    19758,
    'The zone cannot be signed here: its primary signs it, or dnssec_presigned is true.',
  ),
  'dnssec.still_presigned': ours(
    19757,
    'dnssec_presigned must be true: the primary of the zone signs it. Stop signing on the primary first.',
  ),
  'dnssec.unknown_tag': ours(
    19754,
    'The zone has no key with the tag {tag}; the keys with DS records for its parent have the tags {tags}.',
  ),
  'dns_settings.foundation_dns': ours(19801, 'foundation_dns is not supported.'),
  'dns_settings.internal_dns': ours(19802, 'internal_dns is not supported: there are no internal zones.'),
  'dns_settings.mname': ours(
    19803,
    'mname "{value}" must be a host name, or null for the first name server of the zone.',
  ),
  'dns_settings.name_servers': ours(19804, 'nameservers.type {value} is not supported: {problem}'),
  'dns_settings.ns_set': ours(19805, 'nameservers.ns_set {value} is not supported: use {allowed}.'),
  'dns_settings.range': ours(19806, '{member} must be between {minimum} and {maximum} seconds.'),
  'dns_settings.retry_above_refresh': ours(19807, 'retry ({retry}) must not exceed refresh ({refresh}).'),
  'dns_settings.expire_below_refresh': ours(
    19808,
    'expire ({expire}) must not be smaller than refresh ({refresh}).',
  ),
  'dns_settings.rname': ours(
    19809,
    'rname "{value}" must be a mailbox, as a name or as an e-mail address: {problem}.',
  ),
  'dns_settings.secondary_overrides': ours(
    19810,
    'secondary_overrides is for secondary zones; this one is {type}.',
  ),
  'dns_settings.soa_plan': ours(
    19811,
    'SOA values can be changed for zones of plan enterprise only; this one is {plan}.',
    403,
  ),
  'dns_settings.soa_account': ours(
    19812,
    'SOA values can be changed for accounts of type enterprise only; this one is {type}.',
    403,
  ),
  'dns_settings.zone_mode': ours(19813, 'zone_mode must be standard, cdn_only or dns_only.'),
  'zone_setting.unknown': reported(1003, 'Undefined zone setting: {setting}'),
  'zone_setting.value': reported(1007, 'Invalid value for zone setting {setting}'),

  // The live API's codes for these are not known.
  'page_shield.authorization_unknown': ours(19610, 'The script has no authorization', 404),
  'page_shield.connection_unknown': ours(19611, 'Connection not found', 404),
  'page_shield.cookie_unknown': ours(19612, 'Cookie not found', 404),
  'page_shield.disabled': ours(
    19613,
    'Monitoring is disabled for this zone: nothing is stored. Set enabled to true first',
  ),
  'page_shield.endpoint_twice': ours(
    19614,
    'use_service_reporting_endpoint and use_cloudflare_reporting_endpoint are the same setting and have different values: send only one of them',
  ),
  'page_shield.escape': ours(
    19663,
    '{name}: "{text}" has a percent sign that encodes no character. Write %25 for the sign itself',
  ),
  'page_shield.expires_at': ours(19615, 'expires_at must lie in the future'),
  'page_shield.fetch_again': ours(
    20420,
    'The script was fetched at {fetchedAt}: it can be fetched again a minute later',
  ),
  'page_shield.fetch_inactive': ours(
    20421,
    'The script is {status}: only new and active scripts are fetched, because browsers load them',
  ),
  'page_shield.content_unknown': ours(20422, 'The script had no such content, or none yet', 404),
  'page_shield.source_unknown': ours(
    20423,
    'The source of this content is not stored: it was fetched before sources were stored, or it made room for newer ones',
    404,
  ),
  'page_shield.diff_single': ours(
    20424,
    'The script had no content before this one: there is nothing to compare',
  ),
  'page_shield.diff_busy': ours(20425, 'Too many scripts are being compared; try again in a minute', 429),
  'page_shield.diff_ended': ours(
    20426,
    'The comparison took too long or too much memory and was stopped. Compare the sources with a program of your own',
  ),
  'page_shield.not_entitled': ours(19616, 'not entitled: {what} is not part of plan {plan}', 403),
  'page_shield.observed_at': ours(19617, 'observed_at must lie within the last day'),
  'page_shield.page': ours(19618, 'page must be an integer of at least 1, or all'),
  'page_shield.page_url': ours(19619, 'page_url must be an http or https URL on a host of {zone}'),
  'page_shield.retention_order': ours(
    19620,
    'forget_after_days ({forget}) must be more than inactive_after_days ({inactive})',
  ),
  'page_shield.sampling_rate': ours(
    19664,
    'one_in is required with mode fixed: one in how many documents gets the header',
  ),
  'page_shield.sampling_rate_unused': ours(
    19665,
    'one_in must be omitted: adaptive sampling chooses it. Send mode fixed to set it',
  ),
  'page_shield.script_unknown': ours(19621, 'Script not found', 404),
  'page_shield.status': ours(
    19622,
    'status must be any of active, infrequent and inactive, separated by commas',
  ),
  'page_shield.switch': ours(19623, 'The value must be true or false'),
  'page_shield.url': ours(19624, '"{url}" is not a URL'),
  'page_shield.wildcard': ours(
    19662,
    '{name}: "{text}" has a * where it is not allowed: {places}. Write %2A for the sign itself',
  ),
  'storage.unreadable_row': ours(
    19830,
    'A stored row cannot be read: {table} {id}. Restore it from a backup, or delete or overwrite it.',
    500,
  ),
  'zone_file.empty': ours(
    19824,
    'The file has no records and would empty the zone; send force=true to confirm.',
  ),
  'zone_file.encoding': ours(19822, 'Line {line} of the file is not UTF-8.'),
  'zone_file.line': ours(19823, 'The file cannot be read: {problem}.'),
  'zone_file.records': ours(19826, 'The file has more than {limit} records.'),
  'zone_file.unsafe': ours(
    19825,
    'The file would change or remove {touched} of {records} records, more than 30 %; send force=true to confirm.',
  ),
  'waf.plan': ours(19551, 'Legacy managed rules are for zones of paid plans; this one is {plan}', 403),
  // The published schema has 410 for overrides; here it applies to all legacy managed rules.
  'waf.retired': ours(
    19550,
    'This endpoint is no longer available for this zone. Use the Rulesets API.',
    410,
  ),
  'waf_group.already_off': reported(1020, 'WAF Group is already off'),
  'waf_group.already_on': reported(1019, 'WAF Group is already on'),
  // Codes of missing objects are known from clients that check them; the messages are not known.
  'waf_group.unknown': reported(1003, 'WAF group does not exist', 404),
  'waf_migration.validation_plan': ours(
    19580,
    'Both versions of the managed rules at once (waf_migration=validation) are for zones of plan enterprise; this one is {plan}. Use waf_migration=pending',
    403,
  ),
  'waf_migration.plan_validation': ours(
    19840,
    'The zone validates its managed rules with both versions at once, which plan {plan} does not allow. End the validation first: turn off legacy managed rules (waf_migration=pending), then change the plan',
  ),
  'waf_migration.plan_managed_rules': ours(
    19841,
    'The zone executes managed rulesets, which plan {plan} does not allow beside legacy managed rules. Disable those rules of the entry point, or migrate the zone, then change the plan',
  ),
  'waf_migration.not_validating': ours(
    19581,
    'The zone does not have both versions of the managed rules: its state is {state}',
  ),
  'waf_migration.done': ours(
    19582,
    'The zone has already been migrated; change its rules with the Rulesets API',
  ),
  'waf_migration.overrides': ours(
    19583,
    'The zone has WAF overrides for some URLs, which cannot be migrated: delete {ids}',
  ),
  'waf_migration.phase_one_owasp': ours(
    19584,
    'In the first phase the OWASP package must be off; turn it off, or send phase_two=1',
  ),
  'waf_migration.phase_one_firewall_rules': ours(
    19585,
    'In the first phase no firewall rule may let requests bypass the managed rules; delete {ids}, or send phase_two=1',
  ),
  'waf_migration.phase_one_page_rules': ours(
    19586,
    'In the first phase no page rule may switch the managed rules on or off; delete {ids}, or send phase_two=1',
  ),
  'waf_migration.rule_quota': ours(
    19587,
    '{count} firewall rules let requests bypass the managed rules; at most {limit} can be migrated: combine their filters with "or", or delete some',
  ),
  'waf_migration.expression_length': ours(
    19588,
    'The exception for "{description}" would be longer than 4096 bytes: the page rules before it are too many or too long; delete or shorten some',
  ),
  'waf_migration.not_enabled': ours(
    19589,
    'No enabled rule executes a managed ruleset: the zone would be left without managed rules',
  ),
  'waf_migration.deployed': ours(
    19590,
    'The new managed rules are deployed already: the state of the zone is {state}',
  ),
  'waf_migration.unexpected_state': ours(
    20350,
    'On plan {plan} this step leads to the state {next}, not to {expected}. Nothing has changed: read the plan of the zone again, then decide',
  ),
  'waf_migration.no_snapshot': ours(19591, 'There is no snapshot: the zone has not been migrated', 404),
  'waf_override.empty': ours(19552, 'groups or rules must have at least one entry'),
  'waf_override.key': ours(
    19553,
    '"{id}" is not the id of a group (32 hexadecimal digits) or of a rule (letters and digits)',
  ),
  'waf_override.quota': ours(19554, 'A zone has at most {limit} overrides'),
  'waf_override.unknown': ours(19555, 'WAF override does not exist', 404),
  'waf_package.traditional': reported(
    1027,
    'Only anomaly WAF packages can have their package attributes updated',
  ),
  'waf_package.unknown': reported(1002, 'WAF package does not exist', 404),
  'waf_rule.already_disabled': reported(1009, 'WAF Rule is already disabled'),
  'waf_rule.already_enabled': reported(1008, 'WAF Rule is already enabled'),
  'waf_rule.mode': ours(19556, 'The mode of rule {id} must be one of {modes}'),
  'waf_rule.unknown': reported(1004, 'WAF rule does not exist', 404),

  // The problem is in the messages, where clients of the live API look for it.
  'page_rule.invalid': reported(1004, 'Page Rule validation failed: See messages for details.'),
  // 404, as for zones: tools that refresh their state treat only 404 as "gone".
  'page_rule.unknown': reported(1002, 'Invalid Page Rule identifier', 404),

  'record.a_content': reported(9005, 'Content for A record must be a valid IPv4 address.'),
  'record.aaaa_content': inferred(9006, 'Content for AAAA record must be a valid IPv6 address.'),
  'record.batch_id': ours(19406, 'id is required.'),
  'record.batch_size': ours(19407, 'A batch has at most {limit} operations, not {count}.'),
  'record.cname_exists': reported(81054, `A CNAME record with that host already exists. ${SAME_NAME_HELP}`),
  'record.cname_exclusive': reported(
    81053,
    `An A, AAAA, or CNAME record with that host already exists. ${SAME_NAME_HELP}`,
  ),
  'record.cname_self': reported(9039, 'CNAME content cannot reference itself.'),
  'record.comment': ours(
    19401,
    'A comment has at most {limit} characters, on one line, and no control characters.',
  ),
  'record.content': reported(9007, 'Content for {type} record is invalid.'),
  'record.content_missing': inferred(9007, 'Content for {type} record is missing.'),
  'record.data_field': inferred(9101, '{fault}.'),
  'record.data_required': reported(9101, '{field} is a required data field.'),
  'record.dname_exclusive': ours(
    19867,
    'A name with a DNAME (TYPE39) can have no other DNAME, no CNAME, and no records below it.',
  ),
  'record.ds_without_ns': ours(19410, 'DS record requires an NS record with the same name.'),
  'record.families': ours(19421, 'ipv4_only and ipv6_only exclude each other.'),
  'record.identical': recorded(81058, 'An identical record already exists.'),
  'record.mx_content': inferred(9009, 'Content for MX record must be a hostname.'),
  'record.name': reported(9000, 'DNS name is invalid.'),
  'record.ns_exclusive': reported(81056, 'NS records with that host already exist.'),
  'record.option_unsupported': ours(19402, '{option} is not supported.'),
  'record.priority_required': reported(9101, 'priority is a required field.'),
  'record.proxied_target': reported(9003, 'Target {target} is not allowed for a proxied record.'),
  'record.proxied_type': reported(9004, 'This record type cannot be proxied.'),
  'record.service_address': ours(
    19420,
    "{target} is one of the service's own addresses, which no record may point to.",
  ),
  'record.settings': ours(19403, '{option} does not apply to this record.'),
  'record.tag': ours(
    19404,
    'Tag {tag} is invalid: a name of at most 32 letters, digits, hyphens and underscores, not beginning with cf-, then optionally a colon and at most 100 characters without control characters.',
  ),
  'record.tags_quota': reported(9300, 'DNS record has {count} tags, exceeding the quota of {limit}.'),
  'record.too_long': reported(9015, 'Record content exceeds the allowed length of 4096 wire format bytes.'),
  'record.ttl': reported(9021, 'TTL must be between {minimum} and 86400 seconds, or 1 for Automatic.'),
  // Reported before the zone's plan, and with it the lower bound, is known.
  'record.ttl_kind': inferred(9021, 'TTL must be a whole number of seconds, or 1 for Automatic.'),
  'record.txt_combined': reported(
    83011,
    'Combined content length of records with this name and type exceeds the limit.',
  ),
  'record.type': reported(9002, 'DNS record type "{type}" is invalid.'),
  'record.type_change': ours(
    19405,
    'Record type cannot be changed. Delete the record and create a new one, or use a batch.',
  ),
  'record.unknown': reported(81044, 'Record does not exist.', 404),
} satisfies Record<string, WireError>

export type ErrorCode = keyof typeof WIRE_ERRORS

interface WireNotice {
  readonly code: number
  readonly message: string
  /** Additional members of the message, as the live API sends them. */
  readonly extra?: Readonly<Record<string, null>>
}

const notice = (code: number, message: string, extra?: WireNotice['extra']): WireNotice =>
  extra === undefined ? { code, message } : { code, message, extra }

/** Notices in `messages` next to a result. */
export const WIRE_NOTICES = {
  'auth.missing_permission': notice(19001, 'Missing permission: {groups} on {resource}.'),
  dry_run: notice(19030, 'Dry run: nothing was changed.'),
  'nodes.behind': notice(19031, 'The change is stored. These nodes have not applied it yet: {nodes}.'),
  'page_rule.outside_zone': notice(19570, 'The page rule has no effect: no URL of {zone} matches {pattern}.'),
  'page_rule.problem': notice(1, '{member}: {problem}', { type: null }),
  'page_rule.same_target': notice(
    1,
    '.distinctTargetUrl: Your zone already has an existing page rule with that URL. If you are modifying only page rule settings use the Edit Page Rule option instead',
    { type: null },
  ),
  'page_shield_policy.value': notice(19649, 'value, at character {place}: {text}: {problem}.'),
  'record.apex_ns': notice(
    19014,
    'Custom NS records at the apex are published only if multi_provider, a DNS setting of the zone, is on.',
  ),
  'record.cname_beside_others': notice(
    19011,
    'There are other records beside the CNAME {name}: their types are answered as stored, all others with the CNAME.',
  ),
  'record.email_dkim': notice(19021, 'DKIM, {name}: {problem}.'),
  'record.email_dmarc': notice(19022, 'DMARC, {name}: {problem}.'),
  'record.email_spf': notice(19020, 'SPF, {name}: {problem}.'),
  'record.no_edge_addresses': notice(
    19012,
    'No edge addresses are configured: {name} is answered with its origin.',
  ),
  'record.ns_address': notice(
    19858,
    'NS records name hosts: {content} is kept as a name, not as an IP address.',
  ),
  'record.target_unresolved': notice(
    19040,
    'The target {target} of the proxied record {name} does not currently lead to an A or AAAA record.',
  ),
  'scan.incomplete': notice(
    19860,
    'The scan did not get an answer to every query: there may be more records.',
  ),
  'scan.running': notice(19861, 'A scan is running: more records may be found.'),
  'scan.silent': notice(
    19862,
    'The last scan found nothing: no current nameserver answered authoritatively for the zone.',
  ),
  'scan.undelegated': notice(
    19863,
    'The last scan found nothing: the zone is not delegated to any nameserver that could be found.',
  ),
  'scan.unusable': notice(19864, 'Found, but not supported: {record}.'),
  'scan.varying_wildcard': notice(
    19865,
    'A wildcard at the current nameservers gives each name a different answer: names below it cannot be distinguished from it and are not listed.',
  ),
  'token.verified': notice(10000, 'This API Token is valid and active', { type: null }),
  'zone.quarantined': notice(
    19831,
    'The zone is answered with SERVFAIL until the unreadable data is repaired: {problems}.',
  ),
  'waf_migration.overrides': notice(
    19583,
    'The zone has WAF overrides for some URLs, which cannot be migrated: delete {ids}.',
  ),
  'waf_migration.phase_one_owasp': notice(
    19584,
    'In the first phase the OWASP package must be off; turn it off, or send phase_two=1.',
  ),
  'waf_migration.phase_one_firewall_rules': notice(
    19585,
    'In the first phase no firewall rule may let requests bypass the managed rules; delete {ids}, or send phase_two=1.',
  ),
  'waf_migration.phase_one_page_rules': notice(
    19586,
    'In the first phase no page rule may switch the managed rules on or off; delete {ids}, or send phase_two=1.',
  ),
  'waf_migration.rule_quota': notice(
    19587,
    '{count} firewall rules let requests bypass the managed rules; at most {limit} can be migrated: combine their filters with "or", or delete some.',
  ),
  'waf_migration.expression_length': notice(
    19588,
    'The exception for "{description}" would be longer than 4096 bytes: the page rules before it are too many or too long; delete or shorten some.',
  ),
  'waf_migration.allow_rules': notice(
    19592,
    'Rules that let requests pass have no counterpart and are not migrated: {ids}.',
  ),
  'waf_migration.done': notice(19582, 'The zone has already been migrated.'),
  'waf_migration.no_previous': notice(
    19593,
    'The zone never had legacy managed rules: plan {plan} has only the new ones.',
  ),
  'waf_migration.owasp': notice(19594, 'Settings of single OWASP groups and rules are not migrated: {ids}.'),
  'firewall.uncounted': notice(
    19597,
    'Decisions over the API do not count for rate limits, as those of edges do: {ids} matched.',
  ),
  'firewall_rule.waf_retired': notice(
    19595,
    'The zone has migrated: firewall rules do not let requests bypass the new managed rules.',
  ),
  'zone_setting.no_effect': notice(
    19598,
    'The security level {value} has no effect here: requests have no threat score. Only under_attack challenges.',
  ),
  'page_rule.waf_retired': notice(
    19596,
    'The zone has migrated: page rules do not switch the new managed rules on or off.',
  ),
  'waf_override.not_in_catalogue': notice(19571, '{id} is in no package: overriding it has no effect.'),
  'zone.no_address': notice(19013, 'The zone has no A or AAAA record; at least one is required.'),
  'zone_file.more_notices': notice(19042, 'There are {count} more messages like these.'),
  'zone_file.more_refused': notice(19041, '{count} more records of the file were not added.'),
  'zone_file.ttl_lowered': notice(
    19866,
    'Line {line}: the TTL of {name} was lowered from {ttl} to {maximum} seconds.',
  ),
} satisfies Record<string, WireNotice>

export type NoticeReason = keyof typeof WIRE_NOTICES

/** Fills `{placeholders}`; one without a value stays, so that the mistake is visible. */
export function fill(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
