// SVCB and HTTPS as the API accepts and shows them.
import { apiCases, missing, wrong } from './api-cases.cases.ts'

const data = { priority: 1, target: '.', value: 'alpn="h3,h2" ipv4hint="127.0.0.2"' }
const shown = { content: '1 . alpn="h3,h2" ipv4hint="127.0.0.2"', data }

const table = (name: string) =>
  apiCases({
    name,
    valid: [
      ['parts', { data }, shown],
      ['a priority as a string', { data: { ...data, priority: '1' } }, shown],
      ['a value that begins with a space', { data: { ...data, value: ` ${data.value}` } }, shown],
      [
        'a value in another order and without quotes',
        { data: { ...data, value: 'ipv4hint=127.0.0.2 alpn=h3,h2' } },
        shown,
      ],
      ['a priority at the top level without meaning', { data, priority: 0 }, shown],
      ['content', { content: '1 . alpn=h3,h2 ipv4hint=127.0.0.2' }, shown],
      [
        'a target, shown with its trailing dot',
        { data: { ...data, target: 'WWW.unit.tests' } },
        {
          content: '1 www.unit.tests. alpn="h3,h2" ipv4hint="127.0.0.2"',
          data: { ...data, target: 'www.unit.tests.' },
        },
      ],
      [
        'an empty value',
        { data: { priority: 2, target: '.', value: '' } },
        { content: '2 .', data: { priority: 2, target: '.', value: '' } },
      ],
      [
        'no value',
        { data: { priority: 0, target: '@' } },
        { content: '0 example.com.', data: { priority: 0, target: 'example.com.', value: '' } },
      ],
      [
        'an encrypted client hello',
        { data: { priority: 1, target: '.', value: 'ech=some+base64+encoded+value///' } },
        {
          content: '1 . ech="some+base64+encoded+value///"',
          data: { priority: 1, target: '.', value: 'ech="some+base64+encoded+value///"' },
        },
      ],
    ],
    invalid: [
      ['nothing', {}, missing('priority', 'target')],
      ['invalid content', { content: '1' }, ['9007 /content']],
      ['content with a bad parameter', { content: '1 . port=x' }, ['9007 /content']],
      ['a bad parameter', { data: { ...data, value: 'port=x' } }, wrong('value')],
      ['an unknown parameter', { data: { ...data, value: 'foo=bar' } }, wrong('value')],
      ['a second line', { data: { ...data, value: 'port=1\n2 .' } }, wrong('value')],
      ['an open parenthesis', { data: { ...data, value: '( port=1' } }, wrong('value')],
      ['AliasMode with parameters', { data: { ...data, priority: 0 } }, wrong('value')],
      [
        'a mandatory parameter that is missing',
        { data: { ...data, value: 'mandatory=port' } },
        wrong('value'),
      ],
      ['a URL as target', { data: { ...data, target: 'https://example.net/' } }, wrong('target')],
      ['a URL as target, in content', { content: '1 https://example.net/ alpn=h2' }, wrong('target')],
      ['an address as target', { data: { ...data, target: '192.0.2.1' } }, wrong('target')],
      [
        'all wrong',
        { data: { priority: 65_536, target: 'a..b', value: 'x' } },
        wrong('priority', 'target', 'value'),
      ],
      ['a value that is not a string', { data: { ...data, value: 1 } }, wrong('value')],
    ],
  })

export const svcbCases = table('_dns')
export const httpsCases = table('www')
