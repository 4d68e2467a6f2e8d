// Ruleset bodies by phase that must be returned as they were sent.
import type { PhaseParam } from 'cloudflare/resources/rulesets/rulesets'

/** A rule as clients send it. */
interface SentRule {
  readonly action: string
  readonly expression: string
  readonly [member: string]: unknown
}

/** Bodies as configurations of well-known tools have them; every action occurs in one of them. */
export const ROUND_TRIPS: readonly (readonly [PhaseParam, readonly SentRule[]])[] = [
  [
    'http_request_firewall_custom',
    [
      {
        ref: 'block_paths',
        description: 'Block',
        expression:
          '(http.request.uri.path in {"/wp-login.php" "/xmlrpc.php"} and not ip.src in {192.0.2.0/24})',
        action: 'block',
        action_parameters: {
          response: { status_code: 403, content: '{"error":"no"}', content_type: 'application/json' },
        },
        enabled: true,
      },
      { expression: 'not ssl', action: 'managed_challenge', enabled: false, description: '' },
      {
        expression: 'ip.src eq 192.0.2.1',
        action: 'skip',
        action_parameters: {
          ruleset: 'current',
          phases: ['http_request_firewall_managed'],
          products: ['waf', 'rateLimit'],
        },
        logging: { enabled: true },
      },
    ],
  ],
  [
    'http_ratelimit',
    [
      {
        expression: 'http.request.uri.path eq "/login"',
        action: 'block',
        ratelimit: {
          characteristics: ['cf.colo.id', 'ip.src'],
          period: 60,
          requests_per_period: 100,
          mitigation_timeout: 600,
          requests_to_origin: false,
        },
      },
    ],
  ],
  [
    'http_request_dynamic_redirect',
    [
      {
        expression: 'http.host eq "old.example.com"',
        action: 'redirect',
        action_parameters: {
          from_value: {
            status_code: 301,
            target_url: { expression: 'concat("https://example.com", http.request.uri.path)' },
            preserve_query_string: true,
          },
        },
      },
    ],
  ],
  [
    'http_request_transform',
    [
      {
        expression: 'true',
        action: 'rewrite',
        action_parameters: { uri: { path: { value: '/new' }, query: { value: '' } } },
      },
    ],
  ],
  [
    'http_request_late_transform',
    [
      {
        expression: 'true',
        action: 'rewrite',
        action_parameters: {
          headers: {
            'x-client': { operation: 'set', expression: 'http.host' },
            'x-drop': { operation: 'remove' },
          },
        },
      },
    ],
  ],
  [
    'http_config_settings',
    [{ expression: 'true', action: 'set_config', action_parameters: { bic: false, security_level: 'high' } }],
  ],
  [
    'http_request_origin',
    [
      {
        expression: 'true',
        action: 'route',
        action_parameters: { host_header: 'a.example', origin: { port: 8443 } },
      },
    ],
  ],
  [
    'http_request_cache_settings',
    [
      {
        expression: 'http.request.uri.path wildcard "/static/*"',
        action: 'set_cache_settings',
        action_parameters: {
          cache: true,
          edge_ttl: { mode: 'override_origin', default: 3600 },
          cache_key: { custom_key: { query_string: { exclude: { all: true } } } },
        },
      },
    ],
  ],
  [
    'http_response_compression',
    [
      {
        expression: 'true',
        action: 'compress_response',
        action_parameters: { algorithms: [{ name: 'zstd' }, { name: 'gzip' }] },
      },
    ],
  ],
  [
    'http_custom_errors',
    [
      {
        expression: 'http.response.code ge 500',
        action: 'serve_error',
        action_parameters: { content: 'sorry', content_type: 'text/plain', status_code: 530 },
      },
    ],
  ],
  [
    'ddos_l7',
    [
      { expression: 'http.host eq "a.example"', action: 'force_connection_close' },
      { expression: 'http.host eq "b.example"', action: 'ddos_dynamic' },
    ],
  ],
  [
    'http_request_firewall_managed',
    [
      { expression: 'ssl', action: 'log' },
      { expression: 'ssl', action: 'challenge' },
      { expression: 'ssl', action: 'js_challenge' },
      { expression: 'ssl', action: 'score', action_parameters: { increment: 5 } },
    ],
  ],
  [
    'http_log_custom_fields',
    [
      {
        expression: 'true',
        action: 'log_custom_field',
        action_parameters: {
          request_fields: [{ name: 'user-agent' }],
          response_fields: [{ name: 'set-cookie', preserve_duplicates: true }],
          cookie_fields: [{ name: 'theme' }],
        },
      },
    ],
  ],
  [
    'http_response_cache_settings',
    [
      {
        expression: 'true',
        action: 'set_cache_control',
        action_parameters: {
          'max-age': { operation: 'set', value: 60 },
          'no-store': { operation: 'remove' },
        },
      },
      {
        expression: 'true',
        action: 'set_cache_tags',
        action_parameters: { operation: 'set', values: ['shop', 'news'] },
      },
    ],
  ],
  [
    'http_response_headers_transform',
    [{ expression: 'true', action: 'transform_response_html', action_parameters: { link_maze: {} } }],
  ],
]
