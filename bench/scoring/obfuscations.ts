// Obfuscations that no product generates: written by hand, or by the author's own program.
import { listNodes, type Node, parseSource } from '../../packages/script-analysis/src/syntax-tree.ts'
import { type Choices, createChoices } from './random.ts'

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

const MAX_STRINGS = 400

/** Names as such programs give them. */
const nameOf = (v: Choices, style: 'letters' | 'signs' | 'plain', i: number): string => {
  if (style === 'letters')
    return `${v.pick(['l', 'I', 'O'])}${[...i.toString(2)].map((bit) => (bit === '0' ? 'O' : '0')).join('')}${v.key(2)}`
  return style === 'signs' ? `$_${'$'.repeat(1 + (i % 3))}${i}` : `n${v.key(2).toLowerCase()}${i}`
}

/** Puts an expression in the place of each text and of each name behind a dot; null: it cannot be read, or has none. */
function replaceStrings(source: string, encode: (text: string) => string): string | null {
  const program = parseSource(source)
  if (program === null) return null
  const edits = listNodes(program).flatMap(({ node, parent }) => editOf(source, node, parent, encode))
  if (edits.length === 0 || edits.length > MAX_STRINGS) return null
  let out = source
  for (const { start, end, text } of edits.toSorted((a, b) => b.start - a.start))
    out = out.slice(0, start) + text + out.slice(end)
  return out
}

function editOf(
  source: string,
  node: Node,
  parent: Node | null,
  encode: (text: string) => string,
): readonly Edit[] {
  const { start, end } = node
  if (start === undefined || end === undefined || parent === null) return []
  if (node.type === 'Literal' && typeof node.value === 'string') {
    // Directives and keys stay what they are.
    const isKept =
      parent.type === 'ExpressionStatement' ||
      parent.type === 'Property' ||
      parent.type.startsWith('Import') ||
      parent.type.startsWith('Export')
    // Minified code has no space after a keyword.
    const space = /[\w$]/u.test(source.charAt(start - 1)) ? ' ' : ''
    return isKept ? [] : [{ start, end, text: space + encode(node.value) }]
  }
  const isName = parent.type === 'MemberExpression' && parent.computed !== true && parent.property === node
  if (!isName || node.type !== 'Identifier') return []
  const dot = source.lastIndexOf('.', start)
  const isPlain = source.charAt(dot - 1) !== '?' && source.slice(dot + 1, start).trim() === ''
  return isPlain ? [{ start: dot, end, text: `[${encode(node.name)}]` }] : []
}

const codes = (text: string): number[] => Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))

/** Each text is a list of numbers, mixed with a key. */
export function byNumbers(source: string, seed: string): string | null {
  const v = createChoices(`numbers ${seed}`)
  const style = v.pick(['letters', 'signs', 'plain'] as const)
  const [f, key] = [nameOf(v, style, 1), v.number(1, 200)]
  const mode = v.pick(['xor', 'minus', 'times'] as const)
  const number = (code: number): number =>
    mode === 'xor' ? code ^ key : mode === 'minus' ? code + key : code * (1 + (key % 7))
  const back = mode === 'xor' ? `a[i]^${key}` : mode === 'minus' ? `a[i]-${key}` : `a[i]/${1 + (key % 7)}`
  const body = replaceStrings(source, (text) =>
    text === ''
      ? `''`
      : v.random() < 0.5
        ? `${f}([${codes(text).map(number).join(',')}])`
        : `${f}(${codes(text).map(number).join(',')})`,
  )
  if (body === null) return null
  return `function ${f}(){var a=arguments[0] instanceof Array?arguments[0]:[].slice.call(arguments),s='';for(var i=0;i<a.length;i++)s+=String.fromCharCode(${back});return s}\n${body}`
}

/** Texts stand in a table, which is read backwards, by an offset, or letter by letter. */
export function byTable(source: string, seed: string): string | null {
  const v = createChoices(`table ${seed}`)
  const style = v.pick(['letters', 'signs', 'plain'] as const)
  const [t, f, offset] = [nameOf(v, style, 1), nameOf(v, style, 2), v.number(0, 300)]
  const strings: string[] = []
  const kind = v.pick(['mirror', 'base64', 'shift', 'hex'] as const)
  const encode = (text: string): string => {
    if (kind === 'mirror') return [...text].toReversed().join('')
    if (kind === 'base64') return Buffer.from(text, 'latin1').toString('base64')
    if (kind === 'hex') return Buffer.from(text, 'latin1').toString('hex')
    return String.fromCharCode(
      ...codes(text).map((code) => (code > 31 && code < 127 ? 32 + ((code - 32 + 13) % 95) : code)),
    )
  }
  if (/[^\0-\xFF]/u.test(source)) return null
  const body = replaceStrings(source, (text) => {
    const known = strings.indexOf(text)
    if (known === -1) strings.push(text)
    const index = (known === -1 ? strings.length - 1 : known) + offset
    return v.random() < 0.4 ? `${f}('0x${index.toString(16)}')` : `${f}(${index})`
  })
  if (body === null) return null
  const read = {
    mirror: `x.split('').reverse().join('')`,
    base64: `atob(x)`,
    hex: `x.replace(/../g,function(h){return String.fromCharCode(parseInt(h,16))})`,
    shift: `x.split('').map(function(c){var n=c.charCodeAt(0);return n>31&&n<127?String.fromCharCode(32+(n-32+82)%95):c}).join('')`,
  }[kind]
  return `var ${t}=${JSON.stringify(strings.map(encode))};function ${f}(n){var x=${t}[+n-${offset}];return ${read}}\n${body}`
}

/** The whole is a text that is decoded and run, once or twice, by a way that is not the first that comes to mind. */
export function inLayers(source: string, seed: string): string | null {
  const v = createChoices(`layers ${seed}`)
  if (/[^\0-\xFF]/u.test(source)) return null
  let code = source
  for (let i = v.number(1, 2); i > 0; i -= 1) code = layer(v, code)
  return code
}

function layer(v: Choices, code: string): string {
  const [a = '', b = '', c = ''] = [1, 2, 3].map((i) => nameOf(v, 'plain', i))
  const run = (text: string): string =>
    v.pick([
      `[]['constructor']['constructor'](${text})()`,
      `setTimeout(${text},${v.number(0, 50)})`,
      `(0,window['e'+'val'])(${text})`,
      `(function(){}).constructor(${text}).call(this)`,
      `var ${c}=document.createElement('script');${c}.text=${text};document.head.appendChild(${c})`,
      `new Function(${text})()`,
    ])
  const key = v.number(1, 120)
  const hex = Buffer.from(code, 'latin1').toString('hex')
  return v.pick([
    `var ${a}='${hex}',${b}='';for(var i=0;i<${a}.length;i+=2)${b}+=String.fromCharCode(parseInt(${a}.substr(i,2),16));${run(b)};`,
    `var ${a}=[${codes(code)
      .map((n) => n ^ key)
      .join()}],${b}='';while(${a}.length)${b}+=String.fromCharCode(${a}.shift()^${key});${run(b)};`,
    `var ${a}=${JSON.stringify(Buffer.from(code, 'latin1').toString('base64').split('').toReversed().join(''))};${run(`atob(${a}.split('').reverse().join(''))`)};`,
    `var ${a}="${Buffer.from(code, 'latin1').toString('base64').replaceAll('a', '#').replaceAll('B', '!')}";${run(`atob(${a}.replace(/#/g,'a').replace(/!/g,'B'))`)};`,
    `var ${a}='${encodeURIComponent(code).replaceAll("'", '%27')}'.split('%');${run(`decodeURIComponent(${a}.join('%'))`)};`,
    `(function(${a},${b}){${run(`${a}.map(function(n){return String.fromCharCode(n/${b})}).join('')`)}})([${codes(
      code,
    )
      .map((n) => n * (key + 1))
      .join()}],${key + 1});`,
  ])
}
