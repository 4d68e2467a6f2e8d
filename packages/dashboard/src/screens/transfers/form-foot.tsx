// The buttons below a small form.
import { transferStrings as text } from '../../strings/transfers.ts'

interface FormFootProps {
  readonly label: string
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
        {text.cancel} <kbd>Esc</kbd>
      </button>
    </div>
  )
}
