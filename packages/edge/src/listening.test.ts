import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { closeServer, listenAnywhere } from './listening.ts'

let folder: string
let opened: Server[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'listening-'))
  opened = []
})
afterEach(async () => {
  await Promise.all(opened.map(closeServer))
  rmSync(folder, { recursive: true, force: true })
})

const serverSaying = (text: string): Server =>
  createServer((socket) => socket.on('error', () => socket.destroy()).end(text))

const heardAt = (path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    connect(path)
      .on('error', reject)
      .on('data', (chunk: Buffer) => (text += chunk.toString()))
      .on('close', () => resolve(text))
  })

/** As a process that is killed leaves it. */
function leaveSocket(path: string): void {
  const code = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`
  expect(() => execFileSync(process.execPath, ['-e', code])).toThrow('Command failed')
  expect(statSync(path).isSocket()).toBe(true)
}

describe('a socket in the file system', () => {
  test('answers every user of the folder, and goes away with the edge', async () => {
    const path = join(folder, 'edge')
    const listener = await listenAnywhere(serverSaying('yes'), { path }, opened)
    expect(listener).toEqual({ path })
    expect(statSync(path).mode & 0o777).toBe(0o777)
    expect(await heardAt(path)).toBe('yes')
    await Promise.all(opened.splice(0).map(closeServer))
    expect(existsSync(path)).toBe(false)
  })

  test('takes the place of one that was left', async () => {
    const path = join(folder, 'edge')
    leaveSocket(path)
    await listenAnywhere(serverSaying('new'), { path }, opened)
    expect(await heardAt(path)).toBe('new')
  })

  test('does not take the place of one that is in use', async () => {
    const path = join(folder, 'edge')
    await listenAnywhere(serverSaying('first'), { path }, opened)
    await expect(listenAnywhere(serverSaying('second'), { path }, opened)).rejects.toThrow('EADDRINUSE')
    expect(await heardAt(path)).toBe('first')
    expect(opened).toHaveLength(1)
  })

  test('does not take the place of a file', async () => {
    const path = join(folder, 'notes')
    writeFileSync(path, 'kept')
    await expect(listenAnywhere(serverSaying('no'), { path }, opened)).rejects.toThrow('EADDRINUSE')
    expect(statSync(path).isFile()).toBe(true)
  })

  test('needs its folder', async () => {
    const path = join(folder, 'missing', 'edge')
    await expect(listenAnywhere(serverSaying('no'), { path }, opened)).rejects.toThrow(/ENOENT|EACCES/)
  })
})

test('a port is answered as before', async () => {
  const listener = await listenAnywhere(serverSaying('yes'), { host: '127.0.0.1', port: 0 }, opened)
  expect(listener).toEqual({ host: '127.0.0.1', port: expect.any(Number) })
})
