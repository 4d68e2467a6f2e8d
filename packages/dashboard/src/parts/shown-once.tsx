// A secret that is shown once, with a button to copy it.
import { useEffect, useRef, type ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'

interface ShownOnceProps {
  readonly value: string
  readonly headline: string
  readonly detail: string
  readonly doneLabel: string
  readonly onDone: () => void
  readonly children?: ReactNode
}

export function ShownOnce({ value, headline, detail, doneLabel, onDone, children }: ShownOnceProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div className="once" ref={box} tabIndex={-1}>
      <p>
        <b>{headline}</b> {detail}
      </p>
      <div className="row nowrap">
        <code className="value">{value}</code>
        <CopyButton text={value} />
      </div>
      {children}
      <div className="row">
        <button type="button" className="btn" onClick={onDone}>
          {doneLabel}
        </button>
      </div>
    </div>
  )
}
