// HAProxy: a whole configuration, and that of the SPOE filter in a second file. docs/edge.md explains their parts.
import { REPORTING_PATHS } from '@zonereeve/csp'
import { sentType } from '@zonereeve/firewall'
import type { ErrorPageKind } from './error-pages.ts'
import type { ProxyConfigurationOptions, WrittenConfiguration } from './proxy-configuration.ts'

const SPOE_SUFFIX = '.spoe'

/** Variables of the agent with headers of pages. */
const PAGE_HEADERS = [
  ['csp', 'content-security-policy'],
  ['csp_report_only', 'content-security-policy-report-only'],
  ['endpoints', 'reporting-endpoints'],
] as const

const SPOE = `[zonereeve]
spoe-agent zonereeve
    messages zonereeve-request zonereeve-response
    option var-prefix zonereeve
    option continue-on-error
    no option send-frag-payload
    timeout hello 1s
    timeout idle 2m
    timeout processing 500ms
    use-backend zonereeve-edge
spoe-message zonereeve-request
    args method=method target=pathq version=req.ver client=src port=dst_port tls=ssl_fc headers=req.hdrs_bin body=req.body
    event on-frontend-http-request
spoe-message zonereeve-response
    args ray=var(txn.zonereeve.ray) status=status headers=res.hdrs_bin
    event on-http-response if { var(txn.zonereeve.counts) -m found }
`

/** Variables have no hyphens in their names. @param scope `req` or `res`, with `_removed` for a header that goes away. */
export const headerVariable = (scope: string, name: string): string => `${scope}.${name.replaceAll('-', '.')}`

function headerRules(
  direction: 'request' | 'response',
  headers: readonly { readonly name: string; readonly isManaged?: boolean }[],
): string {
  const scope = direction === 'request' ? 'req' : 'res'
  const [set, removed] = [scope, `${scope}_removed`]
  return headers
    .flatMap(({ name, isManaged = false }) => {
      const [value, gone] = [set, removed].map((one) => `var(txn.zonereeve.${headerVariable(one, name)})`)
      return [
        // Without a decision, too: what the client has sent in its place is forged.
        ...(isManaged ? [`    http-${direction} del-header ${name}\n`] : []),
        `    http-${direction} set-header ${name} %[${value}] if { ${value} -m found }\n`,
        `    http-${direction} del-header ${name} if { ${gone} -m found }\n`,
      ]
    })
    .join('')
}

/** It has nothing of the origin's response. */
const errorRule = ({ status, contentType }: ErrorPageKind): string =>
  `    http-response return status ${status} content-type "${sentType(contentType)}" lf-string %[var(txn.zonereeve.error_page)] hdr x-ray-id %[var(txn.zonereeve.ray)] if { var(txn.zonereeve.error_status) -m int ${status} } { var(txn.zonereeve.error_type) -m str ${contentType} }
`

export function writeHaproxy(
  {
    zone,
    headers,
    errorPages,
    listen,
    origin,
    decisions,
    spop,
    reports,
    undecided,
  }: ProxyConfigurationOptions,
  path: string,
): WrittenConfiguration {
  const refusal = '    http-request deny deny_status 503 unless { var(txn.zonereeve.ray) -m found }\n'
  const reporting =
    reports === undefined
      ? ''
      : `    use_backend zonereeve-reports if { method POST } { path ${REPORTING_PATHS.join(' ')} }\n`
  const reportServer =
    reports === undefined
      ? ''
      : `backend zonereeve-reports\n    http-request set-header x-forwarded-for %[src]\n    server reports ${reports}\n`
  const pageHeaders = PAGE_HEADERS.map(
    ([name, header]) =>
      `    http-response set-header ${header} %[var(txn.zonereeve.${name})] if { var(txn.zonereeve.${name}) -m found }\n`,
  )
  const main = `# Written by zonereeve edge config for ${zone}: changes are lost.
global
    tune.bufsize 65536
defaults
    mode http
    timeout connect 5s
    timeout client 60s
    timeout server 60s
    timeout tunnel 1h
    timeout http-request 10s
frontend zonereeve-site
    bind ${listen}
    option http-buffer-request
    option http-no-delay
    filter spoe engine zonereeve config ${quotePath(path + SPOE_SUFFIX)}
    acl zonereeve-host req.hdr(host),field(1,:),lower -m str ${zone}
    acl zonereeve-host req.hdr(host),field(1,:),lower -m end .${zone}
    http-request deny deny_status 404 unless zonereeve-host
${undecided === 'open' ? '' : refusal}    http-request set-header x-forwarded-for %[src]
    http-request set-header x-forwarded-proto %[ssl_fc,iif(https,http)]
    http-request set-header x-ray-id %[var(txn.zonereeve.ray)]
    http-request set-pathq %[var(txn.zonereeve.target)] if { var(txn.zonereeve.target) -m found }
${headerRules('request', headers.request)}${errorPages.map(errorRule).join('')}    http-response set-header x-ray-id %[var(txn.zonereeve.ray)]
${headerRules('response', headers.response)}${pageHeaders.join('')}${reporting}    use_backend zonereeve-stop if { var(txn.zonereeve.status) -m found }
    default_backend zonereeve-origin
backend zonereeve-origin
    option http-no-delay
    timeout server 1h
    server origin ${origin}
backend zonereeve-edge
    mode tcp
    timeout connect 1s
    timeout server 3m
    server edge ${serverAddress(spop)}
backend zonereeve-stop
    http-request set-uri /stopped/%[var(txn.zonereeve.ray)]
    server edge ${serverAddress(decisions)}
${reportServer}`
  return { main, other: { suffix: SPOE_SUFFIX, text: SPOE } }
}

const serverAddress = (address: string): string => address.replace(/^unix:/, 'unix@')

const quotePath = (path: string): string => `"${path.replace(/[\\"$]/g, String.raw`\$&`)}"`
