// Paths that are answered before the framework: what a request costs there is more than all that these do with it.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'

/**
 * Answers requests of these methods and exact paths by `answer`. Everything else goes to the framework, other spellings of
 * a path too: its router must know these paths as well. (The framework's own way to put something before it,
 * `serverFactory`, would listen on one address only where a host name has several.)
 */
export function answerAhead(
  server: Server,
  paths: readonly string[],
  methods: readonly string[],
  answer: RequestListener,
): void {
  // The last one answers; those before it only look.
  const framework = server.listeners('request').at(-1) as RequestListener // so the event is declared
  server.off('request', framework)
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (methods.includes(request.method ?? '') && paths.includes(pathOf(request.url ?? '')))
      return answer(request, response)
    return framework(request, response)
  })
}

const pathOf = (url: string): string => {
  const at = url.indexOf('?')
  return at < 0 ? url : url.slice(0, at)
}
