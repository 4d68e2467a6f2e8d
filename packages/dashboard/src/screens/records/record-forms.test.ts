// The forms of the record types: what is sent for a record is what it was, and errors stand at their fields.
import { describe, expect, test } from 'vitest'
import type { WireRecord } from '../../api/records.ts'
import { bodyOf, errorsOf, FORM_TYPES, formOf, startValues, valueText, valuesOf } from './record-forms.ts'

type Value = Pick<WireRecord, 'type' | 'content'> & Partial<Pick<WireRecord, 'priority' | 'data'>>

/** Members that no form reads. */
const REST = { name: 'www.example.com', zone_name: 'example.com' }
const recordOf = (value: Value) => ({ ...REST, ...value }) as unknown as WireRecord // only what forms read

describe('a stored record in its form', () => {
  test.each<{ record: Value; text: string; body: object }>([
    {
      record: { type: 'A', content: '192.0.2.1' },
      text: '192.0.2.1',
      body: { content: '192.0.2.1' },
    },
    {
      record: { type: 'MX', content: 'mail.example.com', priority: 10 },
      text: '10 mail.example.com',
      body: { content: 'mail.example.com', priority: 10 },
    },
    {
      record: {
        type: 'SRV',
        content: '5 993 mail.example.com',
        priority: 10,
        data: { port: 993, priority: 10, target: 'mail.example.com', weight: 5 },
      },
      text: '10 5 993 mail.example.com',
      body: { data: { priority: 10, weight: 5, port: 993, target: 'mail.example.com' } },
    },
    {
      record: {
        type: 'CAA',
        content: '0 issue "ca.example.net"',
        data: { flags: 0, tag: 'issue', value: 'ca.example.net' },
      },
      text: '0 issue "ca.example.net"',
      body: { data: { flags: 0, tag: 'issue', value: 'ca.example.net' } },
    },
    {
      record: { type: 'TXT', content: '"v=spf1 mx -all"' },
      text: '"v=spf1 mx -all"',
      body: { content: '"v=spf1 mx -all"' },
    },
    {
      record: { type: 'TXT', content: String.raw`"say \"hi\"" "\195\164"` },
      text: String.raw`"say \"hi\"\195\164"`,
      body: { content: String.raw`"say \"hi\"\195\164"` },
    },
    {
      record: {
        type: 'HTTPS',
        content: '1 . alpn="h2,h3"',
        data: { priority: 1, target: '.', value: 'alpn="h2,h3"' },
      },
      text: '1 . alpn="h2,h3"',
      body: { data: { priority: 1, target: '.', value: 'alpn="h2,h3"' } },
    },
    {
      record: {
        type: 'URI',
        content: '5 "https://example.com/"',
        priority: 10,
        data: { target: 'https://example.com/', weight: 5 },
      },
      text: '10 5 "https://example.com/"',
      body: { data: { priority: 10, weight: 5, target: 'https://example.com/' }, priority: 10 },
    },
    {
      record: { type: 'TYPE65400', content: String.raw`\# 4 0a000001` },
      text: String.raw`\# 4 0a000001`,
      body: { content: String.raw`\# 4 0a000001` },
    },
  ])('$record.type $record.content', ({ record, text, body }) => {
    const values = valuesOf(recordOf(record))
    expect(valueText(record.type, values)).toBe(text)
    expect(bodyOf(record.type, values)).toEqual(body)
    expect(errorsOf(record.type, values)).toEqual({})
  })

  test('a TXT record that is not UTF-8 is shown as the server has it', () => {
    expect(valuesOf(recordOf({ type: 'TXT', content: String.raw`"\255"` }))).toEqual({
      content: String.raw`"\255"`,
    })
  })
})

describe('what is wrong', () => {
  test.each([
    { name: 'nothing typed', type: 'A', values: { content: '' }, at: ['content'] },
    { name: 'no address', type: 'A', values: { content: '192.0.2.256' }, at: ['content'] },
    { name: 'the other family', type: 'AAAA', values: { content: '192.0.2.1' }, at: ['content'] },
    {
      name: 'an address for a host',
      type: 'MX',
      values: { priority: '10', content: '192.0.2.25' },
      at: ['content'],
    },
    { name: 'no number', type: 'MX', values: { priority: 'ten', content: 'a.example' }, at: ['priority'] },
    {
      name: 'two values missing',
      type: 'MX',
      values: { priority: '', content: '' },
      at: ['priority', 'content'],
    },
    {
      name: 'a port too high',
      type: 'SRV',
      values: { ...startValues('SRV'), target: 'a.example', port: '65536' },
      at: ['port'],
    },
    {
      name: 'an address for a target',
      type: 'SRV',
      values: { ...startValues('SRV'), target: '192.0.2.1' },
      at: ['target'],
    },
    { name: 'odd digits', type: 'DS', values: { ...startValues('DS'), digest: 'abc' }, at: ['digest'] },
    {
      name: 'a digest too short',
      type: 'DS',
      values: { ...startValues('DS'), digest: 'ab' },
      at: ['digest'],
    },
    {
      name: 'a parameter without sense',
      type: 'HTTPS',
      values: { ...startValues('HTTPS'), value: 'port=x' },
      at: ['value'],
    },
    { name: 'no key', type: 'OPENPGPKEY', values: { content: '!!' }, at: ['content'] },
    { name: 'a good alias', type: 'CNAME', values: { content: 'lb.example.net' }, at: [] },
    { name: 'any text', type: 'TXT', values: { content: 'a "quote" \\ and ä' }, at: [] },
  ])('$type: $name', ({ type, values, at }) => {
    const errors = errorsOf(type, values)
    expect(Object.keys(errors)).toEqual(at)
    for (const text of Object.values(errors)) expect(text).toMatch(/^[A-Z].*\.$/)
  })

  test.each(FORM_TYPES)('%s: every error of an empty form stands at a field of it', (type) => {
    const members = formOf(type).map(({ member }) => member)
    const empty = Object.fromEntries(members.map((member) => [member, '']))
    for (const member of Object.keys(errorsOf(type, empty))) expect(members).toContain(member)
    expect(Object.keys(errorsOf(type, empty)).length).toBeGreaterThan(0)
  })
})
