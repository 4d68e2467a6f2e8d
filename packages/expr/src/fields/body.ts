// The request body: its bytes, its forms, its MIME type.
import { asciiLower, type Bytes } from '../bytes.ts'
import { arrayOf, BOOL, BYTES, BYTES_ARRAY, INT, mapOf } from '../types.ts'
import { type CatalogField, computedField } from './catalog-field.ts'
import { oncePerRequest, type RequestFacts } from './facts.ts'
import { type Part, parseMultipart } from './multipart.ts'
import { groupPairs, namesOf, type Pair, splitQuery, valuesOf } from './pairs.ts'
import { headerOf } from './request.ts'

const bodyBytes = ({ body }: RequestFacts): Bytes => body?.bytes ?? '' // no body: no bytes
const contentType = ({ headers }: RequestFacts): Bytes => headerOf(headers, 'content-type')

const form = oncePerRequest((facts): readonly Pair[] => {
  const isForm = asciiLower(contentType(facts)).startsWith('application/x-www-form-urlencoded')
  return isForm ? splitQuery(bodyBytes(facts)) : []
})

const parts = oncePerRequest((facts) => parseMultipart(bodyBytes(facts), contentType(facts)))

const multipartPairs = (facts: RequestFacts): readonly Pair[] =>
  parts(facts).flatMap(({ name, value }): Pair[] => (name === undefined ? [] : [[name, value]]))

/** A value for each part: one array per part, empty if the part has none. */
const perPart = (pick: (part: Part) => readonly (Bytes | undefined)[]) => (facts: RequestFacts) =>
  parts(facts).map((part) => pick(part).filter((text) => text !== undefined))

/** MIME types by their first bytes. */
const SIGNATURES: readonly (readonly [start: Bytes, mime: Bytes])[] = [
  ['\u0089PNG\r\n\u001a\n', 'image/png'],
  ['\u00ff\u00d8\u00ff', 'image/jpeg'],
  ['GIF8', 'image/gif'],
  ['%PDF-', 'application/pdf'],
  ['PK\u0003\u0004', 'application/zip'],
  ['\u001f\u008b', 'application/gzip'],
  ['7z\u00bc\u00af\u0027\u001c', 'application/x-7z-compressed'],
  ['OggS', 'audio/ogg'],
  ['ID3', 'audio/mpeg'],
  ['\u007fELF', 'application/x-executable'],
  ['<?xml', 'text/xml'],
]

const HTML_STARTS = ['<!doctype html', '<html']

/** A guess from the content, not from the client's header; undefined if nothing matches. */
function mimeOf(bytes: Bytes): Bytes | undefined {
  const known = SIGNATURES.find(([start]) => bytes.startsWith(start))
  if (known !== undefined) return known[1]
  const head = asciiLower(bytes.slice(0, 64)).trimStart()
  return HTML_STARTS.some((start) => head.startsWith(start)) ? 'text/html' : undefined
}

const FORM = 'http.request.body.form'
const MULTIPART = 'http.request.body.multipart'
const ARRAYS = arrayOf(BYTES_ARRAY)

export const BODY_FIELDS: readonly CatalogField[] = [
  computedField(FORM, mapOf(BYTES_ARRAY), (facts) => groupPairs(form(facts))),
  computedField(`${FORM}.names`, BYTES_ARRAY, (facts) => namesOf(form(facts))),
  computedField(`${FORM}.values`, BYTES_ARRAY, (facts) => valuesOf(form(facts))),
  computedField('http.request.body.mime', BYTES, (facts) => mimeOf(bodyBytes(facts))),
  computedField(MULTIPART, mapOf(BYTES_ARRAY), (facts) => groupPairs(multipartPairs(facts))),
  computedField(
    `${MULTIPART}.content_dispositions`,
    ARRAYS,
    perPart(({ header }) => header('content-disposition')),
  ),
  computedField(
    `${MULTIPART}.content_transfer_encodings`,
    ARRAYS,
    perPart(({ header }) => header('content-transfer-encoding')),
  ),
  computedField(
    `${MULTIPART}.content_types`,
    ARRAYS,
    perPart(({ header }) => header('content-type')),
  ),
  computedField(
    `${MULTIPART}.filenames`,
    ARRAYS,
    perPart(({ filename }) => [filename]),
  ),
  computedField(
    `${MULTIPART}.names`,
    ARRAYS,
    perPart(({ name }) => [name]),
  ),
  computedField(`${MULTIPART}.values`, BYTES_ARRAY, (facts) => parts(facts).map(({ value }) => value)),
  computedField('http.request.body.raw', BYTES, bodyBytes),
  computedField('http.request.body.size', INT, ({ body }) => body?.sizeBytes ?? 0), // no body
  computedField('http.request.body.truncated', BOOL, ({ body }) => body?.isTruncated ?? false),
]
