// A fetch that records every request and reply, one JSON object per line, for the response validator.
import { appendFileSync } from 'node:fs'

/** Wraps the global fetch; appends {method, path, status, body, req} of each request to `file`. */
export function recordingFetch(file: string): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.protocol === 'data:') return response // the SDK's feature detection
    const text = await response.clone().text()
    const exchange = {
      method: init?.method ?? 'GET',
      path: url.pathname + url.search,
      status: response.status,
      body: text === '' ? null : parseOrRaw(text),
      ...(typeof init?.body === 'string' ? { req: init.body } : {}),
    }
    appendFileSync(file, `${JSON.stringify(exchange)}\n`)
    return response
  }
}

function parseOrRaw(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return { raw: text } // the form that the validator expects for a body that is not JSON
  }
}
