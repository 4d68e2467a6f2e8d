// Pasted curl commands: the request that curl would send, or what cannot be read.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCurl, shellWords } from './curl-command.ts'

const OWN = ['User-Agent: curl/8.0', 'Accept: */*']

describe('commands', () => {
  test.each([
    ['curl https://a.example/x', { method: 'GET', url: 'https://a.example/x', headers: OWN, body: '' }],
    ['curl a.example', { method: 'GET', url: 'http://a.example', headers: OWN, body: '' }],
    [
      `curl -sSL 'https://a.example/?q=1' \\\n  -H 'X-One: a b' --compressed`,
      { method: 'GET', url: 'https://a.example/?q=1', headers: ['X-One: a b', ...OWN], body: '' },
    ],
    [
      `curl -XPUT --data-raw '@a=1' --data "b=\\"2\\"" a.example`,
      {
        method: 'PUT',
        url: 'http://a.example',
        headers: [...OWN, 'Content-Type: application/x-www-form-urlencoded'],
        body: '@a=1&b="2"',
      },
    ],
    [
      `curl --json '{"a":1}' --url https://a.example -A x`,
      {
        method: 'POST',
        url: 'https://a.example',
        headers: ['Content-Type: application/json', 'Accept: application/json', 'User-Agent: x'],
        body: '{"a":1}',
      },
    ],
    [
      'curl -G -d q=1 https://a.example/?p=2',
      { method: 'GET', url: 'https://a.example/?p=2&q=1', headers: OWN, body: '' },
    ],
    ['curl -I --max-time=5 a.example', { method: 'HEAD', url: 'http://a.example', headers: OWN, body: '' }],
    [
      `curl $'https://a.example/\\'' -b 'a=1; b=2' -e https://b.example`,
      {
        method: 'GET',
        url: "https://a.example/'",
        headers: ['Cookie: a=1; b=2', 'Referer: https://b.example', ...OWN],
        body: '',
      },
    ],
  ])('%s', (command, request) => {
    expect(readCurl(command)).toEqual(request)
  })

  test.each([
    ['wget a.example', { kind: 'no-curl' }],
    ['curl -s', { kind: 'no-url' }],
    ["curl 'a.example", { kind: 'open-quote' }],
    ['curl -F file=@x a.example', { kind: 'option', name: '-F' }],
    ['curl --proxy x a.example', { kind: 'option', name: '--proxy' }],
    ['curl a.example -H', { kind: 'option', name: '-H' }],
    ['curl -d @body.json a.example', { kind: 'file', name: '@body.json' }],
  ])('%s cannot be read', (command, problem) => {
    expect(readCurl(command)).toEqual(problem)
  })
})

test('quoted words come back as they were', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (words) => {
      const quoted = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`)
      expect(shellWords(quoted.join(' '))).toEqual(words)
    }),
  )
})

test('any text is read or refused', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const read = readCurl(`curl ${text}`)
      expect('kind' in read ? read.kind : typeof read.url).toMatch(
        /^(no-curl|no-url|open-quote|option|file|string)$/,
      )
    }),
  )
})
