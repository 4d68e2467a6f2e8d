// The texts of a body, parsed by its type or its appearance. No octets make it fail.
import {
  asciiLower,
  type Bytes,
  type MultipartPart,
  type Pair,
  parseMultipart,
  percentDecode,
  splitQuery,
} from '@zonereeve/expr'
import { type JsonText, looksLikeJson, readJsonStrings } from './json-strings.ts'
import { fieldKey, NamedText } from './named-text.ts'
import type { PartText } from './request-parts.ts'
import { looksLikeXml, readXmlStrings, type XmlString } from './xml-strings.ts'

/** Maximum texts of one part. */
export const MAX_STRINGS = 2000
/** One more is read, so that it is known whether there are more. */
export const MOST_READ = MAX_STRINGS + 1
/** Maximum parts of a multipart body. */
const MAX_PARTS = 1000
/** Maximum inspected octets of an uploaded file. */
const MAX_FILE_BYTES = 16 * 1024

export interface BodyStrings {
  readonly values: readonly NamedText[]
  readonly names: readonly PartText[]
  readonly filenames: readonly PartText[]
  readonly files: readonly PartText[]
  readonly raw: readonly PartText[]
  /** True if there is more than is inspected. */
  readonly isCut: boolean
}

const NO_STRINGS: BodyStrings = { values: [], names: [], filenames: [], files: [], raw: [], isCut: false }

/** @param contentType the header; empty if there is none */
export function readBody(bytes: Bytes, contentType: Bytes): BodyStrings {
  if (bytes === '') return NO_STRINGS
  const type = asciiLower(contentType)
  if (type.startsWith('application/x-www-form-urlencoded')) return readForm(bytes)
  if (type.startsWith('multipart/')) {
    const parts = parseMultipart(bytes, contentType, MAX_PARTS + 1)
    if (parts.length > 0) return readMultipart(parts)
  }
  if (type.includes('json') || looksLikeJson(bytes)) return readJson(bytes)
  if (/[/+]xml\b/.test(type) || looksLikeXml(bytes)) return readXml(bytes)
  // Applications read forms of other types, too. The body as received is inspected beside its values.
  if (FORM_BEGINNING.test(bytes.slice(0, 128))) return { ...readForm(bytes), raw: rawBody(bytes) }
  return { ...NO_STRINGS, raw: rawBody(bytes) }
}

/** A name without whitespace and an equals sign. */
const FORM_BEGINNING = /^[\w.%[\]-]{1,64}=[^=]/

const rawBody = (bytes: Bytes): readonly PartText[] => [
  { field: 'http.request.body.raw', text: bytes, isOfBody: true },
]

function readForm(bytes: Bytes): BodyStrings {
  const pairs = splitQuery(bytes, MOST_READ).map(decodePair)
  return {
    ...NO_STRINGS,
    values: pairs.map(([name, text]) => new NamedText('http.request.body.form', name, text, true)),
    names: pairs.map(([text]) => ({ field: 'http.request.body.form.names', text, isOfBody: true })),
  }
}

function readMultipart(all: readonly MultipartPart[]): BodyStrings {
  const parts = all.slice(0, MAX_PARTS)
  const files = parts.flatMap(({ filename, ...part }) =>
    filename === undefined ? [] : [{ ...part, filename }],
  )
  const fields = parts.filter(({ filename }) => filename === undefined)
  return {
    raw: [],
    isCut: all.length > MAX_PARTS || files.some(({ value }) => value.length > MAX_FILE_BYTES),
    values: fields.map(
      ({ name = '', value }) => new NamedText('http.request.body.multipart', name, value, true),
    ),
    names: parts.map(({ name = '' }) => ({
      field: 'http.request.body.multipart.names',
      text: name,
      isOfBody: true,
    })),
    filenames: files.map(({ filename }) => ({
      field: 'http.request.body.multipart.filenames',
      text: filename,
      isOfBody: true,
    })),
    files: files.map(({ name = '', value }) => ({
      field: fieldKey('http.request.body.multipart', name),
      text: value.slice(0, MAX_FILE_BYTES),
      isOfBody: true,
    })),
  }
}

/** The document as received, too: markup is an attack elsewhere. */
function readXml(bytes: Bytes): BodyStrings {
  return { ...toBodyStrings(readXmlStrings(bytes, MOST_READ)), raw: rawBody(bytes) }
}

const readJson = (bytes: Bytes): BodyStrings => toBodyStrings(readJsonStrings(bytes, MOST_READ))

/** Names of a document repeat; each is inspected once. */
function toBodyStrings(strings: readonly (JsonText | XmlString)[]): BodyStrings {
  const values: NamedText[] = []
  const names = new Set<Bytes>()
  const count = Math.min(strings.length, MAX_STRINGS)
  for (let i = 0; i < count; i += 1) {
    const { isName, under, text } = strings[i] as JsonText | XmlString // within the list
    if (isName) names.add(text)
    else values.push(new NamedText('http.request.body.raw', under, text, true))
  }
  return {
    ...NO_STRINGS,
    values,
    isCut: strings.length > MAX_STRINGS,
    names: Array.from(names, (text) => ({ field: 'http.request.body.raw', text, isOfBody: true })),
  }
}

/** Decodes as in a form: a plus is a space. */
const decodeForm = (text: Bytes): Bytes =>
  percentDecode(text.includes('+') ? text.replaceAll('+', ' ') : text)

export const decodePair = ([name, value]: Pair): Pair => [decodeForm(name), decodeForm(value)]
