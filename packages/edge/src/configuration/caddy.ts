// Caddy: a Caddyfile with one site. docs/edge.md explains its parts.
import { REPORTING_PATHS } from '@zonereeve/csp'
import type { ChangedHeaders } from './changed-headers.ts'
import type { ProxyConfigurationOptions } from './proxy-configuration.ts'

/** @throws Error for `open`: Caddy cannot forward a request that it could not ask about. */
export function writeCaddy({
  zone,
  headers,
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
        reverse_proxy ${decisions.replace(/^unix:/, 'unix/')} {
            method GET
            rewrite /auth/forwarded
            header_up X-Forwarded-Method {method}
            header_up X-Forwarded-Uri {uri}
            transport http {
                dial_timeout 500ms
                response_header_timeout 500ms
            }
            @passed status 2xx
            handle_response @passed {
                request_header X-Ray-Id {${REPLY}X-Ray-Id}
${copiedHeaders(headers)}            }
        }
        reverse_proxy ${origin} {
            flush_interval -1
        }
    }
}
`
}

/** A header of the edge's reply. It is kept in a variable, because the origin's response takes its place. */
const REPLY = 'http.reverse_proxy.header.'

/** What `forward_auth` cannot copy: headers that go away, and those of the response, which is not there yet. */
function copiedHeaders({ request, response }: ChangedHeaders): string {
  const variables = [
    ['ray', `{${REPLY}X-Ray-Id}`],
    ['removed', `",{${REPLY}X-Envoy-Auth-Headers-To-Remove},"`],
    ['replaced', `",{${REPLY}X-Edge-Replaced},"`],
  ]
  const blocks = ['header {\n    X-Ray-Id {http.vars.zonereeve_ray}\n    defer\n}']
  request.forEach(({ name }, index) => {
    const changed = `request_${index}`
    variables.push([changed, `{${REPLY}${canonical(name)}}`])
    blocks.push(`@${changed} not vars {http.vars.zonereeve_${changed}} ""
request_header @${changed} ${name} {http.vars.zonereeve_${changed}}
@${changed}_removed expression \`{http.vars.zonereeve_removed}.contains(",${name},")\`
request_header @${changed}_removed -${name}`)
  })
  for (const [index, { name, isReplaced, isAdded }] of response.entries()) {
    const [set, added] = [`response_${index}`, `added_${index}`]
    if (isReplaced) {
      variables.push([set, `{${REPLY}X-Edge-Response-${canonical(name)}}`])
      // The first of several changes of a response is made last.
      blocks.push(`@${set} not vars {http.vars.zonereeve_${set}} ""
${deferChange(set, `${name} {http.vars.zonereeve_${set}}`)}
@${set}_removed expression \`{http.vars.zonereeve_replaced}.contains(",${name},") && {http.vars.zonereeve_${set}} == ""\`
${deferChange(`${set}_removed`, `-${name}`)}`)
    }
    if (isAdded) {
      variables.push([added, `{${REPLY}X-Edge-Added-${canonical(name)}}`])
      blocks.unshift(`@${added} not vars {http.vars.zonereeve_${added}} ""
${deferChange(added, `+${name} {http.vars.zonereeve_${added}}`)}`)
    }
  }
  const stored = variables.map(([name, value]) => `    zonereeve_${name} ${value}`)
  return `vars {\n${stored.join('\n')}\n}\n${blocks.join('\n')}\n`.replaceAll(/^(?=.)/gm, ' '.repeat(16))
}

/** As Caddy names the headers that it has received. */
const canonical = (name: string): string => name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())

const deferChange = (matcher: string, change: string): string =>
  `header @${matcher} {\n    ${change}\n    defer\n}`
