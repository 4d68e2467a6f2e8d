// What a rewrite cannot do: headers that rules may not change, values that would break a message.
import type { Issue } from '../issue.ts'
import { pointerTo, valueIssue } from '../rulesets/parameter-shape.ts'
import type { PhaseName } from '../rulesets/phases.ts'
import { HEADER_NAME, isFixed, isFixedValue } from './changeable-headers.ts'
import { MAX_HEADER_VALUE_BYTES, type WrittenHeader } from './header-edits.ts'
import type { WrittenUri } from './uri-rewrite.ts'

const VALUE = /^[\x20-\x7e]*$/

interface WrittenRewrite {
  readonly headers?: Readonly<Record<string, WrittenHeader>>
  readonly uri?: WrittenUri & { readonly origin?: boolean }
}

/** The issues of a rewrite whose members have their shapes. */
export function rewriteIssues(
  { headers = {}, uri }: WrittenRewrite,
  at: string,
  phase: PhaseName | undefined,
): readonly Issue[] {
  const issues = uri === undefined ? [] : uriIssues(uri, pointerTo(at, 'uri'))
  const isOfResponse = phase === 'http_response_headers_transform'
  for (const [name, written] of Object.entries(headers))
    issues.push(...headerIssues(name, written, pointerTo(pointerTo(at, 'headers'), name), isOfResponse))
  if (phase === 'http_request_transform' && Object.keys(headers).length > 0)
    issues.push(misplacedIssue('headers', headers, at, 'headers are changed in http_request_late_transform'))
  if ((phase === 'http_request_late_transform' || isOfResponse) && uri !== undefined)
    issues.push(misplacedIssue('uri', uri, at, 'the URI is rewritten in http_request_transform'))
  return issues
}

const misplacedIssue = (member: string, value: unknown, at: string, problem: string): Issue =>
  valueIssue(pointerTo(at, member), value, problem)

function uriIssues({ path, query, origin }: NonNullable<WrittenRewrite['uri']>, at: string): Issue[] {
  const issues: Issue[] = []
  if (origin !== undefined)
    issues.push(valueIssue(pointerTo(at, 'origin'), origin, 'it is not supported here: leave it out'))
  if (path?.value !== undefined && !/^\/[\x21-\x7e]*$/.test(path.value.replace(/[?#]/g, ' ')))
    issues.push(
      valueIssue(
        pointerTo(pointerTo(at, 'path'), 'value'),
        path.value,
        'it must begin with / and have no ?, # or space; encode other characters as %20',
      ),
    )
  if (query?.value !== undefined && !/^[\x21-\x7e]*$/.test(query.value.replace('#', ' ')))
    issues.push(
      valueIssue(
        pointerTo(pointerTo(at, 'query'), 'value'),
        query.value,
        'it must have no # or space; encode other characters as %20',
      ),
    )
  return issues
}

function headerIssues(
  name: string,
  { operation, value }: WrittenHeader,
  at: string,
  isOfResponse: boolean,
): Issue[] {
  if (!HEADER_NAME.test(name))
    return [valueIssue(at, name, 'the name of a header can have letters, digits, - and _, up to 256')]
  if (isFixed(name, isOfResponse)) return [valueIssue(at, name, 'rules cannot change this header')]
  if (isFixedValue(name, operation, isOfResponse))
    return [valueIssue(at, name, 'cookies of a request can only be removed')]
  if (value !== undefined && (!VALUE.test(value) || value.trim() === ''))
    return [valueIssue(pointerTo(at, 'value'), value, 'it must be one line of visible ASCII characters')]
  if (value !== undefined && value.length > MAX_HEADER_VALUE_BYTES)
    return [
      valueIssue(pointerTo(at, 'value'), value, `it has more than ${MAX_HEADER_VALUE_BYTES} characters`),
    ]
  return []
}
