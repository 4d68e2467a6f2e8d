// URI as the API takes and shows it: its priority at the top level.
import { apiCases, missing, wrong } from './api-cases.cases.ts'

const data = { target: 'http://example.com/example.html', weight: 20 }
const shown = { content: '20 "http://example.com/example.html"', priority: 10, data }

export const uriCases = apiCases({
  name: '_http._tcp',
  served: ({ content, priority }) => `${priority} ${content}`,
  valid: [
    ['parts', { data, priority: 10 }, shown],
    ['a priority among the parts', { data: { ...data, priority: 10 } }, shown],
    ['a priority in both places: the parts win', { data: { ...data, priority: '10' }, priority: 0 }, shown],
    ['numbers as text', { data: { ...data, weight: '20' }, priority: 10 }, shown],
    ['zone-file text', { content: '10 20 "http://example.com/example.html"' }, shown],
    ['content as in replies', { content: '20 "http://example.com/example.html"', priority: 10 }, shown],
    ['content without quotes', { content: '20 http://example.com/example.html', priority: 10 }, shown],
    [
      'zone-file text and a priority: the member wins',
      { content: '1 20 "http://example.com/example.html"', priority: 10 },
      shown,
    ],
    ['unknown parts', { data: { ...data, x: 1 }, priority: 10 }, shown],
    ['a priority as text', { data, priority: '10' }, shown],
  ],
  invalid: [
    ['nothing', {}, [...missing('target', 'weight'), '9101 /priority']],
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
    ['a target with a blank', { data: { ...data, target: 'http://a b' }, priority: 1 }, wrong('target')],
    ['content that breaks a rule', { content: '1 2 "example.com"' }, wrong('target')],
  ],
})
