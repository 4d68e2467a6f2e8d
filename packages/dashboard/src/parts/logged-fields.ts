// Headers and cookies that rules log, as lines.
import type { WireLoggedFields } from '@zonereeve/contract'
import { loggedStrings as text } from '../strings/logged.ts'

/** As `name: value`: headers of the request, of the response, cookies. */
export function loggedLines(fields: WireLoggedFields): readonly string[] {
  const { request_headers: request, response_headers: response, cookies } = fields
  return [
    ...linesOf(request, (name) => name),
    ...linesOf(response, text.response),
    ...linesOf(cookies, text.cookie),
  ]
}

const linesOf = (values: WireLoggedFields['cookies'], label: (name: string) => string): string[] =>
  Object.entries(values).flatMap(([name, value]) => [value].flat().map((one) => `${label(name)}: ${one}`))
