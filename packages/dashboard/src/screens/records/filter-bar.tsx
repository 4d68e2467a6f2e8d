// The filter of the record list: terms as tokens, words behind them. The URL keeps it, the server is asked.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useShortcuts } from '../../app/shortcuts.ts'
import { useDelayed } from '../../parts/delayed.ts'
import { Icon } from '../../parts/icon.tsx'
import { numberText, strings } from '../../strings.ts'
import { parseFilter, RECORD_ORDERS, termText, writeFilter, type Term } from './record-filter.ts'

const TYPING_MILLIS = 120

interface FilterBarProps {
  readonly found: number | undefined
  readonly total: number | undefined
}

export function FilterBar({ found, total }: FilterBarProps) {
  const search = useSearch({ from: '/frame/zones/$zone/records' })
  const navigate = useNavigate({ from: '/zones/$zone/records' })
  const [text, setText] = useState(search.q ?? '') // no filter yet
  const settled = useDelayed(text, TYPING_MILLIS)
  useEffect(() => {
    const q = settled.trim() === '' ? undefined : settled.trim()
    void navigate({ search: (last) => ({ ...last, q }), replace: true, resetScroll: false })
  }, [settled, navigate])
  return (
    <div className="filter">
      <QueryField text={text} onChange={setText} />
      {found !== undefined && total !== undefined && (
        <span className="hits wide">{strings.records.hits(numberText(found), numberText(total))}</span>
      )}
      <select
        className="sel auto"
        aria-label={strings.records.sort}
        value={search.sort ?? 'name'}
        onChange={({ target }) =>
          void navigate({
            search: (last) => ({ ...last, sort: target.value === 'name' ? undefined : target.value }),
          })
        }
      >
        {RECORD_ORDERS.map((order) => (
          <option key={order} value={order}>
            {strings.records.orders[order]}
          </option>
        ))}
      </select>
    </div>
  )
}

interface QueryFieldProps {
  readonly text: string
  readonly onChange: (text: string) => void
}

/** A term is a token as soon as a space follows it; Backspace in front of the words makes it text again. */
function QueryField({ text, onChange }: QueryFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useShortcuts({ '/': () => input.current?.focus() })
  const [tail, setTail] = useState(() => parseFilter(text).words)
  const terms = withoutTail(text, tail)
  const write = (nextTerms: readonly Term[], nextTail: string): void => {
    const typed = parseFilter(nextTail)
    const isDone = /\s$/.test(nextTail) && typed.terms.length > 0
    const kept = isDone ? [...nextTerms, ...typed.terms] : nextTerms
    const rest = isDone ? typed.words : nextTail
    setTail(rest)
    onChange(writeFilter({ terms: kept, words: rest }))
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
        aria-label={strings.records.filter}
        placeholder={terms.length === 0 ? strings.records.filterHint : strings.records.filterMore}
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
function withoutTail(text: string, tail: string): readonly Term[] {
  const typing = parseFilter(tail).terms.length
  const { terms } = parseFilter(text)
  return typing === 0 ? terms : terms.slice(0, -typing)
}
