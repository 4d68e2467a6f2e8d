// What has no undo: a button, and then what it does with another one, which can be left by Escape.
// The second button never has the focus by itself: Enter twice carries nothing out.
import { useRef, useState, type ReactNode } from 'react'
import { Problem } from './problem.tsx'
import { Section } from './section.tsx'
import { strings } from '../strings.ts'

interface TwoStepsProps {
  readonly title: string
  readonly note?: string
  readonly detail: string
  /** Of the first button. */
  readonly open: string
  /** Of the second one. */
  readonly confirm: string
  readonly isBusy: boolean
  readonly error: Error | null
  /** Between the two: a choice, which takes the focus. */
  readonly children?: ReactNode
  readonly onConfirm: () => void
}

export function TwoSteps({
  title,
  note,
  detail,
  open,
  confirm,
  isBusy,
  error,
  children,
  onConfirm,
}: TwoStepsProps) {
  const [isAsked, setAsked] = useState(false)
  const first = useRef<HTMLButtonElement>(null)
  const cancel = (): void => {
    setAsked(false)
    // The button is on the page again after the next frame.
    requestAnimationFrame(() => first.current?.focus())
  }
  return (
    <Section title={title} note={note} onEscape={() => isAsked && cancel()}>
      <div className="stack">
        <p className="prose">{detail}</p>
        {isAsked && children}
        <div className="row">
          {isAsked ? (
            <>
              <button type="button" className="btn danger" disabled={isBusy} onClick={onConfirm}>
                {confirm}
              </button>
              <button type="button" className="btn" autoFocus={children === undefined} onClick={cancel}>
                {strings.cancel} <kbd>Esc</kbd>
              </button>
            </>
          ) : (
            <button ref={first} type="button" className="btn" onClick={() => setAsked(true)}>
              {open}
            </button>
          )}
        </div>
        <Problem error={error} />
      </div>
    </Section>
  )
}
