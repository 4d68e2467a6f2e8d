// Requests of the corpora with their names, and the formats in which text is sent.
import type { RequestSample } from '../request-sample.cases.ts'

export interface NamedRequest {
  /** The kind of request that it is an example of. */
  readonly kind: string
  readonly name: string
  readonly request: RequestSample
}

const encode = encodeURIComponent
const plus = (text: string): string => encode(text).replaceAll('%20', '+')

export const inQuery = (path: string, name: string, text: string): RequestSample => ({
  target: `${path}?${encode(name)}=${plus(text)}`,
})

export const inForm = (path: string, fields: Readonly<Record<string, string>>): RequestSample => ({
  method: 'POST',
  target: path,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: Object.entries(fields)
    .map(([name, text]) => `${encode(name)}=${plus(text)}`)
    .join('&'),
})

export const inJson = (path: string, value: unknown, method = 'POST'): RequestSample => ({
  method,
  target: path,
  headers: { 'content-type': 'application/json', accept: 'application/json' },
  body: JSON.stringify(value),
})

const BOUNDARY = '----formBoundaryQ3vX9aZ1'

export interface MultipartPart {
  readonly name: string
  readonly value: string
  readonly filename?: string
  readonly type?: string
}

export const inMultipart = (path: string, parts: readonly MultipartPart[]): RequestSample => ({
  method: 'POST',
  target: path,
  headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  body: `${parts.map(writePart).join('')}--${BOUNDARY}--\r\n`,
})

function writePart({ name, value, filename, type }: MultipartPart): string {
  const file = filename === undefined ? '' : `; filename="${filename}"`
  const header = type === undefined ? '' : `\r\nContent-Type: ${type}`
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}${header}\r\n\r\n${value}\r\n`
}

export const inCookie = (path: string, cookie: string): RequestSample => ({
  target: path,
  headers: { cookie },
})

/** The n-th item of a list, cyclically. */
export function pick<T>(list: readonly [T, ...T[]], n: number): T {
  return list[n % list.length] ?? list[0]
}
