// Request bodies: JSON, also without a Content-Type (some clients send none) and empty where none is needed.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../platform/domain-error.ts'

/** Bytes of a JSON body, at most. */
export const MAX_BODY_BYTES = 1_048_576

export function acceptJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) =>
    readJson(request, Buffer.from(body), (text, finish) => parse(request, text, finish), done),
  )
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    if (request.headers['content-type'] !== undefined)
      return done(new DomainError({ reason: 'request.content_type' }))
    return readJson(request, Buffer.from(body), (text, finish) => parse(request, text, finish), done)
  })
}

type Done = (error: Error | null, value?: unknown) => void

const utf8 = new TextDecoder('utf-8', { fatal: true })

function readJson(
  { headers }: FastifyRequest,
  body: Buffer,
  parse: (text: string, done: Done) => unknown,
  done: Done,
): void {
  if (!isPlainUtf8(headers)) return done(new DomainError({ reason: 'request.content_type' }))
  const text = decode(body)
  if (text === undefined) return done(new DomainError({ reason: 'request.malformed_json' }))
  if (text.trim() === '') return done(null, undefined)
  parse(text, (error, value) => {
    if (error) done(new DomainError({ reason: 'request.malformed_json' }))
    else done(null, value)
  })
}

/** JSON between systems is UTF-8 (RFC 8259 §8.1), and nothing is unpacked here. */
function isPlainUtf8(headers: FastifyRequest['headers']): boolean {
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  return /^utf-?8$/i.test(charset) && (headers['content-encoding'] ?? 'identity') === 'identity'
}

/** Undefined for octets that are no UTF-8. GET and DELETE often announce JSON and send nothing; one client pads with NULs. */
function decode(body: Buffer): string | undefined {
  try {
    return utf8.decode(body).replace(/\0+$/, '')
  } catch {
    return undefined // the caller says what that means
  }
}
