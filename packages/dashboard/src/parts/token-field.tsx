// A field for a filter: terms as tokens, and what is being typed behind them.
import { useRef } from 'react'
import { useShortcuts } from '../app/shortcuts.ts'
import { strings } from '../strings.ts'
import { Icon } from './icon.tsx'
import { parseTerms, termText, type Grammar, type Term } from './terms.ts'

interface TokenFieldProps<Field extends string> {
  readonly grammar: Grammar<Field>
  readonly terms: readonly Term<Field>[]
  /** What is not a token yet. */
  readonly tail: string
  readonly label: string
  readonly hint: string
  readonly onChange: (terms: readonly Term<Field>[], tail: string) => void
}

/** A term is a token as soon as a space follows it; Backspace in front of the words makes it text again. */
export function TokenField<Field extends string>(props: TokenFieldProps<Field>) {
  const { grammar, terms, tail, label, hint, onChange } = props
  const input = useRef<HTMLInputElement>(null)
  useShortcuts({ '/': () => input.current?.focus() })
  const write = (nextTerms: readonly Term<Field>[], nextTail: string): void => {
    const typed = parseTerms(nextTail, grammar)
    const isDone = /\s$/.test(nextTail) && typed.terms.length > 0
    onChange(isDone ? [...nextTerms, ...typed.terms] : nextTerms, isDone ? typed.words : nextTail)
  }
  const takeBack = (): void => {
    const last = terms.at(-1)
    if (last !== undefined) write(terms.slice(0, -1), termText(last))
  }
  return (
    <div className="query" onClick={() => input.current?.focus()}>
      <Icon name="search" />
      {terms.map((term, index) => (
        <span key={`${termText(term)}${index}`} className={term.isNot ? 'tok not' : 'tok'}>
          <span>{term.field}</span>
          <i>{term.isNot ? strings.records.isNot : strings.records.is}</i>
          <b>{term.value}</b>
          <button
            type="button"
            aria-label={strings.records.removeTerm(termText(term))}
            onClick={() =>
              write(
                terms.filter((_, at) => at !== index),
                tail,
              )
            }
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      <input
        ref={input}
        type="text"
        aria-label={label}
        placeholder={terms.length === 0 ? hint : strings.records.filterMore}
        value={tail}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => write(terms, target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Backspace' && tail === '') takeBack()
          if (event.key === 'Enter' && tail !== '') write(terms, `${tail} `)
          if (event.key === 'Escape') {
            if (tail === '') input.current?.blur()
            else write(terms, '')
          }
        }}
      />
      <kbd>/</kbd>
    </div>
  )
}
