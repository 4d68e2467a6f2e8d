// A small form in its place on a page, which Esc closes.
import type { ReactNode } from 'react'

interface SmallFormProps {
  readonly onClose: () => void
  readonly onSubmit: () => void
  readonly children: ReactNode
}

export const SmallForm = ({ onClose, onSubmit, children }: SmallFormProps) => (
  <form
    className="stack hi-form"
    onKeyDown={(event) => event.key === 'Escape' && onClose()}
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  >
    {children}
  </form>
)
