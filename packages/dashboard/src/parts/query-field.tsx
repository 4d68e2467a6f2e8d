// A filter of terms as tokens, with words behind them.
import { useRef, useState } from 'react'
import { useShortcuts } from '../app/shortcuts.ts'
import { strings } from '../strings.ts'
import { Icon } from './icon.tsx'
import { parseTerms, termText, writeTerms, type Grammar, type Term } from './terms.ts'

interface QueryFieldProps {
  readonly grammar: Grammar
  readonly label: string
  readonly hint: string
  readonly text: string
  readonly onChange: (text: string) => void
}

/** A term is a token as soon as a space follows it; Backspace in front of the words makes it text again. */
export function QueryField({ grammar, label, hint, text, onChange }: QueryFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useShortcuts({ '/': () => input.current?.focus() })
  const [tail, setTail] = useState(() => parseTerms(text, grammar).words)
  const terms = withoutTail(text, tail, grammar)
  const write = (nextTerms: readonly Term[], nextTail: string): void => {
    const typed = parseTerms(nextTail, grammar)
    const isDone = /\s$/.test(nextTail) && typed.terms.length > 0
    const kept = isDone ? [...nextTerms, ...typed.terms] : nextTerms
    const rest = isDone ? typed.words : nextTail
    setTail(rest)
    onChange(writeTerms({ terms: kept, words: rest }))
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

/** The terms that are tokens: all but those still being typed. */
function withoutTail(text: string, tail: string, grammar: Grammar): readonly Term[] {
  const typing = parseTerms(tail, grammar).terms.length
  const { terms } = parseTerms(text, grammar)
  return typing === 0 ? terms : terms.slice(0, -typing)
}
