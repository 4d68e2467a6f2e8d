// The request body: its bytes, its forms, its kind.
import { asciiLower, type Bytes } from '../bytes.ts'
import { arrayOf, BOOL, BYTES, BYTES_ARRAY, INT, mapOf } from '../types.ts'
import { type CatalogField, computed } from './catalog-field.ts'
import { oncePerRequest, type RequestFacts } from './facts.ts'
import { type Part, parseMultipart } from './multipart.ts'
import { groupPairs, namesOf, type Pair, splitQuery, valuesOf } from './pairs.ts'
import { headerOf } from './request.ts'

const bodyBytes = ({ body }: RequestFacts): Bytes => body?.bytes ?? ''
const contentType = ({ headers }: RequestFacts): Bytes => headerOf(headers, 'content-type')

const form = oncePerRequest((facts): readonly Pair[] => {
  const isForm = asciiLower(contentType(facts)).startsWith('application/x-www-form-urlencoded')
  return isForm ? splitQuery(bodyBytes(facts)) : []
})

const parts = oncePerRequest((facts) => parseMultipart(bodyBytes(facts), contentType(facts)))

const multipartPairs = (facts: RequestFacts): readonly Pair[] =>
  parts(facts).flatMap(({ name, value }): Pair[] => (name === undefined ? [] : [[name, value]]))

/** What each part has of something: an array a part, empty where the part has none. */
const perPart = (pick: (part: Part) => readonly (Bytes | undefined)[]) => (facts: RequestFacts) =>
  parts(facts).map((part) => pick(part).filter((text) => text !== undefined))

/** Kinds told by their first bytes. */
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

/** A guess from the content, not from what the client says it is; nothing where nothing fits. */
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
  computed(FORM, mapOf(BYTES_ARRAY), (facts) => groupPairs(form(facts))),
  computed(`${FORM}.names`, BYTES_ARRAY, (facts) => namesOf(form(facts))),
  computed(`${FORM}.values`, BYTES_ARRAY, (facts) => valuesOf(form(facts))),
  computed('http.request.body.mime', BYTES, (facts) => mimeOf(bodyBytes(facts))),
  computed(MULTIPART, mapOf(BYTES_ARRAY), (facts) => groupPairs(multipartPairs(facts))),
  computed(
    `${MULTIPART}.content_dispositions`,
    ARRAYS,
    perPart(({ header }) => header('content-disposition')),
  ),
  computed(
    `${MULTIPART}.content_transfer_encodings`,
    ARRAYS,
    perPart(({ header }) => header('content-transfer-encoding')),
  ),
  computed(
    `${MULTIPART}.content_types`,
    ARRAYS,
    perPart(({ header }) => header('content-type')),
  ),
  computed(
    `${MULTIPART}.filenames`,
    ARRAYS,
    perPart(({ filename }) => [filename]),
  ),
  computed(
    `${MULTIPART}.names`,
    ARRAYS,
    perPart(({ name }) => [name]),
  ),
  computed(`${MULTIPART}.values`, BYTES_ARRAY, (facts) => parts(facts).map(({ value }) => value)),
  computed('http.request.body.raw', BYTES, bodyBytes),
  computed('http.request.body.size', INT, ({ body }) => body?.sizeBytes ?? 0),
  computed('http.request.body.truncated', BOOL, ({ body }) => body?.isTruncated ?? false),
]
