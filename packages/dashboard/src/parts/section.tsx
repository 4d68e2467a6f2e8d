// A section of a screen: its head stands at the side, its state as a mark in the margin.
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

/** Normal has no color. */
const TONES: Partial<Record<IconName, string>> = { warning: 'warn', wrong: 'bad', add: 'act' }

interface SectionProps {
  readonly title: string
  readonly note?: ReactNode
  readonly mark?: IconName | undefined
  /** `hi`: what is being done, above the rest; `end`: the decision below it; `flush`: right below a strip. */
  readonly kind?: 'hi' | 'end' | 'flush'
  /** For what one is asked for or types here. */
  readonly onEscape?: () => void
  readonly children: ReactNode
}

export function Section({ title, note, mark, kind, onEscape, children }: SectionProps) {
  return (
    <section
      className={kind === undefined ? 'sec' : `sec ${kind}`}
      onKeyDown={({ key }) => key === 'Escape' && onEscape?.()}
    >
      {mark !== undefined && (
        <span className={`mk ${TONES[mark] ?? 'dim'}`}>
          <Icon name={mark} />
        </span>
      )}
      <div>
        <h2>{title}</h2>
        {note !== undefined && note !== false && <p>{note}</p>}
      </div>
      {children}
    </section>
  )
}
