// Traces as the API returns them. Descriptions and expressions of an account's own rules are hidden from its
// zones.
import type { WireLoggedFields, WireVerdict } from '@zonereeve/contract'
import { decodeUtf8 } from '@zonereeve/expr'
import {
  type FieldValues,
  type FirewallResponse,
  type HeaderEdit,
  isReportedToZones,
  type LoggedFields,
  type RulePlace,
  type Step,
} from '@zonereeve/firewall'
import type { ExplainedStep, Trace } from './trace.service.ts'
import type { DescribedRequest } from '@zonereeve/firewall'

interface WireTracedRequest {
  readonly method?: string
  readonly url: string
  readonly http_version?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string
  readonly body_base64?: string
  readonly ip?: string
  readonly response?: {
    readonly status_code: number
    readonly headers?: Readonly<Record<string, string | readonly string[]>>
  }
}

/** An address of a documentation network (RFC 5737), which no real client has. */
const DEFAULT_IP = '192.0.2.1'

export const toDescribedRequest = (sent: WireTracedRequest): DescribedRequest => ({
  method: sent.method ?? 'GET',
  url: sent.url,
  version: sent.http_version ?? 'HTTP/1.1',
  headers: sent.headers ?? {},
  body: sent.body,
  bodyBase64: sent.body_base64,
  ip: sent.ip ?? DEFAULT_IP,
  ...(sent.response && {
    response: { status: sent.response.status_code, headers: sent.response.headers ?? {} },
  }),
})

export function toWireVerdict(trace: Trace): WireVerdict {
  const { action, by, response, uninspectedField, skippedProducts, loggedFields, steps } = trace
  return {
    action: action ?? 'allow',
    ended_by: by === undefined ? null : toWirePlace(by),
    response: response === undefined ? null : toWireResponse(response),
    changes: response === undefined ? toWireChanges(trace) : null,
    uninspected_field: uninspectedField ?? null,
    skipped_products: [...skippedProducts],
    logged_fields: loggedFields && toWireLoggedFields(loggedFields),
    steps: steps.map(toWireStep),
  }
}

function toWireChanges({
  changes: { facts, headers },
  responseEdits,
  errorPage,
}: Trace): NonNullable<WireVerdict['changes']> {
  return {
    uri: facts.rawTarget === undefined ? null : decodeUtf8(facts.target),
    request_headers: headers.map(toWireEdit),
    response_headers: responseEdits.map(toWireEdit),
    error_page: errorPage === undefined ? null : toWireResponse(errorPage),
  }
}

export const toWireLoggedFields = (fields: LoggedFields): WireLoggedFields => ({
  request_headers: toWireValues(fields.requestHeaders),
  response_headers: toWireValues(fields.responseHeaders),
  cookies: toWireValues(fields.cookies),
  shortened: fields.isShortened,
})

const toWireValues = (values: FieldValues): WireLoggedFields['cookies'] =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  )

/** Names and values are ASCII. */
const toWireEdit = (edit: HeaderEdit) => ({
  operation: edit.operation,
  name: edit.name,
  ...(edit.operation !== 'remove' && { value: edit.value }),
})

export function toWirePlace(place: RulePlace): NonNullable<WireVerdict['ended_by']> {
  const { level, phase, rulesetId, ruleId, ref, description } = place
  const ruleDescription = isReportedToZones(place) ? { ref, description } : {}
  return { level, phase, ruleset_id: rulesetId, rule_id: ruleId, ...ruleDescription }
}

function toWireStep(step: ExplainedStep): WireVerdict['steps'][number] {
  const { action, outcome, because, detected, score, level } = step
  return {
    ...toWirePlace(step),
    action,
    outcome,
    ...(because === undefined || level === 'account' ? {} : { because: [...because] }),
    ...(detected === undefined ? {} : { detected: toWireDetected(detected) }),
    ...(score === undefined ? {} : { score }),
  }
}

export const toWireDetected = ({ field, excerpt, isIncomplete }: NonNullable<Step['detected']>) => ({
  field,
  excerpt,
  ...(isIncomplete === true && { incomplete: true }),
})

export const toWireResponse = ({ statusCode, contentType, content, location }: FirewallResponse) => ({
  status_code: statusCode,
  ...(contentType === undefined ? {} : { content_type: contentType }),
  ...(content === undefined ? {} : { content }),
  ...(location === undefined ? {} : { location }),
})
