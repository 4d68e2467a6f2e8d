import { describe, expect, test } from 'vitest'
import { bareUrl, fileOf, pagesOf, splitUrl } from './inventory-url.ts'

describe('detected URLs', () => {
  test.each([
    ['https://cdn.example/v3/a.js?b=1', 'cdn.example', '/v3/a.js?b=1'],
    ['wss://live.example:8443', 'live.example:8443', ''],
    ['data:', 'data:', ''],
  ])('%s', (url, host, rest) => {
    expect(splitUrl(url)).toEqual({ host, rest })
  })

  test.each([
    ['https://cdn.example/v3/loader.js?b=1', 'loader.js', 'cdn.example/v3/loader.js?b=1'],
    ['https://cdn.example/v3/', 'v3', 'cdn.example/v3/'],
    ['https://cdn.example/', 'cdn.example', 'cdn.example'],
    ['https://cdn.example/?file=/a.js', 'cdn.example', 'cdn.example/?file=/a.js'],
    ['data:', 'data:', 'data:'],
  ])('the short names of %s', (url, file, bare) => {
    expect([fileOf(url), bareUrl(url)]).toEqual([file, bare])
  })

  test.each([
    [
      'paths on its own host',
      { host: 'a.example', page_urls: ['a.example/', 'b.example/x'] },
      ['/', 'b.example/x'],
    ],
    ['the first page, if no other is stored', { host: 'a.example', first_page_url: 'a.example/y' }, ['/y']],
    ['none', { host: 'a.example', page_urls: [] }, []],
  ])('%s', (_, item, pages) => {
    expect(pagesOf(item)).toEqual(pages)
  })
})
