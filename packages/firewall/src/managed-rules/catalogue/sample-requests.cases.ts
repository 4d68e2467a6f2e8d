// Common forms of sample requests.
import type { RequestSample } from '../request-sample.cases.ts'

export const get = (target: string, headers: RequestSample['headers'] = {}): RequestSample => ({
  target,
  headers,
})

export const form = (target: string, body: string): RequestSample => ({
  method: 'POST',
  target,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body,
})

export const json = (target: string, body: string): RequestSample => ({
  method: 'POST',
  target,
  headers: { 'content-type': 'application/json' },
  body,
})

export const xml = (target: string, body: string): RequestSample => ({
  method: 'POST',
  target,
  headers: { 'content-type': 'application/xml' },
  body,
})

const BOUNDARY = '----sample-boundary-7f3a'

/** An upload of one file. */
export const upload = (target: string, filename: string, content: string): RequestSample => ({
  method: 'POST',
  target,
  headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  body: `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: application/octet-stream\r\n\r\n${content}\r\n--${BOUNDARY}--\r\n`,
})
