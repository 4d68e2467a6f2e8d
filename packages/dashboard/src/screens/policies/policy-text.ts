// The text of a policy while it is edited as a list: only the edited source changes, everything else stays as written.
import { checkPolicy, parsePolicy, type Problem } from '@zonereeve/csp'

export const MAX_POLICY_CHARACTERS = 6000

export interface ListedSource {
  readonly text: string
  readonly state: 'same' | 'added' | 'removed'
  /** Errors first. */
  readonly problems: readonly Problem[]
}

export interface ListedDirective {
  readonly name: string
  readonly sources: readonly ListedSource[]
}

export interface ListedPolicy {
  readonly directives: readonly ListedDirective[]
  /** Problems that are at no source. */
  readonly problems: readonly Problem[]
  readonly hasErrors: boolean
}

/** @param before the stored text: what changed since is marked. */
export function listPolicy(text: string, before: string): ListedPolicy {
  const problems = checkPolicy(text)
  const stored = new Map(parsePolicy(before).directives.map(({ name, values }) => [name, values]))
  const placed = new Set<Problem>()
  const { directives } = parsePolicy(text)
  const listed = directives.map(({ name, values }): ListedDirective => {
    const old = stored.get(name)
    const oldSources = old === undefined ? [] : old.map((token) => token.text)
    const sources = values.map((token): ListedSource => {
      const own = problems.filter(({ start, end }) => start >= token.start && end <= token.end)
      for (const problem of own) placed.add(problem)
      const state = oldSources.includes(token.text) ? 'same' : 'added'
      return { text: token.text, state, problems: own.toSorted(byLevel) }
    })
    const written = sources.map((source) => source.text)
    return {
      name,
      sources: [...sources, ...listRemoved(oldSources.filter((source) => !written.includes(source)))],
    }
  })
  const names = directives.map(({ name }) => name)
  const removed = [...stored]
    .filter(([name]) => !names.includes(name))
    .map(([name, values]): ListedDirective => ({
      name,
      sources: listRemoved(values.map((token) => token.text)),
    }))
  return {
    directives: [...listed, ...removed],
    problems: problems.filter((problem) => !placed.has(problem)),
    hasErrors: problems.some(({ level }) => level === 'error'),
  }
}

const listRemoved = (sources: readonly string[]): ListedSource[] =>
  sources.map((text) => ({ text, state: 'removed', problems: [] }))

const LEVELS = ['error', 'warning', 'note'] as const
const byLevel = (a: Problem, b: Problem): number => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level)

/** Adds a source to a directive, or the directive with it. `'none'` allows nothing beside it, so it goes. */
export function withSource(text: string, name: string, source: string): string {
  const directive = parsePolicy(text).directives.find((candidate) => candidate.name === name)
  if (directive === undefined) {
    const trimmed = text.replace(/[;\s]+$/, '')
    return trimmed === '' ? `${name} ${source}` : `${trimmed}; ${name} ${source}`
  }
  if (directive.values.some((token) => token.text === source)) return text
  const [only] = directive.values
  if (only !== undefined && directive.values.length === 1 && only.text.toLowerCase() === "'none'")
    return text.slice(0, only.start) + source + text.slice(only.end)
  const { end } = directive.values.at(-1) ?? directive.nameToken
  return `${text.slice(0, end)} ${source}${text.slice(end)}`
}

/** Takes a source out. The last one leaves `'none'`: without a source, the directive would read as a mistake. */
export function withoutSource(text: string, name: string, source: string): string {
  const directive = parsePolicy(text).directives.find((candidate) => candidate.name === name)
  const token = directive?.values.find((candidate) => candidate.text === source)
  if (directive === undefined || token === undefined) return text
  if (directive.values.length === 1) return `${text.slice(0, token.start)}'none'${text.slice(token.end)}`
  return text.slice(0, token.start).replace(/\s+$/, '') + text.slice(token.end)
}

/** The narrowest source without a path that allows a URL. */
export function sourceFor(url: string): string {
  const [, scheme, host] = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?#]*))?/i.exec(url) ?? []
  if (scheme === undefined) return url
  if (host === undefined || host === '') return `${scheme}:`
  return scheme === 'https' ? host : `${scheme}://${host}`
}
