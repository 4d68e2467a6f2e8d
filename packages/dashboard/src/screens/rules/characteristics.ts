// What a rate limit counts requests by: fields of the request, some of them with a name.
import { ruleStrings as text } from '../../strings/rules.ts'
import { valueProblemOf } from './expression-problem.ts'
import { quoteString } from './request-filter.ts'

/** Fields without a name. The last two are no fields: requests are counted by them all the same. */
const WHOLE_FIELDS = [
  'ip.src',
  'http.host',
  'http.request.uri.path',
  'http.request.method',
  'http.user_agent',
  'cf.colo.id',
  'cf.unique_visitor_id',
] as const

/** Fields with a name, by their place in the request. */
const NAMED_FIELDS = {
  header: 'http.request.headers',
  cookie: 'http.request.cookies',
  query: 'http.request.uri.args',
} as const

type NamedKind = keyof typeof NAMED_FIELDS

export const CHARACTERISTIC_KINDS = [...WHOLE_FIELDS, 'header', 'cookie', 'query', 'other'] as const
export type CharacteristicKind = (typeof CHARACTERISTIC_KINDS)[number]

export interface Characteristic {
  readonly kind: CharacteristicKind
  /** Of a header, a cookie or a parameter; the whole expression of another field. */
  readonly name: string
}

const isWhole = (written: string): written is (typeof WHOLE_FIELDS)[number] =>
  WHOLE_FIELDS.some((field) => field === written)

const isNamed = (kind: CharacteristicKind): kind is NamedKind => Object.hasOwn(NAMED_FIELDS, kind)

export const hasName = (kind: CharacteristicKind): boolean => isNamed(kind) || kind === 'other'

const NAMED = /^([\w.]+)\["((?:[^"\\]|\\["\\])*)"\]$/

export function readCharacteristic(written: string): Characteristic {
  if (isWhole(written)) return { kind: written, name: '' }
  const [, field, quoted = ''] = NAMED.exec(written) ?? []
  const kind = CHARACTERISTIC_KINDS.find((one) => isNamed(one) && NAMED_FIELDS[one] === field)
  if (kind === undefined) return { kind: 'other', name: written }
  const read: Characteristic = { kind, name: quoted.replace(/\\(["\\])/g, '$1') }
  // The form would write another name, for example that of a header in upper case.
  return writeCharacteristic(read) === written ? read : { kind: 'other', name: written }
}

export function writeCharacteristic({ kind, name }: Characteristic): string {
  if (kind === 'other') return name.trim()
  if (!isNamed(kind)) return kind
  // Names of headers are in lower case there.
  const own = kind === 'header' ? name.trim().toLowerCase() : name
  return `${NAMED_FIELDS[kind]}[${quoteString(own)}]`
}

/** Why it cannot be sent; undefined if it can. */
export function characteristicProblem({ kind, name }: Characteristic): string | undefined {
  if (!hasName(kind)) return undefined
  if (name.trim() === '') return kind === 'other' ? text.rate.noField : text.rate.noName
  if (kind !== 'other' || isWhole(name.trim())) return undefined
  const problem = valueProblemOf(name)
  if (problem === undefined) return undefined
  return text.wrongField(problem.message, problem.similar)
}
