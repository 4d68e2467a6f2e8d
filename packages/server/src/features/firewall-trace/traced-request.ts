// A request as somebody describes it, and the facts that rules look at.
import { fromOctets, parseIp, utf8, type RequestFacts } from '@zonereeve/expr'
import { DomainError } from '../../platform/domain-error.ts'
import { inspect, type InspectedRequest } from '../managed-rules/index.ts'
import type { Zone } from '../zones/index.ts'

export interface TracedRequest {
  readonly method: string
  readonly url: string
  readonly version: string
  /** Names as they are sent, one for each line. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
  readonly ip: string
}

const PLANS: Readonly<Record<Zone['plan'], string>> = {
  free: 'FREE',
  pro: 'PRO',
  business: 'BIZ',
  enterprise: 'ENT',
}
const DEFAULT_PORTS = { http: 80, https: 443 } as const
/** Where nobody says by which address the request came. */
const SERVER_IP = '192.0.2.1'

/**
 * The path stays as it is written: what rules see of it is for them to say.
 *
 * @throws DomainError: request.invalid for a URL or an address that is none.
 */
export function inspectTraced(traced: TracedRequest, zone: Zone, receivedAtMs: number): InspectedRequest {
  const [, scheme = '', authority = '', target = ''] =
    /^(https?):\/\/([^/?#\s@]+)((?:[/?][^#\s]*)?)(?:#.*)?$/i.exec(traced.url) ?? []
  const [, host = '', port = ''] = /^([^:]+)(?::(\d{1,5}))?$/.exec(authority) ?? []
  if (host === '')
    throw invalid('/url', 'url must be that of an http or https request, such as https://www.example.com/')
  const clientIp = parseIp(traced.ip)
  if (clientIp === undefined) throw invalid('/ip', 'ip must be an IP address')
  const isTls = scheme.toLowerCase() === 'https'
  const serverIp = parseIp(SERVER_IP)
  const path = target === '' || target.startsWith('?') ? `/${target}` : target
  const facts: RequestFacts = {
    method: utf8(traced.method),
    version: utf8(traced.version),
    isTls,
    // Rules compare hosts by name: clients send them in lower case, and ports are told apart.
    host: utf8(host.toLowerCase()),
    target: utf8(path),
    headers: traced.headers.map(([name, value]) => [utf8(name), utf8(value.trim())]),
    clientIp,
    receivedAtMs,
    ...(serverIp === undefined
      ? {}
      : {
          server: {
            ip: serverIp,
            port: port === '' ? DEFAULT_PORTS[isTls ? 'https' : 'http'] : Number(port),
          },
        }),
    ...(traced.body.length === 0
      ? {}
      : { body: { bytes: fromOctets(traced.body), sizeBytes: traced.body.length, isTruncated: false } }),
    zone: { name: utf8(zone.name), plan: utf8(PLANS[zone.plan]) },
  }
  return inspect(facts, traced.body)
}

const invalid = (pointer: string, problem: string) =>
  new DomainError({ reason: 'request.invalid', pointer, values: { problem } })
