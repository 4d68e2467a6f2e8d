// Questions at the terminal before something that cannot be undone.
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { requireConfirmation } from './confirm.ts'

const REQUEST = { action: 'delete example.com', expected: 'example.com', yes: undefined }

function terminal(typed: string | null, isTTY = true) {
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = new PassThrough()
  input.end(typed ?? '')
  return { input, output }
}

describe('confirmation', () => {
  test.each([
    ['the name', 'example.com\n'],
    ['the name in capitals, with spaces', '  EXAMPLE.com \r\n'],
    ['the name, then other lines', 'example.com\nno\n'],
  ])('passes on %s', async (_, typed) => {
    const streams = terminal(typed)
    await requireConfirmation(REQUEST, streams)
    expect(String(streams.output.read())).toContain('This will delete example.com. Type "example.com"')
  })

  test.each([
    ['y', 'y\n'],
    ['another name', 'www.example.com\n'],
    ['an empty line', '\nexample.com\n'],
    ['the end of the input', null],
  ])('fails on %s', async (_, typed) => {
    await expect(requireConfirmation(REQUEST, terminal(typed))).rejects.toThrow('nothing was changed')
  })

  test.each([true, false])('--yes asks nothing (terminal: %s)', async (isTTY) => {
    const streams = terminal('no\n', isTTY)
    await requireConfirmation({ ...REQUEST, yes: true }, streams)
    expect(streams.output.read()).toBeNull()
  })

  test('without a terminal it asks nothing and names the flag', async () => {
    const streams = terminal('example.com\n', false)
    await expect(requireConfirmation(REQUEST, streams)).rejects.toThrow(
      '--yes is needed to delete example.com',
    )
    expect(streams.output.read()).toBeNull()
  })
})
