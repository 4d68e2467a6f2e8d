// nginx: a file for the http block, with one server. docs/edge.md explains its parts.
import { createHash } from 'node:crypto'
import { REPORTING_PATHS } from '@zonereeve/csp'
import type { ChangedRequestHeader } from './changed-headers.ts'
import type { ProxyConfigurationOptions } from './proxy-configuration.ts'

/** Headers of pages: the variable, the header, and the header of the edge's reply. */
const PAGE_HEADERS = [
  ['csp', 'Content-Security-Policy', 'content_security_policy'],
  ['csp_report_only', 'Content-Security-Policy-Report-Only', 'content_security_policy_report_only'],
  ['endpoints', 'Reporting-Endpoints', 'reporting_endpoints'],
] as const

const TAG_LENGTH = 8

export function writeNginx({
  zone,
  headers,
  listen,
  origin,
  decisions,
  reports,
  undecided,
}: ProxyConfigurationOptions): string {
  const lines = (all: readonly string[]): string => all.join('\n')
  const maps = PAGE_HEADERS.map(
    ([name]) =>
      `map $upstream_http_content_type $zonereeve_${name} {\n    ~^text/html $zonereeve_page_${name};\n}`,
  )
  // Several zones can be in one http block.
  const tag = createHash('sha256').update(zone).digest('hex').slice(0, TAG_LENGTH)
  const request = headers.request.map((header, index) => requestHeader(header, `${index}_${tag}`))
  const response = headers.response.map((header, index) => responseHeader(header, `${index}_${tag}`))
  const isOpen = undecided === 'open'
  return `# Written by zonereeve edge config for ${zone}: changes are lost.
upstream zonereeve_origin_${tag} {
    server ${origin};
}
# A decision needs no new connection.
upstream zonereeve_edge_${tag} {
    server ${decisions};
    keepalive 64;
}
${lines(maps)}
map $zonereeve_target $zonereeve_origin_target {
    '' $request_uri;
    default $zonereeve_target;
}
${[...request, ...response].map(({ map }) => map).join('')}map $http_upgrade $zonereeve_connection {
    default upgrade;
    '' '';
}
server {
    listen ${listen};
    server_name ${zone} *.${zone};
    client_max_body_size 0;
${decisionLocation(`zonereeve_edge_${tag}`, isOpen)}    location @zonereeve_stopped {
        internal;
        default_type text/plain;
        add_header X-Ray-Id $zonereeve_ray always;
        add_header Cache-Control no-store always;
        if ($zonereeve_location != "") {
            return 302 $zonereeve_location;
        }
        return 403 "Access denied. Number: $zonereeve_ray\\n";
    }
    location / {
        auth_request /.zonereeve;
        auth_request_set $zonereeve_ray $upstream_http_x_ray_id;
        auth_request_set $zonereeve_location $upstream_http_x_edge_location;
        auth_request_set $zonereeve_target $upstream_http_x_edge_target;
        auth_request_set $zonereeve_removed $upstream_http_x_envoy_auth_headers_to_remove;
        auth_request_set $zonereeve_replaced $upstream_http_x_edge_replaced;
${[...request, ...response].map(({ set }) => set).join('')}${lines(PAGE_HEADERS.map(([name, , sent]) => `        auth_request_set $zonereeve_page_${name} $upstream_http_x_edge_${sent};`))}
        add_header X-Ray-Id $zonereeve_ray always;
${lines(PAGE_HEADERS.map(([name, header]) => `        add_header ${header} $zonereeve_${name} always;`))}
${response.map(({ use }) => use).join('')}        error_page 403 = @zonereeve_stopped;
        proxy_pass http://zonereeve_origin_${tag}$zonereeve_origin_target;
        proxy_http_version 1.1;
        proxy_set_header Host $http_host;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection $zonereeve_connection;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_set_header X-Ray-Id $zonereeve_ray;
${request.map(({ use }) => use).join('')}        proxy_buffering off;
        proxy_request_buffering off;
        proxy_read_timeout 1h;
    }
${reports === undefined ? '' : lines(REPORTING_PATHS.map((path) => reportLocation(path, reports)))}}
`
}

const decisionLocation = (upstream: string, isOpen: boolean): string => `    location = /.zonereeve {
        internal;
        proxy_pass http://${upstream}/auth/nginx;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_pass_request_body off;
        proxy_set_header Content-Length "";
        proxy_set_header X-Original-Method $request_method;
        proxy_set_header X-Original-Uri $request_uri;
        proxy_set_header X-Original-Host $http_host;
        proxy_set_header X-Original-Scheme $scheme;
        proxy_set_header X-Original-Client $remote_addr;
        proxy_set_header X-Original-Content-Length $content_length;
        proxy_connect_timeout 100ms;
        proxy_read_timeout 500ms;
        # The reply holds the new path and query, and headers as long as the client's.
        proxy_buffer_size 64k;
        proxy_buffers 4 64k;
        proxy_busy_buffers_size 64k;${isOpen ? '\n        error_page 502 504 =204 /.zonereeve-open;' : ''}
    }${isOpen ? '\n    location = /.zonereeve-open {\n        internal;\n        return 204;\n    }' : ''}
`

/** Lines of the http block, and those of the location: before and for the request to the origin. */
interface HeaderLines {
  readonly map: string
  readonly set: string
  readonly use: string
}

const variableOf = (name: string): string => name.replaceAll('-', '_')

/** What rules make of it; or what the client has sent, unless rules remove it, or it is managed. */
function requestHeader({ name, isManaged }: ChangedRequestHeader, id: string): HeaderLines {
  const [changed, own, final] = ['changed', 'own', 'final'].map((part) => `$zonereeve_request_${part}_${id}`)
  if (isManaged)
    return {
      map: '',
      set: `        auth_request_set ${changed} $upstream_http_${variableOf(name)};\n`,
      use: `        proxy_set_header ${name} ${changed};\n`,
    }
  return {
    map: `map ",$zonereeve_removed," ${own} {
    default $http_${variableOf(name)};
    "~,${name}," '';
}
map ${changed} ${final} {
    '' ${own};
    default ${changed};
}
`,
    set: `        auth_request_set ${changed} $upstream_http_${variableOf(name)};\n`,
    use: `        proxy_set_header ${name} ${final};\n`,
  }
}

/** The same for a header of the response. Lines that rules only add need no look at those of the origin. */
function responseHeader(
  { name, isReplaced, isAdded }: ProxyConfigurationOptions['headers']['response'][number],
  id: string,
): HeaderLines {
  const [changed, final, added] = ['changed', 'final', 'added'].map(
    (part) => `$zonereeve_response_${part}_${id}`,
  )
  const [map, set, use]: [string[], string[], string[]] = [[], [], []]
  // Those of pages already have what rules make of them.
  const isOfPages = PAGE_HEADERS.some(([, header]) => header.toLowerCase() === name)
  if (isReplaced) {
    const type = isOfPages ? '$upstream_http_content_type' : ''
    map.push(`map "${type},$zonereeve_replaced," ${final} {
    default $upstream_http_${variableOf(name)};
${isOfPages ? `    "~^text/html.*,${name}," '';\n` : ''}    "~,${name}," ${changed};
}
`)
    set.push(`        auth_request_set ${changed} $upstream_http_x_edge_response_${variableOf(name)};\n`)
    use.push(`        proxy_hide_header ${name};\n        add_header ${name} ${final} always;\n`)
  }
  if (isAdded) {
    set.push(`        auth_request_set ${added} $upstream_http_x_edge_added_${variableOf(name)};\n`)
    if (isOfPages) map.push(addedElsewhere(String(added)))
    use.push(`        add_header ${name} ${added}${isOfPages ? '_elsewhere' : ''} always;\n`)
  }
  return { map: map.join(''), set: set.join(''), use: use.join('') }
}

const addedElsewhere = (added: string): string => `map $upstream_http_content_type ${added}_elsewhere {
    default ${added};
    ~^text/html '';
}
`

const reportLocation = (path: string, reports: string): string => `    location = ${path} {
        client_max_body_size 64k;
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_pass http://${reports};
    }
`
