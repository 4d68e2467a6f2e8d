// Rules for the values of a source list, each with a stable ID.
import { governingNames } from './directives.ts'
import type { Token, WrittenDirective } from './policy.ts'
import { type Level, type Problem, problemAt } from './problem.ts'
import {
  HASH_ALGORITHMS,
  type HashAlgorithm,
  type HostSource,
  keywordIn,
  type Keyword,
  parseSource,
  type Source,
} from './source.ts'

interface Finding {
  readonly id: string
  readonly level: Level
  readonly message: string
}

interface ListedSource {
  readonly token: Token
  readonly source: Source
}

/** Problems of each value of a directive with a source list. */
export function problemsOfSources({ name, values }: WrittenDirective): readonly Problem[] {
  const seen = new Set<string>()
  const list: ListedSource[] = []
  const problems: Problem[] = []
  for (const token of values) {
    const source = parseSource(token.text)
    if (source === undefined) {
      problems.push(toProblem(token, invalid(token.text)))
      continue
    }
    if (seen.has(token.text)) {
      problems.push(toProblem(token, warning('source.duplicate', `${token.text} occurs twice in this list`)))
    }
    seen.add(token.text)
    list.push({ token, source })
  }
  const company = companyOf(list)
  for (const { token, source } of list) {
    const findings = [...findingsOf(name, token.text, source), ...findingsBeside(name, source, company)]
    problems.push(...findings.map((finding) => toProblem(token, finding)))
  }
  return problems
}

const toProblem = (token: Token, { id, level, message }: Finding): Problem =>
  problemAt(token, id, level, message)
const warning = (id: string, message: string): Finding => ({ id, level: 'warning', message })
const note = (id: string, message: string): Finding => ({ id, level: 'note', message })

/** Values that never match in any browser, with what was probably meant. */
function invalid(text: string): Finding {
  const bare = text.replaceAll(/^['"‘’“”]+|['"‘’“”]+$/g, '')
  if (/^(?:nonce|sha256|sha384|sha512)-/i.test(bare)) {
    return warning('source.unquoted', `${text} is ignored: hashes need single quotes, '${bare}'`)
  }
  if (keywordIn(bare) !== undefined) {
    return warning('source.unquoted', `${text} is ignored: keywords need single quotes, '${bare}'`)
  }
  if (/^'.*'$/.test(text)) return warning('source.unknown-keyword', `${text} is ignored: unknown keyword`)
  if (text.includes('*')) {
    return warning('source.wildcard', `${text} is ignored: a star must be a whole host, port, or first label`)
  }
  if (/^[^/]*_/.test(text.replace(/^[a-z]+:\/\//i, ''))) {
    return warning(
      'source.underscore',
      `${text} is ignored: hosts with an underscore cannot be listed, but *.example.com covers them`,
    )
  }
  if (text.includes('['))
    return warning('source.invalid', `${text} is ignored: IPv6 addresses cannot be listed`)
  return warning('source.invalid', `${text} is ignored: it is not a host, URL, scheme or keyword`)
}

function findingsOf(directive: string, text: string, source: Source): readonly Finding[] {
  switch (source.kind) {
    case 'nonce':
      return [
        {
          id: 'source.nonce',
          level: 'error',
          message:
            'nonces are not supported: the same policy is sent with every response, and a nonce must differ each time',
        },
      ]
    case 'hash':
      return [...misplacedFinding(directive, source), ...digestLength(source.algorithm, source.value)]
    case 'keyword':
      return [...misplacedFinding(directive, source), ...selfScope(source.keyword)]
    case 'scheme':
      return openToAll(directive, `${source.scheme}:`)
    case 'host':
      return findingsOfHost(directive, text, source)
  }
}

const DIGEST_OCTETS: Readonly<Record<HashAlgorithm, number>> = { sha256: 32, sha384: 48, sha512: 64 }

function digestLength(algorithm: HashAlgorithm, value: string): readonly Finding[] {
  const octets = Math.floor((value.replace(/=+$/, '').length * 3) / 4)
  if (octets === DIGEST_OCTETS[algorithm]) return []
  return [
    warning(
      'source.digest',
      `a ${algorithm} digest has ${DIGEST_OCTETS[algorithm]} octets, this one ${octets}; it matches nothing`,
    ),
  ]
}

const SCRIPT_ONLY: readonly Keyword[] = [
  'report-sha256',
  'report-sha384',
  'report-sha512',
  'strict-dynamic',
  'trusted-types-eval',
  'unsafe-eval',
  'wasm-unsafe-eval',
]
const INLINE_ONLY: readonly Keyword[] = ['report-sample', 'unsafe-hashes', 'unsafe-inline']

/** Keywords and hashes that have no effect in the directive. */
function misplacedFinding(
  directive: string,
  source: Extract<Source, { kind: 'keyword' | 'hash' }>,
): readonly Finding[] {
  const isScript = governsScripts(directive)
  const isInline = isScript || directive.startsWith('style-src')
  const what = source.kind === 'hash' ? 'a hash' : `'${source.keyword}'`
  const needsInline = source.kind === 'hash' || INLINE_ONLY.includes(source.keyword)
  const needsScript = source.kind === 'keyword' && SCRIPT_ONLY.includes(source.keyword)
  if ((needsScript && !isScript) || (needsInline && !isInline)) {
    return [warning('source.misplaced', `${what} has no effect in ${directive}`)]
  }
  return []
}

const selfScope = (keyword: Keyword): readonly Finding[] =>
  keyword === 'self'
    ? [
        note(
          'source.self',
          "'self' covers the page's own scheme, host and port; sub-domains and parent domains are not covered",
        ),
      ]
    : []

const governsScripts = (directive: string): boolean =>
  directive === 'default-src' || governingNames(directive).includes('script-src')

function openToAll(directive: string, what: string): readonly Finding[] {
  if (!governsScripts(directive)) return []
  return [
    note(
      'source.open',
      `${what} lets anyone run scripts: an attacker who can insert a script tag can load their own script`,
    ),
  ]
}

function findingsOfHost(directive: string, text: string, source: HostSource): readonly Finding[] {
  const { host, port, path, excess } = source
  const findings: Finding[] = []
  if (keywordIn(text) !== undefined) {
    return [warning('source.unquoted', `${text} is read as a host: keywords need single quotes, '${text}'`)]
  }
  if (HASH_ALGORITHMS.some((name) => text.toLowerCase().startsWith(`${name}-`)) || /^nonce-/i.test(text)) {
    return [warning('source.unquoted', `${text} is read as a host: hashes need single quotes, '${text}'`)]
  }
  if (/^(?:https?|wss?|data|blob|filesystem)$/i.test(text)) {
    return [warning('source.scheme', `${text} is read as a host: a scheme ends with a colon, ${text}:`)]
  }
  findings.push(...scopeOfHost(directive, host), ...findingsOfPath(path, excess))
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)) {
    findings.push(
      warning(
        'source.address',
        'by the specification IP addresses match nothing, though browsers match them',
      ),
    )
  }
  if (host === '*' && source.scheme === null && port !== null) {
    findings.push(warning('source.star-port', `${text} never matches in Safari; write https://*:${port}`))
  }
  return findings
}

function scopeOfHost(directive: string, host: string): readonly Finding[] {
  if (host === '*') return openToAll(directive, '*')
  if (host.startsWith('*.')) {
    return [note('source.sub-domains', `${host} covers sub-domains; ${host.slice(2)} itself is not covered`)]
  }
  return [note('source.host', `only ${host} is covered; its parent domain and its sub-domains are not`)]
}

/** Browsers compare paths with those of normalized URLs: no dot segments, no backslashes. */
function findingsOfPath(path: string, excess: string): readonly Finding[] {
  const findings: Finding[] = []
  if (excess !== '') {
    findings.push(warning('source.query', `${excess} is ignored: sources have no query or fragment`))
  }
  if (/\/\.{1,2}(?:\/|$)|\\/.test(path)) {
    const message = `${path} matches nothing: browsers resolve dot segments and replace backslashes before they compare`
    findings.push(warning('source.path', message))
  } else if (path !== '' && !path.endsWith('/')) {
    findings.push(
      note(
        'source.exact-path',
        `only ${path} is covered; a path that ends with / covers everything below it`,
      ),
    )
  }
  return findings
}

/** Which sources of a list cancel the effect of other ones. */
interface Company {
  readonly size: number
  readonly hasDynamic: boolean
  readonly hasHash: boolean
}

const companyOf = (list: readonly ListedSource[]): Company => ({
  size: list.length,
  hasDynamic: list.some(({ source }) => isKeyword(source, 'strict-dynamic')),
  hasHash: list.some(({ source }) => source.kind === 'hash'),
})

function findingsBeside(
  directive: string,
  source: Source,
  { size, hasDynamic, hasHash }: Company,
): readonly Finding[] {
  if (isKeyword(source, 'none') && size > 1) {
    return [warning('source.none', "'none' has no effect together with other sources")]
  }
  if (isKeyword(source, 'unsafe-inline') && (hasHash || hasDynamic)) {
    return [
      warning('source.inline-void', "'unsafe-inline' has no effect together with a hash or 'strict-dynamic'"),
    ]
  }
  const isByUrl = source.kind === 'host' || source.kind === 'scheme' || isKeyword(source, 'self')
  if (hasDynamic && isByUrl && governingNames(directive).includes('script-src')) {
    const message = "hosts, schemes and 'self' have no effect for scripts together with 'strict-dynamic'"
    return [warning('source.dynamic-void', message)]
  }
  return []
}

const isKeyword = (source: Source, keyword: Keyword): boolean =>
  source.kind === 'keyword' && source.keyword === keyword
