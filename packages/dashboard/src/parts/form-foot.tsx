// The buttons below a small form.
import { strings } from '../strings.ts'

interface FormFootProps {
  readonly label: string
  /** The form is sent, or cannot be yet. */
  readonly isBusy: boolean
  /** Closing would lose the answer. */
  readonly isHeld?: boolean
  readonly onClose: () => void
}

export function FormFoot({ label, isBusy, isHeld = false, onClose }: FormFootProps) {
  return (
    <div className="row">
      <button type="submit" className="btn primary" disabled={isBusy}>
        {label}
      </button>
      <button type="button" className="btn" disabled={isHeld} onClick={onClose}>
        {strings.cancel} <kbd>Esc</kbd>
      </button>
    </div>
  )
}
