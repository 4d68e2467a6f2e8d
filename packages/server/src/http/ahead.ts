// Paths that are answered before the framework: what a request costs there is more than all that these do with it.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'

/**
 * Answers requests of these methods and exact paths by `answer`. Everything else goes to those who listened before, other
 * spellings of a path too: a router that knows them must know these paths as well. (The framework's own way in, its
 * `serverFactory`, would listen on one address only where a host name has several.)
 */
export function answerAhead(
  server: Server,
  paths: readonly string[],
  methods: readonly string[],
  answer: RequestListener,
): void {
  const framework = server.listeners('request') as RequestListener[] // what listens to requests
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (methods.includes(request.method ?? '') && paths.includes(pathOf(request.url ?? ''))) {
      // Connections that are in use would keep a server open that is closing.
      if (!server.listening) response.shouldKeepAlive = false
      return answer(request, response)
    }
    for (const listener of framework) void listener(request, response)
  })
}

const pathOf = (url: string): string => {
  const at = url.indexOf('?')
  return at < 0 ? url : url.slice(0, at)
}
