import { expect, test } from 'vitest'
import { scriptFor, terraformFor } from './record-code.ts'

const record = {
  zone_id: 'z1',
  name: '_dmarc.example.com',
  type: 'TXT' as const,
  content: '"v=DMARC1; ${x} %{y}"',
  ttl: 300,
  proxied: false,
  comment: 'ask mail',
  tags: ['team:mail'],
}

test('as a call of the SDK', () => {
  expect(scriptFor('http://127.0.0.1:8080', record)).toBe(
    [
      `import Cloudflare from 'cloudflare'`,
      '',
      `const client = new Cloudflare({ apiToken: process.env.TOKEN, baseURL: 'http://127.0.0.1:8080/client/v4' })`,
      'await client.dns.records.create({',
      '  zone_id: "z1",',
      '  name: "_dmarc.example.com",',
      '  type: "TXT",',
      '  content: "\\"v=DMARC1; ${x} %{y}\\"",',
      '  ttl: 300,',
      '  comment: "ask mail",',
      '  tags: [',
      '    "team:mail"',
      '  ]',
      '})',
    ].join('\n'),
  )
})

test('as a Terraform resource, without expressions in its strings', () => {
  expect(terraformFor(record)).toBe(
    [
      'resource "cloudflare_dns_record" "_dmarc_example_com_txt" {',
      '  zone_id = "z1"',
      '  name    = "_dmarc.example.com"',
      '  type    = "TXT"',
      '  content = "\\"v=DMARC1; $${x} %%{y}\\""',
      '  ttl     = 300',
      '  comment = "ask mail"',
      '  tags    = ["team:mail"]',
      '}',
    ].join('\n'),
  )
})

test('a value of several fields is a map', () => {
  const srv = {
    ...record,
    name: '1.example.com',
    type: 'SRV' as const,
    data: { priority: 1, target: 'a.example' },
    tags: [],
    comment: null,
  }
  expect(terraformFor(srv)).toContain(
    [
      '_1_example_com_srv" {',
      '  zone_id = "z1"',
      '  name    = "1.example.com"',
      '  type    = "SRV"',
      '  data    = {',
      '    priority = 1',
      '    target = "a.example"',
      '  }',
      '  ttl     = 300',
      '}',
    ].join('\n'),
  )
})
