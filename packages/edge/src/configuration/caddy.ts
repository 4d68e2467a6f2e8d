// Caddy: a Caddyfile with one site. docs/edge.md explains its parts.
import { REPORTING_PATHS } from '@zonereeve/csp'
import type { ProxyConfigurationOptions } from './proxy-configuration.ts'

/** @throws Error for `open`: Caddy cannot forward a request that it could not ask about. */
export function writeCaddy({
  zone,
  listen,
  origin,
  decisions,
  reports,
  undecided,
}: ProxyConfigurationOptions): string {
  if (undecided === 'open')
    throw new Error('--undecided open: Caddy refuses requests while the edge is away; use closed')
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(listen) ?? []
  const reporting = `    @reports {
        method POST
        path ${REPORTING_PATHS.join(' ')}
    }
    handle @reports {
        reverse_proxy ${reports}
    }
`
  return `# Written by zonereeve edge config for ${zone}: changes are lost.
http://${zone}:${port}, http://*.${zone}:${port} {
    bind ${host.replace(/[[\]]/g, '')}
${reports === undefined ? '' : reporting}    handle {
        forward_auth ${decisions} {
            uri /auth/forwarded
            copy_headers X-Ray-Id
        }
        reverse_proxy ${origin} {
            flush_interval -1
        }
    }
}
`
}
