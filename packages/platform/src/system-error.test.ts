// Descriptions of system errors: provoked for real where any user can, otherwise built from their code.
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratchFolder } from './testing/scratch-folder.ts'
import { describeError, describeFileError } from './system-error.ts'

function errorOf(fail: () => unknown): unknown {
  try {
    fail()
  } catch (error) {
    return error
  }
  throw new Error('did not fail')
}

const errors: [name: string, fail: (path: string) => unknown, below: string, reason: string][] = [
  ['a missing file', (path) => readFileSync(path), 'none', 'no such file or folder'],
  [
    'a file as folder',
    (path) => mkdirSync(path, { recursive: true }),
    'file',
    'already exists and is not a folder',
  ],
  ['a folder as file', (path) => openSync(path, 'w'), '', 'is a folder, not a file'],
  [
    'a path through a file',
    (path) => readFileSync(path),
    'file/a',
    'part of this path is a file, not a folder',
  ],
]
test.each(errors)('%s is described with its path, without a code', (_, fail, below, reason) => {
  const folder = scratchFolder()
  writeFileSync(join(folder, 'file'), 'x')
  const path = join(folder, below)
  const error = errorOf(() => fail(path))
  expect([describeError(error), describeFileError(error)]).toEqual([`${path}: ${reason}`, reason])
})

const made = (code: string, more: object) =>
  Object.assign(new Error(`${code}: raw`), { code, syscall: 'x', ...more })

const others: [name: string, error: unknown, text: RegExp][] = [
  ['a folder of another user', made('EACCES', { path: '/a' }), /^\/a: permission denied/],
  ['a full disk', made('ENOSPC', { path: '/a' }), /^\/a: no space left on the disk$/],
  [
    'a port below 1024',
    made('EACCES', { address: '127.0.0.1', port: 1_023 }),
    /^127\.0\.0\.1:1023: ports below 1024 need a privilege; run with CAP_NET_BIND_SERVICE/,
  ],
  [
    'a port above 1023',
    made('EACCES', { address: '::1', port: 1_024 }),
    /^::1:1024: permission denied; choose another/,
  ],
  ['a code without a description', made('EWHAT', { path: '/a' }), /^EWHAT: raw$/],
  ['a name of every object as code', made('constructor', { path: '/a' }), /^constructor: raw$/],
  ['a file error without a path', made('ENOENT', {}), /^ENOENT: raw$/],
  ['an error that is not a system error', new Error('anything'), /^anything$/],
  ['not an error', 'anything', /^anything$/],
]
test.each(others)('%s', (_, error, text) => expect(describeError(error)).toMatch(text))

test('a port in use is described with its address', async () => {
  const first = createServer()
  await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve))
  const { port } = first.address() as { port: number } // of a TCP server
  const error = await new Promise((resolve) =>
    createServer().once('error', resolve).listen(port, '127.0.0.1'),
  )
  first.close()
  expect(describeError(error)).toBe(`127.0.0.1:${port} is in use; choose another with --http or --dns`)
})
