// Parses rules from requests: valid members, issues for invalid ones, and the names of all members sent.
import type { Issue } from '@zonereeve/platform'
import {
  type ExposedCredentialCheck,
  flag,
  integer,
  isObject,
  type JsonObject,
  listOf,
  members,
  pointerTo,
  type Position,
  requiredIssue,
  type Shape,
  type ShapeContext,
  text,
  unknownMember,
  valueIssue,
} from '@zonereeve/firewall'

/** A member is undefined if it was not sent, was null, or has the wrong type; `issues` reports the wrong type. */
export interface SentRule {
  readonly at: string
  /** False if the value is not an object. */
  readonly isObject: boolean
  readonly id: string | undefined
  readonly ref: string | undefined
  readonly action: string | undefined
  readonly parameters: JsonObject | undefined
  readonly expression: string | undefined
  readonly description: string | undefined
  readonly enabled: boolean | undefined
  readonly logging: JsonObject | undefined
  readonly ratelimit: JsonObject | undefined
  readonly exposedCheck: ExposedCredentialCheck | undefined
  readonly position: Position | undefined
  /** Names of the members that were sent. */
  readonly sent: ReadonlySet<string>
  readonly issues: readonly Issue[]
}

const MAX_DESCRIPTION_LENGTH = 4_096
const MAX_REF_LENGTH = 255

const object: Shape = (value, at) => (isObject(value) ? [] : [valueIssue(at, value, 'it must be an object')])

const RATE_LIMIT = members(
  {
    characteristics: listOf(text()),
    counting_expression: text(0),
    mitigation_timeout: integer(0),
    period: integer(1),
    requests_per_period: integer(1),
    requests_to_origin: flag,
    score_per_period: integer(),
    score_response_header_name: text(),
  },
  { required: ['characteristics', 'period'] },
)

const EXPOSED_CHECK = members(
  { username_expression: text(), password_expression: text() },
  { required: ['username_expression', 'password_expression'] },
)

const SHAPES: Readonly<Record<string, Shape>> = {
  id: text(0),
  ref: text(0, MAX_REF_LENGTH),
  action: text(0),
  action_parameters: object,
  // Any string: a syntax error is reported together with the other issues of the rule.
  expression: (value, at) =>
    typeof value === 'string' ? [] : [valueIssue(at, value, 'it must be a string')],
  description: text(0, MAX_DESCRIPTION_LENGTH),
  enabled: flag,
  logging: members({ enabled: flag }, { required: ['enabled'] }),
  ratelimit: RATE_LIMIT,
  exposed_credential_check: EXPOSED_CHECK,
}

/** Members that only responses have: ignored in requests, so that a response can be sent back unchanged. */
const READ_ONLY = ['version', 'last_updated', 'categories']

/** None of these shapes parses expressions. */
const NO_EXPRESSIONS = {} as ShapeContext

/**
 * Parses the rule at `at`.
 * @param isPlaced whether a position is allowed.
 */
export function readSentRule(value: unknown, at: string, isPlaced: boolean): SentRule {
  const issues: Issue[] = []
  const given = isObject(value) ? value : {}
  if (!isObject(value)) issues.push(valueIssue(at, value, 'it must be an object'))
  const sent = new Set(Object.keys(given).filter((name) => given[name] !== null))
  const good: Record<string, unknown> = {}
  for (const name of sent) {
    if (READ_ONLY.includes(name) || (name === 'position' && isPlaced)) continue
    const shape = Object.hasOwn(SHAPES, name) ? SHAPES[name] : undefined
    const place = pointerTo(at, name)
    const faults = shape?.(given[name], place, NO_EXPRESSIONS) ?? [unknownMember(place)]
    issues.push(...faults)
    if (faults.length === 0) good[name] = given[name]
  }
  const position =
    sent.has('position') && isPlaced ? readPosition(given['position'], pointerTo(at, 'position')) : undefined
  if (position !== undefined && 'reason' in position) issues.push(position)
  const members = good as Readonly<Record<string, never>> // checked by the shapes above
  return {
    at,
    isObject: isObject(value),
    // Some clients generate configurations with empty IDs and refs: treated as not sent.
    id: members['id'] || undefined,
    ref: members['ref'] || undefined,
    action: members['action'],
    parameters: members['action_parameters'],
    expression: members['expression'],
    description: members['description'],
    enabled: members['enabled'],
    logging: members['logging'],
    ratelimit: members['ratelimit'],
    exposedCheck: members['exposed_credential_check'],
    position: position === undefined || 'reason' in position ? undefined : position,
    sent,
    issues,
  }
}

/** A position must have exactly one of its members. */
function readPosition(value: unknown, at: string): Position | Issue {
  const fault: Issue = { reason: 'ruleset.position', pointer: at }
  if (!isObject(value)) return fault
  const [name, ...others] = Object.keys(value)
  if (name === undefined || others.length > 0) return fault
  const place = value[name]
  if ((name === 'before' || name === 'after') && typeof place === 'string') return { kind: name, id: place }
  if (name === 'index' && typeof place === 'number' && Number.isInteger(place))
    return { kind: 'index', index: place }
  return fault
}

/** A ruleset as sent by a client. */
export interface SentRuleset {
  readonly name: string | undefined
  readonly description: string | undefined
  readonly kind: string | undefined
  readonly phase: string | undefined
  readonly rules: readonly SentRule[] | undefined
  readonly issues: readonly Issue[]
}

const MAX_NAME_LENGTH = 255
const RULESET_SHAPES: Readonly<Record<string, Shape>> = {
  name: text(1, MAX_NAME_LENGTH),
  description: text(0, MAX_DESCRIPTION_LENGTH),
  kind: text(),
  phase: text(),
}
const RULESET_READ_ONLY = ['id', 'version', 'last_updated', 'source']

/**
 * Parses a ruleset.
 * @param required members that must be sent.
 * @param isOfKind whether kind and phase may be sent.
 */
export function readSentRuleset(
  body: JsonObject,
  required: readonly string[],
  isOfKind: boolean,
): SentRuleset {
  const sent = Object.keys(body).filter((name) => body[name] !== null)
  const issues: Issue[] = required
    .filter((name) => !sent.includes(name))
    .map((name) => requiredIssue(pointerTo('', name)))
  const good: Record<string, unknown> = {}
  for (const name of sent) {
    if (RULESET_READ_ONLY.includes(name) || name === 'rules') continue
    const isAllowed =
      Object.hasOwn(RULESET_SHAPES, name) && (isOfKind || (name !== 'kind' && name !== 'phase'))
    const shape = isAllowed ? RULESET_SHAPES[name] : undefined
    const place = pointerTo('', name)
    const faults = shape === undefined ? [unknownMember(place)] : shape(body[name], place, NO_EXPRESSIONS)
    issues.push(...faults)
    if (faults.length === 0) good[name] = body[name]
  }
  const list = sent.includes('rules') ? body['rules'] : undefined
  if (list !== undefined && !Array.isArray(list)) issues.push(valueIssue('/rules', list, 'it must be a list'))
  const rules = Array.isArray(list)
    ? list.map((rule, index) => readSentRule(rule, `/rules/${index}`, false))
    : undefined
  const members = good as Readonly<Record<string, never>> // checked by the shapes above
  return {
    name: members['name'],
    description: members['description'],
    kind: members['kind'],
    phase: members['phase'],
    rules,
    issues,
  }
}
