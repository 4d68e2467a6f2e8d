import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { scriptReasonStrings } from '../../strings/script-reasons.ts'
import { readReason } from './reason-text.ts'

test.each([
  [
    'a rule with what it found',
    'magecart_score: takes form fields and sends them to another host (fields-harvested): field to https://a.example/g by beacon: every field',
    {
      score: 'magecart_score',
      description: 'takes form fields and sends them to another host',
      found: 'form fields to https://a.example/g by a request (sendBeacon): every field',
    },
  ],
  [
    'a flow',
    'dataflow_score: data from place can leave the page by fetch at line 1, column 114 (place to fetch): https://a.example/p',
    {
      score: 'dataflow_score',
      description: 'the address of the page can leave the page by a request (fetch) at line 1, column 114',
      found: 'https://a.example/p',
    },
  ],
  [
    'a feature',
    'malware_score: supported by the feature: base64-encode',
    { score: 'malware_score', description: 'resembles known scripts of this kind', found: 'base64 encode' },
  ],
  [
    'a flow of several kinds of data',
    'dataflow_score: data from field, card, agent can leave the page by beacon on input (card to beacon): https://a.example/p',
    {
      score: 'dataflow_score',
      description:
        'form fields, card numbers and the name of the browser can leave the page by a request (sendBeacon) on input',
      found: 'https://a.example/p',
    },
  ],
  [
    'names of a later version stay as they are',
    'dataflow_score: data from gaze can leave the page by fetch (gaze to fetch): gaze to https://a.example/p by fetch',
    {
      score: 'dataflow_score',
      description: 'data from gaze can leave the page by fetch',
      found: 'gaze to https://a.example/p by fetch',
    },
  ],
  [
    'found code with parentheses and lines',
    'malware_score: runs what it decodes (decoded-code): eval(atob(x))\nb (c): d',
    { score: 'malware_score', description: 'runs what it decodes', found: 'eval(atob(x))\nb (c): d' },
  ],
  [
    'a remark',
    'No feature of it indicates harm, and no visitor data leaves the page.',
    {
      score: undefined,
      description: 'No feature of it indicates harm, and no visitor data leaves the page.',
      found: undefined,
    },
  ],
])('%s', (_, line, reason) => {
  expect(readReason(line)).toEqual(reason)
})

test('every source that the analysis names has a word', () => {
  const file = new URL('../../../../script-analysis/src/values.ts', import.meta.url)
  const [, block = ''] = /export const TAINT = \{(.*?)\}/s.exec(readFileSync(file, 'utf8')) ?? []
  const names = [...block.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name)
  expect(names).toContain('request')
  expect(Object.keys(scriptReasonStrings.data)).toEqual(expect.arrayContaining(names))
})
