// Paths that are answered before the framework, whose overhead per request exceeds the work of these answers.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { hasTwoHosts } from '@zonereeve/platform'

/**
 * Answers requests with these methods and exact paths by `answer`. Everything else goes to the framework, including
 * other spellings of a path: its router must know these paths as well. (The framework's own hook for this,
 * `serverFactory`, would listen on only one address of a host name with several.)
 */
export function answerAhead(
  server: Server,
  paths: readonly string[],
  methods: readonly string[],
  answer: RequestListener,
): void {
  // The last listener answers; those before it only observe.
  const framework = server.listeners('request').at(-1) as RequestListener // so the event is declared
  server.off('request', framework)
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { method, url } = request
    const isAhead =
      method !== undefined && methods.includes(method) && url !== undefined && paths.includes(pathOf(url))
    return isAhead && !hasTwoHosts(request) ? answer(request, response) : framework(request, response)
  })
}

const pathOf = (url: string): string => {
  const at = url.indexOf('?')
  return at < 0 ? url : url.slice(0, at)
}
