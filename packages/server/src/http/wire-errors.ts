// The one table of wire errors: reason -> status, number, words. Nothing else sets a status or a number.
//
// `source` says where a line comes from: `recorded` (seen from the live API), `reported` (quoted in public issue
// threads or client fixtures), `documented` (vendor prose or schema), `inferred` (from a neighbour), `ours` (no
// counterpart is known; numbers 19000..19999 are Zonereeve's own).
import type { NoticeReason } from '../platform/domain-error.ts'
import type { Reason } from '../platform/reasons.ts'

export interface WireError {
  readonly status: number
  readonly code: number
  /** `{placeholders}` are filled from the values. */
  readonly message: string
  readonly chain?: readonly { readonly code: number; readonly message: string }[]
  /** Gateway errors put `result` last, records first: text-searching clients know both. */
  readonly layer?: 'gateway'
  readonly source: 'recorded' | 'reported' | 'documented' | 'inferred' | 'ours'
}

const SAME_NAME_HELP =
  'For more details, refer to <https://developers.cloudflare.com/dns/manage-dns-records/troubleshooting/records-with-same-name/>.'

const malformedHeaders = (code: number, message: string, source: WireError['source']): WireError => ({
  status: 400,
  code: 6003,
  message: 'Invalid request headers',
  chain: [{ code, message }],
  layer: 'gateway',
  source,
})

export const WIRE_ERRORS = {
  'request.body_missing': {
    status: 400,
    code: 9207,
    message: 'Failed to parse request body, content-type must be application/json',
    source: 'reported',
  },
  'request.content_type': {
    ...malformedHeaders(
      6105,
      'Invalid Content-Type header, valid values are application/json,multipart/form-data',
      'reported',
    ),
    status: 415,
  },
  'request.if_match': {
    status: 400,
    code: 19400,
    message: 'If-Match is not honoured here',
    source: 'ours',
  },
  'request.file_too_large': {
    status: 413,
    code: 19821,
    message: 'The file is larger than {limit} bytes',
    source: 'ours',
  },
  'request.form': {
    status: 400,
    code: 19820,
    message: 'Failed to parse form data. Make sure the Content-Type is multipart/form-data.',
    source: 'ours',
  },
  'request.headers_too_large': {
    status: 431,
    code: 19431,
    message: 'Request headers are larger than {limit} bytes',
    layer: 'gateway',
    source: 'ours',
  },
  'request.invalid': {
    status: 400,
    code: 6008,
    message: 'Invalid request parameter: {problem}',
    source: 'reported',
  },
  'request.malformed': {
    status: 400,
    code: 6007,
    message: 'Malformed request',
    layer: 'gateway',
    source: 'inferred',
  },
  'request.json_depth': {
    status: 400,
    code: 19682,
    message: 'The body has more than {limit} lists and objects within each other',
    layer: 'gateway',
    source: 'ours',
  },
  'request.malformed_json': {
    status: 400,
    code: 6007,
    message: 'Malformed JSON in request body',
    layer: 'gateway',
    source: 'reported',
  },
  'request.too_large': {
    status: 413,
    code: 19413,
    message: 'Request body is larger than {limit} bytes',
    layer: 'gateway',
    source: 'ours',
  },
  'request.precondition': {
    status: 412,
    code: 19412,
    message: 'It has changed since: its entity tag is {etag}',
    source: 'ours',
  },
  'request.timeout': {
    status: 408,
    code: 19408,
    message: 'Request was not received in time',
    layer: 'gateway',
    source: 'ours',
  },
  'route.identifier': {
    status: 400,
    code: 7003,
    message: 'Could not route to {path}, perhaps your object identifier is invalid?',
    source: 'reported',
  },
  'route.method': {
    status: 405,
    code: 10000,
    message: '{method} method not allowed for the api_token authentication scheme',
    source: 'reported',
  },
  'route.unknown': { status: 404, code: 7000, message: 'No route for that URI', source: 'reported' },
  'server.internal': {
    status: 500,
    code: 19500,
    message: 'Internal error; the log has it under request {request}',
    layer: 'gateway',
    source: 'ours',
  },
  'server.stopping': {
    status: 503,
    code: 19503,
    message: 'The server is stopping; try again',
    layer: 'gateway',
    source: 'ours',
  },

  'page_shield_policy.other_id': {
    status: 400,
    code: 19661,
    message: 'id must be that of the path: a policy keeps its id',
    source: 'ours',
  },
  'page_shield_policy.page_url': {
    status: 400,
    code: 19641,
    message: 'url must be an http or https URL on {zone} or a name below it',
    source: 'ours',
  },
  'page_shield_policy.action': {
    status: 400,
    code: 19642,
    message: 'action must be allow, log or add_reporting_directives',
    source: 'ours',
  },
  'page_shield_policy.enabled': {
    status: 400,
    code: 19643,
    message: 'enabled must be true or false, or one of these as a text',
    source: 'ours',
  },
  'page_shield_policy.hash': {
    status: 400,
    code: 19644,
    message: '{hash} is no hash; hashes look like sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    source: 'ours',
  },
  'page_shield_policy.quota': {
    status: 400,
    code: 19640,
    message:
      '1 validation errors: exceeded the maximum number of rules in the phase http_response_page_shield: {count} out of {quota}',
    source: 'ours',
  },
  'page_shield_policy.unknown': {
    status: 404,
    code: 19645,
    message: 'Policy does not exist',
    source: 'ours',
  },
  'page_shield_policy.value': {
    status: 400,
    code: 19646,
    message: 'value, at character {place}: {text}: {problem}',
    source: 'ours',
  },
  'page_shield_policy.value_length': {
    status: 400,
    code: 19647,
    message: 'value has {length} characters; {limit} are the most',
    source: 'ours',
  },
  'page_shield_policy.value_unused': {
    status: 400,
    code: 19648,
    message: 'value must be empty: add_reporting_directives changes the policies that the origin sends',
    source: 'ours',
  },

  'page_shield_webhook.unknown': {
    status: 404,
    code: 19666,
    message: 'Webhook does not exist',
    source: 'ours',
  },
  'page_shield_webhook.quota': {
    status: 400,
    code: 19667,
    message: 'The zone has {limit} webhooks already: delete one first',
    source: 'ours',
  },
  'page_shield_webhook.url': {
    status: 400,
    code: 19668,
    message: 'url must be an http or https URL without credentials',
    source: 'ours',
  },

  'threat_feed.unknown': {
    status: 404,
    code: 19670,
    message: 'Threat feed does not exist',
    source: 'ours',
  },
  'threat_feed.quota': {
    status: 400,
    code: 19671,
    message: 'There are at most {limit} threat feeds',
    source: 'ours',
  },
  'threat_feed.url': {
    status: 400,
    code: 19672,
    message: 'url must be an http or https URL without user and password',
    source: 'ours',
  },
  'threat_feed.categories_missing': {
    status: 400,
    code: 19673,
    message: 'categories must say what the entries are: those of the format {format} do not',
    source: 'ours',
  },
  'threat_feed.categories_unused': {
    status: 400,
    code: 19674,
    message: 'categories must be left out: entries of the format {format} say what they are',
    source: 'ours',
  },
  'threat_feed.interval_unused': {
    status: 400,
    code: 19675,
    message: 'interval_minutes needs url: what is uploaded is not fetched',
    source: 'ours',
  },
  'threat_feed.uploaded': {
    status: 400,
    code: 19676,
    message: 'The feed has no url to be fetched from: upload its entries',
    source: 'ours',
  },
  'threat_feed.disabled': {
    status: 400,
    code: 19660,
    message: 'The feed is off, and is not fetched: PATCH enabled true first',
    source: 'ours',
  },
  'threat_feed.fetched': {
    status: 400,
    code: 19677,
    message: 'The feed is fetched from its url: nothing can be uploaded to it',
    source: 'ours',
  },
  'threat_feed.file': {
    status: 400,
    code: 19678,
    message: 'The file is no feed of this kind: {problem}',
    source: 'ours',
  },
  'threat_feed.nothing_held': {
    status: 400,
    code: 19679,
    message: 'No import was held back',
    source: 'ours',
  },

  'auth.forbidden': {
    status: 403,
    code: 10000,
    message: 'Authentication error',
    layer: 'gateway',
    source: 'reported',
  },
  'auth.location': {
    status: 403,
    code: 9109,
    message: 'Cannot use the access token from location: {ip}',
    layer: 'gateway',
    source: 'reported',
  },
  'auth.malformed_authorization': malformedHeaders(
    6111,
    'Invalid format for Authorization header',
    'recorded',
  ),
  'auth.malformed_email': malformedHeaders(6102, 'Invalid format for X-Auth-Email header', 'inferred'),
  'auth.malformed_key': malformedHeaders(6103, 'Invalid format for X-Auth-Key header', 'reported'),
  'auth.missing': {
    status: 400,
    code: 9106,
    message: 'Missing X-Auth-Key, X-Auth-Email or Authorization headers',
    layer: 'gateway',
    source: 'reported',
  },
  'auth.throttled': {
    status: 429,
    code: 10502,
    message: 'Too many authentication failures',
    layer: 'gateway',
    source: 'reported',
  },
  'auth.token_unverified': { status: 401, code: 1000, message: 'Invalid API Token', source: 'reported' },
  'auth.unknown_key': {
    status: 403,
    code: 9103,
    message: 'Unknown X-Auth-Key or X-Auth-Email',
    layer: 'gateway',
    source: 'reported',
  },
  'auth.unknown_token': {
    status: 403,
    code: 9109,
    message: 'Invalid access token',
    layer: 'gateway',
    source: 'recorded',
  },
  'auth.unknown_token_account': {
    status: 401,
    code: 10000,
    message: 'Authentication error',
    layer: 'gateway',
    source: 'recorded',
  },
  'auth.zone_create': {
    status: 403,
    code: 0,
    message:
      'Requires permission "com.cloudflare.api.account.zone.create" to create zones for the selected account',
    source: 'reported',
  },
  'auth.zone_list': {
    status: 403,
    code: 0,
    message:
      "Actor 'com.cloudflare.api.token.{token}' requires permission 'com.cloudflare.api.account.zone.list' to list zones",
    source: 'reported',
  },
  'rate.exceeded': {
    status: 429,
    code: 10100,
    message:
      'More than {limit} requests per {seconds} seconds reached. Please wait and consider throttling your request speed',
    layer: 'gateway',
    source: 'reported',
  },

  'account.has_zones': {
    status: 400,
    code: 19101,
    message: 'The account still has zones; delete them first',
    source: 'ours',
  },
  'account.only_one': {
    status: 400,
    code: 19102,
    message: 'The only account cannot be deleted',
    source: 'ours',
  },
  'account.unknown': { status: 404, code: 1003, message: 'Account not found', source: 'inferred' },
  'token.expiry': {
    status: 400,
    code: 19201,
    message: '{member} must be a time in ISO 8601, and not_before must lie before expires_on',
    source: 'ours',
  },
  'token.ip': {
    status: 400,
    code: 19202,
    message: '"{value}" is not an IP address or a network in CIDR form',
    source: 'ours',
  },
  'token.not_a_token': {
    status: 400,
    code: 19203,
    message: 'This request was not made with an API token',
    source: 'ours',
  },
  'token.permission_group': {
    status: 400,
    code: 19204,
    message: 'Permission group {value} does not exist',
    source: 'ours',
  },
  'token.resource': {
    status: 400,
    code: 19205,
    message: 'Resource {value} is not understood',
    source: 'ours',
  },
  'token.unknown': { status: 404, code: 1003, message: 'Token not found', source: 'inferred' },

  'update_key.name': {
    status: 400,
    code: 19780,
    message: 'The name of a key must be a domain name, like acme.update.',
    source: 'ours',
  },
  'update_key.taken': {
    status: 400,
    code: 19781,
    message: 'There is already a key called {name}.',
    source: 'ours',
  },
  'update_key.token': { status: 400, code: 19782, message: '{id} is none of your tokens.', source: 'ours' },
  'update_key.quota': {
    status: 400,
    code: 19783,
    message: 'You have {limit} keys, and may not have more.',
    source: 'ours',
  },
  'update_key.unknown': { status: 404, code: 19784, message: 'You have no key {id}.', source: 'ours' },
  'tsig.name': {
    status: 400,
    code: 19710,
    message: 'The name of a key must be a domain name.',
    source: 'ours',
  },
  'tsig.secret': {
    status: 400,
    code: 19711,
    message: 'The secret must be {octets} octets or more in base64, with padding and without blanks.',
    source: 'ours',
  },
  'tsig.algorithm': {
    status: 400,
    code: 19712,
    message: 'The algorithm must be hmac-sha256, hmac-sha384, hmac-sha512 or, for old peers, hmac-sha1.',
    source: 'ours',
  },
  'tsig.taken': {
    status: 400,
    code: 19713,
    message: 'There is a key called {name} already; keys are told apart by their names alone.',
    source: 'ours',
  },
  'tsig.in_use': {
    status: 400,
    code: 19714,
    message: 'Peers sign with the key {id}: give them another first.',
    source: 'ours',
  },
  'tsig.unknown': {
    status: 404,
    code: 19715,
    message: 'There is no TSIG key {id}.',
    source: 'ours',
  },
  'acl.ip_range': {
    status: 400,
    code: 19716,
    message:
      'ip_range must be an address with a prefix length of /{ipv4} to /32 for IPv4, or of /{ipv6} to /128 for IPv6.',
    source: 'ours',
  },
  'acl.unknown': {
    status: 404,
    code: 19717,
    message: 'There is no ACL {id}.',
    source: 'ours',
  },
  'peer.ip': {
    status: 400,
    code: 19718,
    message: 'ip must be an IPv4 or IPv6 address.',
    source: 'ours',
  },
  'peer.tsig': {
    status: 400,
    code: 19719,
    message: 'There is no TSIG key {id} that the peer could sign with.',
    source: 'ours',
  },
  'peer.unknown': {
    status: 404,
    code: 19720,
    message: 'There is no peer {id}.',
    source: 'ours',
  },
  'peer.in_use': {
    status: 400,
    code: 19721,
    message: 'Zones are transferred with the peer {id}: take it out of them first.',
    source: 'ours',
  },
  'transfers.name': {
    status: 400,
    code: 19722,
    message: 'name must be that of the zone, {name}.',
    source: 'ours',
  },
  'transfers.peer': {
    status: 400,
    code: 19723,
    message: 'peers must be ids of peers of the account, each once: {problem}.',
    source: 'ours',
  },
  'outgoing.unknown': {
    status: 404,
    code: 19724,
    message: 'No transfers of this zone to other nameservers are set up.',
    source: 'ours',
  },
  'outgoing.exists': {
    status: 400,
    code: 19725,
    message: 'Transfers of {name} are set up already: change them with PUT.',
    source: 'ours',
  },
  'outgoing.disabled': {
    status: 400,
    code: 19726,
    message: 'Transfers of this zone are disabled: nobody would be told.',
    source: 'ours',
  },
  'zone.follows': {
    status: 400,
    code: 19730,
    message: 'The zone {name} follows a primary: what is in it changes there.',
    source: 'ours',
  },
  'zone.type_change': {
    status: 400,
    code: 19731,
    message: 'The type of a zone cannot change: this one is {type}.',
    source: 'ours',
  },
  'incoming.unknown': {
    status: 404,
    code: 19732,
    message: 'No primary of this zone is set up.',
    source: 'ours',
  },
  'incoming.exists': {
    status: 400,
    code: 19733,
    message: 'Primaries of {name} are set up already: change them with PUT.',
    source: 'ours',
  },
  'incoming.not_secondary': {
    status: 400,
    code: 19734,
    message: 'Only zones of type secondary follow a primary; this one is {type}.',
    source: 'ours',
  },
  'incoming.peer_address': {
    status: 400,
    code: 19735,
    message: 'The peer {id} has no ip: a primary needs one to be asked at.',
    source: 'ours',
  },
  'incoming.refresh': {
    status: 400,
    code: 19736,
    message: 'auto_refresh_seconds must be an integer from 300 to 2419200.',
    source: 'ours',
  },
  'catalog.name': {
    status: 400,
    code: 19727,
    message: 'The catalog zone cannot have this name: {problem}.',
    source: 'ours',
  },
  'catalog.unknown': {
    status: 404,
    code: 19728,
    message: 'The account has no catalog zone.',
    source: 'ours',
  },
  'transfer_object.quota': {
    status: 400,
    code: 19729,
    message: 'An account can have {limit} of them, and has as many.',
    source: 'ours',
  },
  'filter.expression': { status: 400, code: 19701, message: '{frame}', source: 'ours' },
  'filter.surrogate': {
    status: 400,
    code: 19681,
    message: 'The expression has half of a surrogate pair, which is no character and cannot be stored',
    source: 'ours',
  },
  // Clients take the identifier of the other one from `meta`.
  'filter.duplicate': {
    status: 400,
    code: 10102,
    message: 'config duplicates an already existing config',
    source: 'reported',
  },
  'filter.in_use': {
    status: 400,
    code: 19557,
    message: 'Filter {id} belongs to a firewall rule; delete that first',
    source: 'ours',
  },
  'filter.quota': {
    status: 400,
    code: 19558,
    message: 'A zone has at most {limit} filters',
    source: 'ours',
  },
  'filter.unknown': { status: 404, code: 1000, message: 'not_found', source: 'reported' },

  'firewall_rule.filter': {
    status: 400,
    code: 19559,
    message: 'filter must have the id of a filter of the zone, or an expression to make one',
    source: 'ours',
  },
  // The number is the live API's, its words are those for filters.
  'firewall_rule.filter_duplicate': {
    status: 400,
    code: 10202,
    message: 'filter: config duplicates an already existing config',
    source: 'reported',
  },
  'firewall_rule.log_plan': {
    status: 403,
    code: 19560,
    message: 'The action log is for zones of plan enterprise only; this one is {plan}',
    source: 'ours',
  },
  // The words of these two are the live API's, whose number for them is not known.
  'firewall_rule.products': {
    status: 400,
    code: 19561,
    message: "products is only valid for the 'bypass' action",
    source: 'ours',
  },
  'firewall_rule.products_missing': {
    status: 400,
    code: 19562,
    message: "products must be specified for the 'bypass' action",
    source: 'ours',
  },
  'firewall_rule.quota': {
    status: 400,
    code: 19563,
    message: 'A zone of plan {plan} has at most {limit} firewall rules',
    source: 'ours',
  },
  'firewall_rule.unknown': {
    status: 404,
    code: 19564,
    message: 'Firewall rule does not exist',
    source: 'ours',
  },

  'change.conflict': {
    status: 400,
    code: 19601,
    message: '{name} has changed since (record {id}); restore to a point in time instead',
    source: 'ours',
  },
  'change.kind': {
    status: 400,
    code: 19602,
    message: 'Change set {number} has {kind} in it, which cannot be undone on its own',
    source: 'ours',
  },
  'change.point': {
    status: 400,
    code: 19603,
    message: 'Give either number or at, of a time when the zone existed',
    source: 'ours',
  },
  'change.unknown': {
    status: 404,
    code: 19604,
    message: 'Change set {number} does not exist',
    source: 'ours',
  },

  'firewall.trace': {
    status: 400,
    code: 19540,
    message: 'The described request cannot be read: {problem}',
    source: 'ours',
  },
  // Texts of refusals of single values follow those that are reported; the numbers of most are not known.
  'ruleset.action_required': {
    status: 400,
    code: 19520,
    message: 'action is required for action parameters',
    source: 'ours',
  },
  'ruleset.excluding': {
    status: 400,
    code: 19521,
    message: '{one} and {other} exclude each other',
    source: 'ours',
  },
  'ruleset.expression': {
    status: 400,
    code: 20127,
    message:
      "'{expression}' is not a valid value for {member} because could not parse filter expression: {frame}",
    source: 'inferred',
  },
  'ruleset.expression_blank': {
    status: 400,
    code: 20125,
    message: "'' is not a valid value for expression because the expression cannot be blank",
    source: 'reported',
  },
  'ruleset.in_use': {
    status: 400,
    code: 19522,
    message: 'The ruleset is executed by rule {rule} of ruleset {ruleset}; delete that rule first',
    source: 'ours',
  },
  'ruleset.kind_taken': {
    status: 400,
    code: 20217,
    message:
      "'{kind}' is not a valid value for kind because exceeded maximum number of {kind} rulesets for phase {phase}",
    source: 'reported',
  },
  'ruleset.logging': {
    status: 400,
    code: 20018,
    message: 'logging options only allowed in the skip action',
    source: 'reported',
  },
  'ruleset.managed': {
    status: 400,
    code: 19523,
    message: 'Managed rulesets cannot be changed; execute them with overrides',
    source: 'ours',
  },
  'ruleset.no_entry_point': {
    status: 404,
    code: 10003,
    message: 'could not find entrypoint ruleset in the {phase} phase',
    source: 'reported',
  },
  'ruleset.not_entitled': { status: 400, code: 19524, message: 'not entitled: {problem}', source: 'ours' },
  'ruleset.not_offered': {
    status: 400,
    code: 19525,
    message: '{member} is not offered: {problem}',
    source: 'ours',
  },
  'ruleset.old_product': {
    status: 400,
    code: 19526,
    message:
      'The zone still has the previous managed rules: until it is migrated, rules that execute managed rulesets must be disabled',
    source: 'ours',
  },
  'ruleset.parameters_required': {
    status: 400,
    code: 20113,
    message: 'action parameters are required for the {action} action',
    source: 'reported',
  },
  'ruleset.phase': {
    status: 400,
    code: 50002,
    message: 'not entitled to use the phase {phase}',
    source: 'reported',
  },
  'ruleset.phase_two': {
    status: 400,
    code: 19680,
    message: 'phase_two says by which rules a zone is migrated: it needs waf_migration beside it',
    source: 'ours',
  },
  'ruleset.position': {
    status: 400,
    code: 19527,
    message:
      'position must have one of before and after, the id of another rule of the ruleset or an empty text, and index, a place in the list from 1',
    source: 'ours',
  },
  'ruleset.regex_quota': {
    status: 400,
    code: 19528,
    message: 'The regular expressions of the ruleset compile to {bytes} bytes together, more than {limit}',
    source: 'ours',
  },
  'ruleset.required': { status: 400, code: 19529, message: '{member} is required', source: 'ours' },
  'ruleset.rule_id': {
    status: 400,
    code: 19530,
    message: 'The ruleset has no rule {rule}; leave out the id of a new rule',
    source: 'ours',
  },
  'ruleset.rule_unknown': {
    status: 404,
    code: 19531,
    message: 'could not find rule {rule} in the ruleset',
    source: 'ours',
  },
  'ruleset.rules_quota': {
    status: 400,
    code: 50001,
    message: 'exceeded the maximum number of rules in the phase {phase}: {count} out of {limit}',
    source: 'reported',
  },
  'ruleset.rulesets_quota': {
    status: 400,
    code: 19532,
    message: 'exceeded the maximum number of custom rulesets: {count} out of {limit}',
    source: 'ours',
  },
  'ruleset.unknown': { status: 404, code: 10001, message: 'ruleset not found', source: 'reported' },
  'ruleset.unknown_member': {
    status: 400,
    code: 19533,
    message: 'invalid JSON: unknown field "{member}"',
    source: 'ours',
  },
  'ruleset.unknown_phase': {
    status: 400,
    code: 19534,
    message: "'{phase}' is not a valid value for phase",
    source: 'ours',
  },
  'ruleset.value': {
    status: 400,
    code: 19535,
    message: "'{value}' is not a valid value for {member} because {problem}",
    source: 'ours',
  },
  'ruleset.version_present': {
    status: 400,
    code: 19536,
    message: 'Version {version} is the present one and cannot be deleted',
    source: 'ours',
  },
  'ruleset.version_unknown': {
    status: 404,
    code: 19537,
    message: 'could not find version {version} of the ruleset',
    source: 'ours',
  },
  'ruleset.waf_migration': {
    status: 400,
    code: 19538,
    message: 'waf_migration is not offered here',
    source: 'ours',
  },
  'scan.busy': {
    status: 429,
    code: 19855,
    message: 'Too many scans are under way; try again in a minute.',
    source: 'ours',
  },
  'scan.record_unknown': {
    status: 400,
    code: 19856,
    message:
      'No found record waits for review with this id, or this type, name and content; GET …/scan/review lists those that do.',
    source: 'ours',
  },
  'scan.silent': {
    status: 400,
    code: 19854,
    message: 'None of the present nameservers of {zone} answers with authority for it.',
    source: 'ours',
  },
  'scan.unavailable': {
    status: 400,
    code: 19852,
    message:
      'There is no resolver to find the present nameservers with: the server needs its setting resolver, or scan-servers.',
    source: 'ours',
  },
  'scan.undelegated': {
    status: 400,
    code: 19853,
    message: '{zone} is not delegated to any nameserver that can be found now.',
    source: 'ours',
  },

  'query.name': {
    status: 400,
    code: 19850,
    message: 'name is not a name that can be asked for: {problem}.',
    source: 'ours',
  },
  'query.type': {
    status: 400,
    code: 19851,
    message: 'type "{type}" is not a record type; use a mnemonic such as AAAA, or TYPEn.',
    source: 'ours',
  },

  'zone.account': {
    status: 400,
    code: 1067,
    message: 'Invalid account identifier passed in your organization variable',
    source: 'reported',
  },
  'zone.exists': { status: 400, code: 1061, message: '{name} already exists', source: 'reported' },
  'zone.name': { status: 400, code: 1002, message: 'Invalid domain: {problem}', source: 'reported' },
  'zone.plan': {
    status: 400,
    code: 19301,
    message: 'Unknown plan; one of free, pro, business, enterprise',
    source: 'ours',
  },
  'zone.type': {
    status: 400,
    code: 1104,
    message: 'Zone type {value} is not offered here; use full or secondary',
    source: 'inferred',
  },
  // 404, where the live API's text is known with 400: tools that refresh their state take only 404 for "gone".
  'zone.unknown': { status: 404, code: 1001, message: 'Invalid zone identifier', source: 'reported' },
  'zone.vanity_name_servers': {
    status: 400,
    code: 19302,
    message: 'Vanity name servers are host names below the zone, each once: {problem}',
    source: 'ours',
  },

  // The live API's own numbers of these are not known.
  'dnssec.multi_signer': {
    status: 400,
    code: 19756,
    message:
      'With dnssec_multi_signer the algorithm cannot be exchanged: all who sign a zone sign with the same (RFC 8901 §5).',
    source: 'ours',
  },
  'dnssec.not_signed': {
    status: 400,
    code: 19750,
    message: 'The zone is not signed: there is nothing to roll over and nothing for its parent to have.',
    source: 'ours',
  },
  'dnssec.presigned': {
    status: 400,
    code: 19751,
    message: 'dnssec_presigned is not offered: zones are signed here.',
    source: 'ours',
  },
  'dnssec.rolling': {
    status: 400,
    code: 19752,
    message: 'A roll-over of the {role} is under way since {since}; it must end before the next begins.',
    source: 'ours',
  },
  'dnssec.same_algorithm': {
    status: 400,
    code: 19755,
    message: 'The zone is signed with {algorithm} already.',
    source: 'ours',
  },
  'dnssec.signed': {
    status: 400,
    code: 19753,
    message: 'The zone is signed (status {status}): its keys can be deleted once it is disabled.',
    source: 'ours',
  },
  'dnssec.unknown_tag': {
    status: 400,
    code: 19754,
    message: 'The zone has no key with the tag {tag}; those that its parent can have are {tags}.',
    source: 'ours',
  },
  'dns_settings.foundation_dns': {
    status: 400,
    code: 19801,
    message: 'foundation_dns is not offered.',
    source: 'ours',
  },
  'dns_settings.internal_dns': {
    status: 400,
    code: 19802,
    message: 'internal_dns is not offered: there are no internal zones.',
    source: 'ours',
  },
  'dns_settings.mname': {
    status: 400,
    code: 19803,
    message: 'mname "{value}" must be a host name, or null for the first name server of the zone.',
    source: 'ours',
  },
  'dns_settings.name_servers': {
    status: 400,
    code: 19804,
    message: 'nameservers.type {value} is not offered: {problem}',
    source: 'ours',
  },
  'dns_settings.ns_set': {
    status: 400,
    code: 19805,
    message: 'nameservers.ns_set {value} is not offered: there is one set, 1.',
    source: 'ours',
  },
  'dns_settings.range': {
    status: 400,
    code: 19806,
    message: '{member} must be between {minimum} and {maximum} seconds.',
    source: 'ours',
  },
  'dns_settings.retry_above_refresh': {
    status: 400,
    code: 19807,
    message: 'retry ({retry}) must not exceed refresh ({refresh}).',
    source: 'ours',
  },
  'dns_settings.expire_below_refresh': {
    status: 400,
    code: 19808,
    message: 'expire ({expire}) must not be smaller than refresh ({refresh}).',
    source: 'ours',
  },
  'dns_settings.rname': {
    status: 400,
    code: 19809,
    message: 'rname "{value}" must be a mailbox, as a name or as an e-mail address: {problem}.',
    source: 'ours',
  },
  'dns_settings.secondary_overrides': {
    status: 400,
    code: 19810,
    message: 'secondary_overrides is for secondary zones; this one is {type}.',
    source: 'ours',
  },
  'dns_settings.soa_plan': {
    status: 403,
    code: 19811,
    message: 'SOA values can be changed for zones of plan enterprise only; this one is {plan}.',
    source: 'ours',
  },
  'dns_settings.soa_account': {
    status: 403,
    code: 19812,
    message: 'SOA values can be changed for accounts of type enterprise only; this one is {type}.',
    source: 'ours',
  },
  'dns_settings.zone_mode': {
    status: 400,
    code: 19813,
    message: 'zone_mode must be standard, cdn_only or dns_only.',
    source: 'ours',
  },
  'zone_setting.unknown': {
    status: 400,
    code: 1003,
    message: 'Undefined zone setting: {setting}',
    source: 'reported',
  },
  'zone_setting.value': {
    status: 400,
    code: 1007,
    message: 'Invalid value for zone setting {setting}',
    source: 'reported',
  },

  // The live API's own numbers of these are not known.
  'page_shield.authorization_unknown': {
    status: 404,
    code: 19610,
    message: 'The script has no authorisation',
    source: 'ours',
  },
  'page_shield.connection_unknown': {
    status: 404,
    code: 19611,
    message: 'Connection not found',
    source: 'ours',
  },
  'page_shield.cookie_unknown': {
    status: 404,
    code: 19612,
    message: 'Cookie not found',
    source: 'ours',
  },
  'page_shield.disabled': {
    status: 400,
    code: 19613,
    message: 'Monitoring is off for this zone: nothing is stored. PUT enabled true first',
    source: 'ours',
  },
  'page_shield.endpoint_twice': {
    status: 400,
    code: 19614,
    message:
      'use_service_reporting_endpoint and use_cloudflare_reporting_endpoint are one setting, and were sent with two values: send one of them',
    source: 'ours',
  },
  'page_shield.escape': {
    status: 400,
    code: 19663,
    message: '{name}: "{text}" has a percent sign that encodes no character. Write %25 for the sign itself',
    source: 'ours',
  },
  'page_shield.expires_at': {
    status: 400,
    code: 19615,
    message: 'expires_at must lie in the future',
    source: 'ours',
  },
  'page_shield.not_entitled': {
    status: 403,
    code: 19616,
    message: 'not entitled: {what} is not part of plan {plan}',
    source: 'ours',
  },
  'page_shield.observed_at': {
    status: 400,
    code: 19617,
    message: 'observed_at must lie within the last day',
    source: 'ours',
  },
  'page_shield.page': {
    status: 400,
    code: 19618,
    message: 'page must be a number from 1, or all',
    source: 'ours',
  },
  'page_shield.page_url': {
    status: 400,
    code: 19619,
    message: 'page_url must be an http or https URL on a host of {zone}',
    source: 'ours',
  },
  'page_shield.retention_order': {
    status: 400,
    code: 19620,
    message: 'forget_after_days ({forget}) must be more than inactive_after_days ({inactive})',
    source: 'ours',
  },
  'page_shield.sampling_rate': {
    status: 400,
    code: 19664,
    message: 'one_in must say how many documents there are to each that has the header: mode is fixed',
    source: 'ours',
  },
  'page_shield.sampling_rate_unused': {
    status: 400,
    code: 19665,
    message: 'one_in must be left out: adaptive sampling finds it by itself. Send mode fixed with it',
    source: 'ours',
  },
  'page_shield.script_unknown': {
    status: 404,
    code: 19621,
    message: 'Script not found',
    source: 'ours',
  },
  'page_shield.status': {
    status: 400,
    code: 19622,
    message: 'status must be any of active, infrequent and inactive, separated by commas',
    source: 'ours',
  },
  'page_shield.switch': {
    status: 400,
    code: 19623,
    message: 'A switch is true or false',
    source: 'ours',
  },
  'page_shield.url': {
    status: 400,
    code: 19624,
    message: '"{url}" is not a URL',
    source: 'ours',
  },
  'page_shield.wildcard': {
    status: 400,
    code: 19662,
    message: '{name}: "{text}" has a * where none can stand: {places}. Write %2A for the sign itself',
    source: 'ours',
  },
  'zone_file.empty': {
    status: 400,
    code: 19824,
    message: 'The file has no records, and the zone would have none; say force=true if that is meant.',
    source: 'ours',
  },
  'zone_file.encoding': {
    status: 400,
    code: 19822,
    message: 'Line {line} of the file is not UTF-8.',
    source: 'ours',
  },
  'zone_file.line': {
    status: 400,
    code: 19823,
    message: 'The file cannot be read: {problem}.',
    source: 'ours',
  },
  'zone_file.records': {
    status: 400,
    code: 19826,
    message: 'The file has more than {limit} records.',
    source: 'ours',
  },
  'zone_file.unsafe': {
    status: 400,
    code: 19825,
    message:
      'The file would change or remove {touched} of {records} records, more than 30 %; say force=true if that is meant.',
    source: 'ours',
  },
  'waf.plan': {
    status: 403,
    code: 19551,
    message: 'The previous managed rules are for zones of paid plans; this one is {plan}',
    source: 'ours',
  },
  // The published schema says 410 of overrides. All of the previous managed rules go together here.
  'waf.retired': {
    status: 410,
    code: 19550,
    message: 'This endpoint is no longer available for this zone. Use the Rulesets API.',
    source: 'ours',
  },
  'waf_group.already_off': {
    status: 400,
    code: 1020,
    message: 'WAF Group is already off',
    source: 'reported',
  },
  'waf_group.already_on': {
    status: 400,
    code: 1019,
    message: 'WAF Group is already on',
    source: 'reported',
  },
  // Numbers of what is not found are known from clients that look for them, their words are not.
  'waf_group.unknown': { status: 404, code: 1003, message: 'WAF group does not exist', source: 'reported' },
  'waf_migration.validation_plan': {
    status: 403,
    code: 19580,
    message:
      'Both versions of the managed rules at once (waf_migration=validation) are for zones of plan enterprise; this one is {plan}. Use waf_migration=pending',
    source: 'ours',
  },
  'waf_migration.not_validating': {
    status: 400,
    code: 19581,
    message: 'The zone does not have both versions of the managed rules: its state is {state}',
    source: 'ours',
  },
  'waf_migration.done': {
    status: 400,
    code: 19582,
    message: 'The zone has already been migrated; change its rules with the Rulesets API',
    source: 'ours',
  },
  'waf_migration.overrides': {
    status: 400,
    code: 19583,
    message: 'The zone has WAF overrides for some URLs, which cannot be migrated: delete {ids}',
    source: 'ours',
  },
  'waf_migration.phase_one_owasp': {
    status: 400,
    code: 19584,
    message: 'In the first phase the OWASP package must be off; ask with phase_two=1',
    source: 'ours',
  },
  'waf_migration.phase_one_firewall_rules': {
    status: 400,
    code: 19585,
    message:
      'In the first phase no firewall rule may let requests past the managed rules; delete {ids}, or ask with phase_two=1',
    source: 'ours',
  },
  'waf_migration.phase_one_page_rules': {
    status: 400,
    code: 19586,
    message:
      'In the first phase no page rule may switch the managed rules on or off; delete {ids}, or ask with phase_two=1',
    source: 'ours',
  },
  'waf_migration.rule_quota': {
    status: 400,
    code: 19587,
    message:
      '{count} firewall rules let requests past the managed rules; at most {limit} can be migrated: put their filters together with "or", or delete some',
    source: 'ours',
  },
  'waf_migration.expression_length': {
    status: 400,
    code: 19588,
    message:
      'The exception for "{description}" would be longer than 4096 bytes: the page rules before it are too many or too long; delete or shorten some',
    source: 'ours',
  },
  'waf_migration.not_enabled': {
    status: 400,
    code: 19589,
    message: 'No enabled rule executes a managed ruleset: the zone would be left without managed rules',
    source: 'ours',
  },
  'waf_migration.deployed': {
    status: 400,
    code: 19590,
    message: 'The new managed rules are deployed already: the state of the zone is {state}',
    source: 'ours',
  },
  'waf_migration.no_snapshot': {
    status: 404,
    code: 19591,
    message: 'There is no snapshot: the zone has not been migrated',
    source: 'ours',
  },
  'waf_override.empty': {
    status: 400,
    code: 19552,
    message: 'groups or rules must name at least one that is overridden',
    source: 'ours',
  },
  'waf_override.key': {
    status: 400,
    code: 19553,
    message: '"{id}" is no identifier of a group (32 hexadecimal digits) or of a rule (letters and digits)',
    source: 'ours',
  },
  'waf_override.quota': {
    status: 400,
    code: 19554,
    message: 'A zone has at most {limit} overrides',
    source: 'ours',
  },
  'waf_override.unknown': {
    status: 404,
    code: 19555,
    message: 'WAF override does not exist',
    source: 'ours',
  },
  'waf_package.traditional': {
    status: 400,
    code: 1027,
    message: 'Only anomaly WAF packages can have their package attributes updated',
    source: 'reported',
  },
  'waf_package.unknown': {
    status: 404,
    code: 1002,
    message: 'WAF package does not exist',
    source: 'reported',
  },
  'waf_rule.already_disabled': {
    status: 400,
    code: 1009,
    message: 'WAF Rule is already disabled',
    source: 'reported',
  },
  'waf_rule.already_enabled': {
    status: 400,
    code: 1008,
    message: 'WAF Rule is already enabled',
    source: 'reported',
  },
  'waf_rule.mode': {
    status: 400,
    code: 19556,
    message: 'The mode of rule {id} must be one of {modes}',
    source: 'ours',
  },
  'waf_rule.unknown': { status: 404, code: 1004, message: 'WAF rule does not exist', source: 'reported' },

  // What is wrong stands in the messages, which is where clients of the live API look.
  'page_rule.invalid': {
    status: 400,
    code: 1004,
    message: 'Page Rule validation failed: See messages for details.',
    source: 'reported',
  },
  // 404, as with zones: tools that refresh their state take only that for "gone".
  'page_rule.unknown': {
    status: 404,
    code: 1002,
    message: 'Invalid Page Rule identifier',
    source: 'reported',
  },

  'record.a_content': {
    status: 400,
    code: 9005,
    message: 'Content for A record must be a valid IPv4 address.',
    source: 'reported',
  },
  'record.aaaa_content': {
    status: 400,
    code: 9006,
    message: 'Content for AAAA record must be a valid IPv6 address.',
    source: 'inferred',
  },
  'record.batch_id': { status: 400, code: 19406, message: 'id is required.', source: 'ours' },
  'record.batch_size': {
    status: 400,
    code: 19407,
    message: 'A batch has at most {limit} operations, not {count}.',
    source: 'ours',
  },
  'record.cname_exists': {
    status: 400,
    code: 81054,
    message: `A CNAME record with that host already exists. ${SAME_NAME_HELP}`,
    source: 'reported',
  },
  'record.cname_exclusive': {
    status: 400,
    code: 81053,
    message: `An A, AAAA, or CNAME record with that host already exists. ${SAME_NAME_HELP}`,
    source: 'reported',
  },
  'record.cname_self': {
    status: 400,
    code: 9039,
    message: 'CNAME content cannot reference itself.',
    source: 'reported',
  },
  'record.comment': {
    status: 400,
    code: 19401,
    message: 'A comment has at most {limit} characters, on one line, and no control characters.',
    source: 'ours',
  },
  'record.content': {
    status: 400,
    code: 9007,
    message: 'Content for {type} record is invalid.',
    source: 'reported',
  },
  'record.content_missing': {
    status: 400,
    code: 9007,
    message: 'Content for {type} record is missing.',
    source: 'inferred',
  },
  'record.data_field': { status: 400, code: 9101, message: '{fault}.', source: 'inferred' },
  'record.data_required': {
    status: 400,
    code: 9101,
    message: '{field} is a required data field.',
    source: 'reported',
  },
  'record.ds_without_ns': {
    status: 400,
    code: 19410,
    message: 'DS record requires an NS record with the same name.',
    source: 'ours',
  },
  'record.families': {
    status: 400,
    code: 19421,
    message: 'ipv4_only and ipv6_only exclude each other.',
    source: 'ours',
  },
  'record.identical': {
    status: 400,
    code: 81058,
    message: 'An identical record already exists.',
    source: 'recorded',
  },
  'record.mx_content': {
    status: 400,
    code: 9009,
    message: 'Content for MX record must be a hostname.',
    source: 'inferred',
  },
  'record.name': { status: 400, code: 9000, message: 'DNS name is invalid.', source: 'reported' },
  'record.ns_exclusive': {
    status: 400,
    code: 81056,
    message: 'NS records with that host already exist.',
    source: 'reported',
  },
  'record.option_unsupported': {
    status: 400,
    code: 19402,
    message: '{option} is not supported.',
    source: 'ours',
  },
  'record.priority_required': {
    status: 400,
    code: 9101,
    message: 'priority is a required field.',
    source: 'reported',
  },
  'record.proxied_target': {
    status: 400,
    code: 9003,
    message: 'Target {target} is not allowed for a proxied record.',
    source: 'reported',
  },
  'record.proxied_type': {
    status: 400,
    code: 9004,
    message: 'This record type cannot be proxied.',
    source: 'reported',
  },
  'record.service_address': {
    status: 400,
    code: 19420,
    message: "{target} is one of the service's own addresses, which no record may point to.",
    source: 'ours',
  },
  'record.settings': {
    status: 400,
    code: 19403,
    message: '{option} does not apply to this record.',
    source: 'ours',
  },
  'record.tag': {
    status: 400,
    code: 19404,
    message:
      'Tag {tag} is invalid: a name of at most 32 letters, digits, hyphens and underscores, not beginning with cf-, then optionally a colon and at most 100 characters without control characters.',
    source: 'ours',
  },
  'record.tags_quota': {
    status: 400,
    code: 9300,
    message: 'DNS record has {count} tags, exceeding the quota of {limit}.',
    source: 'reported',
  },
  'record.too_long': {
    status: 400,
    code: 9015,
    message: 'Record content exceeds the allowed length of 4096 wire format bytes.',
    source: 'reported',
  },
  'record.ttl': {
    status: 400,
    code: 9021,
    message: 'TTL must be between {minimum} and 86400 seconds, or 1 for Automatic.',
    source: 'reported',
  },
  // Said before the zone's plan, and with it the lower bound, is known.
  'record.ttl_kind': {
    status: 400,
    code: 9021,
    message: 'TTL must be a whole number of seconds, or 1 for Automatic.',
    source: 'inferred',
  },
  'record.txt_combined': {
    status: 400,
    code: 83011,
    message: 'Combined content length of records with this name and type exceeds the limit.',
    source: 'reported',
  },
  'record.type': {
    status: 400,
    code: 9002,
    message: 'DNS record type "{type}" is invalid.',
    source: 'reported',
  },
  'record.type_change': {
    status: 400,
    code: 19405,
    message: 'Record type cannot be changed. Delete the record and create a new one, or use a batch.',
    source: 'ours',
  },
  'record.unknown': { status: 404, code: 81044, message: 'Record does not exist.', source: 'reported' },
} as const satisfies Record<Reason, WireError>

interface WireNotice {
  readonly code: number
  readonly message: string
  /** Members that go with the message, as the live API sends them. */
  readonly extra?: Readonly<Record<string, null>>
}

/** What `messages` can say beside a result. */
export const WIRE_NOTICES = {
  'auth.missing_permission': { code: 19001, message: 'Missing permission: {groups} on {resource}.' },
  dry_run: { code: 19030, message: 'Dry run: nothing was changed.' },
  'page_rule.outside_zone': {
    code: 19570,
    message: 'The page rule has no effect: no URL of {zone} matches {pattern}.',
  },
  'page_rule.problem': { code: 1, message: '{member}: {problem}', extra: { type: null } },
  'page_rule.same_target': {
    code: 1,
    message:
      '.distinctTargetUrl: Your zone already has an existing page rule with that URL. If you are modifying only page rule settings use the Edit Page Rule option instead',
    extra: { type: null },
  },
  'page_shield_policy.value': { code: 19649, message: 'value, at character {place}: {text}: {problem}.' },
  'record.apex_ns': {
    code: 19014,
    message:
      'NS records of your own at the apex are answered only with multi_provider, a DNS setting of the zone, which is off.',
  },
  'record.cname_beside_others': {
    code: 19011,
    message:
      'Other records stand beside the CNAME {name}: their types are answered as stored, all others with the CNAME.',
  },
  'record.email_dkim': { code: 19021, message: 'DKIM, {name}: {problem}.' },
  'record.email_dmarc': { code: 19022, message: 'DMARC, {name}: {problem}.' },
  'record.email_spf': { code: 19020, message: 'SPF, {name}: {problem}.' },
  'record.no_edge_addresses': {
    code: 19012,
    message: 'No edge addresses are configured: {name} is answered with its origin.',
  },
  'record.target_unresolved': {
    code: 19040,
    message: 'The target {target} of the proxied record {name} does not lead to an A or AAAA record now.',
  },
  'scan.incomplete': {
    code: 19860,
    message: 'The scan did not get an answer to every question: there may be more records.',
  },
  'scan.running': { code: 19861, message: 'A scan is under way: more records may be found.' },
  'scan.silent': {
    code: 19862,
    message: 'The last scan found nothing: no present nameserver answered with authority for the zone.',
  },
  'scan.undelegated': {
    code: 19863,
    message: 'The last scan found nothing: the zone is not delegated to any nameserver that could be found.',
  },
  'scan.unusable': { code: 19864, message: 'Found, but not possible here: {record}.' },
  'scan.varying_wildcard': {
    code: 19865,
    message:
      'A wildcard at the present nameservers answers each name with something else: names below it cannot be told from it, and are not listed.',
  },
  'token.verified': { code: 10000, message: 'This API Token is valid and active', extra: { type: null } },
  'waf_migration.overrides': {
    code: 19583,
    message: 'The zone has WAF overrides for some URLs, which cannot be migrated: delete {ids}.',
  },
  'waf_migration.phase_one_owasp': {
    code: 19584,
    message: 'In the first phase the OWASP package must be off; ask with phase_two=1.',
  },
  'waf_migration.phase_one_firewall_rules': {
    code: 19585,
    message:
      'In the first phase no firewall rule may let requests past the managed rules; delete {ids}, or ask with phase_two=1.',
  },
  'waf_migration.phase_one_page_rules': {
    code: 19586,
    message:
      'In the first phase no page rule may switch the managed rules on or off; delete {ids}, or ask with phase_two=1.',
  },
  'waf_migration.rule_quota': {
    code: 19587,
    message:
      '{count} firewall rules let requests past the managed rules; at most {limit} can be migrated: put their filters together with "or", or delete some.',
  },
  'waf_migration.expression_length': {
    code: 19588,
    message:
      'The exception for "{description}" would be longer than 4096 bytes: the page rules before it are too many or too long; delete or shorten some.',
  },
  'waf_migration.allow_rules': {
    code: 19592,
    message: 'Rules that let requests pass have no counterpart and are left out: {ids}.',
  },
  'waf_migration.done': { code: 19582, message: 'The zone has already been migrated.' },
  'waf_migration.no_previous': {
    code: 19593,
    message: 'The zone never had the previous managed rules: plan {plan} has the new ones alone.',
  },
  'waf_migration.owasp': {
    code: 19594,
    message: 'Settings of single OWASP groups and rules are not migrated: {ids}.',
  },
  'firewall.uncounted': {
    code: 19597,
    message: 'Requests are not counted here, so that rate limits do not act: {ids} matched.',
  },
  'firewall_rule.waf_retired': {
    code: 19595,
    message: 'The zone has migrated: firewall rules do not let requests past the new managed rules.',
  },
  'page_rule.waf_retired': {
    code: 19596,
    message: 'The zone has migrated: page rules do not switch the new managed rules on or off.',
  },
  'waf_override.not_in_catalogue': {
    code: 19571,
    message: '{id} is in no package here: overriding it has no effect.',
  },
  'zone.no_address': { code: 19013, message: 'The zone has no A or AAAA record; at least one is required.' },
  'zone_file.more_notices': { code: 19042, message: 'There are {count} more messages like these.' },
  'zone_file.more_refused': { code: 19041, message: '{count} more records of the file were not added.' },
} as const satisfies Record<NoticeReason, WireNotice>

/** Fills `{placeholders}`; one without a value stays as it is, so that a mistake shows. */
export function fill(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
