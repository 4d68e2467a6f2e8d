// Reads a stream of server-sent events (WHATWG HTML, section 9.2.6).

export interface ServerSentEvent {
  /** `message` if the stream names none. */
  readonly event: string
  readonly id: string | undefined
  readonly data: string
}

/** An event without an end is not complete, and left out. Comments and events without data, too. */
export async function* readEvents(octets: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  let lines: string[] = []
  for await (const line of linesIn(octets)) {
    if (line !== '') {
      lines.push(line)
      continue
    }
    const read = readEvent(lines)
    lines = []
    if (read !== undefined) yield read
  }
}

/** Lines end with CR, LF or both. */
async function* linesIn(octets: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of octets) {
    rest += decoder.decode(chunk, { stream: true })
    // A CR at the end may be the first half of a line end.
    const held = rest.endsWith('\r') ? '\r' : ''
    const lines = rest.slice(0, rest.length - held.length).split(/\r\n|\r|\n/)
    rest = (lines.pop() ?? '') + held // split never returns an empty list
    yield* lines
  }
  if (rest.endsWith('\r')) yield rest.slice(0, -1)
}

function readEvent(lines: readonly string[]): ServerSentEvent | undefined {
  let event = 'message'
  let id: string | undefined
  const data: string[] = []
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'event') event = value
    else if (name === 'id') id = value
    else if (name === 'data') data.push(value)
  }
  return data.length === 0 ? undefined : { event, id, data: data.join('\n') }
}
