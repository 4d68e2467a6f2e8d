// The response, for rules that run late enough to see it.
import { asciiLower } from '../bytes.ts'
import { BOOL, BYTES, BYTES_ARRAY, INT, mapOf, type Type } from '../types.ts'
import type { Maybe } from '../values.ts'
import { type CatalogField, computedField } from './catalog-field.ts'
import type { HeaderLine, ResponseFacts } from './facts.ts'
import { namesOf, splitAt, valuesOf } from './pairs.ts'
import { groupHeaders, headerOf } from './request.ts'

const fromResponse = (name: string, type: Type, pick: (response: ResponseFacts) => Maybe): CatalogField =>
  computedField(
    name,
    type,
    ({ response }) => (response === undefined ? undefined : pick(response)),
    'response',
  )

function headerFields(
  name: string,
  pick: (response: ResponseFacts) => readonly HeaderLine[],
): readonly CatalogField[] {
  return [
    fromResponse(name, mapOf(BYTES_ARRAY), (response) => groupHeaders(pick(response))),
    fromResponse(`${name}.names`, BYTES_ARRAY, (response) => namesOf(pick(response))),
    fromResponse(`${name}.values`, BYTES_ARRAY, (response) => valuesOf(pick(response))),
  ]
}

/** The type without its parameters, in lower case. */
function mediaType({ headers }: ResponseFacts): Maybe {
  const type = headerOf(headers, 'content-type')
  return asciiLower(splitAt(type, type.indexOf(';'))[0]).trim()
}

export const RESPONSE_FIELDS: readonly CatalogField[] = [
  fromResponse('cf.response.1xxx_code', INT, ({ errorCode }) => errorCode),
  fromResponse('cf.response.error_type', BYTES, ({ errorType }) => errorType),
  fromResponse('http.response.code', INT, ({ status }) => status),
  fromResponse('http.response.content_type.media_type', BYTES, mediaType),
  ...headerFields('http.response.headers', ({ headers }) => headers),
  fromResponse(
    'http.response.headers.truncated',
    BOOL,
    ({ areHeadersTruncated }) => areHeadersTruncated === true,
  ),
  ...headerFields('raw.http.response.headers', ({ headers, rawHeaders }) => rawHeaders ?? headers),
]
