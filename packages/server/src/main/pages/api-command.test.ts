import { describe, expect, test } from 'vitest'
import { commandFor, type CommandSchema } from './api-command.ts'

const SCHEMAS: Readonly<Record<string, CommandSchema>> = {
  Loop: { type: 'object', required: ['next'], properties: { next: { $ref: '#/components/schemas/Loop' } } },
}
const resolve = (schema: CommandSchema): CommandSchema =>
  schema.$ref === undefined ? schema : (SCHEMAS[schema.$ref.split('/').at(-1) ?? ''] ?? {})

const command = (method: string, path: string, body?: readonly [string, CommandSchema]): string =>
  commandFor({ method, path, body, resolve })

const json = (schema: CommandSchema): string =>
  /--json '(.*)'$/.exec(command('POST', '/zones', ['application/json', schema]))?.[1] ?? ''

describe('command of an operation', () => {
  test('a read, with parameters of the path as variables', () => {
    expect(command('GET', '/zones/{zone_id}/dns_records/{dns_record_id}')).toBe(
      [
        'curl "$SERVER/client/v4/zones/$ZONE_ID/dns_records/$DNS_RECORD_ID"',
        '  -H "Authorization: Bearer $TOKEN"',
      ].join(' \\\n'),
    )
  })

  test('a file', () => {
    expect(command('POST', '/import', ['multipart/form-data', {}])).toMatch(/curl -X POST .*-F file=@FILE$/s)
  })

  test.each<[string, CommandSchema, unknown]>([
    [
      'required members only',
      {
        type: 'object',
        required: ['name'],
        properties: { id: { type: 'string' }, name: { examples: ['www'] } },
      },
      { name: 'www' },
    ],
    [
      'the first member, if none is required',
      { type: 'object', properties: { paused: { type: 'boolean' }, name: { type: 'string' } } },
      { paused: true },
    ],
    ['a list', { type: 'array', items: { enum: ['A', 'MX'] } }, ['A']],
    ['the first of several kinds', { anyOf: [{ type: 'integer', minimum: 60 }, { type: 'null' }] }, 60],
    ['nothing known', {}, '…'],
    [
      'a schema within itself ends',
      { $ref: '#/components/schemas/Loop' },
      { next: { next: { next: { next: {} } } } },
    ],
  ])('%s', (_, schema, expected) => expect(JSON.parse(json(schema))).toEqual(expected))

  test('quotes survive the shell', () => {
    expect(json({ examples: ["it's"] })).toBe(String.raw`"it'\''s"`)
  })
})
