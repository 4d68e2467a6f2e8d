import { describe, expect, test } from 'vitest'
import { parseTerms } from '../../parts/terms.ts'
import {
  CODE_GRAMMAR,
  codeQuery,
  connectionQuery,
  COOKIE_GRAMMAR,
  cookieQuery,
  RESOURCE_GRAMMAR,
  resourceQuery,
} from './inventory-filter.ts'

const malicious = { prioritize_malicious: true }

describe('the filter of scripts', () => {
  test.each([
    ['nothing: the server’s own default', '', {}, malicious],
    ['words are parts of URLs', 'cdn loader.js', {}, { ...malicious, urls: 'cdn,loader.js' }],
    [
      'hosts, in and out',
      'host:www.example.com host:*.example.org -host:dev.example.com',
      {},
      { ...malicious, hosts: 'www.example.com,*.example.org', exclude_hosts: 'dev.example.com' },
    ],
    [
      'URLs, in and out, and pages',
      'url:/v3/ -url:/v1/ page:*/checkout',
      {},
      { ...malicious, urls: '/v3/', exclude_urls: '/v1/', page_url: '*/checkout' },
    ],
    [
      'what is left out by default',
      'with:cdn-cgi with:duplicates',
      {},
      { ...malicious, exclude_cdn_cgi: false, exclude_duplicates: false },
    ],
    ['a page cannot be excluded: then it is a word', '-page:/a', {}, { ...malicious, urls: '-page:/a' }],
    ['a status', '', { status: 'infrequent' }, { ...malicious, status: 'infrequent' }],
    ['any status', '', { status: 'any' }, { ...malicious, status: 'active,infrequent,inactive' }],
    ['an order', '', { sort: '-new' }, { order_by: 'first_seen_at', direction: 'asc' }],
    ['an order that there is not', '', { sort: 'score' }, malicious],
  ])('%s', (_, typed, search, query) => {
    expect(resourceQuery(parseTerms(typed, RESOURCE_GRAMMAR), search)).toEqual(query)
  })

  test('connections have no duplicates', () => {
    const parsed = parseTerms('with:duplicates with:cdn-cgi', RESOURCE_GRAMMAR)
    expect(connectionQuery(parsed, {})).toEqual({ ...malicious, exclude_cdn_cgi: false })
  })
})

describe('the filter of cookies', () => {
  test.each([
    ['nothing', '', {}, {}],
    ['words are a part of the name', 'sess', {}, { name: '*sess*' }],
    [
      'attributes',
      'type:first_party samesite:lax path:/ domain:example.com',
      {},
      { type: 'first_party', same_site: 'lax', path: '/', domain: 'example.com' },
    ],
    ['flags, and their opposite', 'secure:no -httponly:yes', {}, { secure: false, http_only: false }],
    ['an order', '', { sort: 'new' }, { order_by: 'first_seen_at' }],
  ])('%s', (_, typed, search, query) => {
    expect(cookieQuery(parseTerms(typed, COOKIE_GRAMMAR), search)).toEqual(query)
  })
})

test('code has a kind', () => {
  expect(codeQuery(parseTerms('', CODE_GRAMMAR))).toEqual({})
  expect(codeQuery(parseTerms('kind:inline', CODE_GRAMMAR))).toEqual({ kind: 'inline' })
})
