// Request bodies: JSON, also without a Content-Type (some clients send none) and empty where none is needed.
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../platform/domain-error.ts'

/** Bytes of a JSON body, at most. */
export const MAX_BODY_BYTES = 1_048_576

export function acceptJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    readJson(body.toString(), (text, finish) => parse(request, text, finish), done),
  )
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    if (request.headers['content-type'] !== undefined)
      return done(new DomainError({ reason: 'request.content_type' }))
    return readJson(body.toString(), (text, finish) => parse(request, text, finish), done)
  })
}

type Done = (error: Error | null, value?: unknown) => void

function readJson(body: string, parse: (text: string, done: Done) => unknown, done: Done): void {
  // GET and DELETE often announce JSON and send nothing; one client pads with NUL bytes.
  const text = body.replace(/\0+$/, '')
  if (text.trim() === '') return done(null, undefined)
  parse(text, (error, value) => {
    if (error) done(new DomainError({ reason: 'request.malformed_json' }))
    else done(null, value)
  })
}
