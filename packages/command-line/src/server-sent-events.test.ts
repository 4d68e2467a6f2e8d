// Server-sent events: fields, line ends and comments, however the bytes arrive.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEvents, type ServerSentEvent } from './server-sent-events.ts'

async function read(text: string, cuts: readonly number[] = []): Promise<ServerSentEvent[]> {
  const octets = new TextEncoder().encode(text)
  const ends = [...cuts, octets.length].toSorted((a, b) => a - b)
  async function* chunks() {
    let from = 0
    for (const end of ends) {
      yield octets.slice(from, end)
      from = Math.max(from, end)
    }
  }
  const events: ServerSentEvent[] = []
  for await (const event of readEvents(chunks())) events.push(event)
  return events
}

test.each<[string, string, ServerSentEvent[]]>([
  ['one event', 'id: 7\ndata: x\n\n', [{ event: 'message', id: '7', data: 'x' }]],
  ['a named event', 'event: gap\ndata: x\n\n', [{ event: 'gap', id: undefined, data: 'x' }]],
  ['lines of data', 'data: a\ndata: b\n\n', [{ event: 'message', id: undefined, data: 'a\nb' }]],
  ['only the first space is dropped', 'data:  a\n\n', [{ event: 'message', id: undefined, data: ' a' }]],
  ['CRLF', 'data: a\r\n\r\n', [{ event: 'message', id: undefined, data: 'a' }]],
  ['CR', 'data: a\r\r', [{ event: 'message', id: undefined, data: 'a' }]],
  ['a comment', ': no event\n\n', []],
  ['an id without data', 'id: 7\n\n', []],
  ['an event without an end', 'data: a\n', []],
])('%s', async (_, text, expected) => expect(await read(text)).toEqual(expected))

test('the same events however the bytes are cut', async () => {
  const line = fc.constantFrom('data: ä', 'data: b', 'id: 1', 'event: x', ': c', '', '')
  const end = fc.constantFrom('\n', '\r\n')
  await fc.assert(
    fc.asyncProperty(fc.array(line), end, fc.array(fc.nat(200)), async (lines, ending, cuts) => {
      const text = lines.map((one) => one + ending).join('')
      const length = new TextEncoder().encode(text).length
      expect(
        await read(
          text,
          cuts.map((cut) => Math.min(cut, length)),
        ),
      ).toEqual(await read(text))
    }),
  )
})
