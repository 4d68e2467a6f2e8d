// Headers and cookies that rules add to the security event of a request.
import { asciiLower, type Bytes, decodeUtf8, type HeaderLine, type ResponseFacts } from '@zonereeve/expr'
import {
  type EvaluateOptions,
  evaluatePhases,
  type Firewall,
  type RequestChanges,
  type Step,
} from './evaluate-request.ts'
import { editHeaders } from '../transforms/header-edits.ts'
import { LOG_PHASE } from './phases.ts'

/** Values by name; a list where the rule keeps repeated headers apart. */
export type FieldValues = Readonly<Record<string, string | readonly string[]>>

export interface LoggedFields {
  readonly requestHeaders: FieldValues
  readonly responseHeaders: FieldValues
  readonly cookies: FieldValues
  /** Whether something was too long: values are cut, and what no longer fits is left out. */
  readonly isShortened: boolean
}

/** What is known of the response. */
export interface KnownResponse {
  /** As it came from the origin; undefined if that is not known. */
  readonly answered: ResponseFacts | undefined
  /** As the client got it. */
  readonly sent: ResponseFacts | undefined
}

/** A request and its response, on both sides of the rules that change their headers. */
interface Messages {
  readonly received: readonly HeaderLine[]
  readonly forwarded: readonly HeaderLine[]
  readonly answered: readonly HeaderLine[]
  readonly sent: readonly HeaderLine[]
}

/** What is known where nothing comes from the origin: the response of the rule that ends the request, if one does. */
export function answeredByRule(response: { readonly statusCode: number } | undefined): KnownResponse {
  const answered = response && { status: response.statusCode, headers: [] }
  return { answered, sent: answered }
}

/** The steps of the phase, and what its rules add. */
export interface LogVerdict {
  readonly steps: readonly Step[]
  /** null if no rule matches. */
  readonly fields: LoggedFields | null
}

/** Rules about responses see a status that no response has. */
const NO_RESPONSE: ResponseFacts = { status: 0, headers: [] }

/** Maximum characters of a value. */
const MAX_LOGGED_VALUE = 1_024
/** Maximum characters of all names and values of an event. */
export const MAX_LOGGED_CHARACTERS = 4_096

interface NamedField {
  readonly name: string
  readonly preserve_duplicates?: boolean
}

/** As the shape of log_custom_field has checked them. */
interface LogParameters {
  readonly cookie_fields?: readonly NamedField[]
  readonly raw_response_fields?: readonly NamedField[]
  readonly request_fields?: readonly NamedField[]
  readonly response_fields?: readonly NamedField[]
  readonly transformed_request_fields?: readonly NamedField[]
}

/** Whether rules may add something to an event: then the request is kept until its event is recorded. */
export const hasLogFields = ({ entryPoints }: Firewall): boolean => entryPoints.zone.has(LOG_PHASE)

/**
 * What the rules that match want to have in the event, in their order; headers by their names in lower case. A field of the request as
 * the client sent it and one of it as the origin got it are both `requestHeaders`: the last one named stays. Pure.
 */
export function evaluateLogFields(
  firewall: Firewall,
  changes: Pick<RequestChanges, 'facts' | 'skippedPhases' | 'headers'>,
  { answered = NO_RESPONSE, sent = NO_RESPONSE }: KnownResponse,
  options: EvaluateOptions = {},
): LogVerdict {
  const ruleset = firewall.entryPoints.zone.get(LOG_PHASE)
  if (ruleset === undefined) return { steps: [], fields: null }
  const { steps } = evaluatePhases(firewall, changes, answered, [LOG_PHASE], options)
  const matched = new Set(steps.flatMap(({ outcome, ruleId }) => (outcome === 'matched' ? [ruleId] : [])))
  if (matched.size === 0) return { steps, fields: null }
  const { headers: received } = changes.facts
  const messages = {
    received,
    forwarded: editHeaders(received, changes.headers),
    answered: answered.headers,
    sent: sent.headers,
  }
  const fields = new Fields()
  for (const { id, parameters } of ruleset.rules)
    if (matched.has(id)) fields.addAll(parameters as LogParameters, messages) // as checked by their shape
  return { steps, fields: fields.logged() }
}

class Fields {
  // Not objects: a header may be called __proto__.
  private readonly requestHeaders = new Map<string, string | readonly string[]>()
  private readonly responseHeaders = new Map<string, string | readonly string[]>()
  private readonly cookies = new Map<string, string | readonly string[]>()
  private left = MAX_LOGGED_CHARACTERS
  private isShortened = false

  logged(): LoggedFields {
    return {
      requestHeaders: Object.fromEntries(this.requestHeaders),
      responseHeaders: Object.fromEntries(this.responseHeaders),
      cookies: Object.fromEntries(this.cookies),
      isShortened: this.isShortened,
    }
  }

  addAll(parameters: LogParameters, { received, forwarded, answered, sent }: Messages): void {
    this.addHeaders(this.requestHeaders, parameters.request_fields, received)
    this.addHeaders(this.requestHeaders, parameters.transformed_request_fields, forwarded)
    this.addHeaders(this.responseHeaders, parameters.raw_response_fields, answered)
    this.addHeaders(this.responseHeaders, parameters.response_fields, sent)
    if (parameters.cookie_fields === undefined) return
    // The first of several cookies with a name.
    for (const { name } of parameters.cookie_fields) {
      const value = cookieOf(received, name)
      if (value !== undefined) this.add(this.cookies, name, value)
    }
  }

  private addHeaders(
    to: Map<string, string | readonly string[]>,
    fields: readonly NamedField[] | undefined,
    lines: readonly HeaderLine[],
  ): void {
    if (fields === undefined) return
    for (const { name, preserve_duplicates: isApart } of fields) {
      const header = asciiLower(name)
      const values = lines.flatMap(([line, value]) => (asciiLower(line) === header ? [value] : []))
      if (values.length > 0) this.add(to, header, isApart === true ? values : values.join(', '))
    }
  }

  private add(
    to: Map<string, string | readonly string[]>,
    name: string,
    value: Bytes | readonly Bytes[],
  ): void {
    const shown = typeof value === 'string' ? this.shorten(value) : value.map((one) => this.shorten(one))
    const size = [name, shown].flat().reduce((sum, { length }) => sum + length, 0)
    if (size > this.left) {
      this.isShortened = true
      return
    }
    this.left -= size
    to.set(name, shown)
  }

  private shorten(value: Bytes): string {
    const decoded = decodeUtf8(value)
    if (decoded.length <= MAX_LOGGED_VALUE) return decoded
    this.isShortened = true
    return decoded.slice(0, MAX_LOGGED_VALUE)
  }
}

function cookieOf(lines: readonly HeaderLine[], cookie: string): Bytes | undefined {
  for (const [header, value] of lines) {
    if (asciiLower(header) !== 'cookie') continue
    for (const part of value.split(';')) {
      const equals = part.indexOf('=')
      if (equals > 0 && part.slice(0, equals).trim() === cookie) return part.slice(equals + 1).trim()
    }
  }
  return undefined
}
