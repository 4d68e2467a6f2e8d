// URI as the API accepts and shows it: its priority is at the top level.
import { apiCases, missing, wrong } from './api-cases.cases.ts'

const data = { target: 'http://example.com/example.html', weight: 20 }
const shown = { content: '20 "http://example.com/example.html"', priority: 10, data }

export const uriCases = apiCases({
  name: '_http._tcp',
  served: ({ content, priority }) => `${priority} ${content}`,
  valid: [
    ['parts', { data, priority: 10 }, shown],
    ['a priority among the fields', { data: { ...data, priority: 10 } }, shown],
    ['a priority in both places: the fields win', { data: { ...data, priority: '10' }, priority: 0 }, shown],
    ['numbers as strings', { data: { ...data, weight: '20' }, priority: 10 }, shown],
    ['zone-file text', { content: '10 20 "http://example.com/example.html"' }, shown],
    ['content as in replies', { content: '20 "http://example.com/example.html"', priority: 10 }, shown],
    ['content without quotes', { content: '20 http://example.com/example.html', priority: 10 }, shown],
    [
      'presentation format and a priority: the member wins',
      { content: '1 20 "http://example.com/example.html"', priority: 10 },
      shown,
    ],
    ['empty fields of other types', { data: { ...data, port: 0, tag: '', x: null }, priority: 10 }, shown],
    ['a priority as a string', { data, priority: '10' }, shown],
  ],
  invalid: [
    ['nothing', {}, [...missing('target', 'weight'), '9101 /priority']],
    [
      'unknown parts',
      { data: { ...data, 'a/b': [1], x: 0 }, priority: 10 },
      ['6008 /data/a~1b', '6008 /data/x'],
    ],
    ['no priority', { data }, ['9101 /priority']],
    [
      'content without a priority',
      { content: '20 "http://example.com/"' },
      [...missing('target', 'weight'), '9101 /priority'],
    ],
    ['a target without a scheme', { data: { ...data, target: 'example.com' }, priority: 1 }, wrong('target')],
    ['no target', { data: { ...data, target: '' }, priority: 1 }, wrong('target')],
    [
      'all wrong',
      { data: { target: 1, weight: 65_536, priority: -1 } },
      wrong('target', 'weight', 'priority'),
    ],
    ['a priority over 65535', { data, priority: 65_536 }, wrong('priority')],
    ['an empty object', { data: {} }, [...missing('target', 'weight'), '9101 /priority']],
    ['a target with a space', { data: { ...data, target: 'http://a b' }, priority: 1 }, wrong('target')],
    ['content that breaks a rule', { content: '1 2 "example.com"' }, wrong('target')],
  ],
})
