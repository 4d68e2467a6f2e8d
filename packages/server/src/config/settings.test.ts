import { describe, expect, test } from 'vitest'
import { ConfigError, loadConfig } from './config.ts'

const load = (flags: Record<string, string>) => loadConfig({ flags, environment: {} })

describe('edge addresses', () => {
  test.each([
    ['', []],
    ['192.0.2.1', ['192.0.2.1']],
    [' 192.0.2.1 , 2001:DB8:0::1,192.0.2.1', ['192.0.2.1', '2001:db8::1']],
    [Array.from({ length: 32 }, (_, i) => `192.0.2.${i}`).join(','), expect.objectContaining({ length: 32 })],
  ])('%s', (text, expected) => {
    expect(load({ 'edge-addresses': text }).edgeAddresses).toEqual(expected)
  })
  test.each([
    '192.0.2.256',
    'edge.example.com',
    '192.0.2.0/24',
    '192.0.2.1;192.0.2.2',
    Array.from({ length: 33 }, (_, i) => `192.0.2.${i}`).join(','),
  ])('refused: %s', (text) => {
    expect(() => load({ 'edge-addresses': text })).toThrow(ConfigError)
  })
})

describe('resolver', () => {
  test.each([
    ['system', 'system'],
    ['off', 'off'],
    ['192.0.2.53:53', [{ host: '192.0.2.53', port: 53 }]],
    [
      '127.0.0.1:5300, [2001:db8::53]:53',
      [
        { host: '127.0.0.1', port: 5300 },
        { host: '2001:db8::53', port: 53 },
      ],
    ],
  ])('%s', (text, expected) => {
    expect(load({ resolver: text }).resolver).toEqual(expected)
  })
  test('is that of the system where nothing is said', () => {
    expect(load({}).resolver).toBe('system')
  })
  test.each([
    '',
    'on',
    'dns.example.com:53',
    '192.0.2.53',
    '192.0.2.53:0',
    '192.0.2.53:65536',
    Array.from({ length: 9 }, () => '192.0.2.53:53').join(','),
  ])('refused: %s', (text) => {
    expect(() => load({ resolver: text })).toThrow(ConfigError)
  })
})
