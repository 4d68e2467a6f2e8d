// Log lines are buffered up to a limit, and lost ones counted.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createLogDestination, type WriteChunk } from './log-destination.ts'

type Done = Parameters<WriteChunk>[1]

/** A destination whose writes complete when the test says so. */
function heldDestination(maxBufferedBytes: number) {
  const writes: { readonly text: string; readonly done: Done }[] = []
  const destination = createLogDestination(
    (chunk, done) => void writes.push({ text: chunk.toString(), done }),
    (lines) => `dropped ${lines}\n`,
    maxBufferedBytes,
  )
  return { destination, writes }
}

describe('the buffer', () => {
  test('lines of one turn of the event loop are written together, and so are those during a write', async () => {
    const { destination, writes } = heldDestination(100)
    for (const line of ['a\n', 'b\n']) destination.write(line)
    expect(writes).toEqual([])
    await nextTurn()
    for (const line of ['c\n', 'd\n']) destination.write(line)
    await nextTurn()
    writes[0]?.done(null)
    expect(writes.map(({ text }) => text)).toEqual(['a\nb\n', 'c\nd\n'])
    expect(destination.droppedLines).toBe(0)
  })

  test('drops lines while it is full, and reports how many once lines are written again', async () => {
    const { destination, writes } = heldDestination(4)
    destination.write('a\n')
    await nextTurn()
    for (const line of ['b\n', 'lost\n', 'c\n']) destination.write(line)
    expect(destination.droppedLines).toBe(2)
    writes[0]?.done(null)
    expect(writes[1]?.text).toBe('dropped 2\nb\n')
    writes[1]?.done(null)
    destination.write('d\n')
    await nextTurn()
    expect(writes[2]?.text).toBe('d\n')
  })

  test('writes the rest of a partly written chunk', async () => {
    const { destination, writes } = heldDestination(100)
    destination.write('abc\n')
    await nextTurn()
    writes[0]?.done(null, 1)
    expect(writes[1]?.text).toBe('bc\n')
  })

  test.each(['EAGAIN', 'ENOSPC', 'EIO', 'EPIPE'])('retries after %s, and loses nothing', async (code) => {
    let failures = 2
    let out = ''
    const destination = createLogDestination(
      (chunk, done) => {
        if ((failures -= 1) >= 0) return done(Object.assign(new Error(code), { code }))
        out += chunk.toString()
        done(null)
      },
      () => 'dropped\n',
    )
    destination.write('kept\n')
    destination.write('after\n')
    await destination.flush(60_000)
    expect([out, destination.droppedLines]).toEqual(['kept\nafter\n', 0])
  })

  test('stops waiting for a blocked destination', async () => {
    const { destination, writes } = heldDestination(100)
    destination.write('a\n')
    await destination.flush(1)
    expect([writes.length, destination.droppedLines]).toEqual([1, 0])
  })
})
