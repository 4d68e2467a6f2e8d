// The headers that rules of a zone change: the configuration of a proxy must name each of them, because proxies cannot
// copy headers whose names they do not know.
import { MANAGED_HEADERS, type WrittenZoneConfiguration } from '@zonereeve/firewall'

export interface ChangedHeaders {
  readonly request: readonly ChangedRequestHeader[]
  readonly response: readonly ChangedResponseHeader[]
}

export interface ChangedRequestHeader {
  /** In lower case. */
  readonly name: string
  /** Whether a managed change sets it: then the client's own value is never passed on, even if nothing decides. */
  readonly isManaged: boolean
}

interface ChangedResponseHeader {
  /** In lower case. */
  readonly name: string
  /** Whether rules set or remove it; else they only add lines. */
  readonly isReplaced: boolean
  /** Whether rules add lines to those that are there. */
  readonly isAdded: boolean
  /** Whether several rules do. */
  readonly isAddedTwice: boolean
  /** Whether a rule that changes it reads the response: then it can only be evaluated when the response is known. */
  readonly readsResponse: boolean
}

interface SentHeader {
  readonly operation?: string
  readonly expression?: string
}

interface WrittenRule {
  readonly action: string
  readonly expression: string
  readonly parameters?: object
}

/** A name means nothing but a name in a configuration. */
const NAME = /^[a-z0-9_-]{1,256}$/
const LATE_TRANSFORM = 'http_request_late_transform'
const READS_RESPONSE = /\bresponse\./

/** Rules that are not enabled count, too: enabling one needs no new configuration. */
export function changedHeaders({
  rulesets,
  products,
}: Pick<WrittenZoneConfiguration, 'rulesets' | 'products'>): ChangedHeaders {
  const managed = (products?.managedHeaders ?? []).map((name) => MANAGED_HEADERS[name]) // of older servers
  const rulesOf = (phase: string): readonly WrittenRule[] => [
    ...managed
      .filter((one) => one.phase === phase)
      .map(({ headers }) => ({ action: 'rewrite', expression: 'true', parameters: { headers } })),
    ...rulesets
      .filter((one) => one.phase === phase)
      .flatMap(({ rules }) => rules.map(({ definition }) => definition)),
  ]
  const namesOfRequest = rulesOf(LATE_TRANSFORM)
    .flatMap((rule) => headersOf(rule.parameters))
    .map(([name]) => name)
  const managedNames = new Set<string>(
    managed.flatMap(({ phase, headers }) => (phase === LATE_TRANSFORM ? Object.keys(headers) : [])),
  )
  const ofResponse = rulesOf('http_response_headers_transform')
  // What a rule skips may be any other one.
  const areSkipsReading = ofResponse.some(
    ({ action, expression }) => action === 'skip' && READS_RESPONSE.test(expression),
  )
  const response = new Map<string, ChangedResponseHeader>()
  for (const { expression, parameters } of ofResponse)
    for (const [name, header] of headersOf(parameters)) {
      const known = response.get(name)
      const isReading = READS_RESPONSE.test(expression) || READS_RESPONSE.test(header.expression ?? '') // a fixed value reads nothing
      response.set(name, {
        name,
        isReplaced: known?.isReplaced === true || header.operation !== 'add',
        isAdded: known?.isAdded === true || header.operation === 'add',
        isAddedTwice: known?.isAddedTwice === true || (known?.isAdded === true && header.operation === 'add'),
        readsResponse: known?.readsResponse === true || areSkipsReading || isReading,
      })
    }
  return {
    request: [...new Set(namesOfRequest)]
      .toSorted()
      .map((name) => ({ name, isManaged: managedNames.has(name) })),
    response: inOrder(response.values()),
  }
}

const inOrder = (headers: Iterable<ChangedResponseHeader>): readonly ChangedResponseHeader[] =>
  [...headers].toSorted((one, other) => (one.name < other.name ? -1 : 1))

function headersOf(parameters: object | undefined): (readonly [name: string, header: SentHeader])[] {
  const { headers = {} } = (parameters ?? {}) as { readonly headers?: Readonly<Record<string, SentHeader>> } // checked by its shape; most rules have none
  return Object.entries(headers)
    .map(([name, header]) => [name.toLowerCase(), header] as const)
    .filter(([name]) => NAME.test(name))
}
