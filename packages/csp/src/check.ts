// Finds all errors and surprises in a policy, each with its position in the text.
import { problemsOfSources } from './check-sources.ts'
import { DIRECTIVES } from './directives.ts'
import { readDirectives, type Token, type WrittenDirective } from './policy.ts'
import { type Problem, problemAt } from './problem.ts'

/**
 * Checks a policy that is sent with every matching response. Problems are in the order of the text. Grammar: CSP3
 * §2.2 and §2.3. Nonces are errors, because a policy is the same for every response.
 */
export function checkPolicy(text: string): readonly Problem[] {
  const directives = readDirectives(text)
  const problems = [
    ...problemsOfText(text),
    ...(directives.length === 0 ? [emptiness(text)] : []),
    ...directives.flatMap((directive) => problemsOfDirective(directive)),
  ]
  return problems.toSorted((a, b) => a.start - b.start || a.end - b.end)
}

function emptiness(text: string): Problem {
  const message = "a policy needs a directive, such as script-src 'self'"
  return problemAt({ start: 0, end: text.length }, 'policy.empty', 'error', message)
}

/** Tab, the only control character allowed in a header, is whitespace in policies. */
const CHARACTER_RULES: readonly (readonly [id: string, pattern: RegExp, message: string])[] = [
  [
    'policy.control-character',
    /[^\P{Cc}\t\x80-\x9f]/gu,
    'a header must not contain line ends or control characters',
  ],
  ['policy.not-ascii', /\P{ASCII}+/gu, 'a policy may only contain ASCII; write hosts in punycode'],
  ['policy.comma', /,/g, 'a comma would start a second policy; write %2C in paths'],
]

function problemsOfText(text: string): readonly Problem[] {
  return CHARACTER_RULES.flatMap(([id, pattern, message]) =>
    [...text.matchAll(pattern)].map((found) =>
      problemAt({ start: found.index, end: found.index + found[0].length }, id, 'error', message),
    ),
  )
}

function problemsOfDirective(directive: WrittenDirective): readonly Problem[] {
  const { name, nameToken, values, ignored } = directive
  const definition = DIRECTIVES.get(name)
  if (ignored === 'duplicate') {
    const message = `${name} occurs before; browsers use the first and ignore this one`
    return [problemAt(wholeOf(directive), 'directive.duplicate', 'warning', message)]
  }
  if (definition === undefined) return [problemAt(nameToken, 'directive.unknown', 'error', unknownName(name))]
  if (definition.refused !== undefined) {
    return [problemAt(nameToken, 'directive.refused', 'error', `${name}: ${definition.refused}`)]
  }
  const [value] = values
  return [
    ...(definition.deprecated === undefined
      ? []
      : [problemAt(nameToken, 'directive.deprecated', 'warning', `${name}: ${definition.deprecated}`)]),
    ...(definition.value === 'nothing' && value !== undefined
      ? [problemAt(value, 'directive.value', 'warning', `${name} takes no value`)]
      : []),
    ...(definition.value === 'sources' && value === undefined ? [nothingListed(directive)] : []),
    ...(definition.value === 'sources' || definition.value === 'ancestors'
      ? problemsOfSources(directive)
      : []),
  ]
}

/** An empty list matches nothing (CSP3 §6.7.2.5). */
const nothingListed = ({ name, nameToken }: WrittenDirective): Problem =>
  problemAt(
    nameToken,
    'directive.no-sources',
    'warning',
    `${name} has no values, so it blocks everything; write 'none' if that is intended`,
  )

function wholeOf({ nameToken, values }: WrittenDirective): Pick<Token, 'start' | 'end'> {
  return { start: nameToken.start, end: values.at(-1)?.end ?? nameToken.end }
}

function unknownName(name: string): string {
  const near = [...DIRECTIVES.keys()].find(
    (known) => known.replaceAll('-', '') === name.replaceAll(/[-_:]/g, ''),
  )
  return near === undefined ? `unknown directive ${name}` : `unknown directive ${name}; did you mean ${near}?`
}
