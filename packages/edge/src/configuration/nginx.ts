// nginx: a file for the http block, with one server. docs/edge.md explains its parts.
import { REPORTING_PATHS } from '@zonereeve/csp'
import type { ProxyConfigurationOptions } from './proxy-configuration.ts'

/** Headers of pages: the variable, the header, and the header of the edge's reply. */
const PAGE_HEADERS = [
  ['csp', 'Content-Security-Policy', 'content_security_policy'],
  ['csp_report_only', 'Content-Security-Policy-Report-Only', 'content_security_policy_report_only'],
  ['endpoints', 'Reporting-Endpoints', 'reporting_endpoints'],
] as const

export function writeNginx({
  zone,
  listen,
  origin,
  decisions,
  reports,
  undecided,
}: ProxyConfigurationOptions): string {
  const lines = (all: readonly string[]): string => all.join('\n')
  const maps = PAGE_HEADERS.map(
    ([name]) =>
      `map $sent_http_content_type $zonereeve_${name} {\n    ~^text/html $zonereeve_page_${name};\n}`,
  )
  const isOpen = undecided === 'open'
  return `# Written by zonereeve edge config for ${zone}: changes are lost.
${lines(maps)}
map $http_upgrade $zonereeve_connection {
    default upgrade;
    '' '';
}
server {
    listen ${listen};
    server_name ${zone} *.${zone};
    client_max_body_size 0;
    location = /.zonereeve {
        internal;
        proxy_pass http://${decisions}/auth/nginx;
        proxy_pass_request_body off;
        proxy_set_header Content-Length "";
        proxy_set_header X-Original-Method $request_method;
        proxy_set_header X-Original-Uri $request_uri;
        proxy_set_header X-Original-Host $http_host;
        proxy_set_header X-Original-Scheme $scheme;
        proxy_set_header X-Original-Client $remote_addr;
        proxy_set_header X-Original-Content-Length $content_length;
        proxy_connect_timeout 100ms;
        proxy_read_timeout 500ms;${isOpen ? '\n        error_page 502 504 =204 /.zonereeve-open;' : ''}
    }${isOpen ? '\n    location = /.zonereeve-open {\n        internal;\n        return 204;\n    }' : ''}
    location @zonereeve_stopped {
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
${lines(PAGE_HEADERS.map(([name, , sent]) => `        auth_request_set $zonereeve_page_${name} $upstream_http_x_edge_${sent};`))}
        add_header X-Ray-Id $zonereeve_ray always;
${lines(PAGE_HEADERS.map(([name, header]) => `        add_header ${header} $zonereeve_${name} always;`))}
        error_page 403 = @zonereeve_stopped;
        proxy_pass http://${origin};
        proxy_http_version 1.1;
        proxy_set_header Host $http_host;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection $zonereeve_connection;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_set_header X-Ray-Id $zonereeve_ray;
        proxy_buffering off;
        proxy_request_buffering off;
        proxy_read_timeout 1h;
    }
${reports === undefined ? '' : lines(REPORTING_PATHS.map((path) => reportLocation(path, reports)))}}
`
}

const reportLocation = (path: string, reports: string): string => `    location = ${path} {
        client_max_body_size 64k;
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_pass http://${reports};
    }
`
