// Reads a pasted curl command as the request that curl would send.

export interface CurlRequest {
  readonly method: string
  readonly url: string
  /** `name: value`, as curl was given them. */
  readonly headers: readonly string[]
  readonly body: string
}

export type CurlProblem =
  | { readonly kind: 'no-curl' }
  | { readonly kind: 'no-url' }
  | { readonly kind: 'open-quote' }
  | { readonly kind: 'option'; readonly name: string }
  | { readonly kind: 'file'; readonly name: string }

type Option =
  | 'method'
  | 'header'
  | 'data'
  | 'raw'
  | 'json'
  | 'agent'
  | 'referer'
  | 'cookie'
  | 'url'
  | 'head'
  | 'get'
  | 'none'
  | 'other'

/** Options with a value, and those without (`none`, `head`, `get`). `other` has one that says nothing of the request. */
const OPTIONS: Readonly<Record<string, Option>> = {
  '-X': 'method',
  '--request': 'method',
  '-H': 'header',
  '--header': 'header',
  '-d': 'data',
  '--data': 'data',
  '--data-ascii': 'data',
  '--data-binary': 'data',
  '--data-raw': 'raw',
  '--json': 'json',
  '-A': 'agent',
  '--user-agent': 'agent',
  '-e': 'referer',
  '--referer': 'referer',
  '-b': 'cookie',
  '--cookie': 'cookie',
  '--url': 'url',
  '-I': 'head',
  '--head': 'head',
  '-G': 'get',
  '--get': 'get',
  '-k': 'none',
  '--insecure': 'none',
  '-s': 'none',
  '--silent': 'none',
  '-S': 'none',
  '--show-error': 'none',
  '-L': 'none',
  '--location': 'none',
  '-i': 'none',
  '--include': 'none',
  '-v': 'none',
  '--verbose': 'none',
  '-f': 'none',
  '--fail': 'none',
  '--compressed': 'none',
  '--http1.1': 'none',
  '--http2': 'none',
  '-o': 'other',
  '--output': 'other',
  '-m': 'other',
  '--max-time': 'other',
  '--connect-timeout': 'other',
  '--resolve': 'other',
}

interface Draft {
  method: string | undefined
  url: string | undefined
  headers: string[]
  data: string[]
  isHead: boolean
  isGet: boolean
}

export function readCurl(command: string): CurlRequest | CurlProblem {
  const words = shellWords(command)
  if (words === undefined) return { kind: 'open-quote' }
  if (words[0] !== 'curl') return { kind: 'no-curl' }
  const draft: Draft = {
    method: undefined,
    url: undefined,
    headers: [],
    data: [],
    isHead: false,
    isGet: false,
  }
  for (let index = 1; index < words.length; index += 1) {
    const word = String(words[index])
    if (!word.startsWith('-') || word === '-') {
      draft.url ??= word
      continue
    }
    for (const { name, attached } of optionsIn(word)) {
      const option = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined
      if (option === undefined) return { kind: 'option', name }
      const isAlone = option === 'none' || option === 'head' || option === 'get'
      const value = isAlone ? '' : (attached ?? words[++index])
      if (value === undefined) return { kind: 'option', name }
      if (option === 'data' && value.startsWith('@')) return { kind: 'file', name: value }
      apply(draft, option, value)
    }
  }
  return draft.url === undefined ? { kind: 'no-url' } : finish(draft, draft.url)
}

/** `-sSL` is three options; the value of `-XPOST` and `--request=POST` is attached. */
function optionsIn(word: string): { readonly name: string; readonly attached: string | undefined }[] {
  if (word.startsWith('--')) {
    const at = word.indexOf('=')
    return [
      at === -1
        ? { name: word, attached: undefined }
        : { name: word.slice(0, at), attached: word.slice(at + 1) },
    ]
  }
  const found = []
  for (let index = 1; index < word.length; index += 1) {
    const name = `-${word.charAt(index)}`
    const option = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined
    const isAlone = option === undefined || option === 'none' || option === 'head' || option === 'get'
    const rest = word.slice(index + 1)
    found.push({ name, attached: isAlone || rest === '' ? undefined : rest })
    if (!isAlone) break
  }
  return found
}

function apply(draft: Draft, option: Option, value: string): void {
  switch (option) {
    case 'method':
      draft.method = value
      return
    case 'header':
      draft.headers.push(value)
      return
    case 'data':
    case 'raw':
      draft.data.push(value)
      return
    case 'json':
      draft.data.push(value)
      draft.headers.push('Content-Type: application/json', 'Accept: application/json')
      return
    case 'agent':
      draft.headers.push(`User-Agent: ${value}`)
      return
    case 'referer':
      draft.headers.push(`Referer: ${value}`)
      return
    case 'cookie':
      draft.headers.push(`Cookie: ${value}`)
      return
    case 'url':
      draft.url = value
      return
    case 'head':
      draft.isHead = true
      return
    case 'get':
      draft.isGet = true
      return
    default:
  }
}

function finish(draft: Draft, url: string): CurlRequest {
  const { headers, isGet } = draft
  const sent = draft.data.join('&')
  const body = isGet ? '' : sent
  const has = (name: string): boolean => headers.some((header) => header.toLowerCase().startsWith(`${name}:`))
  const added = [
    ...(has('user-agent') ? [] : ['User-Agent: curl/8.0']),
    ...(has('accept') ? [] : ['Accept: */*']),
    ...(body === '' || has('content-type') ? [] : ['Content-Type: application/x-www-form-urlencoded']),
  ]
  const whole = /^[a-z]+:\/\//i.test(url) ? url : `http://${url}`
  return {
    method: draft.method ?? (draft.isHead ? 'HEAD' : body === '' ? 'GET' : 'POST'),
    url: isGet && sent !== '' ? `${whole}${whole.includes('?') ? '&' : '?'}${sent}` : whole,
    headers: [...headers, ...added],
    body,
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/** The words as a shell would make them; undefined if a quote stays open. */
export function shellWords(text: string): string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  let quote: '"' | "'" | "$'" | undefined
  for (let index = 0; index < text.length; index += 1) {
    const one = text.charAt(index)
    const next = text.charAt(index + 1)
    const started: string = word ?? '' // between two words
    if (quote !== undefined) {
      if (one === quote.slice(-1)) quote = undefined
      else if (one === '\\' && quote === "$'") {
        word = `${started}${ESCAPES[next] ?? next}` // other characters stand for themselves
        index += 1
      } else if (one === '\\' && quote === '"' && /["\\$`\n]/.test(next)) {
        word = `${started}${next === '\n' ? '' : next}`
        index += 1
      } else word = `${started}${one}`
    } else if (one === '$' && next === "'") {
      quote = "$'"
      word ??= ''
      index += 1
    } else if (one === '"' || one === "'") {
      quote = one
      word ??= ''
    } else if (one === '\\') {
      index += 1
      if (next === '\r' && text.charAt(index + 1) === '\n') index += 1
      else if (next !== '\n') word = `${started}${next}`
    } else if (/\s/.test(one)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = `${started}${one}`
  }
  if (quote !== undefined) return undefined
  return word === undefined ? words : [...words, word]
}
