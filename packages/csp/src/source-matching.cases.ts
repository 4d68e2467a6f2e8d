// Rows of the tables of sources and URLs: our own in fixtures/csp, and the measured table next to the checkout.
import { readFileSync } from 'node:fs'
import { decide } from './decide.ts'
import { ENGINES, type Reading } from './match.ts'
import { parsePolicyList } from './policy.ts'

/** Not the default port of any scheme; `P` in the tables. */
const PORT = '8443'
const PAGE = `https://site.test:${PORT}/`
/** Redirect target of URLs with `redirimg` in their path. */
const REDIRECT_TARGET = `https://cdn.test:${PORT}/p.png`

export interface MatchRow {
  readonly name: string
  readonly sources: string
  readonly url: string
  readonly allowed: Readonly<Partial<Record<Reading, boolean>>>
}

/** The result of our code for a row. */
export function answer({ sources, url }: MatchRow, reading: Reading): boolean {
  return parsePolicyList(`img-src ${sources}`).every((policy) => {
    const situation = { page: PAGE, reading }
    const load = { kind: 'url', directive: 'img-src' } as const
    const isFirstAllowed = decide(policy, { ...load, url }, situation).isAllowed
    if (!url.includes('redirimg')) return isFirstAllowed
    return (
      isFirstAllowed &&
      decide(policy, { ...load, url: REDIRECT_TARGET, isRedirected: true }, situation).isAllowed
    )
  })
}

/** Rows `sources → url : specification chromium firefox webkit` of fixtures/csp/source-matching.txt. */
export function ownRows(): readonly MatchRow[] {
  const text = readFileSync(new URL('../../../fixtures/csp/source-matching.txt', import.meta.url), 'utf8')
  return linesOf(text).map((line) => {
    const [, sources = '', url = '', answers = ''] = /^(.+?)\s+→ (\S+)\s+: ([ox ]+)$/.exec(line) ?? []
    const readings: readonly Reading[] = ['specification', ...ENGINES]
    return row(
      sources,
      url,
      readings,
      answers.split(' ').map((word) => word === 'o'),
    )
  })
}

/** Rows of the measured table: `sources   url   allow|block` for each engine. */
export function measuredRows(file: URL): readonly MatchRow[] {
  return linesOf(readFileSync(file, 'utf8')).map((line) => {
    const [, sources = '', url = '', ...answers] =
      /^(?:\*\*)?\s*(.+?)\s+(\S+)\s+(allow|block)\s+(allow|block)\s+(allow|block)$/.exec(line) ?? []
    return row(
      sources,
      url,
      ENGINES,
      answers.map((word) => word === 'allow'),
    )
  })
}

const linesOf = (text: string): readonly string[] =>
  text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))

function row(
  sources: string,
  url: string,
  readings: readonly Reading[],
  answers: readonly boolean[],
): MatchRow {
  if (answers.length !== readings.length) throw new Error(`not a row of the table: ${sources} ${url}`)
  const ported = (text: string): string => text.replaceAll(/:P(?![a-z])/g, `:${PORT}`)
  return {
    name: `${sources} → ${url}`,
    sources: sources === '(empty)' ? '' : ported(sources),
    url: ported(url),
    allowed: Object.fromEntries(readings.map((reading, index) => [reading, answers[index]])),
  }
}
