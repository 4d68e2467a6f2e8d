// A filter of terms as tokens, with words behind them: all of it is one text.
import { useState } from 'react'
import { parseTerms, writeTerms, type Grammar, type Term } from './terms.ts'
import { TokenField } from './token-field.tsx'

interface QueryFieldProps {
  readonly grammar: Grammar
  readonly label: string
  readonly hint: string
  readonly text: string
  readonly onChange: (text: string) => void
}

export function QueryField({ grammar, label, hint, text, onChange }: QueryFieldProps) {
  const [tail, setTail] = useState(() => parseTerms(text, grammar).words)
  return (
    <TokenField
      grammar={grammar}
      label={label}
      hint={hint}
      terms={withoutTail(text, tail, grammar)}
      tail={tail}
      onChange={(terms, words) => {
        setTail(words)
        onChange(writeTerms({ terms, words }))
      }}
    />
  )
}

/** The terms that are tokens: all but those still being typed. */
function withoutTail(text: string, tail: string, grammar: Grammar): readonly Term[] {
  const typing = parseTerms(tail, grammar).terms.length
  const { terms } = parseTerms(text, grammar)
  return typing === 0 ? terms : terms.slice(0, -typing)
}
