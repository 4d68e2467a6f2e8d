import { describe, expect, test } from 'vitest'
import { readPassedSockets } from './passed-sockets.ts'

const HEADER =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode'
const row = (local: string, state: string, inode: number) =>
  `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 ${inode} 1 0000000000000000 100 0 0 10 0`
const TABLES: Readonly<Record<string, readonly string[]>> = {
  tcp: [row('0100007F:0035', '0A', 11), row('0100007F:1F90', '01', 12)],
  tcp6: [row('00000000000000000000000000000000:01BB', '0A', 13)],
  udp: [row('0100007F:0035', '07', 14)],
  udp6: [row('B80D0120000000000000000001000000:0035', '07', 15)],
}
const sources = (inodes: readonly number[]) => ({
  pid: 7,
  inodeOf: (descriptor: number) => `socket:[${inodes[descriptor - 3]}]`,
  readTable: (protocol: string) => [HEADER, ...(TABLES[protocol] ?? []), ''].join('\n'),
})

describe('sockets passed by a service manager', () => {
  test('have their names, kinds and addresses', () => {
    const environment = { LISTEN_PID: '7', LISTEN_FDS: '4', LISTEN_FDNAMES: 'dns:dns:https:dns6' }
    expect(readPassedSockets(environment, sources([11, 14, 13, 15]))).toEqual([
      { descriptor: 3, name: 'dns', kind: 'stream', host: '127.0.0.1', port: 53 },
      { descriptor: 4, name: 'dns', kind: 'datagram', host: '127.0.0.1', port: 53 },
      { descriptor: 5, name: 'https', kind: 'stream', host: '::', port: 443 },
      { descriptor: 6, name: 'dns6', kind: 'datagram', host: '2001:db8::1', port: 53 },
    ])
  })

  test.each([
    ['no sockets', {}],
    ['sockets of another process', { LISTEN_PID: '8', LISTEN_FDS: '1' }],
    ['no number', { LISTEN_PID: '7' }],
  ])('none: %s', (_, environment) => expect(readPassedSockets(environment, sources([11]))).toEqual([]))

  test.each([
    ['a number that is none', '0', [11], /^LISTEN_FDS must be the number/],
    ['a connection instead of a listening socket', '1', [12], /^the passed socket 3 \(x\) is neither/],
    ['a socket that the kernel does not list', '1', [99], /^the passed socket 3 \(x\) is neither/],
  ])('refused: %s', (_, count, inodes, message) => {
    const environment = { LISTEN_PID: '7', LISTEN_FDS: count, LISTEN_FDNAMES: 'x' }
    expect(() => readPassedSockets(environment, sources(inodes))).toThrow(message)
  })
})
