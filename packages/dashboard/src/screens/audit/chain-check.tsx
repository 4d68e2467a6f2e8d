// The check of the chain: started by hand, with progress, and what it found.
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { auditLinesAfter } from '../../api/audit.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { StatusWord } from '../../parts/status-word.tsx'
import { auditStrings } from '../../strings/audit.ts'
import { checkLog, readLink, type Outcome } from './chain-run.ts'

const text = auditStrings.check

export function ChainCheck({ onClose }: { readonly onClose: () => void }) {
  const [known, setKnown] = useState('')
  const [entries, setEntries] = useState(0)
  const ending = useRef<AbortController>(undefined)
  const expected = readLink(known)
  const isWrong = known.trim() !== '' && expected === undefined
  const check = useMutation({
    mutationFn: () => {
      ending.current = new AbortController()
      return checkLog(auditLinesAfter, expected, setEntries, ending.current.signal)
    },
  })
  useEffect(() => () => ending.current?.abort(), [])
  return (
    <Section title={text.title} note={text.note} onEscape={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (isWrong || check.isPending) return
          setEntries(0)
          check.mutate()
        }}
      >
        <TextField
          label={text.known}
          hint={text.knownHint}
          {...(isWrong ? { error: text.knownWrong } : {})}
          autoFocus
          value={known}
          onChange={setKnown}
        />
        <div aria-live="polite" className="stack">
          {check.isPending && <p className="soft">{text.running(entries)}</p>}
          {check.data !== undefined && !check.isPending && <Found outcome={check.data} />}
        </div>
        <Problem error={check.error} />
        <div className="row">
          <button type="submit" className="btn primary" disabled={isWrong}>
            {text.start}
          </button>
          <button type="button" className="btn" onClick={onClose}>
            {text.close} <kbd>Esc</kbd>
          </button>
        </div>
      </form>
    </Section>
  )
}

function Found({ outcome }: { readonly outcome: Outcome }) {
  if (outcome.kind === 'empty') return <p>{text.empty}</p>
  if (outcome.kind === 'broken')
    return (
      <p>
        <StatusWord tone="wrong">{text.broken(outcome.fault.number)}</StatusWord>{' '}
        {text.faults[outcome.fault.kind]}
      </p>
    )
  const { entries, first, last } = outcome
  const link = `${last.number}:${last.hash}`
  return (
    <>
      <p>
        <StatusWord tone="normal">{text.whole(entries)}</StatusWord> {first > 1 && text.begins(first)}{' '}
        <span className="soft">{text.keep}</span>
      </p>
      <div className="row nowrap">
        <code className="value">{link}</code>
        <CopyButton text={link} />
      </div>
    </>
  )
}
