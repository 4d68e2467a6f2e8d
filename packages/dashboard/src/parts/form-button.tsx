// A button that opens a form in its place. When the form closes, the focus is on the button again.
import { useState, type ReactNode } from 'react'

interface FormButtonProps {
  readonly label: string
  readonly isDisabled?: boolean
  /** Beside the button, while the form is closed. */
  readonly beside?: ReactNode
  readonly form: (close: () => void) => ReactNode
}

export function FormButton({ label, isDisabled = false, beside, form }: FormButtonProps) {
  const [state, setState] = useState<'new' | 'open' | 'closed'>('new')
  if (state === 'open') return form(() => setState('closed'))
  return (
    <div className="row">
      <button
        type="button"
        className="btn"
        disabled={isDisabled}
        // The button was not there while the form was open.
        autoFocus={state === 'closed'}
        onClick={() => setState('open')}
      >
        {label}
      </button>
      {beside}
    </div>
  )
}
