// The buttons below a small form.
import { strings } from '../strings.ts'

interface FormFootProps {
  readonly label: string
  /** The form is sent, or cannot be yet. */
  readonly isBusy: boolean
  readonly onClose: () => void
}

export function FormFoot({ label, isBusy, onClose }: FormFootProps) {
  return (
    <div className="row">
      <button type="submit" className="btn primary" disabled={isBusy}>
        {label}
      </button>
      <button type="button" className="btn" onClick={onClose}>
        {strings.cancel} <kbd>Esc</kbd>
      </button>
    </div>
  )
}
